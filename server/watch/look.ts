import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isWalked } from '../../shared/audit/narrow.ts'
import { isNoResultCode } from '../../shared/audit/no-result.ts'
import type { ProductTitle } from '../../shared/audit/product-titles.ts'
import { type AuditResult, ENGINE_VERSION } from '../../shared/audit/result.ts'
import type { WalkSeen } from '../../shared/walk/seen.ts'
import { closedNotice, openedNotice } from '../../shared/watch/incident-notice.ts'
import {
  type ClosedIncident,
  judgeLook,
  type LookJudged,
  type LookSeen,
  type OpenedIncident,
} from '../../shared/watch/judge-look.ts'
import { nextSlot, PERIOD_MS } from '../../shared/watch/period.ts'
import { DAY_MS, dayOf } from '../../shared/web/moment.ts'
import { storableText } from '../../shared/web/storable.ts'
import { withDomainsTag } from '../attribution/domains-tag.ts'
import type { Engine } from '../audit/engine.ts'
import { gatherProgress } from '../audit/listener.ts'
import { makeFreshWalk } from '../audit/walk/fresh-walk.ts'
import type { Walks } from '../audit/walk/jobs.ts'
import { beat } from '../beat.ts'
import { findAudit, saveAudit } from '../db/audit/audits.ts'
import type { Db, Transaction } from '../db/connect.ts'
import {
  closeIncident,
  type IncidentRow,
  keepIncidentsOpen,
  openIncident,
  shownIncident,
} from '../db/watch/incidents.ts'
import { findAnswers, findScoreAt, saveAnswers, saveLook } from '../db/watch/looks.ts'
import { endLease, extendLease, type WatchRow } from '../db/watch/watches.ts'
import { ApiError } from '../http/api-error.ts'
import type { Log } from '../log.ts'
import { enqueueNotice, recallNotice } from './enqueue-notice.ts'
import { incidentUrl } from './set-up.ts'

// Unspecified: a second look is made a minute after the first, and a period has at most three
// looks.
const AGAIN_MS = 60_000
const MOST_LOOKS = 3

/** A look that failed on our side is made again so soon. */
const RETRY_MS = 60_000

/** How long a lease lasts; who works says all the time that it goes on. */
export const LOOK_LEASE_MS = 60_000
const BEAT_MS = LOOK_LEASE_MS / 4

/** What a look needs. */
export interface LookDeps extends Pick<Engine, 'audit'> {
  db: Db
  now: () => Date
  log: Log
  walks: Pick<Walks, 'join'>
  /** How often it is asked whether a walk has ended. Tests make it short. */
  askMs?: number
  /** How long a lease lasts by `now`, and how often it is renewed; where time passes faster. */
  leaseMs?: number
  beatMs?: number
  /** The public URL of this service, without a trailing slash. */
  baseUrl: string
}

/** What became of a look: `lost`, when another replica had taken it over. */
export type LookEnd = 'seen' | 'unseen' | 'failed' | 'lost'

/** A watch that this process has leased. */
export type LeasedWatch = WatchRow & { lease: string }

/**
 * Looks at a watched domain: audits it, judges what changed, and writes all that follows (the look,
 * incidents, notices, when it is looked at next) in one transaction, if the lease is still its own.
 */
