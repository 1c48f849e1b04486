import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Withhold, withholder } from '../../../shared/walk/masking/masking.ts'
import { isWalkOver, summaryOfWalk, type WalkState } from '../../../shared/walk/stored-walk.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import { type TranscriptHead, transcriptOf } from '../../../shared/walk/transcript-of-events.ts'
import { counted } from '../../../shared/web/text/english-count.ts'
import { namesDomain } from '../../access/covered-domains.ts'
import { accessOf, type SiteAccesses } from '../../access/site-access.ts'
import { knownPages } from '../../db/audit/audits.ts'
import { keepWalkPicture } from '../../db/audit/walk-pictures.ts'
import { countLeftOpen, LEASE_MS } from '../../db/audit/walk-sessions.ts'
import {
  askToCancel,
  beginWalk,
  endWalk,
  findOpenWalk,
  insertWalk,
  keepWalk,
  listDeadWalks,
  listWalkEvents,
  readWalk,
  type WalkLine,
  type WalkName,
} from '../../db/audit/walks.ts'
import type { Db } from '../../db/connect.ts'
import { retryWrite } from '../../db/connection/retry-write.ts'
import { ApiError, shuttingDown } from '../../http/api-error.ts'
import { countBy, WALK_HOST_QUOTA } from '../../http/rate-limit.ts'
import { repeat } from '../../jobs/repeat.ts'
import { createStartedJobs, type OwnJob } from '../../jobs/started-jobs.ts'
import type { Log } from '../../process/log.ts'
import { createSlots, type SlotLimits } from '../slots.ts'
import { fitTranscript, sizeOf } from './fit.ts'
import type { Ledger, OpenEntry } from './ledger.ts'
import { secretsOf, type WalkHooks, type WalkOrder } from './order.ts'
import { createRecorder, TRANSCRIPT_BYTES } from './recorder.ts'
import { leaseEntries, ledgerOf, ledgerOfLeftOpen } from './stored-ledger.ts'

// Unspecified: a process walks four stores at a time, three of one key; the others wait. These
// slots are separate from those of audits, because a walk takes minutes.
const LIMITS: SlotLimits = {
  slots: 4,
  kept: 1,
  waiting: 20,
  waitingInAll: Number.POSITIVE_INFINITY,
}

// Unspecified: a walk ends after 20 minutes; its open sessions in the store are cancelled first.
const LONGEST_MS = 20 * 60_000

/** How often a process writes a walk's heartbeat and checks whether the walk was cancelled. */
const HEARTBEAT_MS = 1_000

// Unspecified: a walk whose process has not said for 30 seconds that it lives is taken for dead: it
// is ended by another, and what it left open in the store is cancelled.
const DEAD_MS = 30_000

const SWEEP_MS = 60_000

/**
 * How long a sweep goes on starting cancellations. The last one may take half a minute, and the
 * lease outlasts it.
 */
const BEGIN_MS = LEASE_MS - 60_000

/** How long a request to cancel waits for the end of the walk, and how often it looks. */
const CANCEL_MS = 8_000
const ASK_MS = 100

/** Why a walk ends early. */
class Stop extends Error {
  readonly state: WalkState
  readonly outcome: 'cancelled' | 'stopped'

  constructor(outcome: Stop['outcome'], why: string) {
    super(why)
    this.outcome = outcome
    this.state = outcome === 'cancelled' ? 'cancelled' : 'ended'
  }
}

const cancelled = () => new Stop('cancelled', 'The walk was cancelled.')
const outOfTime = () =>
  new Stop('stopped', `The walk took longer than ${LONGEST_MS / 60_000} minutes.`)
const tooLong = () =>
  new Stop('stopped', `The transcript is over ${TRANSCRIPT_BYTES / 2 ** 20} MiB.`)
const restarting = () => new Stop('stopped', 'The service was restarted. Start the walk again.')
const lost = () => new Stop('stopped', 'Another server ended this walk.')
const DIED = 'The server that made this walk stopped. Start the walk again.'
const FAILED = 'Something failed on our side. Start the walk again.'
const OPEN = 'The walk stopped before the end of this purchase.'

