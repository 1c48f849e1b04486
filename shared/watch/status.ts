import { type Severity, severityRank } from '../audit/vocabulary.ts'
import type { CheckOutcome } from './check.ts'
import type { IncidentKind } from './incident.ts'

/**
 * The status of a watched domain. `broken`: something broke since the watch began. `blocked`:
 * agents cannot buy, and could not when it began. `unseen`: the last check saw nothing, or less
 * than earlier ones. `waiting`: there was no check yet.
 */
export const WATCH_STATUSES = ['broken', 'blocked', 'unseen', 'waiting', 'fine', 'paused'] as const
export type WatchStatus = (typeof WATCH_STATUSES)[number]

/** The parts of an open incident that decide the status. */
export interface OpenThing {
  kind: IncidentKind
  severity: Severity
  known: boolean
}

export interface Stood {
  /** The least severity that is notified. */
  severity: Severity
  paused_at: Date | null
  looked_at: Date | null
  outcome: CheckOutcome | null
}

/**
 * An open incident that was not there at first, of a notified severity. Signals count at any
 * severity: whether they are sent is up to each channel.
 */
export const isAlerting = ({ kind, severity, known }: OpenThing, least: Severity): boolean =>
  !known && (kind === 'signal' || severityRank(severity) <= severityRank(least))

/** An open incident that keeps AI agents from buying, whether or not it was there at first. */
export const keepsFromBuying = ({ kind, severity }: Omit<OpenThing, 'known'>): boolean =>
  kind === 'gap' && severity === 'critical'

/** The status of a watched domain with these open incidents. */
export function statusOfWatch(watch: Stood, open: readonly OpenThing[]): WatchStatus {
  if (watch.paused_at !== null) return 'paused'
  if (watch.looked_at === null) return 'waiting'
  const alerting = open.filter((each) => isAlerting(each, watch.severity))
  if (alerting.some(({ kind }) => kind !== 'unseen')) return 'broken'
  if (open.some(keepsFromBuying)) return 'blocked'
  return watch.outcome !== 'seen' || alerting.length > 0 ? 'unseen' : 'fine'
}

/** A requested check starts when a slot is free: a wait up to this long is normal. */
const GRACE_MS = 120_000

/** Whether a check should have started by now: then the service is behind. */
export const isLate = (
  watch: Pick<Stood, 'paused_at'> & { late_at: Date; leased_until: Date | null },
  now: Date,
): boolean =>
  watch.paused_at === null &&
  watch.late_at.getTime() + GRACE_MS < now.getTime() &&
  (watch.leased_until === null || watch.leased_until < now)
