import type { JSX } from 'preact'
import type { AuditedDomain, AuditedDomains } from '../../../../shared/audit/result/stored-audit.ts'
import { GradeBadge } from '../../../../shared/view/audit/GradeBadge.tsx'
import { PointsChange } from '../../../../shared/view/audit/PointsChange.tsx'
import { SeverityBadge } from '../../../../shared/view/audit/Severity.tsx'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { auditPath } from '../../../audit/stored-audits.ts'
import { Link, useSite } from '../../site.tsx'
import { DomainForm } from '../DomainForm.tsx'
import { aboutMeasure } from './PastAudits.tsx'

interface AuditsPageProps extends AuditedDomains {
  now: Date
  /** Domains that are not listed can be typed as well. */
  canType: boolean
}

/** Every domain of a key: its latest score, and what to do first. */
export function AuditsPage({ domains, next, now, canType }: AuditsPageProps): JSX.Element {
  const { path } = useSite()
  return (
    <>
      <h1>Audits</h1>
      <p class="lead">
        How well AI agents can find, understand and buy from your stores, as last audited.
      </p>
      {canType && <DomainForm action={path('/audits')} domain="" domains={[]} canType />}
      {domains.length === 0 ? (
        <p class="empty">There are no audits yet.</p>
      ) : (
        <ul class="audited">
          {domains.map((each) => (
            <li key={each.domain} class="card">
              <Audited {...each} now={now} />
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <p>
          <Link to={`/audits?after=${encodeURIComponent(next)}`}>More domains</Link>
        </p>
      )}
    </>
  )
}

function Audited({
  domain,
  audit,
  last_event_at,
  now,
}: AuditedDomain & { now: Date }): JSX.Element {
  const report = `/report?domain=${domain}`
  return (
    <>
      <h2>
        <Link to={`/audits/${domain}`}>{domain}</Link>
      </h2>
      {audit === null ? (
        <p class="quiet">Not audited yet.</p>
      ) : (
        <LastAudit {...{ domain, audit }} />
      )}
      <div class="quiet">
        {audit !== null && (
          <p>
            <Link to={auditPath({ domain, id: audit.id })}>Audited</Link>{' '}
            <Moment at={audit.checked_at} now={now} />
          </p>
        )}
        {last_event_at === null && (
          <p>
            No events yet: <Link to={report}>see the report</Link>
          </p>
        )}
        {typeof last_event_at === 'string' && (
          <p>
            <Link to={report}>Last event</Link> <Moment at={last_event_at} now={now} />
          </p>
        )}
      </div>
    </>
  )
}

interface LastAuditProps {
  domain: string
  audit: NonNullable<AuditedDomain['audit']>
}

function LastAudit({ domain, audit }: LastAuditProps): JSX.Element {
  const { id, score, grade, worst_gap } = audit
  const measure = aboutMeasure(audit)
  const to = auditPath({ domain, id })
  return (
    <>
      <p class="graded">
        <GradeBadge grade={grade} />
        {score} of 100 <Change audit={audit} />
        {measure !== undefined && <span class="quiet"> {measure}</span>}
      </p>
      <p>
        {worst_gap === null ? (
          'No gaps found.'
        ) : (
          <>
            <SeverityBadge severity={worst_gap.severity} />{' '}
            <Link to={`${to}#gap-${encodeURIComponent(worst_gap.id)}`}>{worst_gap.label}</Link>
            {audit.gaps > 1 && <span class="quiet"> and {audit.gaps - 1} more</span>}
          </>
        )}
      </p>
    </>
  )
}

/** The change since the audit before; empty for the first. */
function Change({ audit: { change, before } }: Pick<LastAuditProps, 'audit'>): JSX.Element | null {
  if (before === null) return null
  if (change !== null) return <PointsChange points={change} />
  return (
    <span class="quiet">
      {before.comparable
        ? 'too little judged to compare with the audit before'
        : 'not comparable with the audit before'}
    </span>
  )
}
