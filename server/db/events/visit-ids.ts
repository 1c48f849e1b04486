// Anyone can invent a visit at the public `POST /sessions`. Browser ids and merchant ids are kept
// apart, so that an invented visit cannot decide where an order came from.

/** The `visit_id` of an event by the id that `aisle.session()` gave in the browser. */
export const visitOf = (id: string): string => `visit:${id}`

/** The `visit_id` of an event that knows no more than its own `session_id`. */
export const sessionOf = (id: string): string => `session:${id}`
