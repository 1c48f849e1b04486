import type { WalkDialectName } from '../../../shared/walk/dialect.ts'

/** The address of a dialect, as plain JSON: its adapter is made from it again after a restart. */
export interface RouteAddress {
  dialect: WalkDialectName
  /** The checkout endpoint in the specification's UCP; otherwise the base of the operations. */
  endpoint: string
  /** The version of an official dialect; null in the specification's dialects. */
  version: string | null
  /** What an official profile or acp.json declares. */
  capabilities: readonly string[]
  /** Ids of the payment methods in an official profile. */
  handlers?: readonly string[]
  /** Where links that fill a basket begin, in an official profile. */
  permalink?: string
  /** The store does not state its version: this one is a guess. */
  isAssumed?: true
  /** The store's currencies by acp.json; absent if it names none. */
  currencies?: readonly string[]
  /** The specification's orders endpoint, if the manifest declares one. */
  orders: string | null
}
