import type { WalkDialectName } from '../../../shared/walk/dialect.ts'

/** Where a dialect is spoken, as plain JSON: what its adapter is made of again after a restart. */
export interface RouteAddress {
  dialect: WalkDialectName
  /** The checkout of the specification's UCP; else what the operations are below. */
  endpoint: string
  /** The version of an official dialect; null in the specification's. */
  version: string | null
  /** What an official profile, or acp.json, declares. */
  capabilities: readonly string[]
  /** Ids of the ways to pay in an official profile. */
  handlers?: readonly string[]
  /** The store does not say which version it speaks: this one was tried. */
  isAssumed?: true
  /** What acp.json says that the store sells in; absent where it names none, or several. */
  currency?: string
  /** Where the specification's orders are, if the manifest declares them. */
  orders: string | null
}
