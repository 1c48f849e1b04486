import { type Severity, severityRank } from '../audit/vocabulary.ts'
import type { IncidentKind } from './incident.ts'
import type { LookOutcome } from './look.ts'

/**
 * How it stands with a watched domain. `broken`: something broke since the watch began. `unseen`:
 * the last look saw nothing, or not all that earlier ones saw. `waiting`: no look was made yet.
 */
export const STANDINGS = ['broken', 'unseen', 'waiting', 'fine', 'paused'] as const
export type WatchStanding = (typeof STANDINGS)[number]

/** What is open in a domain, as far as its standing is decided by it. */
export interface OpenThing {
  kind: IncidentKind
  severity: Severity
  known: boolean
}

export interface Stood {
  /** The least severity that is told. */
  severity: Severity
  paused_at: Date | null
  looked_at: Date | null
  outcome: LookOutcome | null
}

/**
 * What is open and was not there at first, of the severity that is told: an incident. Signals are
 * told of any severity: whether they are is up to each channel.
 */
export const isAlerting = ({ kind, severity, known }: OpenThing, least: Severity): boolean =>
  !known && (kind === 'signal' || severityRank(severity) <= severityRank(least))

/** What is open and keeps AI agents from buying, whether or not it was there at first. */
export const keepsFromBuying = ({ kind, severity }: Omit<OpenThing, 'known'>): boolean =>
  kind === 'gap' && severity === 'critical'

/** How it stands with a watched domain in which this is open. */
export function standingOf(watch: Stood, open: readonly OpenThing[]): WatchStanding {
  if (watch.paused_at !== null) return 'paused'
  if (watch.looked_at === null) return 'waiting'
  const alerting = open.filter((each) => isAlerting(each, watch.severity))
  if (alerting.some(({ kind }) => kind !== 'unseen')) return 'broken'
  return watch.outcome !== 'seen' || alerting.length > 0 ? 'unseen' : 'fine'
}

/** What is asked for now begins when there is a place: so long that is nobody's fault. */
const GRACE_MS = 120_000

/** Whether a look should have begun by now and has not: then the service is behind. */
export const isLate = (
  watch: Pick<Stood, 'paused_at'> & { late_at: Date; leased_until: Date | null },
  now: Date,
): boolean =>
  watch.paused_at === null &&
  watch.late_at.getTime() + GRACE_MS < now.getTime() &&
  (watch.leased_until === null || watch.leased_until < now)
