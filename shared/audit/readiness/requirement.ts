import type { FeedVendor, RowFaultKind } from '../../commerce/feed.ts'
import { capital } from '../../web/text/capital.ts'
import { counted } from '../../web/text/english-count.ts'
import { leavesOut } from '../checks/feed/vendors/table.ts'
import { TABLES } from '../checks/feed/vendors/tables.ts'
import type { Evidence, FeedSeen } from '../evidence.ts'
import { bounded, type Verdict } from '../rule.ts'
import type { CheckName } from '../vocabulary.ts'
import type { ReadinessItem, ReadinessState } from './groups.ts'
import type { VendorPage } from './vendor-pages.ts'
import type { VendorId } from './vendors.ts'

/** What was seen of one requirement. */
export type ItemSeen = Pick<ReadinessItem, 'state' | 'evidence'>

const finding =
  (state: ReadinessState) =>
  (evidence: string): ItemSeen => ({ state, evidence: bounded(evidence) })

export const inPlace = finding('yes')
export const missing = finding('no')
export const unseen = finding('unknown')

interface RequirementText extends Pick<ReadinessItem, 'id' | 'label' | 'fix' | 'where'> {
  /** The vendor's page that asks for it. */
  page: VendorPage
  /** The check that gathers its evidence; null where nothing can be seen from outside. */
  check: CheckName | null
}

/** One thing that a route needs. It is never scored. */
export interface Requirement extends RequirementText {
  /** Null where its evidence was not gathered. Never throws. */
  judge: (evidence: Partial<Evidence>) => ItemSeen | null
}

/** A requirement over the evidence that it names; as with rules, it sees nothing else. */
export function requirement<K extends keyof Evidence>({
  reads,
  judge,
  ...text
}: RequirementText & {
  reads: readonly K[]
  judge: (evidence: Pick<Evidence, K>) => ItemSeen
}): Requirement {
  const holds = (evidence: Partial<Evidence>): evidence is Pick<Evidence, K> =>
    reads.every((key) => evidence[key] !== undefined)
  return {
    ...text,
    judge: (evidence) => {
      if (!holds(evidence)) return null
      try {
        return judge(evidence)
      } catch (error) {
        // What is hostile costs its own line, as with rules.
        return unseen(`could not be judged: ${String(error)}`)
      }
    },
  }
}

/** What cannot be seen from outside: `where` says where the merchant finds it. */
export const byHand = (
  text: Omit<RequirementText, 'check' | 'where'> & { where: string },
): Requirement =>
  requirement({
    ...text,
    check: null,
    reads: [],
    judge: () => unseen('It cannot be seen from outside.'),
  })

/** A rule's verdict as a finding. */
export function findingOf(verdict: Verdict, said: string): ItemSeen {
  if (verdict.kind === 'pass') return inPlace(said)
  return verdict.kind === 'gap' ? missing(verdict.detail) : unseen(`${capital(verdict.reason)}.`)
}

/** One way to be sold by a vendor, with what it needs in the order in which it is shown. */
export interface Route {
  surface: string
  label: string
  vendor: VendorId
  /** What a buyer does there, in one sentence. */
  about: string
  requirements: readonly Requirement[]
  /** It is no more: what became of it. Only what a store still has of it is shown. */
  ended?: string
}

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
  const table = TABLES[vendor]
  const counted = faults.filter((fault) => leavesOut(fault, table) || kinds.includes(fault.kind))
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
