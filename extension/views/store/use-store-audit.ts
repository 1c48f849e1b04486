import { useEffect, useState } from 'preact/hooks'
import type { AuditResult } from '../../../shared/audit.ts'
import { type Run, runsOf } from '../../history.ts'
import type { Failure, Result } from '../../result.ts'
import { history, lastStoreAudit, rememberStoreAudit } from '../../storage.ts'
import type { Server } from '../session.ts'
import { newestOf, type Task } from '../task-state.ts'
import { useStored } from '../use-stored.ts'
import { useTask } from '../use-task.ts'
import { askFirst } from './ask-first.ts'

export interface StoreAudit {
  task: Task<AuditResult, Failure>
  /** The newest result there is: of this time, else the one that is kept on this computer. */
  result: AuditResult | null
  /** Of this domain, the newest first. */
  runs: readonly Run[]
  /** Takes the server's stored result if it has one. */
  ask: () => void
  /** Has the server audit the shop now. */
  askAgain: () => void
  cancel: () => void
}

/** The server's audit of a domain. Nothing is asked before `ask` or `askAgain` is called. */
export function useStoreAudit(server: Server, domain: string): StoreAudit {
  const [kept, setKept] = useState<AuditResult | null>(null)
  const known = useStored(history)
  const { task, start, cancel, forget } = useTask<AuditResult>()
  useEffect(() => {
    forget()
    setKept(null)
    void lastStoreAudit(domain).then(setKept)
  }, [domain, forget])

  const run = (work: (signal: AbortSignal) => Promise<Result<AuditResult>>) =>
    start(async (signal) => {
      const answer = await work(signal)
      if (answer.ok) await rememberStoreAudit(answer.value)
      return answer
    })
  return {
    task,
    result: newestOf(task) ?? (kept?.domain === domain ? kept : null),
    runs: runsOf(known ?? {}, domain),
    ask: () => run((signal) => askFirst(server.api, domain, signal)),
    askAgain: () => run((signal) => server.api.audit({ domain }, signal)),
    cancel,
  }
}
