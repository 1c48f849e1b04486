import type { AuditResult } from '../../../shared/audit/result/result.ts'
import type { ApiFailure } from '../../api/result.ts'
import { runsOf, type StoredRun } from '../../stored/history.ts'
import {
  auditKey,
  history,
  lastStoreAudit,
  rememberStoreAudit,
  storeAudits,
} from '../../stored/storage.ts'
import { useDeleted, useStored } from '../../stored/use-stored.ts'
import type { Server } from '../app/server.ts'
import { newestOf, type Task } from '../tasks/task-state.ts'
import { useTask, type Work } from '../tasks/use-task.ts'
import { askFirst } from './ask-first.ts'

interface StoreAudit {
  task: Task<AuditResult, ApiFailure>
  /**
   * The newest of this server: requested here, or stored on this computer, by another window too.
   */
  result: AuditResult | null
  /** The audits of this domain by this server, the newest first. */
  runs: readonly StoredRun[]
  /** Has the server audit the store. Its stored result is shown meanwhile, if there is none yet. */
  ask: () => void
  cancel: () => void
}

/** The server's audit of a domain. Nothing is requested before `ask` is called. */
export function useStoreAudit(server: Server, domain: string): StoreAudit {
  const kept = useStored(storeAudits)
  const known = useStored(history)
  const { task, start, cancel, forget } = useTask<AuditResult>()
  useDeleted(storeAudits, forget)
  const result = newer(newestOf(task), lastStoreAudit(kept ?? {}, server.url, domain))

  const keep = (answer: AuditResult) =>
    // Storage may be full: the result is shown all the same.
    rememberStoreAudit(server.url, answer).catch(() => {})
  const work: Work<AuditResult> = async (signal, found) => {
    const answer =
      result === null
        ? await askFirst(server.api, domain, signal, (stored) => {
            void keep(stored)
            found(stored)
          })
        : await server.api.audit({ domain }, signal)
    if (answer.ok) await keep(answer.value)
    return answer
  }
  return {
    task,
    result,
    runs: runsOf(known ?? {}, auditKey(server.url, domain)),
    ask: () => start(work),
    cancel,
  }
}

/** The later of two results; the first if they have the same time. */
const newer = (a: AuditResult | null, b: AuditResult | null): AuditResult | null =>
  a === null || (b !== null && b.checked_at > a.checked_at) ? b : a
