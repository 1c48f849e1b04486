import { rulesOf } from '../audit/checks/index.ts'
import type { AuditResult, Gap } from '../audit/result/result.ts'
import type { Rule } from '../audit/rule.ts'
import { type CheckName, type Severity, severityRank } from '../audit/vocabulary.ts'
import { EXPECTATIONS } from '../walk/expectations.ts'
import type { WalkSeen } from '../walk/seen.ts'
import { NOT_READ_HERE } from '../web/http/fetched.ts'
import { keepAnswers, type SeenAnswers } from './answers.ts'
import { type AnswerChange, changesOf } from './changes.ts'
import { advance, type Seen, type Watched, type WatchState } from './debounce.ts'
import type { BrokenStep, Incident, IncidentKind } from './incident.ts'

/** What one check saw. */
export interface CheckSeen {
  /** ISO 8601, UTC. */
  at: string
  /** Null if nothing was seen; `why` then gives the reason as a sentence. */
  result: AuditResult | null
  why: string | null
  answers: SeenAnswers
  /** What the purchases showed, if some were made. */
  walk: WalkSeen | null
}

/** What is known of a watched domain before a check. */
interface CheckedBefore {
  domain: string
  checks: readonly CheckName[]
  /** The least severity that is notified. */
  severity: Severity
  state: WatchState
  answers: SeenAnswers
}

/** An incident that a check opens. `notified`: a notice is due. */
export type OpenedIncident = Omit<Incident, 'id' | 'closed_at'> & { notified: boolean }

/** Identifies the open incident within the domain. */
export interface ClosedIncident {
  kind: IncidentKind
  subject: string
  /** It was seen to be over, and is not just no longer checked. */
  notified: boolean
}

/** The result of a check. */
export interface CheckJudged {
  state: WatchState
  answers: SeenAnswers
  opened: OpenedIncident[]
  closed: ClosedIncident[]
  /** What is still wrong, by kind. */
  still: { kind: IncidentKind; subject: string }[]
  /** Something needs a second check to confirm it. */
  checkAgain: boolean
}

/** The subject of an incident about the domain as a whole. */
const WHOLE_DOMAIN = 'domain'

const nameOf = (kind: IncidentKind, subject: string) => `${kind}:${subject}`

/** Parses the names of watched things made above: a kind, a colon and a subject. */
function partsOf(name: string): { kind: IncidentKind; subject: string } {
  const at = name.indexOf(':')
  return { kind: name.slice(0, at) === 'gap' ? 'gap' : 'unseen', subject: name.slice(at + 1) }
}

/**
 * Compares a check of a watched domain with the checks before. A gap is notified when it is new and
 * was seen twice. What could be judged before and cannot be now is notified as just that: a block
 * or a timeout proves nothing.
 */
export function judgeCheck(before: CheckedBefore, look: CheckSeen): CheckJudged {
  const rules = rulesOf(before.checks).filter(hasGap)
  const hidden = look.result === null ? null : unjudgedChecks(rules, before.state, look.result)
  const seen = seenIn(rules, before.checks, look.result, hidden)
  const watched = Object.fromEntries(
    Object.entries(before.state).filter(([name]) => seen.has(name)),
  )
  const advanced = advance(watched, seen, look.at)
  const { state } = advanced
  const isNotified = (severity: Severity) => severityRank(severity) <= severityRank(before.severity)
  const opened = [...advanced.known, ...advanced.opened].flatMap((name): OpenedIncident[] => {
    const known = advanced.known.includes(name)
    const about = aboutOf(name, { before, look, rules, hidden })
    if (about === null) return []
    return [
      {
        ...about,
        ...partsOf(name),
        domain: before.domain,
        known,
        ...whenOf(state[name], look.at),
        notified: !known && isNotified(about.severity),
      },
    ]
  })
  const dropped = Object.entries(before.state).flatMap(([name, { is }]) =>
    seen.has(name) || is === 'well' || is === 'suspected'
      ? []
      : [{ ...partsOf(name), notified: false }],
  )
  const readBy = (isMeant: (name: string) => boolean) =>
    new Set(rules.filter(({ gap }) => isMeant(nameOf('gap', gap))).flatMap(({ reads }) => reads))
  const held = readBy((name) => state[name]?.is === 'suspected')
  const changed = readBy((name) => state[name]?.is !== before.state[name]?.is)
  return {
    state,
    answers:
      look.result === null
        ? before.answers
        : keepAnswers(before.answers, look.answers, { held, changed }),
    opened,
    closed: [...advanced.closed.map((name) => ({ ...partsOf(name), notified: true })), ...dropped],
    still: [...seen].flatMap(([name, is]) => (is === 'wrong' ? [partsOf(name)] : [])),
    checkAgain: advanced.checkAgain,
  }
}

type GapRule = Rule & { gap: string }
const hasGap = (rule: Rule): rule is GapRule => rule.gap !== null

/** How everything that is watched was seen. */
function seenIn(
  rules: readonly GapRule[],
  checks: readonly CheckName[],
  result: AuditResult | null,
  hidden: ReadonlyMap<CheckName, GapRule[]> | null,
): Map<string, Seen> {
  const open = new Set(result?.gaps.map(({ id }) => id))
  const unknown = new Set(result?.skipped.map(({ id }) => id))
  const gapSeen = (gap: string): Seen => {
    if (result === null || (unknown.has(gap) && !open.has(gap))) return 'unknown'
    return open.has(gap) ? 'wrong' : 'well'
  }
  const checkSeen = (check: CheckName): Seen => {
    if (hidden === null) return 'unknown'
    return hidden.has(check) ? 'wrong' : 'well'
  }
  return new Map<string, Seen>([
    [nameOf('unseen', WHOLE_DOMAIN), result === null ? 'wrong' : 'well'],
    ...checks.map((check) => [nameOf('unseen', check), checkSeen(check)] as const),
    ...rules.map(({ gap }) => [nameOf('gap', gap), gapSeen(gap)] as const),
  ])
}

