import type { JSX } from 'preact'
import { GAP_RULES, SEVERITY_MEANS } from '../../../shared/audit/gap-docs.ts'
import {
  CHECK_NAMES,
  type CheckName,
  SEVERITIES,
  type Severity,
  severityRank,
} from '../../../shared/audit/vocabulary.ts'
import { wordsOf } from '../../../shared/view/audit/check-names.ts'
import { SeverityBadge } from '../../../shared/view/audit/Severity.tsx'
import { Link } from '../site.tsx'

export interface GapFilter {
  check: CheckName | null
  severity: Severity | null
}

/** The filter of a query; unknown values are ignored. */
export const readGapFilter = (get: (name: string) => string | undefined): GapFilter => ({
  check: CHECK_NAMES.find((name) => name === get('check')) ?? null,
  severity: SEVERITIES.find((name) => name === get('severity')) ?? null,
})

export function GapListPage({ filter }: { filter: GapFilter }): JSX.Element {
  const shown = GAP_RULES.filter(
    ({ check, severity }) =>
      (filter.check === null || check === filter.check) &&
      (filter.severity === null || severity === filter.severity),
  )
  return (
    <>
      <h1>Gaps</h1>
      <p class="lead">
        Everything that an audit can find wrong with a store: what it means, how it was judged, and
        how to fix it.
      </p>
      <form method="get" class="filters">
        <Choice
          name="check"
          label="Check"
          all="All checks"
          value={filter.check}
          choices={CHECK_NAMES.map((name) => [name, wordsOf(name)])}
        />
        <Choice
          name="severity"
          label="Severity"
          all="All severities"
          value={filter.severity}
          choices={SEVERITIES.map((name) => [name, `${wordsOf(name)}: ${SEVERITY_MEANS[name]}`])}
        />
        <button type="submit" class="button">
          Filter
        </button>
      </form>
      {shown.length === 0 && <p class="empty">No gap matches both filters. Choose another.</p>}
      {[...Map.groupBy(shown, ({ check }) => check)].map(([check, rules]) => (
        <section key={check} class="gap-section" aria-labelledby={check}>
          <h2 id={check}>{wordsOf(check)}</h2>
          <ul class="gap-index">
            {rules
              .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
              .map(({ gap, severity, label }) => (
                <li key={gap}>
                  <SeverityBadge severity={severity} />
                  <Link to={`/gaps/${gap}`}>{label}</Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

interface ChoiceProps {
  name: string
  label: string
  all: string
  value: string | null
  choices: readonly (readonly [value: string, label: string])[]
}

const Choice = ({ name, label, all, value, choices }: ChoiceProps): JSX.Element => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      <option value="">{all}</option>
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice} selected={choice === value}>
          {text}
        </option>
      ))}
    </select>
  </div>
)
