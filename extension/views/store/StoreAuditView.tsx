import { Action } from '../../../shared/view/Action.tsx'
import { formatAge } from '../../../shared/view/format.ts'
import { useLanguage } from '../../../shared/view/language.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import type { Server } from '../app/server.ts'
import { useNow } from '../tasks/clock.ts'
import { FailureNotice } from '../tasks/FailureNotice.tsx'
import { Running } from './Running.tsx'
import { StoreResult } from './StoreResult.tsx'
import { useStoreAudit } from './use-store-audit.ts'

/** The server's audit of one domain: not started, running, failed, or its result. */
export function StoreAuditView({ server, domain }: { server: Server; domain: string }) {
  const { dates } = useLanguage()
  const now = useNow()
  const store = useStoreAudit(server, domain)
  const [said, announce] = useAnnouncer()
  const { task, result, runs, ask, cancel } = store
  const age = result === null ? '' : formatAge(result.checked_at, now, dates)
  const status = {
    idle: result === null ? '' : `Here is the stored result of ${domain}, audited ${age}.`,
    running: [
      `Auditing ${domain}`,
      ...(result === null ? [] : [`Here is the stored result of ${domain}, audited ${age}.`]),
    ].join(' '),
    done:
      result === null
        ? ''
        : `Audit of ${domain} is done. Grade ${result.grade}, ${result.score} of 100.`,
    failed: '',
  }[task.is]
  return (
    <>
      {task.is === 'running' && (
        <Running domain={domain} since={task.since} onCancel={cancel}>
          {result !== null && (
            <p class="quiet">
              Here is the stored result of {domain}, audited {age}.
            </p>
          )}
        </Running>
      )}
      {task.is === 'failed' && <FailureNotice failure={task.failure} at={task.at} onRetry={ask} />}
      {result === null && task.is === 'idle' && (
        <section class="card">
          <h2>Audit the whole store</h2>
          <p>
            The server asks what an AI agent would ask: manifest, catalog, checkout, feed and pages.
            It takes up to a minute.
          </p>
          <div class="actions">
            <Action label={`Ask ${server.name} to audit ${domain}`} onAct={ask} primary />
          </div>
          <p class="quiet">
            Only the domain name {domain} and your key are sent to {server.name}, and nothing from
            the page.
          </p>
        </section>
      )}
      <LiveRegion text={status} hidden />
      <LiveRegion text={said} />
      {result !== null && (
        <StoreResult server={server} result={result} runs={runs} announce={announce}>
          {task.is !== 'running' && <Action label="Audit again" onAct={ask} />}
        </StoreResult>
      )}
    </>
  )
}
