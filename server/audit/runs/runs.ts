import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_PROGRESS, type RunSeen, type RunState } from '../../../shared/audit/result/progress.ts'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import {
  type AuditRun,
  askToCancelRun,
  deleteRun,
  endRun,
  findOpenRun,
  insertRun,
  keepRun,
  type RunName,
  readRun,
} from '../../db/audit/runs.ts'
import type { Db } from '../../db/connect.ts'
import { retryWrite } from '../../db/connection/retry-write.ts'
import { ApiError, shuttingDown } from '../../http/api-error.ts'
import { heartbeat } from '../../process/heartbeat.ts'
import type { Log } from '../../process/log.ts'
import type { DomainAudit } from '../audit-domain.ts'
import { type AuditListener, gatherProgress } from '../listener.ts'

/** How often a process says how far a run has come, where that has changed. */
const TELL_MS = 300

/** How often it says that it lives, and hears whether it has to stop. */
const HEARTBEAT_MS = 2_000

// Unspecified: a run whose process has not said for 15 seconds that it lives is taken for dead.
const DEAD_MS = 15_000

const DIED = 'The server that made this audit stopped. Start it again.'
const RESTARTED = 'The service was restarted. Start the audit again.'
const FAILED = 'Something failed on our side. Try again in a minute.'

/** Who waits: the holder of a key, or anybody. */
type RunBy = { key: string } | 'stranger'

const byOf = (by: RunBy): string => (by === 'stranger' ? by : `key:${by.key}`)

/** What a run does. */
interface RunWork {
  domain: string
  by: RunBy
  /** Is asked when it is certain that a new run begins; what it throws takes the run back. */
  admit: () => Promise<void>
  audit: (listener: AuditListener, signal: AbortSignal) => Promise<DomainAudit>
  /** Keeps the audit, also when it comes again; what it returns is kept with the run itself. */
  keep: (audit: DomainAudit) => Promise<AuditResult | null>
  /** What `admit` counted was for nothing: there was no place. */
  refused?: () => Promise<void>
}

/** Audits of this process that somebody waits for. */
export interface AuditRuns {
  /** Begins one, or finds the one that the same caller has of this domain under way. */
  start: (work: RunWork) => Promise<AuditRun>
  /** Null where there is none. */
  read: (name: RunName) => Promise<AuditRun | null>
  /** Ends one, wherever it runs. */
  cancel: (name: RunName) => Promise<void>
  /** Ends all of this process. Resolves when they are ended, or after `withinMs`. */
  stop: (withinMs: number) => Promise<void>
}

/** What is shown of a run. */
export const seenOf = ({ state, progress, why }: AuditRun): RunSeen => ({ state, progress, why })

/** Why a run ends before its time. */
class Ended extends Error {
  readonly state: RunState

  constructor(state: RunState, why: string) {
    super(why)
    this.state = state
  }
}

interface RunsDeps {
  db: Db
  now: () => Date
  log: Log
}

/**
 * Runs go on after the request that began them, and are read on any replica. One that ends with its
 * process is not taken over: it takes seconds, and the person who waits starts it again.
 */
