import type { JSX } from 'preact'
import { GradeBadge } from '../../../shared/view/audit/GradeBadge.tsx'
import { SeverityBadge } from '../../../shared/view/audit/Severity.tsx'
import { Moment } from '../../../shared/view/Moment.tsx'
import { Notice, type NoticeKind } from '../../../shared/view/Notice.tsx'
import { DayBars } from '../../../shared/view/watch/DayBars.tsx'
import type { WatchedDay } from '../../../shared/watch/days.ts'
import { keepsFromBuying } from '../../../shared/watch/status.ts'
import type { OpenIncident } from '../../db/watch/incidents.ts'
import type { ListedWatch } from '../../db/watch/portfolio.ts'
import { Link } from '../site.tsx'

interface StatusPageProps {
  watch: Pick<ListedWatch, 'domain' | 'score' | 'grade' | 'looked_at' | 'outcome' | 'paused_at'>
  /**
   * Gaps and what could not be seen, the worst first; without signals from orders, which are
   * private.
   */
  open: readonly Pick<OpenIncident, 'id' | 'kind' | 'severity' | 'label' | 'opened_at'>[]
  days: readonly WatchedDay[]
  now: Date
}

/** Whether AI agents can buy in a store, for anyone: no evidence, no revenue. */
export function StatusPage({ watch, open, days, now }: StatusPageProps): JSX.Element {
  const { domain, score, grade, looked_at, paused_at } = watch
  const { kind, title } = answerOf(watch, open)
  const shown = open.filter(({ severity }) => severity === 'critical' || severity === 'high')
  return (
    <article class="status">
      <h1>AI shopping at {domain}</h1>
      <Notice kind={kind} title={title} />
      <div class="watch-facts">
        {score !== null && (
          <p class="graded">
            <GradeBadge grade={grade} />
            {score} of 100
          </p>
        )}
        <p>
          {looked_at === null ? (
            'Not audited yet.'
          ) : (
            <>
              Last audited <Moment at={looked_at.toISOString()} now={now} />.
            </>
          )}
          {paused_at !== null && ' The watch is paused.'}
        </p>
      </div>
      <section class="card">
        <h2>The last {days.length} days</h2>
        <DayBars days={days} />
      </section>
      <section class="card">
        <h2>Open incidents</h2>
        {shown.length === 0 ? (
          <p class="empty">None that keeps AI agents from buying.</p>
        ) : (
          <ul class="open-list">
            {shown.map((each) => (
              <li key={each.id}>
                <SeverityBadge severity={each.severity} /> {each.label}{' '}
                <span class="quiet">
                  since <Moment at={new Date(each.opened_at).toISOString()} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <p class="quiet">
        Shown by the owner of {domain}. The score says how well AI agents can find, understand and
        buy here, from 0 to 100. <Link to="/gaps">What is checked</Link>
      </p>
    </article>
  )
}

/** Only what checks have shown. */
function answerOf(
  { outcome, looked_at, paused_at }: StatusPageProps['watch'],
  open: StatusPageProps['open'],
): { kind: NoticeKind; title: string } {
  if (looked_at === null || outcome === null) {
    return { kind: 'info', title: 'Whether AI agents can buy here is not known yet' }
  }
  if (paused_at !== null) {
    return { kind: 'info', title: 'Whether AI agents can buy here is not known at the moment' }
  }
  if (open.some(keepsFromBuying)) {
    return { kind: 'error', title: 'AI agents cannot buy here at the moment' }
  }
  if (outcome !== 'seen' || open.some(({ kind }) => kind === 'unseen')) {
    return {
      kind: 'warning',
      title:
        'The last audit could not see all of the store, so it is not known whether AI agents can buy here',
    }
  }
  if (open.some(({ kind, severity }) => kind === 'gap' && severity === 'high')) {
    return { kind: 'warning', title: 'AI agents can buy here, but incidents are open' }
  }
  return { kind: 'success', title: 'Nothing was found that keeps AI agents from buying here' }
}
