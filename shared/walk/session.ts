import type { Money } from '../commerce/product.ts'

/**
 * A checkout session in the words of no dialect. A store wrote it, so that each part is null where
 * the answer does not say it, or not in a form that can be read. Amounts are in the smallest unit
 * of the currency.
 */
export interface Session {
  id: string | null
  phase: SessionPhase | null
  /** The status in the store's own word. */
  said: string | null
  /** As the answer writes it: `USD`, or `usd` in official ACP. */
  currency: string | null
  /** What is in it; null where the dialect lists no lines. */
  lines: SessionLine[] | null
  /** What the goods cost together, before shipping and tax. */
  subtotal: number | null
  /** What the buyer pays; null while the dialect does not state it. */
  total: number | null
  /**
   * All that adds up to `total`, as far as it is stated yet, the total aside; discounts are
   * negative. Null where the answers do not state all of it; set before there is a total to compare
   * it with.
   */
  parts: { name: string; amount: number }[] | null
  shipping: ShippingOffer[]
  /** The chosen option's id. */
  chosen: string | null
  /** Where a dialect has updates name them by id: how the goods are handed over. */
  deliveries?: SessionDelivery[]
  /** As the answer writes it. */
  expires_at: string | null
  /** Where the buyer goes on. */
  continue_url: string | null
  /** What the store says to the agent or the buyer beside it. */
  messages: SessionMessage[]
  /** Ids of the ways to pay; null where the dialect does not name them in a session. */
  handlers: string[] | null
  /** Set once it is paid. */
  order: { id: string; url: string | null } | null
  /** What the dialect requires of this answer and it lacks, as `field: what is wrong`. */
  faults: ShapeFault[]
}

/**
 * `open`: something is missing. `ready`: it can be paid. `buyer`: the buyer has to act at
 * `continue_url`. `challenge`: the bank wants to see the buyer. `paying`: the payment is under way.
 */
export type SessionPhase =
  | 'open'
  | 'ready'
  | 'buyer'
  | 'challenge'
  | 'paying'
  | 'completed'
  | 'canceled'
  | 'expired'

/** Sessions in which nothing can change any more. */
export const isOver = (phase: SessionPhase | null): boolean =>
  phase === 'completed' || phase === 'canceled' || phase === 'expired'

export interface SessionLine {
  /** The line's own id, by which an update names it; null in dialects without. */
  id: string | null
  /** What was bought: the id of the variant, or of the product that has none. */
  item: string | null
  quantity: number | null
  /** Of one piece. */
  price: number | null
}

export interface ShippingOffer {
  id: string
  name: string
  /** The dialect's word for how it is delivered, where a choice has to repeat it. */
  kind?: string
  /** Null where it says no price that can be read. */
  cost: number | null
  /**
   * Where it says more than one: without its tax, before a discount. A session may add up any of
   * them.
   */
  costs?: number[]
}

/** A shipment, by the ids with which an update names it and its parts again. */
export interface SessionDelivery {
  id: string
  /** Ids of the lines in it. */
  lines: string[]
  /** The id that the store gave the address; null where there is none yet. */
  destination: string | null
  /** Parcels; an option is chosen for each by one of the ids in `options`. */
  groups: { id: string; lines: string[]; options: string[] }[]
}

export interface SessionMessage {
  kind: 'error' | 'warning' | 'info'
  code: string
  text: string
  /** What an error is about, as far as its code says; null for other messages. */
  reason: Reason | null
  /** An error that the buyer alone can resolve, whatever the agent sends. */
  isForBuyer?: true
}

export interface ShapeFault {
  /** A dotted path in the answer, such as `totals[0].amount`. */
  field: string
  problem: string
  /** The currency's form has a gap of its own. */
  about?: 'currency' | 'expiry'
}

/** What a refusal is about, whatever the dialect calls it. */
export type Reason =
  | 'sold_out'
  | 'unknown_item'
  | 'address'
  | 'shipping'
  | 'quantity'
  | 'coupon'
  | 'currency'
  | 'payment'
  | 'challenge'
  /** The key was used for another request. */
  | 'conflict'
  /** The session has ended, or is not there. */
  | 'ended'
  /** The request lacks something, or has something of the wrong form. */
  | 'invalid'
  /** Who asks is not admitted: no key, no profile, not trusted. */
  | 'caller'
  | 'too_many'
  /** The server failed. */
  | 'failed'
  | 'other'

/** The store says no. */
export interface Refusal {
  status: number
  /** In the store's own word; null where it names none. */
  code: string | null
  /** What an agent would tell the buyer; null where it says nothing. */
  text: string | null
  reason: Reason
  /** What the dialect requires of an error and this one lacks, as a part of a sentence. */
  fault: string | null
}

/** An order as the store shows it after the purchase. */
export interface OrderView {
  id: string | null
  status: string | null
  total: Money | null
}

/** What an operation was answered. */
export type WalkReply =
  | { is: 'session'; session: Session }
  | { is: 'order'; order: OrderView }
  | { is: 'refused'; refusal: Refusal }
  /** An answer that no agent can read: no JSON, a redirect, a page; a part of a sentence. */
  | { is: 'unreadable'; why: string }
  /** None came in time, or none could be asked for; a part of a sentence. */
  | { is: 'silent'; why: string }

/** A refusal for one of these reasons. */
export const isRefusedFor = (reply: WalkReply, ...reasons: Reason[]): boolean =>
  reply.is === 'refused' && reasons.includes(reply.refusal.reason)

/** A refusal that says that there is no session any more. */
export const saysEnded = (reply: WalkReply): boolean => isRefusedFor(reply, 'ended')

/** A session that was read, and can still be changed or paid. */
export const isStillOpen = (
  reply: WalkReply | null,
): reply is Extract<WalkReply, { is: 'session' }> =>
  reply?.is === 'session' && !isOver(reply.session.phase)

/** Whether an answer shows or says that the session has ended. */
export const isEnded = (reply: WalkReply): boolean =>
  reply.is === 'session' ? isOver(reply.session.phase) : saysEnded(reply)
