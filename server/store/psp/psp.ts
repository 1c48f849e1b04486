import type { Money } from '../../../shared/commerce/product.ts'

/**
 * One charge. Tries for the same checkout session carry the same `idempotencyKey`, and are
 * otherwise the same, until the PSP has declined one: the next is another charge. Both ids go into
 * the payment's metadata.
 */
export interface Charge {
  amount: Money
  /** Issued by the PSP; card numbers never get here. */
  token: string
  /** The payment method's type by the agent, such as `card` or `upi`. */
  type: string
  idempotencyKey: string
  sessionId: string
  /**
   * The address to which the bank sends the buyer after a challenge. Without it, a payment that
   * needs one is declined.
   */
  returnUrl?: string
  /**
   * The result of a 3DS authentication that the agent ran itself (ACP's `authentication_result`).
   */
  authentication?: ThreeDsResult
}

/** The result of a buyer's authentication by 3DS 2, in the card networks' form. */
export interface ThreeDsResult {
  /** The authentication value: 20 bytes in Base64. */
  cryptogram: string
  /** The electronic commerce indicator: `01`, `02`, `05`, `06` or `07`. */
  eci: string
  /** The transaction's id at the directory server. */
  transactionId: string
  /** The version of 3DS, such as `2.2.0`. */
  version: string
}

/**
 * `amount`: the payment's amount, by the PSP. `pending`: the result comes by webhook; first the
 * buyer must pass a challenge at `challengeUrl`, if there is one. `declined`: no money was taken,
 * and with this key none will be; `needsAuthentication`: the next try can be paid with
 * `authentication`, or with a challenge.
 */
export type ChargeResult =
  | { status: 'succeeded'; paymentId: string; amount: Money }
  | { status: 'pending'; paymentId: string; amount: Money; challengeUrl?: string }
  | { status: 'declined'; paymentId: string | null; message: string; needsAuthentication?: true }

/** The message to the buyer for a payment that has already paid for another order. */
export const PAYMENT_USED =
  'This payment was already used for another order. Please pay another way.'

/** A charge whose answer was lost. */
export interface SoughtCharge {
  sessionId: string
  idempotencyKey: string
  /** Its payment, if the PSP has named it: that one is read instead of searching. */
  paymentId?: string
  /** No try for it is older: searches by metadata lag behind, lists by time do not. */
  since: Date
  /** No try for it is newer; absent: unknown. */
  until?: Date
  /** Aborted once the caller no longer waits for the result. */
  signal?: AbortSignal
}

/** A refund. Tries for the same refund carry the same `idempotencyKey`. */
export interface PspRefund {
  paymentId: string
  amount: Money
  /** Letters, digits, `_` and `-`; it goes into the refund's metadata. */
  idempotencyKey: string
}

/** `pending`: in progress, and may still fail. `failed`: the money stays with the merchant. */
export type RefundResult =
  | { status: 'succeeded' | 'pending'; refundId: string }
  | { status: 'failed'; refundId: string | null; message: string }

/** An event that a PSP reports later, under the names of the spec's table and one of Stripe's. */
export interface PspEvent {
  id: string
  type:
    | 'payment_intent.succeeded'
    | 'payment_intent.payment_failed'
    // Cancelled, by us or in the PSP's dashboard: as final as a failure, but not a decline of a
    // bank.
    | 'payment_intent.canceled'
    | 'charge.dispute.created'
    | 'other'
  /** The PSP's name for it, for the log. */
  name: string
  paymentId: string | null
  /** The session of the charge, if the PSP returns our metadata. */
  sessionId: string | null
  /** The amount of the payment; null if the PSP does not state it. */
  amount: Money | null
}

/** A delivery whose signature, age or form is wrong; its message may be shown. */
export class RefusedDelivery extends Error {
  override name = 'RefusedDelivery'
}

/**
 * The PSP refused the call itself, as for a wrong or revoked key: this try has charged nothing. An
 * earlier one may have.
 */
export class RefusedCall extends Error {
  override name = 'RefusedCall'
}

/**
 * A payment service provider: one implementation for each, under `stripe/`, `razorpay/`, `test/`.
 */
export interface Psp {
  name: string
  /** The accepted types of payment method, such as `card` and `upi`. */
  methods: readonly string[]
  /**
   * Charges exactly once for an idempotency key. Rejects if the result is unknown: the caller must
   * not treat that as a decline. Rejects with `RefusedCall` if this call has certainly charged
   * nothing.
   */
  charge(charge: Charge): Promise<ChargeResult>
  /**
   * The result of a charge; null if the PSP knows of none. A payment that waits for its challenge
   * is pending, with its `challengeUrl`. Rejects if the PSP cannot be asked.
   */
  find(sought: SoughtCharge): Promise<ChargeResult | null>
  /**
   * Cancels a payment that waits for its challenge, and returns its result: `isGivenUp`, unless it
   * was decided before. Rejects if the result is unknown. Absent if no payment waits for a
   * challenge.
   */
  abandon?(paymentId: string): Promise<ChargeResult & { isGivenUp: boolean }>
  /**
   * Refunds a payment, in part or in full, exactly once for an idempotency key. Rejects if the
   * result is unknown: the caller must not treat that as a failure.
   */
  refund(refund: PspRefund): Promise<RefundResult>
  /** The result of a refund; null if the PSP knows of none. Rejects if it cannot be asked. */
  findRefund(sought: Pick<PspRefund, 'paymentId' | 'idempotencyKey'>): Promise<RefundResult | null>
  /** Verifies a webhook delivery over its raw bytes and reads it. Throws `RefusedDelivery`. */
  readDelivery(headers: Headers, body: Uint8Array, now: Date): Promise<PspEvent>
}
