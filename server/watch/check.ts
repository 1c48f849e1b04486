import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { compareScores, judgedIn } from '../../shared/audit/result/compare.ts'
import { isWalked } from '../../shared/audit/result/narrow.ts'
import { isNoResultCode } from '../../shared/audit/result/no-result.ts'
import type { ProductTitle } from '../../shared/audit/result/product-titles.ts'
import { type AuditResult, ENGINE_VERSION } from '../../shared/audit/result/result.ts'
import type { WalkSeen } from '../../shared/walk/seen.ts'
import { accessNotice } from '../../shared/watch/access-notice.ts'
import { closedNotice, openedNotice } from '../../shared/watch/incident-notice.ts'
import {
  type CheckJudged,
  type CheckSeen,
  type ClosedIncident,
  judgeCheck,
  type OpenedIncident,
} from '../../shared/watch/judge-check.ts'
import { nextSlot, PERIOD_MS } from '../../shared/watch/period.ts'
import { storableText } from '../../shared/web/json/json.ts'
import { DAY_MS, dayOf } from '../../shared/web/moment.ts'
import { ACCESS_ENDING_DAYS } from '../../shared/web/site-access.ts'
import type { SiteAccesses } from '../access/site-access.ts'
import { withDomainsTag } from '../attribution/domains-tag.ts'
import type { Engine } from '../audit/engine.ts'
import { gatherProgress } from '../audit/listener.ts'
import { makeFreshWalk } from '../audit/walk/fresh-walk.ts'
import type { Walks } from '../audit/walk/jobs.ts'
import { findAudit, knownPages, saveAudit } from '../db/audit/audits.ts'
import type { Db, Transaction } from '../db/connect.ts'
import { findAnswers, findScoreAt, saveAnswers, saveCheck } from '../db/watch/checks.ts'
import {
  closeIncident,
  type IncidentRow,
  keepIncidentsOpen,
  openIncident,
  shownIncident,
} from '../db/watch/incidents.ts'
import { isNoticed } from '../db/watch/signals.ts'
import { endLease, extendLease, type WatchRow } from '../db/watch/watches.ts'
import { ApiError } from '../http/api-error.ts'
import { heartbeat } from '../jobs/heartbeat.ts'
import type { Log } from '../process/log.ts'
import { enqueueNotice, recallNotice } from './enqueue-notice.ts'
import { noticeIdOf } from './notice-id.ts'
import { incidentUrl } from './set-up.ts'

// Unspecified: the second audit runs a minute after the first, and a period has at most three.
const AGAIN_MS = 60_000
const MOST_CHECKS = 3

/** A check that failed on our side is repeated after this time. */
const RETRY_MS = 60_000

/** How long a lease lasts; a running check renews it. */
export const CHECK_LEASE_MS = 60_000
const HEARTBEAT_MS = CHECK_LEASE_MS / 4

/** What a check needs. */
export interface CheckDeps extends Pick<Engine, 'audit'> {
  db: Db
  now: () => Date
  log: Log
  walks: Pick<Walks, 'join'>
  /** What owners give for their sites. */
  siteAccess: Pick<SiteAccesses, 'open'>
  /** How often to ask whether a walk has ended. Tests shorten it. */
  askMs?: number
  /**
   * How long a lease lasts by `now`, and how often it is renewed; for benchmarks with a faster
   * clock.
   */
  leaseMs?: number
  heartbeatMs?: number
  /** The public URL of this service, without a trailing slash. */
  baseUrl: string
}

/** How a check ended; `lost` if another replica had taken it over. */
export type CheckEnd = 'seen' | 'unseen' | 'failed' | 'lost'

/** A watch that this process has leased. */
export type LeasedWatch = WatchRow & { lease: string }

/**
 * Checks a watched domain: audits it, compares with what is known, and writes all results (the
 * check, incidents, notices, the next due time) in one transaction, if this process still has the
 * lease.
 */