/** How walks ended. */
type WalkOutcome = 'ended' | 'cancelled' | 'stopped' | 'failed'

/** Running walks, and how those of this process ended. */
export interface WalksLoad {
  running: number
  waiting: number
  slots: number
  outcomes: Readonly<Record<WalkOutcome, number>>
  /** Sessions in stores that dead walks left open, at the last sweep. */
  leftOpen: number
}

/** The walks of this process. */
export interface Walks {
  /**
   * Accepts a walk for the holder of a key; it then runs in the background. Throws 409 while the
   * domain has another one, and 503 while the service stops (`ApiError`).
   */
  start: (order: WalkOrder, keyId: string) => Promise<WalkLine>
  /** The same, but if the domain has a running walk it resolves to that one. */
  join: (order: WalkOrder, keyId: string) => Promise<WalkLine>
  /**
   * Ends a walk of any process; its open sessions in the store are cancelled first. Resolves to the
   * walk when that is done, after eight seconds, or when `signal` aborts; null if it is gone.
   */
  cancel: (walk: WalkName, signal: AbortSignal) => Promise<WalkLine | null>
  /** Ends the walks of dead processes, and cancels what they left open in stores. */
  sweep: () => Promise<void>
  /** Sweeps now and every minute, until `stop`. */
  keepSweeping: () => void
  /** Ends all walks of this process. Resolves when they have ended, or after `ms` milliseconds. */
  stop: (withinMs: number) => Promise<void>
  load: () => WalksLoad
}

export interface WalksDeps {
  db: Db
  now: () => Date
  log: Log
  /** The public URL of this service, without a trailing slash. */
  baseUrl: string
  walk: (order: WalkOrder, hooks: WalkHooks) => Promise<Transcript>
  cancelLeftOpen: (
    entries: readonly OpenEntry[],
    hooks: {
      ledger: Pick<Ledger, 'closed'>
      signal: AbortSignal
      openAccess: SiteAccesses['open']
    },
  ) => Promise<number>
  /** What owners give for their sites. */
  siteAccess: Pick<SiteAccesses, 'open'>
  /** Shorter than the defaults above, for tests. */
  longestMs?: number
}

/** The address of a walk, below the public URL of the service. */
export const walkPath = (id: string): string => `/api/walk/${id}`

