import { attributionRules } from '../../../../shared/audit/checks/attribution/rules.ts'
import type { PageSeen } from '../../../../shared/audit/evidence.ts'
import { withOwnTag } from '../../../../shared/audit/gap/own-tag.ts'
import { type Outcome, runRules } from '../../../../shared/audit/rule.ts'
import { domainOfAddress } from '../../../../shared/web/address/domain.ts'
import { type SeenWith, seenWithText } from '../../../../shared/web/site-access.ts'
import { isPropertyId } from '../../../attribution/properties.ts'
import { type FormState, readValues } from '../form-fields.tsx'

const SNIPPET_FIELDS = ['id', 'url'] as const
type SnippetField = (typeof SNIPPET_FIELDS)[number]

export interface LiveCheck {
  url: string
  outcomes: Outcome[]
  /** The id of the tag that the page has instead of the requested one. */
  other_id: string | null
  /** What of the owner's the page was read with. */
  seen_with?: SeenWith
}

export interface SnippetState extends FormState<SnippetField> {
  /** Null if it is missing or not a property id. */
  id: string | null
  check: LiveCheck | null
}

export function readSnippetForm(
  get: (name: SnippetField) => unknown,
  domain: string | undefined,
): SnippetState {
  const values = readValues(SNIPPET_FIELDS, get, 2000)
  const read = domain === undefined ? null : domainOfAddress(domain.slice(0, 1000))
  if (values.url === '' && read !== null && 'domain' in read) values.url = `https://${read.domain}/`
  const isKnown = isPropertyId(values.id)
  return {
    values,
    errors:
      values.id === '' || isKnown
        ? {}
        : { id: 'This is not a property id. One looks like prop_8aF3kQ2mZx71LrT0vWnY.' },
    id: isKnown ? values.id : null,
    check: null,
  }
}

/** The URL of a page that may be fetched, or what to write instead. */
export function readPageAddress(text: string): { url: string } | { problem: string } {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`)
  if (text === '' || url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    return { problem: 'Enter the URL of a page, such as https://shop.example/.' }
  }
  url.hash = ''
  return { url: url.href }
}

/** Runs the audit's own rules on one page. `id` null: any property will do. */
export const judgePage = (
  url: string,
  seen: PageSeen & { seen_with?: SeenWith },
  id: string | null,
): LiveCheck => ({
  url,
  ...(seen.seen_with && { seen_with: seen.seen_with }),
  outcomes: runRules(attributionRules, { homePage: seen }),
  other_id: id === null ? null : otherId(seen, id),
})

function otherId({ page }: PageSeen, id: string): string | null {
  const ids = (page?.scripts ?? []).flatMap(({ src }) => {
    const url = URL.parse(src)
    return url?.pathname.endsWith('/attribution.js') ? (url.searchParams.get('id') ?? []) : []
  })
  return ids.includes(id) ? null : (ids[0] ?? null)
}

/** What was found, for people. */
interface CheckResult {
  kind: 'success' | 'warning' | 'error'
  title: string
  /** What is wrong, and what to do about it. */
  points: string[]
}

/** `own`: the address that serves the tag's script, and the id of the requested property. */
export function tellCheck(check: LiveCheck, own: { cdn: string; id: string | null }): CheckResult {
  const { points, ...said } = sayCheck(check, own)
  return {
    ...said,
    points: [...points, ...(check.seen_with ? [seenWithText(check.seen_with)] : [])],
  }
}

function sayCheck(
  { url, outcomes, other_id }: LiveCheck,
  own: { cdn: string; id: string | null },
): CheckResult {
  const [first] = outcomes
  if (first?.verdict.kind === 'skip') {
    return { kind: 'warning', title: 'Could not be determined', points: [verdictText(first)] }
  }
  if (other_id !== null) {
    return {
      kind: 'error',
      title: "The page has another property's tag",
      points: [`Its id is ${other_id}. Replace it with your own tag.`],
    }
  }
  const gaps = outcomes.filter(({ verdict }) => verdict.kind === 'gap')
  if (gaps.length === 0) {
    return { kind: 'success', title: `The tag is live on ${url}`, points: [] }
  }
  return {
    kind: 'error',
    title: `The tag on ${url} does not work correctly`,
    points: gaps.map(
      (gap) => `${gap.rule.label}. ${verdictText(gap)} ${withOwnTag(gap.rule.fix, own)}`,
    ),
  }
}

const verdictText = ({ verdict }: Outcome): string => {
  if (verdict.kind === 'gap') return verdict.detail
  return verdict.kind === 'pass' ? (verdict.note ?? '') : verdict.reason
}
