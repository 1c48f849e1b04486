import { DAY_MS } from '../web/moment.ts'
import type { Session } from './session.ts'

/** What is wanted, in the ids of the catalog. */
export interface WantedLine {
  product_id: string
  /** Null for a product without variants. */
  variant_id: string | null
  quantity: number
}

/** Where it goes. `street` and `name` are left out while only a quote is wanted. */
export interface WalkAddress {
  name?: string
  street?: string
  city?: string
  /** State or province code. */
  state?: string
  zip?: string
  /** ISO 3166-1 alpha-2. */
  country: string
}

/** How a store reaches the buyer. */
interface WalkContact {
  email: string
  /** E.164. */
  phone?: string
}

/** `stated`: also a quantity of one. `repeated`: the item stands there as many times. */
export type QuantityForm = 'stated' | 'repeated'

/** All that a session should hold: each operation that changes one makes it so. */
export interface Wanted {
  lines: WantedLine[]
  address: WalkAddress | null
  /** Stores of official dialects may want it before anything can be paid. */
  contact?: WalkContact
  /** The id of the shipping option. */
  option: string | null
  coupon: string | null
  /** A delivery that the store has not named yet is named by the buyer. */
  namesDelivery?: boolean
  /** Where a dialect leaves open how a quantity is written, and a store wants it otherwise. */
  quantities?: QuantityForm
  /** ISO 4217 in upper case: what the listed prices are in, or another that the buyer asks for. */
  currency: string
}

/** How the buyer pays, in a sandbox. `handler` is one that the session names. */
export interface Payment {
  token: string
  handler: string | null
}

/**
 * What a buyer does in a store, in the words of no dialect. `key` is the idempotency key; a
 * repeated call has the same.
 */
export type BuyerOperation =
  | { op: 'open'; wanted: Wanted; key: string; dryRun: boolean }
  | { op: 'read'; id: string }
  /**
   * `accepted`: what the session holds of it already; left out, a dialect sends all that is wanted.
   */
  | { op: 'change'; id: string; last: Session; wanted: Wanted; accepted?: Wanted; key: string }
  | {
      op: 'complete'
      id: string
      last: Session
      wanted: Wanted
      payment: Payment
      key: string
    }
  | { op: 'cancel'; id: string; key: string }
  | { op: 'order'; id: string }

/** The operation that begins a session. */
export type Opening = Extract<BuyerOperation, { op: 'open' }>

// Unspecified: stores forget idempotency keys after a day: an opening that is sent again then may
// open another session. One that nobody could cancel by then has ended by itself: UCP's live for
// six hours where they do not say, the specification's for half an hour.
/** For so long what was left open is cancelled; then it is given up. */
export const GIVEN_UP_MS = DAY_MS

/** The operation that pays what is in a session. */
export type Completing = Extract<BuyerOperation, { op: 'complete' }>

/** A request as a dialect sends it. */
export type DialectCall =
  | {
      over: 'http'
      method: 'GET' | 'POST' | 'PUT' | 'PATCH'
      url: string
      headers: Record<string, string>
      /** Undefined without a body. */
      json?: unknown
    }
  /** A tool of the store's MCP service; `meta` is added by the transport, with the key if given. */
  | { over: 'mcp'; tool: string; args: Record<string, unknown>; key?: string }
