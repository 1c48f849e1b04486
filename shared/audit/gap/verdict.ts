import { PRODUCT_MARKUP } from '../platforms/gap-groups.ts'
import type { AuditResult } from '../result/result.ts'
import type { CapReason, CheckName } from '../vocabulary.ts'
import { splitNoProtocol } from './no-protocol.ts'

/** Without these three, an audit does not know whether agents can find, understand and buy. */
const NEEDS: readonly CheckName[] = ['well_known', 'catalog', 'checkout']

/** What stops a purchase, by the cap that it puts on the score; the first that there is. */
const STOPS: readonly [CapReason, string][] = [
  ['kept_out', 'AI agents are kept out of this store.'],
  ['cannot_buy', 'AI agents find this store, and cannot buy from it.'],
  ['critical_gap', 'AI agents find this store, and something critical stops them.'],
  ['wrong_price', 'AI agents can buy from this store, but see or pay wrong prices.'],
  ['wrong_order', 'AI agents can buy from this store, but wrong orders are accepted.'],
]

const MARKUP: readonly string[] = PRODUCT_MARKUP

/**
 * Whether AI agents can find, understand and buy, in a sentence; null where the audit left out what
 * that would need.
 */
export function auditVerdict({
  gaps,
  cap,
  checks,
}: Pick<AuditResult, 'gaps' | 'cap' | 'checks'>): string | null {
  if (!NEEDS.every((check) => checks.includes(check))) return null
  const reasons = new Set(gaps.map((gap) => gap.cap))
  if (!reasons.has('kept_out') && splitNoProtocol(gaps) !== null) {
    const isUnread = gaps.some(({ id, severity }) => MARKUP.includes(id) && severity === 'high')
    return isUnread
      ? 'AI agents can open the pages of this store, but have to guess what its products are and cost. They can buy only by operating the pages as people do.'
      : 'AI agents can find and read the products of this store. They can buy only by operating its pages as people do.'
  }
  const stop = STOPS.find(([reason]) => reasons.has(reason))
  if (stop !== undefined) return stop[1]
  return cap?.reason === 'checkout_not_judged'
    ? 'AI agents can find and read the products of this store. Whether they can buy is not known: its checkout was not seen at work.'
    : 'AI agents can find this store, read its products and buy.'
}
