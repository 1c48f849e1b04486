import type { Money } from '../../../shared/commerce.ts'

/** One charge. Every try for the same checkout session carries the same `idempotencyKey`. */
export interface Charge {
  amount: Money
  /** Issued by the PSP; a card number never gets here. */
  token: string
  /** The payment method's type as the agent said it, such as `card` or `upi`. */
  type: string
  idempotencyKey: string
  sessionId: string
}

/** `pending`: the result comes by webhook. */
export type ChargeResult =
  | { status: 'succeeded'; paymentId: string }
  | { status: 'pending'; paymentId: string }
  | { status: 'declined'; paymentId: string | null; message: string }

/** What a PSP tells us later, in the words of the spec's table, whatever its own are. */
export interface PspEvent {
  id: string
  type:
    | 'payment_intent.succeeded'
    | 'payment_intent.payment_failed'
    | 'charge.dispute.created'
    | 'other'
  /** As the PSP names it: for the log. */
  name: string
  paymentId: string | null
  /** The session that the charge was made for, where the PSP hands our metadata back. */
  sessionId: string | null
}

/** A delivery whose signature, age or form is not right; its message may be shown. */
export class RefusedDelivery extends Error {
  override name = 'RefusedDelivery'
}

/** A payment service provider. */
export interface Psp {
  name: string
  /**
   * Charges, exactly once for an idempotency key. Rejects when the result is unknown: the caller
   * must not take that for a decline.
   */
  charge(charge: Charge): Promise<ChargeResult>
  /** What became of the charge for a session; null when the PSP knows of none. */
  find(sessionId: string): Promise<ChargeResult | null>
  /** Verifies a webhook delivery over its raw bytes and reads it. Throws `RefusedDelivery`. */
  readDelivery(headers: Headers, body: Uint8Array, now: Date): Promise<PspEvent>
}
