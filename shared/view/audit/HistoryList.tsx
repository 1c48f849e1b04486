import type { JSX } from 'preact'
import type { Trend } from '../../audit/result/compare.ts'
import type { Grade } from '../../audit/score.ts'
import { Moment } from '../Moment.tsx'
import { linePath, xOf, yOf } from '../scale.ts'
import { GradeBadge } from './GradeBadge.tsx'
import { TrendTag } from './TrendTag.tsx'

export interface Run {
  /** ISO 8601. */
  checked_at: string
  score: number
  grade: Grade
  /** Since the audit before (`withTrends`); null for the first. */
  trend: Pick<Trend, 'change' | 'no_trend'> | null
  /** Whether its score compares with the newest. */
  compares: boolean
  /** A few words below the date, such as what was measured. */
  about?: string | undefined
}

interface HistoryListProps<R extends Run> {
  /** In any order; they are shown newest first. */
  runs: readonly R[]
  hrefOf?: ((run: R) => string) | undefined
}

/** The audits of a domain: a line of scores and a table with the change from audit to audit. */
export function HistoryList<R extends Run>({ runs, hrefOf }: HistoryListProps<R>): JSX.Element {
  const newest = runs.toSorted((a, b) => Date.parse(b.checked_at) - Date.parse(a.checked_at))
  if (newest.length === 0) return <p class="empty">No audits yet.</p>
  // Other scores do not compare.
  const alike = newest.filter(({ compares }) => compares)
  return (
    <div class="history">
      {alike.length > 1 && <Sparkline scores={alike.map(({ score }) => score).reverse()} />}
      <table>
        <caption class="sr-only">Audits, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Score</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {newest.map((run) => {
            const moment = <Moment at={run.checked_at} />
            return (
              <tr key={run.checked_at}>
                <th scope="row">
                  {hrefOf === undefined ? moment : <a href={hrefOf(run)}>{moment}</a>}
                  {run.about !== undefined && <p class="quiet">{run.about}</p>}
                </th>
                <td class="graded">
                  <GradeBadge grade={run.grade} />
                  {run.score}
                </td>
                <td>
                  <TrendTag trend={run.trend} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Scores from the oldest to the newest, from edge to edge. */
function Sparkline({ scores }: { scores: readonly number[] }): JSX.Element {
  const last = scores.at(-1) ?? 0
  const first = xOf(0, scores.length)
  const label = `Score over ${scores.length} audits: first ${scores[0] ?? 0}, last ${last}.`
  return (
    <svg class="sparkline" width="100%" height="56" role="img" aria-label={label}>
      <title>{label}</title>
      <svg
        x="1%"
        y="6"
        width="98%"
        height="44"
        viewBox={`${first} 0 ${100 - 2 * first} 100`}
        preserveAspectRatio="none"
        overflow="visible"
        aria-hidden="true"
      >
        <path class="chart-line" d={linePath(scores, 100)} />
      </svg>
      <circle class="chart-dot" cx="99%" cy={6 + yOf(last, 100) * 0.44} r="4" />
    </svg>
  )
}
