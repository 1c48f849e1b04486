import { setTimeout as sleep } from 'node:timers/promises'
import { heartbeat } from './heartbeat.ts'

/** The row of a job that a request has started. */
interface JobRow {
  id: string
  ended_at: Date | null
  /** Until then its process counts as alive. */
  leased_until: Date | null
}

/** The answer to a heartbeat. `over`: another process has ended the job. */
export type JobOrder = 'go_on' | 'cancel' | 'over'

/** A job of this process. */
export interface OwnJob {
  /** Aborted, with its reason, when the job has to end. */
  signal: AbortSignal
  end: (reason: Error) => void
  /** Aborts when a stop is over: what could not be written by then is given up. */
  gone: AbortSignal
}

interface StartedJobsOptions<Row> {
  now: () => Date
  /** Milliseconds between two heartbeats. */
  everyMs: number
  /** Why a job ends before its time, and why none is accepted while the service stops. */
  reasons: Record<'cancel' | 'over' | 'restart' | 'refuse', () => Error>
  /** Writes the end of a job whose process died. */
  endDead: (row: Row) => Promise<void>
  onBeatError: (error: unknown, row: Row) => void
  /** Called if the end of a job could not be written. */
  onEndError: (error: unknown, row: Row) => void
}

/**
 * Jobs that a request starts and that go on after it, such as an audit that somebody waits for. One
 * of a kind is open at a time, which an index of its table sees to over all replicas. A job whose
 * process dies is ended by the next that comes across it, and is not made again.
 */
export function createStartedJobs<Row extends JobRow>(options: StartedJobsOptions<Row>) {
  const { now, everyMs, reasons, endDead, onBeatError, onEndError } = options
  const jobs = new Map<string, { ending: AbortController; done: Promise<void> }>()
  const leaving = new AbortController()
  const gone = new AbortController()

  /** What this process works on is never dead, although the database may have missed heartbeats. */
  const isDead = ({ id, ended_at, leased_until }: Row) =>
    ended_at === null && leased_until !== null && leased_until < now() && !jobs.has(id)

  return {
    isDead,
    isOwn: (id: string) => jobs.has(id),
    /** Aborts when the service stops. */
    leaving: leaving.signal,

    /** Inserts a job (`insert` resolves to null while there is another), or finds the other one. */
    async open(
      insert: () => Promise<Row | null>,
      findOther: () => Promise<Row | null>,
    ): Promise<{ row: Row; isNew: boolean }> {
      for (;;) {
        if (leaving.signal.aborted) throw reasons.refuse()
        const row = await insert()
        if (row !== null) return { row, isNew: true }
        const other = await findOther()
        if (other === null) continue
        if (!isDead(other)) return { row: other, isNew: false }
        await endDead(other)
      }
    },

    /**
     * Works on a job in the background. `beat` says in its row that the process lives; it goes on
     * until `work` has written the end.
     */
    run(row: Row, beat: () => Promise<JobOrder>, work: (job: OwnJob) => Promise<void>): void {
      const ending = new AbortController()
      const end = (reason: Error) => ending.abort(reason)
      const stopHeartbeat = heartbeat(
        everyMs,
        async () => {
          const order = await beat()
          if (order !== 'go_on') end(reasons[order]())
        },
        (error) => onBeatError(error, row),
      )
      const done = work({ signal: ending.signal, end, gone: gone.signal })
        .catch((error: unknown) => onEndError(error, row))
        .finally(() => {
          stopHeartbeat()
          jobs.delete(row.id)
        })
      jobs.set(row.id, { ending, done })
      // The others were aborted while this one was being opened.
      if (leaving.signal.aborted) end(reasons.restart())
    },

    /** Cancels a job if it is this process's. Resolves once its end is written. */
    async cancelOwn(id: string): Promise<void> {
      const job = jobs.get(id)
      job?.ending.abort(reasons.cancel())
      await job?.done
    },

    /** Ends all jobs of this process. Resolves when they and `others` have ended, or in time. */
    async stop(withinMs: number, others: readonly Promise<unknown>[] = []): Promise<void> {
      leaving.abort(reasons.restart())
      for (const { ending } of jobs.values()) ending.abort(reasons.restart())
      const all = [...jobs.values()].map(({ done }) => done)
      await Promise.race([
        Promise.all([...all, ...others]),
        sleep(Math.max(0, withinMs), undefined, { ref: false }),
      ])
      gone.abort()
    },
  }
}
