import type { JSX } from 'preact'
import { withTrends } from '../../../../shared/audit/result/compare.ts'
import { ENGINE_VERSION } from '../../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { wordsOf } from '../../../../shared/view/audit/check-names.ts'
import { HistoryList } from '../../../../shared/view/audit/HistoryList.tsx'
import { formatDateTime } from '../../../../shared/view/format.ts'
import { useLanguage } from '../../../../shared/view/language.ts'
import { auditPath } from '../../../audit/stored-audits.ts'
import type { PastAudit } from '../../../db/audit/audits.ts'
import { Choice } from '../../Choice.tsx'
import { Link, useSite } from '../../site.tsx'

export interface PastAuditsProps {
  domain: string
  /** Newest first, of any checks and engine. */
  audits: readonly PastAudit[]
  /** There are older ones. */
  hasMore: boolean
}

/** The audits of a domain by date, and a form to compare two of them. */
export function PastAudits({ domain, audits, hasMore }: PastAuditsProps): JSX.Element {
  const { path } = useSite()
  const last = audits.at(-1)
  return (
    <section class="card" id="history">
      <h2>Score history</h2>
      <HistoryList
        runs={withTrends(audits).map((each) => ({ ...each, about: aboutMeasure(each) }))}
        hrefOf={(run) => path(auditPath(run))}
      />
      {hasMore && last !== undefined && (
        <p>
          <Link to={`/audits/${domain}?after=${last.id}#history`}>Older audits</Link>
        </p>
      )}
      {audits.length > 1 && <CompareForm domain={domain} audits={audits} />}
    </section>
  )
}

interface CompareFormProps extends Pick<PastAuditsProps, 'domain' | 'audits'> {
  /** The chosen ids; by default the newest and the one before it. */
  chosen?: readonly [before: string, after: string] | undefined
}

/** Chooses two audits of a domain. */
export function CompareForm({ domain, audits, chosen }: CompareFormProps): JSX.Element {
  const { path } = useSite()
  const { dates } = useLanguage()
  const [newest] = audits
  const before = chosen?.[0] ?? newest?.before?.id
  const choices = audits.map((audit) => {
    const { id, checked_at, score } = audit
    const about = [formatDateTime(checked_at, dates), `score ${score}`, aboutMeasure(audit)]
    return [id, about.filter((part) => part !== undefined).join(', ')] as const
  })
  return (
    <form method="get" action={path(`/audits/${domain}/compare`)} class="inline-form no-print">
      <Choice name="before" label="Earlier audit" value={before} choices={choices} />
      <Choice
        name="after"
        label="Later audit"
        value={chosen?.[1] ?? newest?.id}
        choices={choices}
      />
      <button type="submit" class="button">
        Compare
      </button>
    </form>
  )
}

/** How an audit measured, if not by all checks of this engine; otherwise undefined. */
export function aboutMeasure({
  engine_version,
  checks,
}: Pick<PastAudit, 'engine_version' | 'checks'>): string | undefined {
  const parts = [
    ...(engine_version === ENGINE_VERSION ? [] : [`engine version ${engine_version}`]),
    ...(checks.join() === DEFAULT_CHECKS.join()
      ? []
      : [`checks: ${checks.map(wordsOf).join(', ')}`]),
  ]
  return parts.length === 0 ? undefined : parts.join('; ')
}
