import { hash } from 'node:crypto'
import { v7 } from 'uuid'

// What events, their visits and their orders are called in the tables.

/** Random bytes that one id takes. */
const RANDOM_BYTES = 16

/** Random bytes for many ids together: asking for each costs more than making its id. */
const pool = new Uint8Array(256 * RANDOM_BYTES)
let used = pool.length

function takeRandom(): Uint8Array {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += RANDOM_BYTES
  return pool.subarray(used - RANDOM_BYTES, used)
}

/**
 * The millisecond of the id before: ids of one millisecond are counted (RFC 9562, 6.2, method 1).
 */
let msecs = 0
let seq = 0

/**
 * An id of an event (UUID of version 7): a later one of this process sorts after an earlier one.
 */
export function newEventId(): string {
  const random = takeRandom()
  const now = Date.now()
  if (now > msecs) {
    msecs = now
    // Begins in the lower half, so that no millisecond has more than there is room for.
    seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
  } else {
    seq += 1
  }
  return v7({ msecs, seq, random })
}

// Anyone can invent a visit at the public `POST /sessions`. Browser ids and merchant ids are kept
// apart, so that an invented visit cannot decide where an order came from.

/** The `visit_id` of an event by the id that `aisle.session()` gave in the browser. */
export const visitOf = (id: string): string => `visit:${id}`

/** The `visit_id` of an event that knows no more than its own `session_id`. */
export const sessionOf = (id: string): string => `session:${id}`

// The keys under which orders and refunds stand in the ledger of events, so that each counts once.

/** The key of an order in the ledger, by one of its ids. It is kept when its month is dropped. */
export const orderKey = (id: string): string => `ai_checkout_completed:${id}`

/** The ids by which a merchant's report names one sale. */
interface SaleIds {
  session_id: string
  checkout_id?: string | number | undefined
  order_id?: string | number | undefined
}

/** Shops count their carts and their orders, each from 1. */
const COUNTED = /^\d+$/

// Starts as an order's key does: it stays when its month is dropped.
const checkoutKey = (id: string): string => orderKey(COUNTED.test(id) ? `checkout ${id}` : id)

// Unspecified: reports are of one sale when they share the order_id, or when they share the
// session_id or the checkout_id and at least one of them names no order_id, whichever of the three
// each calls it: a session or a checkout may become several orders. Where an id is a mere number,
// cart 57 and order 57 are of two sales: there a session_id is taken for both, but not for the kind
// that has an id of its own.

// Unspecified: of several reports of one sale the first that comes counts: a retry must not move
// what was counted, and nothing tells a correction from a mistake. So where
// two sessions name one order_id, or a session is reported once without an order_id and once with
// one, and their times or values differ, the order of arrival decides which of them it is; and it
// decides how many sales there are where a session is reported once without an order_id and with
// two others.
/**
 * The keys of a sale, at least one: first that of its order_id, where it has one. An id that is not
 * a number has the same key for each kind.
 */
export function orderKeys({ session_id, checkout_id, order_id }: SaleIds): [string, ...string[]] {
  const order = order_id === undefined ? session_id : String(order_id)
  const checkout = checkout_id === undefined ? session_id : String(checkout_id)
  const named = [orderKey(order), checkoutKey(checkout)]
  const own = COUNTED.test(session_id) ? [] : [orderKey(session_id)]
  const keys = order_id === undefined ? [...own, ...named] : [...named, ...own]
  const [first = orderKey(session_id), ...others] = new Set(keys)
  return [first, ...others]
}

// Unspecified: an order or refund that was erased leaves the hashes of its keys in the ledger, with
// this as the event and the day of the erasure, until the months that were kept then are dropped.
// A refund that waited for its order leaves none: what it names may be an order of somebody else.
// What is reported of it meanwhile is neither stored nor counted: a sender repeats what it cannot
// know to be erased, such as a store that starts again.
/** Stands in the ledger for the event of an order or refund that was erased. */
export const ERASED_EVENT = '00000000-0000-0000-0000-000000000000'

/**
 * Stands in the ledger for the event of an order that a refund names and that was not reported yet.
 * The report of the order replaces it.
 */
export const AWAITED_ORDER = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const REFUND = 'ai_order_refunded:'

/** The key of a refund. It is kept as those of orders are. */
// Hashed: it outlives the refund, and then nothing could tell whose id it is, to erase it.
export const refundKey = (refundId: unknown): string =>
  `${REFUND}${hash('sha256', String(refundId))}`

/** The key of a refund while it waits for its order: so its own stays free. */
export const waitingKey = (key: string): string => `unmatched:${key}`

/** How the keys begin that are kept when their month is dropped. */
const KEPT = [orderKey(''), REFUND]

/** Whether a key is kept when its month is dropped. */
export const isKeptForGood = (key: string): boolean => KEPT.some((start) => key.startsWith(start))

// Keys of events and ids of sessions are stored as the first 96 bits of their SHA-256, which are 16
// characters, within their domain. Among a billion keys of one domain the chance of two equal ones
// is one in 10^11; the second event then counts as a repeat. Who searches for such a pair on
// purpose only loses an event of their own domain.

/** The hash that stands for an event's key or a session's id. */
export const shortKey = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16)

/** `shortKey` as an expression of Postgres. */
export const shortKeyIn = (text: string): string =>
  `translate(encode(substring(sha256(convert_to(${text}, 'UTF8')) from 1 for 12), 'base64'), '+/', '-_')`