/**
 * Rules that passed before and cannot be judged now, by check. A rule that an open gap explains is
 * left out: one that is known to keep it from being judged, or one that opened after the rule last
 * passed. An older gap explains nothing: the rule was judged in spite of it.
 */
function unjudgedChecks(
  rules: readonly GapRule[],
  state: WatchState,
  { gaps, skipped }: AuditResult,
): Map<CheckName, GapRule[]> {
  const open = new Set(gaps.map(({ id }) => id))
  // What we failed to read says nothing about the store.
  const theirs = skipped.filter(({ reason }) => !reason.includes(NOT_READ_HERE))
  const unknown = new Set(theirs.map(({ id }) => id))
  /** When each open gap was first seen; null: now. */
  const since = [...open].map((id) => state[nameOf('gap', id)]?.since ?? null)
  const unjudged = rules.filter(({ gap, lostWith = [] }) => {
    if (!unknown.has(gap) || open.has(gap) || lostWith.some((id) => open.has(id))) return false
    const { is, well_at = null } = state[nameOf('gap', gap)] ?? {}
    if (well_at === null || (is !== 'well' && is !== 'suspected')) return false
    return !since.some((began) => began === null || began > well_at)
  })
  return Map.groupBy(unjudged, ({ check }) => check)
}

interface AboutDeps {
  before: CheckedBefore
  look: CheckSeen
  rules: readonly GapRule[]
  hidden: ReadonlyMap<CheckName, GapRule[]> | null
}

type About = Pick<
  OpenedIncident,
  'severity' | 'label' | 'detail' | 'fix' | 'points' | 'changes' | 'steps'
>

/** The texts of an incident. */
function aboutOf(name: string, { before, look, rules, hidden }: AboutDeps): About | null {
  const { kind, subject } = partsOf(name)
  const { result, answers } = look
  if (kind === 'gap') {
    const gap = result?.gaps.find(({ id }) => id === subject)
    if (gap === undefined) return null
    const reads = rules.filter((rule) => rule.gap === subject).flatMap((rule) => rule.reads)
    const { severity, label, detail, fix, points = null } = gap
    const changes = changesOf(before.answers, answers, { reads, detail })
    return { severity, label, detail, fix, points, changes, steps: brokenSteps(gap, look.walk) }
  }
  if (subject === WHOLE_DOMAIN) {
    return {
      ...UNSEEN,
      severity: 'high',
      label: 'The store could not be audited',
      detail: look.why ?? 'The reason is not known.',
    }
  }
  const lost = [...(hidden ?? [])].find(([check]) => check === subject)?.[1] ?? []
  const [worst] = lost.toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
  if (worst === undefined) return null
  const reasons = result?.skipped.filter(({ id }) => lost.some(({ gap }) => gap === id)) ?? []
  const reads = [...new Set(lost.flatMap((rule) => rule.reads))]
  const detail = [...new Set(reasons.map(({ reason }) => `${reason}.`))].slice(0, 3).join(' ')
  return {
    ...UNSEEN,
    severity: worst.severity,
    label: `${CHECKED[worst.check]} could not be checked`,
    detail,
    changes: changesOf(before.answers, answers, { reads, detail }),
  }
}

/** What each check covers, in a merchant's words. */
const CHECKED: Record<CheckName, string> = {
  well_known: 'The manifest and robots.txt',
  catalog: 'The catalog for AI agents',
  checkout: 'The checkout for AI agents',
  schema: 'The markup of the pages',
  feed: 'The product feed',
  attribution: 'The tracking of AI orders',
  entity: 'The details of the organization',
  acp: 'The checkout over ACP',
  pages: 'The pages as agents operate them',
}

/** What could not be seen costs no points; only access to it needs a fix. */
const UNSEEN = {
  fix: 'See whether the store answers in a browser. If it does, check what is in front of it, such as a firewall or bot protection, and its limits.',
  points: null,
  changes: [] as AnswerChange[],
  steps: [] as BrokenStep[],
}

/**
 * Steps of a purchase that failed because of this gap, by the audit's own rules. What is not a gap,
 * such as a block of strangers or a network failure, is only in the walk.
 */
const brokenSteps = ({ id }: Gap, walk: WalkSeen | null): BrokenStep[] =>
  (walk?.judged ?? []).flatMap(({ expectation, protocol, label, failure }) => {
    const about = EXPECTATIONS.find((each) => each.id === expectation)
    if (failure?.party !== 'store' || about?.gaps[protocol] !== id) return []
    const { intent, step, found } = failure
    return [{ dialect: label, intent, step, found: found.slice(0, MOST_FOUND) }]
  })

/** A store may answer with a whole page. */
const MOST_FOUND = 500

function whenOf(
  watched: Watched | undefined,
  at: string,
): Pick<Incident, 'well_at' | 'first_seen_at' | 'last_seen_at' | 'opened_at'> {
  return {
    well_at: watched?.well_at ?? null,
    first_seen_at: watched?.since ?? at,
    last_seen_at: at,
    opened_at: at,
  }
}
