import { firstToClose, holdsAt } from '../../../../shared/audit/gap/first-to-close.ts'
import type { NamedRemedy } from '../../../../shared/audit/gap/ticket.ts'
import { findRemedy } from '../../../../shared/audit/platforms/remedies.ts'
import {
  type AuditResult,
  ENGINE_VERSION,
  type Gap,
} from '../../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS, severityRank } from '../../../../shared/audit/vocabulary.ts'
import type { GapHistory } from '../../../../shared/view/watch/GapTimeline.tsx'
import { daysUpTo, type WatchedDay } from '../../../../shared/watch/days.ts'
import type { Incident } from '../../../../shared/watch/incident.ts'
import {
  isAlerting,
  isLate,
  statusOfWatch,
  type WatchStatus,
} from '../../../../shared/watch/status.ts'
import { dayOf, shiftDay } from '../../../../shared/web/moment.ts'
import { findAudit } from '../../../db/audit/audits.ts'
import type { Db } from '../../../db/connect.ts'
import { type CheckRow, listChecks } from '../../../db/watch/checks.ts'
import { type IncidentSpan, listSpans, readDayChecks } from '../../../db/watch/history.ts'
import { listIncidents, shownIncident } from '../../../db/watch/incidents.ts'
import { hasStatusPage } from '../../../db/watch/status-pages.ts'
import type { WatchRow } from '../../../db/watch/watches.ts'
import { isVisible } from './visible.ts'

// Unspecified: the page of a watch and the public status page show the last 90 days, in UTC.
const HISTORY_DAYS = 90
const CHECKS_SHOWN = 20
const INCIDENTS_READ = 200
const INCIDENTS_SHOWN = 30

/** An open gap with what to do. */
export interface OpenGap {
  incident: Incident
  /** It broke since the watch began, and is of a notified severity. */
  isNew: boolean
  /** What to do on the store's platform; null if that is not known. */
  remedy: NamedRemedy | null
  /** The tool that fixes it. */
  fixUrl: string | null
  /** Its points count once the cap on the score is gone. */
  held_back: boolean
  /** Why it caps the score; undefined where it does not. */
  cap: Gap['cap']
  /** See `holdsAt`. */
  holds_at: number | null
}

/** All that the page of a watch shows. */
export interface WatchView {
  watch: WatchRow
  status: WatchStatus
  isLate: boolean
  /** First what broke, then what to close first. */
  toDo: OpenGap[]
  /** What broke since the watch began: open ones first, the worst first, then the newest. */
  incidents: Incident[]
  days: WatchedDay[]
  gaps: GapHistory[]
  looks: CheckRow[]
  isStatusShown: boolean
}

/** The midnight with which the days of a history begin. */
const historyFrom = (now: Date): Date => new Date(shiftDay(dayOf(now.getTime()), 1 - HISTORY_DAYS))

export async function readWatch(
  db: Db,
  watch: WatchRow,
  { now, mayReadReport }: { now: Date; mayReadReport: boolean },
): Promise<WatchView> {
  const { domain } = watch
  const from = historyFrom(now)
  const [rows, spans, dayChecks, looks, audit, isStatusShown] = await Promise.all([
    listIncidents(db, domain, { limit: INCIDENTS_READ }),
    listSpans(db, domain, from),
    readDayChecks(db, domain, from),
    listChecks(db, domain, CHECKS_SHOWN),
    findAudit(db, domain, DEFAULT_CHECKS, ENGINE_VERSION),
    hasStatusPage(db, domain),
  ])
  const all = rows.map(shownIncident).filter((each) => isVisible(each, mayReadReport))
  const open = all.filter(({ closed_at }) => closed_at === null)
  return {
    watch,
    status: statusOfWatch(watch, open),
    isLate: isLate(watch, now),
    toDo: open
      .filter(({ kind }) => kind !== 'unseen')
      .map((incident) => openGapOf(incident, watch, audit))
      .sort(
        (a, b) =>
          Number(b.isNew) - Number(a.isNew) ||
          firstToClose({ ...a.incident, ...a }, { ...b.incident, ...b }),
      ),
    incidents: all
      .filter((each) => isAlerting(each, watch.severity))
      .sort(
        (a, b) =>
          Number(b.closed_at === null) - Number(a.closed_at === null) ||
          (a.closed_at === null ? severityRank(a.severity) - severityRank(b.severity) : 0) ||
          (a.first_seen_at < b.first_seen_at ? 1 : -1),
      )
      .slice(0, INCIDENTS_SHOWN),
    days: daysUpTo(now, HISTORY_DAYS, dayChecks, spans),
    gaps: historiesOf(spans),
    looks,
    isStatusShown,
  }
}

/** What the last audit of the domain adds to an incident. */
export function openGapOf(
  incident: Incident,
  watch: Pick<WatchRow, 'severity'>,
  audit: AuditResult | null,
): OpenGap {
  const { kind, subject } = incident
  const platform = audit?.platform
  const known = kind === 'gap' && platform ? findRemedy(platform.id, subject) : null
  const gap = kind === 'gap' ? audit?.gaps.find(({ id }) => id === subject) : undefined
  return {
    incident,
    isNew: isAlerting(incident, watch.severity),
    remedy: known && platform ? { name: platform.name, remedy: known } : null,
    fixUrl: gap?.fix_url ?? null,
    held_back: gap?.held_back ?? false,
    cap: gap?.cap,
    holds_at: gap ? holdsAt(gap, audit?.cap ?? null) : null,
  }
}

/** By gap: open ones first, the worst first. */
function historiesOf(spans: readonly IncidentSpan[]): GapHistory[] {
  const byGap = Map.groupBy(
    spans.filter(({ kind }) => kind === 'gap'),
    ({ subject }) => subject,
  )
  const histories = [...byGap].map(([gap, own]) => {
    const last = own.at(-1) ?? own[0]
    return {
      gap,
      label: last?.label ?? gap,
      severity: last?.severity ?? ('low' as const),
      isOpen: own.some(({ closed_at }) => closed_at === null),
      spans: own.map(({ id, first_seen_at, closed_at, is_known }) => ({
        id,
        since: first_seen_at.toISOString(),
        until: closed_at?.toISOString() ?? null,
        isKnown: is_known,
      })),
    }
  })
  return histories.sort(
    (a, b) =>
      Number(b.isOpen) - Number(a.isOpen) || severityRank(a.severity) - severityRank(b.severity),
  )
}

/** The days of a domain for its public page. */
export async function readStatusDays(db: Db, domain: string, now: Date): Promise<WatchedDay[]> {
  const from = historyFrom(now)
  const [dayChecks, spans] = await Promise.all([
    readDayChecks(db, domain, from),
    listSpans(db, domain, from),
  ])
  return daysUpTo(now, HISTORY_DAYS, dayChecks, spans)
}
