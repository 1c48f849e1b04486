import type { JSX } from 'preact'
import type { Grade } from '../../audit/score.ts'
import { Icon } from '../Icon.tsx'
import { useLanguage } from '../language.ts'
import { Moment } from '../Moment.tsx'
import { linePath, xOf, yOf } from '../scale.ts'

export interface Run {
  /** ISO 8601. */
  checked_at: string
  score: number
  grade: Grade
  /** What made the score: those of different measures are not compared. */
  measure?: string | undefined
}

export interface HistoryListProps {
  /** In any order; they are shown newest first. */
  runs: readonly Run[]
  hrefOf?: ((run: Run) => string) | undefined
}

/** The audits of a domain: a line of scores and a table with the change from audit to audit. */
export function HistoryList({ runs, hrefOf }: HistoryListProps): JSX.Element {
  const { text } = useLanguage()
  const newest = runs.toSorted((a, b) => Date.parse(b.checked_at) - Date.parse(a.checked_at))
  if (newest.length === 0) return <p class="empty">{text('history_none')}</p>
  return (
    <div class="history">
      {newest.length > 1 && <Sparkline scores={newest.map(({ score }) => score).reverse()} />}
      <table>
        <caption class="sr-only">{text('history_caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{text('date')}</th>
            <th scope="col">{text('score')}</th>
            <th scope="col">{text('change')}</th>
          </tr>
        </thead>
        <tbody>
          {newest.map((run, at) => {
            const moment = <Moment at={run.checked_at} />
            return (
              <tr key={run.checked_at}>
                <th scope="row">
                  {hrefOf === undefined ? moment : <a href={hrefOf(run)}>{moment}</a>}
                </th>
                <td class="graded">
                  <span class={`grade tone-${run.grade.toLowerCase()}`}>{run.grade}</span>
                  {run.score}
                </td>
                <td>
                  <Points from={newest[at + 1]} to={run} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Points({ from, to }: { from: Run | undefined; to: Run }): JSX.Element | null {
  const { text } = useLanguage()
  if (from === undefined) return null
  if (from.measure !== to.measure) return <span class="quiet">{text('other_measure')}</span>
  const points = to.score - from.score
  if (points === 0) return <span class="quiet">{text('same')}</span>
  const way = points > 0 ? 'up' : 'down'
  return (
    <span class={`change ${points > 0 ? 'is-good' : 'is-bad'}`}>
      <Icon shape={way} />
      {text(`points_${way}`, Math.abs(points))}
    </span>
  )
}

/** Scores from the oldest to the newest, from edge to edge. */
function Sparkline({ scores }: { scores: readonly number[] }): JSX.Element {
  const { text } = useLanguage()
  const last = scores.at(-1) ?? 0
  const first = xOf(0, scores.length)
  const label = text('history_line', scores.length, scores[0] ?? 0, last)
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
