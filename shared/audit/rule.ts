import { withoutPassword } from '../web/address/uri.ts'
import type { JsonSeen } from '../web/http/fetched.ts'
import type { Evidence } from './evidence.ts'
import type { GapWords } from './rule-words.ts'
import type { CapReason, CheckName } from './vocabulary.ts'
import { type GapId, gapWords, isGap, type RuleId } from './words.ts'

/**
 * Pass and gap count in the score; skip says what could not be judged, and does not count. The
 * result does not mention what is not applicable; only where it is `hideable` is it lost with a
 * gap.
 */
export type Verdict =
  | { kind: 'pass'; note?: string }
  | ({ kind: 'gap'; detail: string; caps?: CapReason } & GapPlaces)
  | { kind: 'skip'; reason: string }
  | { kind: 'not_applicable'; reason: string; hideable: boolean }

/** Where a gap is, if it is of single pages or products; the first `MAX_PLACES` of each. */
interface GapPlaces {
  /** Addresses of product pages. */
  pages?: readonly string[]
  /** Ids of products, as the catalog lists them. */
  products?: readonly string[]
}

const MAX_PLACES = 100

/** `note` names the evidence of a pass that is not obvious. */
export const pass = (note?: string): Verdict =>
  note === undefined ? { kind: 'pass' } : { kind: 'pass', note: bounded(note) }
/**
 * `detail` names the raw value, where it stands and what was expected. `caps`: why the score is
 * capped while this one is open, where it is worse than the gap's words say.
 */
export const gap = (detail: string, caps?: CapReason, places: GapPlaces = {}): Verdict => ({
  kind: 'gap',
  detail: bounded(detail),
  ...(caps !== undefined && { caps }),
  ...firstOf('pages', places.pages),
  ...firstOf('products', places.products),
})

/** Nothing where there is none. */
function firstOf(what: keyof GapPlaces, places: readonly string[] = []): GapPlaces {
  const named = [...new Set(places)].slice(0, MAX_PLACES)
  return named.length === 0 ? {} : { [what]: named }
}

/** `reason` says why, as a part of a sentence; it is listed under `skipped`. */
export const skip = (reason: string): Verdict => ({ kind: 'skip', reason: bounded(reason) })

/** Parts of a text were written by the store, and may be as long as what it sent. */
export const bounded = (text: string): string =>
  withoutPassword(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text)

/** Far above what a rule writes about an ordinary store. */
const MAX_TEXT = 4_000

/** The rule does not apply to this kind of store, so the result does not mention it. */
export const notApplicable = (reason: string): Verdict => ({
  kind: 'not_applicable',
  reason: bounded(reason),
  hideable: true,
})

const neverLost = (reason: string): Verdict => ({
  kind: 'not_applicable',
  reason: bounded(reason),
  hideable: false,
})

/** Not applicable, and lost with no gap: the store speaks a dialect with rules of its own. */
export const inOtherDialect = neverLost

/** Not applicable, and lost with no gap: the audit did not look where it could be seen. */
export const notLookedAt = neverLost

/**
 * What some rules alone are about: the specification's manifest and checkout, an official profile,
 * or a feed with the names of one vendor.
 */
export type RuleDialect = 'specification' | 'official' | 'google' | 'openai'

/** The tools that a gap's `fix_url` opens. */
export type Tool = 'manifest' | 'schema' | 'robots' | 'snippet' | 'validate'

/**
 * A rule: what it is about, and the function that judges. Its words stand in `words.ts` of its
 * check. A rule sees only the evidence that it names, and never the network, so that stored
 * evidence can be judged again.
 */
export interface RuleDefinition<K extends keyof Evidence> {
  /** By which its words are found: the gap, or the pass of a rule that never reports one. */
  id: RuleId
  check: CheckName
  /** What `fix_url` opens; null where none of our tools helps. */
  tool: Tool | null
  /** What the rule rests on: a section of the spec, a standard, a vendor's documentation. */
  authority: string
  reads: readonly K[]
  /**
   * Gaps that make this rule impossible to judge. While one is open, the rule counts as failed, not
   * as unknown.
   */
  lostWith?: readonly GapId[]
  /** Set where the rule is `inOtherDialect` in stores that do not speak this one. */
  dialect?: RuleDialect
  /**
   * Pure and total: any evidence gives a verdict. `others` is what was gathered for other checks,
   * which may be missing.
   */
  audit: (evidence: Pick<Evidence, K>, others: Partial<Evidence>) => Verdict
}

/** A rule as the engine runs it, with its words: it gives a verdict on any evidence. */
export interface Rule
  extends Omit<RuleDefinition<keyof Evidence>, 'audit'>,
    Pick<GapWords, 'passed' | 'severity' | 'caps' | 'label' | 'fix'> {
  /** Null for a rule that can pass or skip, but never reports a gap. */
  gap: GapId | null
  /** Skips when a key that the rule reads was not gathered. */
  judge: (evidence: Partial<Evidence>) => Verdict
}

/**
 * Makes a rule that skips when its evidence was not gathered: a part of the checks gathers a part
 * of the evidence, and the extension sees pages alone.
 */
export function rule<K extends keyof Evidence>({ audit, ...about }: RuleDefinition<K>): Rule {
  const holds = (evidence: Partial<Evidence>): evidence is Pick<Evidence, K> =>
    about.reads.every((key) => evidence[key] !== undefined)
  return {
    ...about,
    ...namedBy(about.id),
    judge: (evidence) =>
      holds(evidence)
        ? audit(evidence, evidence)
        : skip(`needs ${about.reads.join(', ')}, which was not collected`),
  }
}

function namedBy(id: RuleId): Pick<Rule, 'gap' | 'passed' | 'severity' | 'caps' | 'label' | 'fix'> {
  // The score counts a rule without a gap in nothing.
  if (!isGap(id)) return { gap: null, passed: id, severity: 'low', label: '', fix: '' }
  const { passed, severity, caps, label, fix } = gapWords(id)
  return { gap: id, passed, severity, ...(caps !== undefined && { caps }), label, fix }
}

export interface Outcome {
  rule: Rule
  verdict: Verdict
}

/**
 * Runs every rule over the evidence. A rule that throws on hostile input loses only its own
 * verdict.
 */
export function runRules(rules: readonly Rule[], evidence: Partial<Evidence>): Outcome[] {
  return rules.map((each) => {
    try {
      return { rule: each, verdict: each.judge(evidence) }
    } catch (error) {
      return { rule: each, verdict: skip(`could not be judged: ${String(error)}`) }
    }
  })
}

/** Why an endpoint of the specification was not asked in a store with an official profile. */
export const OFFICIAL_PROFILE =
  'the manifest is an official UCP profile, whose services are checked separately'

/** Why the catalog of an official profile was not asked: two versions of UCP have none. */
export const OLDER_VERSION = 'the profile is of a version of UCP that has no catalog'

/** Why a rule about a checkout is open where there is no dry run. */
export const NEEDS_SESSION =
  'it shows only in a checkout session, and an audit opens none: official UCP has no dry run'

/** Rules on the specification's endpoints say nothing of a store that speaks official UCP. */
export const otherDialect = ({ fetched }: JsonSeen): Verdict | null =>
  fetched.kind !== 'not_asked'
    ? null
    : fetched.reason === OFFICIAL_PROFILE
      ? inOtherDialect(OFFICIAL_PROFILE)
      : fetched.reason === OLDER_VERSION
        ? notApplicable(OLDER_VERSION)
        : null
