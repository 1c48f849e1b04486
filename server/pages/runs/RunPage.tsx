import type { JSX } from 'preact'
import type { RunSeen } from '../../../shared/audit/result/progress.ts'
import { RunView } from '../../../shared/view/audit/RunView.tsx'
import { useLanguage } from '../../../shared/view/language.ts'
import { ErrorNotice, Notice } from '../../../shared/view/Notice.tsx'
import { useSite } from '../site.tsx'
import { FirstAuditForm } from './FirstAuditForm.tsx'

interface RunPageProps {
  domain: string
  /** The path of this page. */
  here: string
  run: RunSeen
  canCancel: boolean
}

/** An audit that is still running, or ended without a result. A script takes over `#run`. */
export function RunPage({ domain, here, run, canCancel }: RunPageProps): JSX.Element {
  const { path } = useSite()
  const { locale } = useLanguage()
  if (run.state !== 'under_way') {
    return (
      <>
        <h1>Audit of {domain}</h1>
        {run.state === 'cancelled' ? (
          <Notice kind="info" title="The audit was cancelled" />
        ) : (
          <ErrorNotice title={run.why ?? 'The audit failed.'} />
        )}
        <FirstAuditForm typed={domain} />
      </>
    )
  }
  return (
    <>
      <h1>Audit of {domain}</h1>
      <div id="run" class="card" data-follow={path(here)} data-locale={locale}>
        <RunView progress={run.progress} />
      </div>
      {canCancel && (
        <form method="post" action={path(`${here}/cancel`)} class="inline-form no-print">
          <button type="submit" class="button">
            Cancel
          </button>
        </form>
      )}
      <noscript>
        <p class="quiet">This page checks every two seconds for the result.</p>
      </noscript>
    </>
  )
}