export async function lookAtWatched(
  deps: LookDeps,
  watch: LeasedWatch,
  signal: AbortSignal,
): Promise<LookEnd> {
  const { db, now, log } = deps
  const started_at = now()
  const ending = new AbortController()
  const leave = () => ending.abort(signal.reason)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  let isLost = false
  const stopBeating = keepLease(deps, watch, () => {
    isLost = true
    ending.abort(new Error('Another replica looks at this domain.'))
  })
  try {
    // One that was leased while this process began to stop.
    signal.throwIfAborted()
    const answers = await findAnswers(db, watch.domain)
    const seen = await see(deps, watch, ending.signal)
    const judged = judgeLook({ ...watch, answers }, seen)
    const isWritten = await db.transaction((tx) =>
      write(deps, tx, {
        watch,
        seen,
        judged,
        started_at,
        // Most looks see what the one before saw.
        isSame: isDeepStrictEqual(answers, judged.answers),
      }),
    )
    if (!isWritten) return 'lost'
    if (seen.result !== null && isNews(watch, seen.result, judged)) {
      await keepAudit(deps, watch, seen.result, seen.titles).catch((err: unknown) =>
        log.warn({ err, domain: watch.domain }, 'the audit of a look is not kept'),
      )
    }
    return seen.result === null ? 'unseen' : 'seen'
  } catch (err) {
    if (isLost) return 'lost'
    // What stops is taken over by another replica, or after the restart.
    if (!signal.aborted) log.error({ err, domain: watch.domain }, 'a look failed')
    await putOff(deps, watch, signal.aborted)
    return 'failed'
  } finally {
    stopBeating()
    signal.removeEventListener('abort', leave)
  }
}

/** Says again and again that the look goes on; ends it where another has taken it over. */
function keepLease(
  { db, now, log, leaseMs = LOOK_LEASE_MS, beatMs = BEAT_MS }: LookDeps,
  watch: LeasedWatch,
  onLost: () => void,
) {
  return beat(
    beatMs,
    async () => {
      const isOwn = await extendLease(db, watch, new Date(now().getTime() + leaseMs))
      if (!isOwn) onLost()
    },
    (err) => log.warn({ err, domain: watch.domain }, 'a look cannot say that it goes on'),
  )
}

interface Looked extends LookSeen {
  titles: readonly ProductTitle[]
  requests: number
}

async function see(deps: LookDeps, watch: LeasedWatch, signal: AbortSignal): Promise<Looked> {
  const { db, now, audit } = deps
  const { domain, checks, key_id: keyId } = watch
  const progress = gatherProgress()
  let walk: WalkSeen | null = null
  const found = async (): Promise<Pick<Looked, 'result' | 'why' | 'titles' | 'answers'>> => {
    try {
      if (watch.walk) {
        walk = (await makeFreshWalk(deps, { domain, keyId, since: now() }, signal))?.seen ?? null
      }
      const { result, ...seen } = await audit(
        {
          domain,
          checks: [...checks],
          // The owner has asked for it: what stops agents alone is seen by asking as they do.
          agents: true,
          walk,
          answers: true,
        },
        { caller: { watch: domain }, signal },
        progress,
      )
      return { ...seen, result: await withDomainsTag(db, result), why: null }
    } catch (error) {
      // That nothing could be seen is an answer as well; what else goes wrong is ours.
      if (error instanceof ApiError && isNoResultCode(error.code)) {
        return { result: null, why: error.message, titles: [], answers: {} }
      }
      throw error
    }
  }
  const seen = await found()
  const { requests } = progress.read()
  return { at: now().toISOString(), ...seen, walk, requests }
}

interface Writing {
  watch: LeasedWatch
  seen: Looked
  judged: LookJudged
  started_at: Date
  /** What was answered is what was kept. */
  isSame: boolean
}