export async function checkWatched(
  deps: CheckDeps,
  watch: LeasedWatch,
  signal: AbortSignal,
): Promise<CheckEnd> {
  const { db, now, log, leaseMs = CHECK_LEASE_MS, heartbeatMs = HEARTBEAT_MS } = deps
  const started_at = now()
  const ending = new AbortController()
  const both = AbortSignal.any([signal, ending.signal])
  let isLost = false
  const stopHeartbeat = heartbeat(
    heartbeatMs,
    async () => {
      if (await extendLease(db, watch, new Date(now().getTime() + leaseMs))) return
      isLost = true
      ending.abort(new Error('Another replica audits this domain.'))
    },
    (err) => log.warn({ err, domain: watch.domain }, 'a watch audit cannot renew its lease'),
  )
  try {
    // It was leased while this process was already stopping.
    signal.throwIfAborted()
    const answers = await findAnswers(db, watch.domain)
    const seen = await see(deps, watch, both)
    const judged = judgeCheck({ ...watch, answers }, seen)
    const isWritten = await db.transaction((tx) =>
      write(deps, tx, {
        watch,
        seen,
        judged,
        started_at,
        // Most checks get the same answers as the one before.
        isSame: isDeepStrictEqual(answers, judged.answers),
      }),
    )
    if (!isWritten) return 'lost'
    if (seen.result !== null && isNews(watch, seen.result, judged)) {
      await keepAudit(deps, watch, seen.result, seen.titles).catch((err: unknown) =>
        log.warn({ err, domain: watch.domain }, 'the result of a watch audit is not kept'),
      )
    }
    return seen.result === null ? 'unseen' : 'seen'
  } catch (err) {
    if (isLost) return 'lost'
    // A stopped check is taken over by another replica, or after the restart.
    if (!signal.aborted) log.error({ err, domain: watch.domain }, 'a watch audit failed')
    await putOff(deps, watch, signal.aborted)
    return 'failed'
  } finally {
    stopHeartbeat()
  }
}

interface Checked extends CheckSeen {
  /** When the headers end that the owner gave. */
  accessEndsAt: Date | null
  titles: readonly ProductTitle[]
  requests: number
}

async function see(deps: CheckDeps, watch: LeasedWatch, signal: AbortSignal): Promise<Checked> {
  const { db, now, audit } = deps
  const { domain, checks, key_id: keyId } = watch
  const progress = gatherProgress()
  let walk: WalkSeen | null = null
  const pages = checks.includes('pages')
  // A watch is the domain's own: keys that cover the domain see what it finds.
  const access = await deps.siteAccess.open(domain)
  const found = async (): Promise<Pick<Checked, 'result' | 'why' | 'titles' | 'answers'>> => {
    try {
      if (watch.walk) {
        walk =
          (
            await makeFreshWalk(
              deps,
              { domain, keyId, covered: [domain], since: now(), pages },
              signal,
            )
          )?.seen ?? null
      }
      const { result, ...seen } = await audit(
        {
          domain,
          checks: [...checks],
          // The owner has asked for audits: asking in the agents' names shows what blocks only
          // them.
          agents: true,
          walk,
          known: await knownPages(db, domain),
          answers: true,
          access,
        },
        { caller: { watch: domain }, signal },
        progress,
      )
      return { ...seen, result: await withDomainsTag(db, result), why: null }
    } catch (error) {
      // Seeing nothing is a result as well; any other error is ours.
      if (error instanceof ApiError && isNoResultCode(error.code)) {
        return { result: null, why: error.message, titles: [], answers: {} }
      }
      throw error
    }
  }
  const seen = await found()
  const { requests } = progress.read()
  const accessEndsAt = access?.endsAt ?? null
  return { at: now().toISOString(), ...seen, walk, requests, accessEndsAt }
}

interface Writing {
  watch: LeasedWatch
  seen: Checked
  judged: CheckJudged
  started_at: Date
  /** The answers are the same as the stored ones. */
  isSame: boolean
}

