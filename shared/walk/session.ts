import type { Money } from '../commerce/product.ts'

/**
 * A checkout session, independent of dialects. A store wrote it: a part is null if the answer does
 * not have it in a readable form. Amounts are in the smallest unit of the currency.
 */
export interface Session {
  id: string | null
  phase: SessionPhase | null
  /** The status in the store's own word. */
  said: string | null
  /** As the answer writes it: `USD`, or `usd` in official ACP. */
  currency: string | null
  /** Its lines; null if the dialect lists none. */
  lines: SessionLine[] | null
  /** The price of the goods, before shipping and tax. */
  subtotal: number | null
  /** What the buyer pays; null while the dialect does not state it. */
  total: number | null
  /**
   * Everything that adds up to `total`, as far as it is stated, without the total itself; discounts
   * are negative. Null if the answers do not state all of it; set before there is a total to
   * compare it with.
   */
  parts: { name: string; amount: number }[] | null
  /** The total may change when it is paid, because its tax is estimated. */
  isEstimate?: true
  shipping: ShippingOffer[]
  /** The chosen option's id. */
  chosen: string | null
  /** How the goods are delivered, for dialects in which updates name it by id. */
  deliveries?: SessionDelivery[]
  /** As the answer writes it. */
  expires_at: string | null
  /** The page on which the buyer continues. */
  continue_url: string | null
  /** The store's messages to the agent or the buyer. */
  messages: SessionMessage[]
  /** Ids of the payment methods; null if the dialect does not name them in a session. */
  handlers: string[] | null
  /** Set once it is paid. */
  order: { id: string; url: string | null } | null
  /** What the dialect requires and the answer lacks, as `field: what is wrong`. */
  faults: ShapeFault[]
}

/**
 * `open`: something is missing. `ready`: it can be paid. `buyer`: the buyer has to act at
 * `continue_url`. `challenge`: the bank asks the buyer to confirm. `paying`: the payment is in
 * progress.
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

/** Sessions that can no longer change. */
export const isOver = (phase: SessionPhase | null): boolean =>
  phase === 'completed' || phase === 'canceled' || phase === 'expired'

export interface SessionLine {
  /** The line's own id, by which an update names it; null in dialects without one. */
  id: string | null
  /** The bought item: the id of the variant, or of the product without variants. */
  item: string | null
  /** What the buyer reads; some dialects have none. */
  title?: string | null
  quantity: number | null
  /** Of one piece. */
  price: number | null
}

export interface ShippingOffer {
  id: string
  name: string
  /** The dialect's word for the delivery, if a choice has to repeat it. */
  kind?: string
  /** Null without a readable price. */
  cost: number | null
  /**
   * Further prices, if it states several: without its tax, before a discount. A session may add up
   * any of them.
   */
  costs?: number[]
}

/** A delivery, with the ids by which an update names it and its parts again. */
export interface SessionDelivery {
  id: string
  /** Ids of the lines in it. */
  lines: string[]
  /** The store's id of the address; null if there is none yet. */
  destination: string | null
  /** Parcels; for each, an option is chosen by one of the ids in `options`. */
  groups: { id: string; lines: string[]; options: string[] }[]
}

export interface SessionMessage {
  kind: 'error' | 'warning' | 'info'
  code: string
  text: string
  /** What an error is about, by its code; null for other messages. */
  reason: Reason | null
  /** An error that only the buyer can resolve. */
  isForBuyer?: true
}

export interface ShapeFault {
  /** A dotted path in the answer, such as `totals[0].amount`. */
  field: string
  problem: string
  /** The currency's form has its own gap. */
  about?: 'currency' | 'expiry'
}

/** What a refusal is about, for any dialect. */
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
  /** The session has ended, or does not exist. */
  | 'ended'
  /** The request lacks something, or a part has the wrong form. */
  | 'invalid'
  /** The caller is not admitted: no key, no profile, not trusted. */
  | 'caller'
  | 'too_many'
  /** The server failed. */
  | 'failed'
  | 'other'

/** A refusal. */
export interface Refusal {
  status: number
  /** The store's own code; null if there is none. */
  code: string | null
  /** What an agent would tell the buyer; null without a message. */
  text: string | null
  reason: Reason
  fault: RefusalFault | null
}

/** What the dialect requires of an error and this one lacks. */
export interface RefusalFault {
  /** To follow "The refusal". */
  problem: string
  /** A dotted path in the answer; null if it is about all of it. */
  field: string | null
}

/** An order as the store shows it after the purchase. */
export interface OrderView {
  id: string | null
  status: string | null
  total: Money | null
  /** What it also says of the checkout that was paid, as a session does. */
  paid?: Partial<Pick<Session, 'id' | 'lines' | 'parts'>>
}

/** The answer to an operation. */
export type WalkReply =
  | { is: 'session'; session: Session }
  | { is: 'order'; order: OrderView }
  | { is: 'refused'; refusal: Refusal }
  /** An answer that agents cannot read: invalid JSON, a redirect, a page; a part of a sentence. */
  | { is: 'unreadable'; why: string }
  /** No answer in time, or no request was possible; a part of a sentence. */
  | { is: 'silent'; why: string }

/** A refusal for one of these reasons. */
export const isRefusedFor = (reply: WalkReply, ...reasons: Reason[]): boolean =>
  reply.is === 'refused' && reasons.includes(reply.refusal.reason)

/** A refusal because the session no longer exists. */
export const saysEnded = (reply: WalkReply): boolean => isRefusedFor(reply, 'ended')

/** A readable session that can still be changed or paid. */
export const isStillOpen = (
  reply: WalkReply | null,
): reply is Extract<WalkReply, { is: 'session' }> =>
  reply?.is === 'session' && !isOver(reply.session.phase)

/** Whether an answer shows or says that the session has ended. */
export const isEnded = (reply: WalkReply): boolean =>
  reply.is === 'session' ? isOver(reply.session.phase) : saysEnded(reply)
