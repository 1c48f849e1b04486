import { randomUUID } from 'node:crypto'
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
import { createStartedJobs, type JobOrder, type OwnJob } from '../../jobs/started-jobs.ts'
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
  const endDead = (name: RunName) =>
    endRun(db, name, { state: 'failed', why: DIED, ended_at: now() })
  const jobs = createStartedJobs<AuditRun>({
    now,
    everyMs: TELL_MS,
    reasons: {
      cancel: () => new Ended('cancelled', 'The audit was cancelled.'),
      over: () => new Ended('failed', DIED),
      restart: () => new Ended('failed', RESTARTED),
      refuse: shuttingDown,
    },
    endDead,
    onBeatError: (err, { id }) =>
      log.warn({ err, run: id }, 'an audit cannot say how far it has come'),
    onEndError: (err, { id }) => log.error({ err, run: id }, 'the end of an audit is not written'),
  })
  const untilDead = () => new Date(now().getTime() + DEAD_MS)

  /** Says how far the run has come where that has changed, and at times that it lives. */
  function beatOf(row: AuditRun, progress: ReturnType<typeof gatherProgress>) {
    let told = -1
    let toldAt = performance.now()
    return async (): Promise<JobOrder> => {
      const version = progress.version()
      if (version === told && performance.now() - toldAt <= HEARTBEAT_MS) return 'go_on'
      const order = await keepRun(db, row, { progress: progress.read(), until: untilDead() })
      told = version
      toldAt = performance.now()
      return order
    }
  }

  async function run(
    work: RunWork,
    row: AuditRun,
    progress: ReturnType<typeof gatherProgress>,
    { signal, gone }: OwnJob,
  ): Promise<void> {
    let end: { state: RunState; why?: string; result?: AuditResult | null }
    try {
      const result = await work.audit(progress, signal)
      signal.throwIfAborted()
      const kept = await retryWrite(() => work.keep(result), gone)
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
    await retryWrite(() => endRun(db, row, last, instead), gone)
  }

  return {
    async start(work) {
      const { domain } = work
      const by = byOf(work.by)
      const { row, isNew } = await jobs.open(
        () => {
          const times = { asked_at: now(), leased_until: untilDead() }
          return insertRun(db, { domain, by, id: randomUUID(), ...times, progress: NO_PROGRESS })
        },
        () => findOpenRun(db, { domain, by }),
      )
      if (!isNew) return row
      try {
        await work.admit()
      } catch (error) {
        await deleteRun(db, row)
        throw error
      }
      const progress = gatherProgress()
      jobs.run(row, beatOf(row, progress), (job) => run(work, row, progress, job))
      return row
    },

    async read(name) {
      const row = await readRun(db, name)
      if (row === null || !jobs.isDead(row)) return row
      await endDead(row)
      return readRun(db, name)
    },

    async cancel(name) {
      await askToCancelRun(db, name, now())
      await jobs.cancelOwn(name.id)
    },

    stop: (withinMs) => jobs.stop(withinMs),
  }
}

const NO_PLACE: ReadonlySet<number> = new Set([429, 503])

/** How a run ends that came to no result. */
function endOf(error: unknown): { state: RunState; why: string } {
  if (error instanceof Ended) return { state: error.state, why: error.message }
  return { state: 'failed', why: error instanceof ApiError ? error.message : FAILED }
}