export function createWalks(deps: WalksDeps): Walks {
  const { db, now, log, baseUrl, siteAccess, longestMs = LONGEST_MS } = deps
  const slots = createSlots(LIMITS)
  const outcomes = { ended: 0, cancelled: 0, stopped: 0, failed: 0 }
  const jobs = createStartedJobs<WalkLine>({
    now,
    everyMs: HEARTBEAT_MS,
    reasons: { cancel: cancelled, over: lost, restart: restarting, refuse: shuttingDown },
    endDead,
    onBeatError: (err, { id }) => log.warn({ err, walk: id }, 'the heartbeat of a walk failed'),
    onEndError: (err, { id }) => {
      outcomes.failed += 1
      log.error({ err, walk: id }, 'the end of a walk is not written')
    },
  })
  const walksAt = countBy(db, WALK_HOST_QUOTA)
  const countAt = async (host: string): Promise<string | null> => {
    const seconds = await walksAt.take(host)
    return seconds === null
      ? null
      : `${host} has had ${WALK_HOST_QUOTA.requests} walks within an hour, which is as many as all callers may make together. Walk again in ${counted(Math.ceil(seconds / 60), 'minute')}.`
  }
  let leftOpen = 0
  let sweepers: { stop: () => Promise<void> }[] = []
  const untilDead = () => new Date(now().getTime() + DEAD_MS)
  const beat = (row: WalkLine) => keepWalk(db, row, untilDead())

  /** Begins a walk, or returns the other one of the domain. */
  async function begin(order: WalkOrder, keyId: string) {
    const { domain, mode } = order
    const [intents, dialects] = [[...order.intents], order.dialects ? [...order.dialects] : null]
    const fresh = { domain, mode, intents, dialects, key_id: keyId }
    const access = await accessOf(siteAccess, order.covered ?? [], domain)
    const begun = await jobs.open(
      () => {
        const times = { asked_at: now(), leased_until: untilDead() }
        return insertWalk(db, { ...fresh, id: randomUUID(), ...times })
      },
      () => findOpenWalk(db, domain),
    )
    const { row, isNew } = begun
    if (isNew) {
      jobs.run(
        row,
        () => beat(row),
        (job) => work({ ...order, access }, row, job),
      )
    }
    return begun
  }

  const underWay = ({ id, domain }: WalkLine) =>
    new ApiError(
      409,
      'walk_under_way',
      `A walk of ${domain} is under way: ${baseUrl}${walkPath(id)}. Wait for its end, or cancel it there with DELETE.`,
      { headers: { Location: `${baseUrl}${walkPath(id)}` } },
    )

  async function work(order: WalkOrder, row: WalkLine, job: OwnJob): Promise<void> {
    const { signal, end, gone } = job
    const { domain, id, key_id, mode } = row
    const said = { walk: id, domain, mode, key_id }
    const withhold = withholder(secretsOf(order))
    const recorder = createRecorder(deps, row, withhold, () => end(tooLong()))
    const ledger = ledgerOf(db, row, withhold)
    const late = setTimeout(() => end(outOfTime()), longestMs)
    let whole: Transcript | null = null
    let why: string | null = null
    const walk = async () => {
      try {
        if (!(await beginWalk(db, row, now()))) return end(lost())
        log.info(said, 'walk begun')
        whole = await deps.walk(order, {
          ledger,
          onEvent: recorder.add,
          signal,
          isNamed: (host) => namesDomain(order.covered ?? [], host),
          countAt,
          keepPicture: (n, jpeg) => keepWalkPicture(db, row, { n, jpeg, at: now() }),
          knownPages: async () => (await knownPages(db, domain)) ?? [],
        })
      } catch (error) {
        why = FAILED
        log.error({ ...said, err: withoutSecrets(error, withhold) }, 'a walk failed')
      }
    }
    // The queue rejects with what it refused; if the walk was stopped, the signal has the reason.
    await slots.run(key_id, signal, walk).catch((error: Error) => {
      why ??= error.message
    })
    clearTimeout(late)
    const stop = signal.reason instanceof Stop ? signal.reason : null
    const outcome = stop?.outcome ?? (why === null ? 'ended' : 'failed')
    const state = stop?.state ?? 'ended'
    const finish = endOf(row, { whole, why: stop?.message ?? why, state, withhold })
    const events = await retryWrite(async () => {
      const written = await recorder.flush()
      await finish(written)
      return written
    }, gone)
    outcomes[outcome] += 1
    log.info({ ...said, outcome, events }, 'walk ended')
  }

  /**
   * Prepares the statement that stores the end of a walk. If it has no transcript, that of its
   * events is stored. Slow work is done before, because storing may be retried.
   */
  function endOf(
    row: WalkLine,
    end: {
      whole: Transcript | null
      why: string | null
      state: WalkState
      withhold?: Withhold
    },
  ): (events: number) => Promise<void> {
    const { whole, why, withhold = withholder([]) } = end
    const ended_at = now()
    // A walk that finished before it noticed the stop counts as finished.
    const isWhole = whole !== null && whole.stopped === null
    const stopped = isWhole ? null : (why ?? whole?.stopped ?? null)
    const state = isWhole ? 'ended' : end.state
    const head = { ...walkHead(row), ended_at: ended_at.toISOString(), stopped }
    const transcriptOfEvents = async () =>
      transcriptOf(
        head,
        (await listWalkEvents(db, row)).map(({ event }) => event),
        OPEN,
      )
    const walked =
      whole && fitTranscript({ ...withhold(whole), id: row.id, stopped }, TRANSCRIPT_BYTES)
    // A walk that is too long even without bodies was stopped for that; its stored events fit.
    const isFitting = walked !== null && sizeOf(walked) <= TRANSCRIPT_BYTES
    return async (events) => {
      const kept = isFitting ? walked : await transcriptOfEvents()
      const summary = summaryOfWalk(kept)
      const last = { state, stopped, ended_at, summary, transcript: kept, events: events + 1 }
      await endWalk(db, row, last, isWhole ? DIED : null)
    }
  }

  /** Ends a walk whose process is dead. */
  async function endDead(row: WalkLine): Promise<void> {
    const events = await listWalkEvents(db, row)
    const isCancelled = row.cancel_asked_at !== null
    const finish = endOf(row, {
      whole: null,
      why: isCancelled ? cancelled().message : DIED,
      state: isCancelled ? 'cancelled' : 'ended',
    })
    await finish(events.at(-1)?.n ?? 0)
    log.warn({ walk: row.id, domain: row.domain }, 'the process of a walk died')
  }

  async function endDeadWalks(): Promise<void> {
    for (const row of await listDeadWalks(db, now())) {
      if (jobs.isDead(row)) await endDead(row)
      // Otherwise its open sessions would count as left open.
      else await beat(row)
    }
  }

  async function cancelLeft(): Promise<void> {
    const leased = await leaseEntries(db, now())
    // The database may have missed the heartbeats of a walk that runs here.
    const entries = leased.filter(({ walk }) => !jobs.isOwn(walk))
    if (entries.length > 0) {
      log.info({ sessions: entries.length }, 'sessions that walks left open are cancelled')
      const signal = AbortSignal.any([jobs.leaving, AbortSignal.timeout(BEGIN_MS)])
      const hooks = { signal, openAccess: siteAccess.open }
      await deps.cancelLeftOpen(entries, { ...hooks, ledger: ledgerOfLeftOpen(db, entries) })
    }
    leftOpen = await countLeftOpen(db, now())
  }

  /** Separate loops, so that a store that hangs does not delay the end of dead walks. */
  const keepDoing = (work: () => Promise<void>, failed: string) =>
    repeat({ everyMs: SWEEP_MS, work, onError: (err) => log.error({ err }, failed) })

  return {
    async start(order, keyId) {
      const { row, isNew } = await begin(order, keyId)
      if (!isNew) throw underWay(row)
      return row
    },

    join: async (order, keyId) => (await begin(order, keyId)).row,

    async cancel(walk, signal) {
      await askToCancel(db, walk, now())
      void jobs.cancelOwn(walk.id)
      const until = performance.now() + CANCEL_MS
      for (;;) {
        const row = await readWalk(db, walk)
        if (row === null || isWalkOver(row.state)) return row
        if (jobs.isDead(row)) await endDead(row)
        else if (signal.aborted || performance.now() > until) return row
        else await sleep(ASK_MS)
      }
    },

    async sweep() {
      await endDeadWalks()
      await cancelLeft()
    },

    keepSweeping() {
      sweepers = [
        keepDoing(endDeadWalks, 'walks of dead processes are not ended yet'),
        keepDoing(cancelLeft, 'what walks left open is not cancelled yet'),
      ]
    },

    stop: (withinMs) =>
      jobs.stop(
        withinMs,
        sweepers.map((sweeper) => sweeper.stop()),
      ),

    load: () => ({ ...slots.load(), outcomes, leftOpen }),
  }
}

/** A walk before its first event. */
export const walkHead = (row: WalkLine): TranscriptHead => ({
  id: row.id,
  domain: row.domain,
  mode: row.mode,
  started_at: (row.started_at ?? row.asked_at).toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
  stopped: row.stopped,
})

/** An error for the log, without the values that libraries quote in their messages. */
function withoutSecrets(error: unknown, withhold: Withhold): unknown {
  if (!(error instanceof Error)) return withhold(String(error))
  const kept = new Error(withhold(error.message))
  kept.stack = withhold(error.stack ?? '')
  return kept
}
