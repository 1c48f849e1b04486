import type { Money } from '../../../shared/commerce/product.ts'

/**
 * One charge. Tries for the same checkout session carry the same `idempotencyKey`, and are the same
 * in all else, until the PSP has declined one: the next is another charge. Both ids go into the
 * payment's metadata.
 */
export interface Charge {
  amount: Money
  /** Issued by the PSP; a card number never gets here. */
  token: string
  /** The payment method's type as the agent said it, such as `card` or `upi`. */
  type: string
  idempotencyKey: string
  sessionId: string
  /**
   * Where the bank sends the buyer back to after a challenge. Without it, a payment that needs one
   * is declined.
   */
  returnUrl?: string
  /**
   * What a 3DS authentication gave that the agent ran by itself (ACP's `authentication_result`).
   */
  authentication?: ThreeDsResult
}

/** What 3DS 2 hands over of a buyer's authentication, as card networks take it. */
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
 * `amount`: what the payment is of, as the PSP says. `pending`: the result comes by webhook; first
 * the buyer must pass a challenge at `challengeUrl`, if there is one. `declined`: no money was
 * taken, and with this key none will be; `needsAuthentication`: the next try can be paid with
 * `authentication`, or with a challenge.
 */
export type ChargeResult =
  | { status: 'succeeded'; paymentId: string; amount: Money }
  | { status: 'pending'; paymentId: string; amount: Money; challengeUrl?: string }
  | { status: 'declined'; paymentId: string | null; message: string; needsAuthentication?: true }

/** What the buyer hears of a payment that has paid for another order. */
export const PAYMENT_USED =
  'This payment was already used for another order. Please pay another way.'

/** A charge whose answer was lost. */
export interface SoughtCharge {
  sessionId: string
  idempotencyKey: string
  /** Its payment, where the PSP has named it: that one is read, and none is searched for. */
  paymentId?: string
  /** No try for it is older: searches by metadata lag behind, lists by time do not. */
  since: Date
  /** No try for it is newer; absent: nobody knows. */
  until?: Date
  /** Aborted when nobody waits for the result any more. */
  signal?: AbortSignal
}

/** Money that goes back. Tries for the same refund carry the same `idempotencyKey`. */
export interface PspRefund {
  paymentId: string
  amount: Money
  /** Letters, digits, `_` and `-`; it goes into the refund's metadata. */
  idempotencyKey: string
}

/** `pending`: it is under way, and may fail yet. `failed`: the money stays where it is. */
export type RefundResult =
  | { status: 'succeeded' | 'pending'; refundId: string }
  | { status: 'failed'; refundId: string | null; message: string }

/** An event that a PSP reports later, under the names of the spec's table and one of Stripe's. */
export interface PspEvent {
  id: string
  type:
    | 'payment_intent.succeeded'
    | 'payment_intent.payment_failed'
    // Given up, by us or in the PSP's dashboard: as final as a failure, and no bank declined it.
    | 'payment_intent.canceled'
    | 'charge.dispute.created'
    | 'other'
  /** As the PSP names it: for the log. */
  name: string
  paymentId: string | null
  /** The session that the charge was made for, where the PSP hands our metadata back. */
  sessionId: string | null
  /** What the payment is of; null where the PSP does not say. */
  amount: Money | null
}

/** A delivery whose signature, age or form is not right; its message may be shown. */
export class RefusedDelivery extends Error {
  override name = 'RefusedDelivery'
}

/**
 * The PSP refused the call itself, as with a key that is wrong or revoked: this try has charged
 * nothing. An earlier one may have.
 */
export class RefusedCall extends Error {
  override name = 'RefusedCall'
}

/**
 * A payment service provider: one implementation for each, under `stripe/`, `razorpay/`, `test/`.
 */
export interface Psp {
  name: string
  /** The types of payment method that it takes, such as `card` and `upi`. */
  methods: readonly string[]
  /**
   * Charges, exactly once for an idempotency key. Rejects when the result is unknown: the caller
   * must not take that for a decline. Rejects with `RefusedCall` when it is sure that this call
   * charged nothing.
   */
  charge(charge: Charge): Promise<ChargeResult>
  /**
   * What became of a charge; null when the PSP knows of none. A payment that waits for its
   * challenge is pending, with its `challengeUrl`. Rejects when the PSP cannot be asked.
   */
  find(sought: SoughtCharge): Promise<ChargeResult | null>
  /**
   * Gives up a payment that waits for its challenge, and says what it came to: `isGivenUp`, unless
   * it was decided before. Rejects when that is unknown. Absent where no payment waits for a
   * challenge.
   */
  abandon?(paymentId: string): Promise<ChargeResult & { isGivenUp: boolean }>
  /**
   * Gives a part of a payment back, or all of it, exactly once for an idempotency key. Rejects when
   * the result is unknown: the caller must not take that for a failure.
   */
  refund(refund: PspRefund): Promise<RefundResult>
  /** What became of a refund; null when the PSP knows of none. Rejects when it cannot be asked. */
  findRefund(sought: Pick<PspRefund, 'paymentId' | 'idempotencyKey'>): Promise<RefundResult | null>
  /** Verifies a webhook delivery over its raw bytes and reads it. Throws `RefusedDelivery`. */
  readDelivery(headers: Headers, body: Uint8Array, now: Date): Promise<PspEvent>
}
