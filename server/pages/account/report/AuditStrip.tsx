import type { JSX } from 'preact'
import type { AuditResult } from '../../../../shared/audit/result/result.ts'
import { Link } from '../../site.tsx'

interface AuditStripProps {
  domain: string
  /** The latest audit; null if there is none. */
  audit: AuditResult | null
}

/** One line above the figures: what keeps agents from buying. */
export function AuditStrip({ domain, audit }: AuditStripProps): JSX.Element {
  return (
    <p class="strip no-print">
      <span>
        {audit === null
          ? 'Not audited yet: it is not known whether AI agents can buy here.'
          : `Readiness: grade ${audit.grade}, ${audit.score} of 100, ${gapCount(audit.gaps.length)}${seen(audit)}.`}
      </span>
      <Link to={`/audits/${domain}`}>{audit === null ? 'Run an audit' : 'See the audit'}</Link>
    </p>
  )
}

const gapCount = (gaps: number): string => {
  if (gaps === 0) return 'no gaps'
  return gaps === 1 ? 'one gap' : `${gaps} gaps`
}

/** Rules that were not judged may hide gaps. */
function seen({ coverage }: AuditResult): string {
  if (coverage.judged === coverage.applicable) return ''
  return `; ${coverage.judged} of ${coverage.applicable} rules could be judged`
}
