import { DAY_MS } from '../web/moment.ts'
import type { Session } from './session.ts'

/** One wanted item, by the ids of the catalog. */
export interface WantedLine {
  product_id: string
  /** Null for a product without variants. */
  variant_id: string | null
  quantity: number
}

/** The destination. `street` and `name` are left out while only a quote is wanted. */
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

/** How the store can reach the buyer. */
interface WalkContact {
  email: string
  /** E.164. */
  phone?: string
}

/** `stated`: also a quantity of one. `repeated`: the item is listed once per piece. */
export type QuantityForm = 'stated' | 'repeated'

/** All that a session should hold; an operation that changes a session brings it to this. */
export interface Wanted {
  lines: WantedLine[]
  address: WalkAddress | null
  /** Stores of official dialects may want it before payment. */
  contact?: WalkContact
  /** The id of the shipping option. */
  option: string | null
  coupon: string | null
  /** The buyer's own id for a delivery that the store has not named yet. */
  namesDelivery?: boolean
  /** The form of quantities, if the dialect leaves it open and the store wants another one. */
  quantities?: QuantityForm
  /**
   * ISO 4217 in upper case: the currency of the listed prices, or another that the buyer asks for.
   */
  currency: string
}

/** How the buyer pays, in a sandbox. `handler` is one that the session names. */
export interface Payment {
  token: string
  handler: string | null
}

/** What it is about, where it is a cart. */
interface AtCart {
  at?: 'cart'
}

/**
 * What a buyer does in a store, independent of dialects. `key` is the idempotency key; a repeated
 * call has the same.
 */
export type BuyerOperation =
  | (AtCart & {
      op: 'open'
      wanted: Wanted
      key: string
      dryRun: boolean
      /** The id of the cart that is checked out. */
      cart?: string
    })
  | (AtCart & { op: 'read'; id: string })
  /** `accepted`: what the session already holds; without it, a dialect sends everything. */
  | (AtCart & {
      op: 'change'
      id: string
      last: Session
      wanted: Wanted
      accepted?: Wanted
      key: string
    })
  | {
      op: 'complete'
      id: string
      last: Session
      wanted: Wanted
      payment: Payment
      key: string
    }
  | (AtCart & { op: 'cancel'; id: string; key: string })
  | { op: 'order'; id: string }

/** The operation that begins a session. */
export type Opening = Extract<BuyerOperation, { op: 'open' }>

// Unspecified: stores forget idempotency keys after a day, and a repeated opening would then open
// another session. By then the first one has ended by itself: UCP's live for six hours if they do
// not say, the specification's for half an hour.
/** How long the cancelling of a left-open session is retried. */
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
  /** A tool of the store's MCP service; the transport adds `meta`, with the key if given. */
  | { over: 'mcp'; tool: string; args: Record<string, unknown>; key?: string }
