import type { Must, MustDocument } from './must.ts'
import { ACP_MUSTS } from './musts-acp.ts'
import { UCP_MUSTS } from './musts-ucp.ts'

/** What UCP and ACP demand of a store, in both versions of each that are sold in. */
export const MUSTS: readonly MustDocument[] = [...UCP_MUSTS, ...ACP_MUSTS]

/** How many demands there are, and what covers them. */
export function countMusts(musts: readonly Must[]) {
  const byRule = musts.filter(({ rules }) => rules.length > 0).length
  const byReason = musts.filter(({ reason }) => reason !== null).length
  return { all: musts.length, byRule, byWalk: musts.length - byRule - byReason, byReason }
}
