import type { JSX } from 'preact'
import type { AuditChanges } from '../../../../shared/audit/result/stored-audit.ts'
import { ComparisonSummary } from '../../../../shared/view/audit/ComparisonSummary.tsx'
import { wordsOf } from '../../../../shared/view/audit/check-names.ts'
import { GradeBadge } from '../../../../shared/view/audit/GradeBadge.tsx'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { auditPath } from '../../../audit/stored-audits.ts'
import type { PastAudit } from '../../../db/audit/audits.ts'
import { Link, useSite } from '../../site.tsx'
import { CompareForm } from './PastAudits.tsx'

interface ComparePageProps {
  changes: AuditChanges
  /** Other audits to choose, newest first. */
  audits: readonly PastAudit[]
}

/** Compares two audits of a domain: what is new, what is fixed, what is still open. */
export function ComparePage({ changes, audits }: ComparePageProps): JSX.Element {
  const { domain, before, after, measure, ...compared } = changes
  const { path } = useSite()
  const latest = new Set(
    [...compared.still_open, ...compared.new, ...compared.newly_judged].map(({ id }) => id),
  )
  return (
    <>
      <p class="crumbs">
        <Link to="/audits">Audits</Link> / <Link to={`/audits/${domain}`}>{domain}</Link>
      </p>
      <h1>Two audits of {domain}</h1>
      <div class="columns">
        <Side title="Earlier" domain={domain} audit={before} />
        <Side title="Later" domain={domain} audit={after} />
      </div>
      {measure !== null && (
        <Notice kind="warning" title="The scores of these two do not compare">
          <MeasureDifferences measure={measure} />
        </Notice>
      )}
      <ComparisonSummary
        title="What changed"
        {...compared}
        hrefOf={({ id }) =>
          `${path(auditPath({ domain, id: (latest.has(id) ? after : before).id }))}#gap-${encodeURIComponent(id)}`
        }
      />
      <section class="card no-print">
        <h2>Compare others</h2>
        <CompareForm domain={domain} audits={audits} chosen={[before.id, after.id]} />
      </section>
    </>
  )
}

interface SideProps {
  title: string
  domain: string
  audit: AuditChanges['before']
}

function Side({ title, domain, audit }: SideProps): JSX.Element {
  const { id, checked_at, score, grade } = audit
  return (
    <section class="card">
      <h2>{title}</h2>
      <p>
        <Link to={auditPath({ domain, id })}>
          <Moment at={checked_at} />
        </Link>
      </p>
      <p class="graded">
        <GradeBadge grade={grade} />
        {score} of 100
      </p>
    </section>
  )
}

/** Why gaps may seem new or gone although the store did not change. */
function MeasureDifferences({
  measure: { engine, checks_before, checks_after },
}: {
  measure: NonNullable<AuditChanges['measure']>
}): JSX.Element {
  const only = (which: string, checks: AuditChanges['before']['checks']) =>
    checks.length > 0 && (
      <p>
        Only the {which} one made {checks.length === 1 ? 'the check' : 'the checks'}{' '}
        {checks.map(wordsOf).join(', ')}.
      </p>
    )
  return (
    <>
      {engine !== null && (
        <p>
          The earlier one was made by engine version {engine.before}, the later one by{' '}
          {engine.after}: a gap may be new or gone because the rules changed, not the store.
        </p>
      )}
      {only('earlier', checks_before)}
      {only('later', checks_after)}
    </>
  )
}