export function createAuditRuns({ db, now, log }: RunsDeps): AuditRuns {
  const jobs = new Map<string, { ending: AbortController; done: Promise<void> }>()
  const leaving = new AbortController()
  /** Aborts at the end of a stop: what could not be written by then is given up. */
  const gone = new AbortController()

  /**
   * What this process still works on is never dead, also where the database was away and heard
   * nothing of it.
   */
  const isDead = ({ id, state, alive_at }: AuditRun) =>
    state === 'under_way' && alive_at.getTime() < now().getTime() - DEAD_MS && !jobs.has(id)

  const bury = (name: RunName) => endRun(db, name, { state: 'failed', why: DIED, ended_at: now() })

  async function read(name: RunName): Promise<AuditRun | null> {
    const row = await readRun(db, name)
    if (row === null || !isDead(row)) return row
    await bury(row)
    return readRun(db, name)
  }

  /** The run, and whether it is a new one. */
  async function insert(domain: string, by: string): Promise<{ row: AuditRun; isNew: boolean }> {
    for (;;) {
      const fresh = { domain, by, id: randomUUID(), asked_at: now(), progress: NO_PROGRESS }
      const made = await insertRun(db, fresh)
      if (made !== null) return { row: made, isNew: true }
      const other = await findOpenRun(db, { domain, by })
      if (other === null) continue
      if (!isDead(other)) return { row: other, isNew: false }
      await bury(other)
    }
  }

  /** Tells how far the run has come, and hears whether it has to end. */
  function tell(
    row: AuditRun,
    progress: ReturnType<typeof gatherProgress>,
    ending: AbortController,
  ) {
    let told = -1
    let toldAt = performance.now()
    return heartbeat(
      TELL_MS,
      async () => {
        const version = progress.version()
        const isDue = version !== told || performance.now() - toldAt > HEARTBEAT_MS
        if (!isDue) return
        const goesOn = await keepRun(db, row, { progress: progress.read(), now: now() })
        if (!goesOn) ending.abort(cancelled())
        told = version
        toldAt = performance.now()
      },
      (err) => log.warn({ err, run: row.id }, 'an audit cannot say how far it has come'),
    )
  }

  async function run(work: RunWork, row: AuditRun, ending: AbortController): Promise<void> {
    const { signal } = ending
    const progress = gatherProgress()
    const stopTelling = tell(row, progress, ending)
    let end: { state: RunState; why?: string; result?: AuditResult | null }
    try {
      const result = await work.audit(progress, signal)
      signal.throwIfAborted()
      const kept = await retryWrite(() => work.keep(result), gone.signal)
      end = { state: 'done', result: kept }
    } catch (error) {
      end = endOf(signal.aborted ? signal.reason : error)
      if (error instanceof ApiError && NO_PLACE.has(error.status)) {
        await work
          .refused?.()
          .catch((err: unknown) =>
            log.warn({ err, run: row.id }, 'what a refused audit has cost is not given back'),
          )
      }
      if (end.why === FAILED) log.error({ err: error, run: row.id }, 'an audit failed')
    }
    const last = { ...end, progress: progress.read(), ended_at: now() }
    const instead = end.state === 'done' ? DIED : null
    // It lives until its end is written.
    await retryWrite(() => endRun(db, row, last, instead), gone.signal).finally(stopTelling)
  }

  return {
    async start(work) {
      if (leaving.signal.aborted) throw shuttingDown()
      const { row, isNew } = await insert(work.domain, byOf(work.by))
      if (!isNew) return row
      try {
        await work.admit()
      } catch (error) {
        await deleteRun(db, row)
        throw error
      }
      const ending = new AbortController()
      const done = run(work, row, ending)
        .catch((err: unknown) =>
          log.error({ err, run: row.id }, 'the end of an audit is not written'),
        )
        .finally(() => jobs.delete(row.id))
      jobs.set(row.id, { ending, done })
      // All others were aborted while this one was being admitted.
      if (leaving.signal.aborted) ending.abort(restarted())
      return row
    },

    read,

    async cancel(name) {
      await askToCancelRun(db, name, now())
      const job = jobs.get(name.id)
      job?.ending.abort(cancelled())
      await job?.done
    },

    async stop(withinMs) {
      leaving.abort()
      for (const { ending } of jobs.values()) ending.abort(restarted())
      await Promise.race([
        Promise.all([...jobs.values()].map(({ done }) => done)),
        sleep(Math.max(0, withinMs), undefined, { ref: false }),
      ])
      gone.abort()
    },
  }
}

const NO_PLACE: ReadonlySet<number> = new Set([429, 503])

const restarted = () => new Ended('failed', RESTARTED)

const cancelled = () => new Ended('cancelled', 'The audit was cancelled.')

/** How a run ends that came to no result. */
function endOf(error: unknown): { state: RunState; why: string } {
  if (error instanceof Ended) return { state: error.state, why: error.message }
  return { state: 'failed', why: error instanceof ApiError ? error.message : FAILED }
}