/** False if the lease is no longer ours. */
async function write(
  deps: CheckDeps,
  tx: Transaction,
  { watch, seen, judged, started_at, isSame }: Writing,
): Promise<boolean> {
  const ended_at = new Date(seen.at)
  const { result, why } = seen
  const outcome = result === null ? 'unseen' : 'seen'
  const isOwn = await endLease(tx, watch, (current) => ({
    ...(isPlanned(watch, current) && nextCheck(watch, judged.checkAgain, ended_at)),
    state: judged.state,
    looked_at: ended_at,
    outcome,
    why: why && storableText(why),
    ...(result !== null && { score: result.score, grade: result.grade }),
  }))
  if (!isOwn) return false
  const { domain, slot_at, look, next_at: due_at } = watch
  await saveCheck(tx, {
    domain,
    slot_at,
    look,
    due_at,
    started_at,
    ended_at,
    outcome,
    score: result?.score ?? null,
    grade: result?.grade ?? null,
    gaps: result?.gaps.map(({ id }) => id) ?? [],
    requests: seen.requests,
    judged: result && judgedIn(result),
    why,
  })
  if (!isSame) await saveAnswers(tx, domain, judged.answers, ended_at)
  for (const kind of ['gap', 'unseen'] as const) {
    const subjects = judged.still.flatMap((each) => (each.kind === kind ? [each.subject] : []))
    await keepIncidentsOpen(tx, { domain, kind }, subjects, ended_at)
  }
  for (const each of judged.closed) await close(deps, tx, watch, each, ended_at)
  const isAlone = judged.opened.filter(({ kind }) => kind === 'gap').length === 1
  for (const each of judged.opened) {
    const points = isAlone ? await fallOf(tx, each, result) : each.points
    await open(deps, tx, watch, { ...each, points }, ended_at)
  }
  await tellAccessEnd(deps, tx, watch, { endsAt: seen.accessEndsAt, at: ended_at })
  return true
}

/** Says once that headers which the owner gave end soon, and once that they have ended. */
async function tellAccessEnd(
  { baseUrl }: CheckDeps,
  tx: Transaction,
  watch: LeasedWatch,
  { endsAt, at }: { endsAt: Date | null; at: Date },
): Promise<void> {
  const left = endsAt === null ? null : endsAt.getTime() - at.getTime()
  if (endsAt === null || left === null || left > ACCESS_ENDING_DAYS * DAY_MS) return
  const { domain, time_zone: timeZone } = watch
  const stage = left <= 0 ? 'ended' : 'ending'
  const id = noticeIdOf(`access ${domain} ${endsAt.toISOString()} ${stage}`)
  if (await isNoticed(tx, domain, id)) return
  const url = `${baseUrl}/access/${domain}`
  await enqueueNotice(tx, watch, accessNotice({ domain, endsAt, timeZone }, { id, at, url }), at)
}

/**
 * The points that the score lost by a gap that came up alone: the fall since the last good score,
 * as far as both judged the same.
 * It is more than the gap's own points if the gap keeps others from being judged or caps the score.
 */
async function fallOf(
  tx: Transaction,
  { domain, kind, points, well_at, known }: OpenedIncident,
  result: AuditResult | null,
): Promise<number | null> {
  if (kind !== 'gap' || known || well_at === null || result === null) return points
  const before = await findScoreAt(tx, domain, new Date(well_at))
  if (before === null) return points
  const { change } = compareScores(before, { score: result.score, judged: judgedIn(result) })
  return change === null ? points : Math.max(points ?? 0, -change)
}

async function open(
  { baseUrl }: CheckDeps,
  tx: Transaction,
  watch: LeasedWatch,
  { notified, known, ...incident }: OpenedIncident,
  now: Date,
): Promise<void> {
  const row = await openIncident(tx, {
    ...incident,
    id: randomUUID(),
    is_known: known,
    is_told: notified,
    well_at: incident.well_at === null ? null : new Date(incident.well_at),
    first_seen_at: new Date(incident.first_seen_at),
    last_seen_at: now,
    opened_at: now,
    closed_at: null,
  })
  if (row === null || !notified) return
  await enqueueNotice(
    tx,
    watch,
    openedNotice(shownIncident(row), aboutNotice(watch, row, baseUrl)),
    now,
  )
}

