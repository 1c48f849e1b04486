import type { JSX } from 'preact'
import type { StoredAudit } from '../../../../shared/audit/result/stored-audit.ts'
import type { PastAudit } from '../../../db/audit/audits.ts'
import { Link } from '../../site.tsx'
import { AuditedStore, type OwnAudit } from './AuditPage.tsx'
import { aboutMeasure } from './PastAudits.tsx'

interface PastAuditPageProps extends Pick<OwnAudit, 'worth'> {
  audit: StoredAudit
  /** The audit before it. */
  before: PastAudit['before']
}

/** One stored audit, at a permanent address. */
export function PastAuditPage({ audit, before, worth }: PastAuditPageProps): JSX.Element {
  const { domain, id } = audit
  const measure = aboutMeasure(audit)
  return (
    <>
      <p class="strip no-print">
        <span>
          A stored audit of {domain}
          {measure !== undefined && `, ${measure}`}.
        </span>
        {before !== null && (
          <Link to={`/audits/${domain}/compare?before=${before.id}&after=${id}`}>
            Compare with the one before
          </Link>
        )}
        <Link to={`/audits/${domain}`}>All audits of {domain}</Link>
      </p>
      <AuditedStore
        result={audit}
        worth={worth}
        since={before && { ...before.trend, checked_at: before.checked_at }}
      />
    </>
  )
}
