import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_PROGRESS } from '../../../shared/audit/progress.ts'
import type { AuditResult } from '../../../shared/audit/result.ts'
import { findAuditById } from '../../db/audit/audits.ts'
import { keptResultOf } from '../../db/audit/kept-result.ts'
import {
  API_RUNS,
  deleteRun,
  endRun,
  findOpenRun,
  insertRun,
  keepRun,
  readRun,
} from '../../db/audit/runs.ts'
import { heartbeat } from '../../heartbeat.ts'
import { HEARTBEAT_MS, isRunDead, type RunsDeps } from './runs.ts'

/** How often a replica that waits for another's audit asks whether it is made. */
const ASK_MS = 500

/** An audit that one replica makes for all who ask for it meanwhile. */
interface SharedAudit {
  domain: string
  /** A text that is equal for those who may share it: who asks, and for what. */
  sameFor: string
  /**
   * Makes the audit, and stores it under this id before it resolves, unless it is kept with its
   * run.
   */
  make: (id: string) => Promise<AuditResult>
  /** It is not one of the domain's own audits, and stays with the run. */
  isKeptWithRun?: boolean
  /** Aborted when no caller waits here any more. */
  signal: AbortSignal
}

// Unspecified: an audit that another replica is making is shared once it is made. One that fails
// there is made again, by one of those who wait: its refusal may be that replica's alone.

/**
 * Makes an audit, or waits for the replica that makes the same one. It is a row of `audit_runs` for
 * as long as it takes, or for longer where the result is kept in it; when its replica dies, one of
 * those who wait makes it.
 */
export function createShareAudit({ db, now, log }: RunsDeps) {
  return async ({
    domain,
    sameFor,
    make,
    signal,
    isKeptWithRun = false,
  }: SharedAudit): Promise<AuditResult> => {
    const by = `${API_RUNS}${hash('sha256', sameFor)}`
    for (;;) {
      signal.throwIfAborted()
      const fresh = { domain, by, id: randomUUID(), asked_at: now(), progress: NO_PROGRESS }
      const own = await insertRun(db, fresh)
      if (own !== null) return makeHere(own.id)
      const other = await findOpenRun(db, { domain, by })
      const made = other && (await madeBy(other.id))
      if (made) return made
    }

    async function makeHere(id: string): Promise<AuditResult> {
      const stopHeartbeat = heartbeat(
        HEARTBEAT_MS,
        async () => {
          await keepRun(db, { domain, id }, { progress: NO_PROGRESS, now: now() })
        },
        (err) => log.warn({ err, domain }, 'an audit cannot say that it lives'),
      )
      let isKept = false
      try {
        const result = await make(id)
        if (isKeptWithRun) {
          const end = { state: 'done', result, ended_at: now() } as const
          // Another replica may have taken this run for dead, and then makes it again.
          await endRun(db, { domain, id }, end)
          isKept = true
        }
        return result
      } finally {
        stopHeartbeat()
        // Where it stays, it is soon taken for dead.
        if (!isKept) {
          await deleteRun(db, { domain, id }).catch((err: unknown) =>
            log.warn({ err, domain }, 'the end of an audit is not written'),
          )
        }
      }
    }

    /** What another replica makes; null where it came to nothing. */
    async function madeBy(id: string): Promise<AuditResult | null> {
      for (;;) {
        const run = await readRun(db, { domain, id })
        if (run === null) break
        if (run.state === 'done') return keptResultOf(run)
        if (isRunDead(run, now())) {
          await deleteRun(db, run)
          return null
        }
        await sleep(ASK_MS, undefined, { signal })
      }
      const stored = await findAuditById(db, id, [domain])
      if (stored === null) return null
      const { id: _, ...result } = stored
      return result
    }
  }
}
