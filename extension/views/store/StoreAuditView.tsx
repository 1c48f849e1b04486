import { Action } from '../../../shared/view/Action.tsx'
import { formatAge } from '../../../shared/view/format.ts'
import { useApp } from '../app/app-state.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import type { Server } from '../app/server.ts'
import { useNow } from '../tasks/clock.ts'
import { FailureNotice } from '../tasks/FailureNotice.tsx'
import { Running } from './Running.tsx'
import { StoreResult } from './StoreResult.tsx'
import { useStoreAudit } from './use-store-audit.ts'

/** The server's audit of one domain: not started, running, failed, or its result. */
export function StoreAuditView({ server, domain }: { server: Server; domain: string }) {
  const { text, dates } = useApp()
  const now = useNow()
  const store = useStoreAudit(server, domain)
  const [said, announce] = useAnnouncer()
  const { task, result, runs, ask, cancel } = store
  const age = result === null ? '' : formatAge(result.checked_at, now, dates)
  const status = {
    idle: result === null ? '' : text('store_stored', domain, age),
    running: [
      text('store_running', domain),
      ...(result === null ? [] : [text('store_stored', domain, age)]),
    ].join(' '),
    done: result === null ? '' : text('store_done', domain, result.grade, result.score),
    failed: '',
  }[task.is]
  return (
    <>
      {task.is === 'running' && (
        <Running domain={domain} since={task.since} onCancel={cancel}>
          {result !== null && <p class="quiet">{text('store_stored', domain, age)}</p>}
        </Running>
      )}
      {task.is === 'failed' && <FailureNotice failure={task.failure} at={task.at} onRetry={ask} />}
      {result === null && task.is === 'idle' && (
        <section class="card">
          <h2>{text('store_connect_title')}</h2>
          <p>{text('store_asks')}</p>
          <div class="actions">
            <Action label={text('store_ask', server.name, domain)} onAct={ask} primary />
          </div>
          <p class="quiet">{text('store_sends', domain, server.name)}</p>
        </section>
      )}
      <LiveRegion text={status} hidden />
      <LiveRegion text={said} />
      {result !== null && (
        <StoreResult server={server} result={result} runs={runs} announce={announce}>
          {task.is !== 'running' && <Action label={text('store_ask_again')} onAct={ask} />}
        </StoreResult>
      )}
    </>
  )
}
