import type { JsonSeen } from '../web/fetched.ts'
import type { BuyerOperation, DialectCall } from './operation.ts'
import type { WalkReply } from './session.ts'

/** The dialects that a purchase is made in. */
export const WALK_DIALECTS = ['spec_ucp', 'spec_acp', 'ucp_rest', 'ucp_mcp', 'acp'] as const
export type WalkDialectName = (typeof WALK_DIALECTS)[number]

/** What a buyer can do in a dialect at all. What it cannot is no fault of a store. */
export interface Abilities {
  /** Opening without keeping anything. */
  dryRun: boolean
  /** Opening without an address, and asking for shipping with a part of one. */
  quote: boolean
  /**
   * Other items in an open session. `alone`: shipping is chosen again by the ids of the new lines.
   */
  changeLines: boolean | 'alone'
  /** A store may want quantities written in another form (`Wanted.quantities`). */
  quantityForms?: true
  /** Another address in an open session. */
  changeAddress: boolean
  /** Choosing a shipping option, with the total as the answer, before paying. */
  choose: boolean
  coupon: boolean
  /** Asking for another currency than that of the prices. */
  currency: boolean
  read: boolean
  /** `advised`: the dialect has no such operation, and some stores have one all the same. */
  cancel: 'yes' | 'advised'
  /** `advised`: a store may do without it. */
  order: boolean | 'advised'
  /** `advised`: the dialect demands no key of an opening, or does not say where it goes. */
  keys: boolean | 'advised'
  /** False where the store has declared no way to ship: then there is none to miss. */
  ships?: false
}

/** The facts that the buyer reads, by where they stand in this dialect's answers. */
export type Fact =
  | 'id'
  | 'status'
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

/** One dialect, as a buyer speaks it. All functions are pure and total: answers are untrusted. */
export interface WalkDialect {
  name: WalkDialectName
  /** For people: `UCP over REST, 2026-08-25`. */
  label: string
  can: Abilities
  /** Ids of the ways to pay that the store's profile names: for a session that names none. */
  handlers?: readonly string[]
  /** As a sentence, where the store does not say which version it speaks. */
  assumed?: string
  /** `totals[type=total].amount`: where a person looks in an answer. */
  fields: Record<Fact, string>
  /** What the rules of this dialect are called: `UCP 2026-08-25, Checkout`. */
  authority: Record<'checkout' | 'errors' | 'idempotency' | 'payment' | 'limits', string>
  /**
   * Milliseconds that an operation may take by the specification's limits, and for which a session
   * has to stay open at least.
   */
  limits: { open: number; change: number; complete: number; life: number }
  /** Null where the dialect has no such operation. */
  call: (operation: BuyerOperation) => DialectCall | null
  /** `seen` is the answer of the call: of MCP, the JSON-RPC answer as it came. */
  read: (operation: BuyerOperation, seen: JsonSeen) => WalkReply
}
