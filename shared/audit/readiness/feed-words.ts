import type { FeedVendor, RowFaultKind } from '../../commerce/feed.ts'
import { counted } from '../../web/text/english-count.ts'
import { leavesOut } from '../checks/feed/opt-ins.ts'
import type { FeedSeen } from '../evidence.ts'

/** `3 of 40 rows`, with what ended the reading where it did not reach the end. */
export function ofRows(count: number, of: number, { cut }: FeedSeen): string {
  const rows = `${count} of ${counted(of, 'row')}`
  return cut === null ? rows : `${rows} (of those read before ${cut} ended the reading)`
}

/** Reasons that are named; a broken feed may have dozens. */
const MAX_REASONS = 4

/** Why rows of a feed are left out by its vendor, the most frequent first: `brand missing (3)`. */
export function reasonsOf(
  { tally: { faults } }: FeedSeen,
  vendor: FeedVendor,
  kinds: readonly RowFaultKind[] = [],
): string {
  const counted = faults.filter((fault) => leavesOut(fault, vendor) || kinds.includes(fault.kind))
  const sorted = counted.toSorted((a, b) => b.count - a.count)
  const named = sorted
    .slice(0, MAX_REASONS)
    .map(({ field, kind, count }) => `${field} ${wordOf(field, kind)} (${count})`)
  const more = sorted.length > MAX_REASONS ? [`and ${sorted.length - MAX_REASONS} more`] : []
  return [...named, ...more].join(', ')
}

const WORDS: Partial<Record<RowFaultKind, string>> = {
  missing: 'missing',
  invalid: 'not readable',
  duplicate: 'given twice',
}

/**
 * In addition to its own opt-in, checkout needs the one for search or a text that is missing.
 */
const wordOf = (field: string, kind: RowFaultKind): string =>
  kind === 'eligibility'
    ? field === 'is_eligible_search'
      ? 'false'
      : 'missing'
    : (WORDS[kind] ?? kind)
