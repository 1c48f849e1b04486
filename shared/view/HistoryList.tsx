import type { JSX } from 'preact'
import type { Grade } from '../score.ts'
import { linePath, xOf, yOf } from './chart-scale.ts'
import { Icon } from './Icon.tsx'
import { useLanguage } from './language.ts'
import { Moment } from './Moment.tsx'

export interface Run {
  /** ISO 8601. */
  checked_at: string
  score: number
  grade: Grade
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
                  <Points from={newest[at + 1]?.score} to={run.score} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Points({ from, to }: { from: number | undefined; to: number }): JSX.Element | null {
  const { text } = useLanguage()
  if (from === undefined) return null
  if (from === to) return <span class="quiet">{text('same')}</span>
  const way = to > from ? 'up' : 'down'
  return (
    <span class={`change ${to > from ? 'is-good' : 'is-bad'}`}>
      <Icon shape={way} />
      {text(`points_${way}`, Math.abs(to - from))}
    </span>
  )
}

/** Scores from the oldest to the newest. */
function Sparkline({ scores }: { scores: readonly number[] }): JSX.Element {
  const { text } = useLanguage()
  const last = scores.at(-1) ?? 0
  const label = text('history_line', scores.length, scores[0] ?? 0, last)
  return (
    <svg class="sparkline" width="100%" height="56" role="img" aria-label={label}>
      <title>{label}</title>
      <svg
        y="6"
        width="100%"
        height="44"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        overflow="visible"
        aria-hidden="true"
      >
        <path class="chart-line" d={linePath(scores, 100)} />
      </svg>
      <circle
        class="chart-dot"
        cx={`${xOf(scores.length - 1, scores.length)}%`}
        cy={6 + yOf(last, 100) * 0.44}
        r="4"
      />
    </svg>
  )
}