async function close(
  { baseUrl }: CheckDeps,
  tx: Transaction,
  watch: LeasedWatch,
  { kind, subject, notified }: ClosedIncident,
  now: Date,
): Promise<void> {
  const row = await closeIncident(tx, { domain: watch.domain, kind, subject }, now)
  // If no notice of the start was sent, none of the end is due.
  if (!notified || !row?.is_told) return
  const unaware = await recallNotice(tx, watch.domain, row.id)
  const shown = { ...shownIncident(row), closed_at: now.toISOString() }
  await enqueueNotice(
    tx,
    watch,
    closedNotice(shown, aboutNotice(watch, row, baseUrl)),
    now,
    unaware,
  )
}

const aboutNotice = ({ domain, time_zone }: WatchRow, { id }: IncidentRow, baseUrl: string) => ({
  id: randomUUID(),
  timeZone: time_zone,
  url: incidentUrl(baseUrl, domain, id),
})

/**
 * False if someone meanwhile asked for a check or changed the period: then that decides the next
 * one.
 */
const isPlanned = (claimed: WatchRow, current: WatchRow): boolean =>
  current.next_at.getTime() === claimed.next_at.getTime() && current.period === claimed.period

/** When the next check is due: in a minute to confirm, or in the next period. */
function nextCheck(
  { domain, period, slot_at, look }: WatchRow,
  checkAgain: boolean,
  now: Date,
): Partial<WatchRow> {
  if (checkAgain && look + 1 < MOST_CHECKS) {
    const next_at = new Date(now.getTime() + AGAIN_MS)
    return { look: look + 1, next_at, late_at: next_at }
  }
  return { ...nextSlot(domain, period, slot_at, now), look: 0 }
}

/** A whole result is kept if it says something new, and once a day. */
const isNews = (
  { score, looked_at, state }: WatchRow,
  result: AuditResult,
  judged: CheckJudged,
): boolean =>
  score !== result.score ||
  looked_at === null ||
  dayOf(looked_at.getTime()) !== dayOf(Date.parse(result.checked_at)) ||
  result.gaps.some(({ id }) => state[`gap:${id}`]?.is !== judged.state[`gap:${id}`]?.is) ||
  judged.closed.length > 0

/** Keeps the result among the audits of the domain, unless it would hide a better one. */
async function keepAudit(
  { db, now }: CheckDeps,
  watch: LeasedWatch,
  result: AuditResult,
  titles: readonly ProductTitle[],
): Promise<void> {
  if (!watch.walk && (await hasWalked(db, result, new Date(now().getTime() - DAY_MS)))) return
  await saveAudit(db, result, titles)
}

// Unspecified: a result without a walk does not replace an audit of the last day that judged the
// checkout: the audit page and the badge would say that it was not judged. It does if a new gap
// came up.
async function hasWalked(
  db: Db,
  { domain, checks, gaps }: AuditResult,
  since: Date,
): Promise<boolean> {
  const kept = await findAudit(db, domain, checks, ENGINE_VERSION)
  return (
    kept !== null &&
    new Date(kept.checked_at) >= since &&
    isWalked(kept, checks) &&
    gaps.every(({ id }) => kept.gaps.some((gap) => gap.id === id))
  )
}

/**
 * Gives a check back: when stopping, another replica takes it immediately; otherwise it is repeated
 * in a minute.
 */
async function putOff(
  { db, now, log }: CheckDeps,
  watch: LeasedWatch,
  isStopping: boolean,
): Promise<void> {
  const at = now()
  const again = new Date(at.getTime() + RETRY_MS)
  const isOver = again.getTime() >= watch.slot_at.getTime() + PERIOD_MS[watch.period]
  try {
    await db.transaction((tx) =>
      endLease(tx, watch, (current) => ({
        ...(isStopping || !isPlanned(watch, current)
          ? {}
          : isOver
            ? { ...nextSlot(watch.domain, watch.period, watch.slot_at, at), look: 0 }
            : { next_at: again }),
        ...(!isStopping && {
          outcome: 'failed' as const,
          why: 'Something failed on our side. The audit runs again.',
        }),
      })),
    )
  } catch (err) {
    log.warn(
      { err, domain: watch.domain },
      'a watch audit could not be given back: its lease runs out',
    )
  }
}