/** False where the lease is another's by now. */
async function write(
  deps: LookDeps,
  tx: Transaction,
  { watch, seen, judged, started_at, isSame }: Writing,
): Promise<boolean> {
  const ended_at = new Date(seen.at)
  const { result, why } = seen
  const outcome = result === null ? 'unseen' : 'seen'
  const isOwn = await endLease(tx, watch, (current) => ({
    ...(isPlanned(watch, current) && nextLook(watch, judged.lookAgain, ended_at)),
    state: judged.state,
    looked_at: ended_at,
    outcome,
    why: why && storableText(why),
    ...(result !== null && { score: result.score, grade: result.grade }),
  }))
  if (!isOwn) return false
  const { domain, slot_at, look, next_at: due_at } = watch
  await saveLook(tx, {
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
  return true
}

/**
 * What the score lost by a gap that came up alone: by how much it fell since all was well, which is
 * more than the gap's own points where it hides others or caps the score.
 */
async function fallOf(
  tx: Transaction,
  { domain, kind, points, well_at, known }: OpenedIncident,
  result: AuditResult | null,
): Promise<number | null> {
  if (kind !== 'gap' || known || well_at === null || result === null) return points
  const before = await findScoreAt(tx, domain, new Date(well_at))
  return before === null ? points : Math.max(points ?? 0, before - result.score)
}

async function open(
  { baseUrl }: LookDeps,
  tx: Transaction,
  watch: LeasedWatch,
  { told, known, ...incident }: OpenedIncident,
  now: Date,
): Promise<void> {
  const row = await openIncident(tx, {
    ...incident,
    id: randomUUID(),
    is_known: known,
    is_told: told,
    well_at: incident.well_at === null ? null : new Date(incident.well_at),
    first_seen_at: new Date(incident.first_seen_at),
    last_seen_at: now,
    opened_at: now,
    closed_at: null,
  })
  if (row === null || !told) return
  await enqueueNotice(
    tx,
    watch,
    openedNotice(shownIncident(row), aboutNotice(watch, row, baseUrl)),
    now,
  )
}

async function close(
  { baseUrl }: LookDeps,
  tx: Transaction,
  watch: LeasedWatch,
  { kind, subject, told }: ClosedIncident,
  now: Date,
): Promise<void> {
  const row = await closeIncident(tx, { domain: watch.domain, kind, subject }, now)
  // Who was not told that it began need not hear that it is over.
  if (!told || !row?.is_told) return
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
 * Whether nobody has meanwhile asked for a look, or chosen another period: then theirs is the next
 * one.
 */
const isPlanned = (claimed: WatchRow, current: WatchRow): boolean =>
  current.next_at.getTime() === claimed.next_at.getTime() && current.period === claimed.period

/** When a domain is looked at next: in a minute to make sure, or in its next period. */
function nextLook(
  { domain, period, slot_at, look }: WatchRow,
  lookAgain: boolean,
  now: Date,
): Partial<WatchRow> {
  if (lookAgain && look + 1 < MOST_LOOKS) {
    const next_at = new Date(now.getTime() + AGAIN_MS)
    return { look: look + 1, next_at, late_at: next_at }
  }
  return { ...nextSlot(domain, period, slot_at, now), look: 0 }
}

/** A whole result is kept when it says something new, and once a day. */
const isNews = (
  { score, looked_at, state }: WatchRow,
  result: AuditResult,
  judged: LookJudged,
): boolean =>
  score !== result.score ||
  looked_at === null ||
  dayOf(looked_at.getTime()) !== dayOf(Date.parse(result.checked_at)) ||
  result.gaps.some(({ id }) => state[`gap:${id}`]?.is !== judged.state[`gap:${id}`]?.is) ||
  judged.closed.length > 0

/** Keeps what a look saw among the audits of the domain, where it does not hide a better one. */
async function keepAudit(
  { db, now }: LookDeps,
  watch: LeasedWatch,
  result: AuditResult,
  titles: readonly ProductTitle[],
): Promise<void> {
  if (!watch.walk && (await hasWalked(db, result, new Date(now().getTime() - DAY_MS)))) return
  await saveAudit(db, result, titles)
}

// Unspecified: a look that makes no walk is not kept over an audit of the last day that has judged
// one: the audit page and the badge would say that the checkout was not judged. A gap that came up
// since is.
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

/** Gives a look back: another replica takes it at once, or it is made again in a minute. */
async function putOff(
  { db, now, log }: LookDeps,
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
          why: 'Something failed on our side. The look is made again.',
        }),
      })),
    )
  } catch (err) {
    log.warn({ err, domain: watch.domain }, 'a look could not be given back: its lease runs out')
  }
}
