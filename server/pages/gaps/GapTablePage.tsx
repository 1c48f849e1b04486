import type { JSX } from 'preact'
import { GAP_RULES } from '../../../shared/audit/checks/index.ts'
import { type GapRecord, gapRecordOf } from '../../../shared/audit/gap/record.ts'
import {
  CHECK_NAMES,
  type CheckName,
  SEVERITIES,
  SEVERITY_MEANS,
  type Severity,
  severityRank,
} from '../../../shared/audit/vocabulary.ts'
import { wordsOf } from '../../../shared/view/audit/check-names.ts'
import { SeverityBadge } from '../../../shared/view/audit/Severity.tsx'
import { Choice } from '../Choice.tsx'
import { Link, useSite } from '../site.tsx'

const SORTS = ['check', 'severity', 'points'] as const
type RuleSort = (typeof SORTS)[number]

const SORT_NAMES: Record<RuleSort, string> = {
  check: 'Check',
  severity: 'Severity, worst first',
  points: 'Points, most first',
}

interface GapFilter {
  check: CheckName | null
  severity: Severity | null
  sort: RuleSort
}

/** The filter of a query; unknown values are ignored. */
export const readGapFilter = (get: (name: string) => string | undefined): GapFilter => ({
  check: CHECK_NAMES.find((name) => name === get('check')) ?? null,
  severity: SEVERITIES.find((name) => name === get('severity')) ?? null,
  sort: SORTS.find((name) => name === get('sort')) ?? 'check',
})

const bySeverity = (a: GapRecord, b: GapRecord) =>
  severityRank(a.severity) - severityRank(b.severity)

/** Every rule with what it rests on, what its gap costs and what proves it. */
export function GapTablePage({ filter }: { filter: GapFilter }): JSX.Element {
  const { path } = useSite()
  const { check, severity, sort } = filter
  const shown = GAP_RULES.filter(
    (rule) =>
      (check === null || rule.check === check) && (severity === null || rule.severity === severity),
  ).map(gapRecordOf)
  return (
    <>
      <p class="crumbs">
        <Link to="/gaps">Gaps</Link>
      </p>
      <h1>All gaps</h1>
      <p>
        Each rule is proved twice: it finds its gap, and no other, in a store that is wrong in this
        one way, and it passes in ordinary stores that are different, not wrong. Points are of 100:
        what the gap costs a store that has few of its kind; an audit states what yours costs. All
        of it is in <a href={path('/gaps.json')}>gaps.json</a>, and the form of results in{' '}
        <a href={path('/schemas/audit-result.json')}>audit-result.json</a>.
      </p>
      <form method="get" class="filters">
        <Choice
          name="check"
          label="Check"
          all="All checks"
          value={check}
          choices={CHECK_NAMES.map((name) => [name, wordsOf(name)])}
        />
        <Choice
          name="severity"
          label="Severity"
          all="All severities"
          value={severity}
          choices={SEVERITIES.map((name) => [name, `${wordsOf(name)}: ${SEVERITY_MEANS[name]}`])}
        />
        <Choice
          name="sort"
          label="Sort by"
          value={sort}
          choices={SORTS.map((name) => [name, SORT_NAMES[name]])}
        />
        <button type="submit" class="button">
          Filter
        </button>
      </form>
      {shown.length === 0 && <p class="empty">No gap matches both filters. Choose another.</p>}
      {sort === 'check'
        ? [...Map.groupBy(shown, (record) => record.check)].map(([name, records]) => (
            <section key={name} class="gap-section" aria-labelledby={name}>
              <h2 id={name}>{wordsOf(name)}</h2>
              <RuleTable records={records.toSorted(bySeverity)} title={wordsOf(name)} />
            </section>
          ))
        : shown.length > 0 && (
            <RuleTable
              records={shown.toSorted((a, b) =>
                sort === 'points'
                  ? b.points.cost - a.points.cost || bySeverity(a, b)
                  : bySeverity(a, b) || b.points.cost - a.points.cost,
              )}
              title="All gaps"
            />
          )}
    </>
  )
}

function RuleTable({
  records,
  title,
}: {
  records: readonly GapRecord[]
  title: string
}): JSX.Element {
  return (
    <table class="rules">
      <caption class="sr-only">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Gap</th>
          <th scope="col">Severity</th>
          <th scope="col" class="number">
            Points
          </th>
          <th scope="col">Rests on</th>
          <th scope="col">Proof</th>
        </tr>
      </thead>
      <tbody>
        {records.map(({ id, label, severity, points, sources, proof }) => (
          <tr key={id}>
            <th scope="row">
              <Link to={`/gaps/${id}`}>{label}</Link>
              <span class="row-about wild">
                <code>{id}</code>
              </span>
            </th>
            <td data-label="Severity">
              <SeverityBadge severity={severity} />
            </td>
            <td data-label="Points" class="number">
              {points.cost.toLocaleString('en')}
            </td>
            <td data-label="Rests on">
              {sources.map(({ title: name, url }, at) => (
                <span key={name}>
                  {at > 0 && '; '}
                  {url === null ? name : <a href={url}>{name}</a>}
                </span>
              ))}
            </td>
            <td data-label="Proof">
              <ProofDetails proof={proof} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The stores in which the rule finds its gap. */
const ProofDetails = ({ proof: { faults } }: Pick<GapRecord, 'proof'>): JSX.Element => (
  <span class="wild">
    {faults.map(({ fault, needs_walk }) => (needs_walk ? `${fault}, in a walk` : fault)).join('; ')}
  </span>
)
