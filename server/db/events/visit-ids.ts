// Anyone can invent a visit at the public `POST /sessions`. Browser ids and merchant ids are kept
// apart, so that an invented visit cannot decide where an order came from.

/** The `visit_id` of an event by the id that `aisle.session()` gave in the browser. */
export const visitOf = (id: string): string => `visit:${id}`

/** The key of an order in the ledger, by one of its ids. It is kept when its month is dropped. */
export const orderKey = (id: string): string => `ai_checkout_completed:${id}`

/** The key of a refund, by a hash of its id. It is kept as those of orders are. */
export const refundKey = (hash: string): string => `ai_order_refunded:${hash}`

/** The `visit_id` of an event that knows no more than its own `session_id`. */
export const sessionOf = (id: string): string => `session:${id}`
