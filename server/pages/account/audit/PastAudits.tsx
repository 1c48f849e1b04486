import type { JSX } from 'preact'
import { measureOf } from '../../../../shared/audit/compare.ts'
import { ENGINE_VERSION } from '../../../../shared/audit/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { wordsOf } from '../../../../shared/view/audit/check-names.ts'
import { HistoryList } from '../../../../shared/view/audit/HistoryList.tsx'
import { formatDateTime } from '../../../../shared/view/format.ts'
import { useLanguage } from '../../../../shared/view/language.ts'
import { auditPath } from '../../../audit/stored-audits.ts'
import type { PastAudit } from '../../../db/audit/audits.ts'
import { Link, useSite } from '../../site.tsx'

export interface PastAuditsProps {
  domain: string
  /** Newest first, of any checks and engine. */
  audits: readonly PastAudit[]
  /** There are older ones than these. */
  hasMore: boolean
}

/** The audits of a domain, each under its date, and two of them to compare. */
export function PastAudits({ domain, audits, hasMore }: PastAuditsProps): JSX.Element {
  const { text } = useLanguage()
  const { path } = useSite()
  const last = audits.at(-1)
  return (
    <section class="card" id="history">
      <h2>{text('history')}</h2>
      <HistoryList
        runs={audits.map((each) => ({
          ...each,
          measure: measureOf(each),
          about: aboutMeasure(each),
        }))}
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

export interface CompareFormProps extends Pick<PastAuditsProps, 'domain' | 'audits'> {
  /** The ids that are chosen; the newest and the one before it, if left out. */
  chosen?: readonly [before: string, after: string] | undefined
}

/** Chooses two audits of a domain. */
export function CompareForm({ domain, audits, chosen }: CompareFormProps): JSX.Element {
  const { path } = useSite()
  const [newest] = audits
  const before = chosen?.[0] ?? newest?.before?.id
  return (
    <form method="get" action={path(`/audits/${domain}/compare`)} class="inline-form no-print">
      <Choice name="before" label="Earlier audit" value={before} audits={audits} />
      <Choice name="after" label="Later audit" value={chosen?.[1] ?? newest?.id} audits={audits} />
      <button type="submit" class="button">
        Compare
      </button>
    </form>
  )
}

interface ChoiceProps extends Pick<CompareFormProps, 'audits'> {
  name: string
  label: string
  value: string | undefined
}

function Choice({ name, label, value, audits }: ChoiceProps): JSX.Element {
  const { dates } = useLanguage()
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {audits.map((audit) => {
          const { id, checked_at, score } = audit
          const about = [formatDateTime(checked_at, dates), `score ${score}`, aboutMeasure(audit)]
          return (
            <option key={id} value={id} selected={id === value}>
              {about.filter((part) => part !== undefined).join(', ')}
            </option>
          )
        })}
      </select>
    </div>
  )
}

/** What is unusual about how an audit measured; undefined for all checks of this engine. */
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
