import type { JsonSeen } from '../web/http/fetched.ts'
import type { BuyerOperation, DialectCall } from './operation.ts'
import type { WalkReply } from './session.ts'

/** The dialects that a purchase is made in. */
export const WALK_DIALECTS = ['spec_ucp', 'spec_acp', 'ucp_rest', 'ucp_mcp', 'acp'] as const
export type WalkDialectName = (typeof WALK_DIALECTS)[number]

export const protocolOf = (dialect: WalkDialectName): 'ucp' | 'acp' =>
  dialect === 'acp' || dialect === 'spec_acp' ? 'acp' : 'ucp'

/** The abilities of a dialect. A missing ability is not a fault of the store. */
export interface Abilities {
  /** Opening a session that the store does not keep. */
  dryRun: boolean
  /** Opening without an address, and asking for shipping with a part of one. */
  quote: boolean
  /**
   * Changing the items of an open session. `alone`: shipping must be chosen again with the ids of
   * the new lines.
   */
  changeLines: boolean | 'alone'
  /** Some stores want another form of quantities (`Wanted.quantities`). */
  quantityForms?: true
  /** Changing the address of an open session. */
  changeAddress: boolean
  /** Choosing a shipping option before paying, with the total as the answer. */
  choose: boolean
  coupon: boolean
  /** Carts before a checkout. `alone`: a checkout cannot be opened from one. */
  cart?: 'converts' | 'alone'
  /** Paying by mandate: the store then signs what it answers. */
  mandates?: true
  /** False in a store that hands over: it offers carts, and buyers check out on its pages. */
  checkout?: false
  /** Asking for another currency than that of the prices. */
  currency: boolean
  read: boolean
  /** `advised`: not part of the dialect, but some stores have it. */
  cancel: 'yes' | 'advised'
  /** `advised`: optional for stores. */
  order: boolean | 'advised'
  /** `advised`: the dialect does not demand a key for an opening, or does not define its place. */
  keys: boolean | 'advised'
  /** False if the store has declared no way to ship: then none can be missing. */
  ships?: false
}

/** The facts that the buyer reads, by their position in this dialect's answers. */
export type Fact =
  | 'id'
  | 'status'
  /** The ids of the lines, and their titles. */
  | 'lines'
  | 'title'
  | 'price'
  | 'quantity'
  | 'currency'
  | 'subtotal'
  | 'total'
  | 'shipping'
  | 'expires_at'
  | 'continue_url'
  | 'messages'
  | 'error'
  | 'handlers'
  | 'order'

/**
 * One dialect, from the buyer's side. All functions are pure and total, because answers are
 * untrusted.
 */
export interface WalkDialect {
  name: WalkDialectName
  /** For people: `UCP over REST, 2026-08-25`. */
  label: string
  can: Abilities
  /** Payment methods in the store's profile, for a session that does not name any. */
  handlers?: readonly string[]
  /** Where links that fill a basket begin. */
  permalink?: string
  /** A note that the version is a guess, as a sentence. */
  assumed?: string
  /** `totals[type=total].amount`: where a person finds it in an answer. */
  fields: Record<Fact, string>
  /** The title of the dialect's rules: `UCP 2026-08-25, Checkout`. */
  authority: Record<'checkout' | 'errors' | 'idempotency' | 'payment' | 'limits', string>
  /**
   * Milliseconds: how long an operation may take by the specification's limits, and how long a
   * session must stay open at least.
   */
  limits: { open: number; change: number; complete: number; life: number }
  /** Null if the dialect has no such operation. */
  call: (operation: BuyerOperation) => DialectCall | null
  /** `seen` is the answer to the call; for MCP the unchanged JSON-RPC answer. */
  read: (operation: BuyerOperation, seen: JsonSeen) => WalkReply
}
