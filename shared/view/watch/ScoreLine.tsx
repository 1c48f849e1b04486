import type { JSX } from 'preact'
import { useLanguage } from '../language.ts'
import { linePath, xOf, yOf } from '../scale.ts'

export interface ScoreLineProps {
  /** Of each day, the oldest first; null where there is none: then the one before it holds. */
  scores: readonly (number | null)[]
}

/** Scores over some days as a small line; nothing with fewer than two. */
export function ScoreLine({ scores }: ScoreLineProps): JSX.Element | null {
  const { text } = useLanguage()
  const known = scores.filter((score) => score !== null)
  const [first] = known
  const last = known.at(-1)
  if (first === undefined || last === undefined || known.length < 2) return null
  const held = holding(scores)
  const label = text('score_line', scores.length, first, Math.min(...known), last)
  return (
    <svg class="score-line" width="112" height="30" role="img" aria-label={label}>
      <title>{label}</title>
      <svg
        y="4"
        width="106"
        height="22"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        overflow="visible"
        aria-hidden="true"
      >
        <path class="chart-line" d={linePath(held, 100)} />
      </svg>
      <circle
        class="chart-dot"
        cx={(xOf(held.length - 1, held.length) / 100) * 106}
        cy={4 + yOf(last, 100) * 0.22}
        r="3"
      />
    </svg>
  )
}

/** A score stays until the next one. */
function holding(scores: readonly (number | null)[]): (number | null)[] {
  let held: number | null = null
  return scores.map((score) => {
    held = score ?? held
    return held
  })
}
