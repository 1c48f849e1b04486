import type { JSX } from 'preact'
import { linePath, xOf, yOf } from '../scale.ts'

interface ScoreLineProps {
  /**
   * The score of each day, the oldest first; null if there is none: then the one before it holds.
   */
  scores: readonly (number | null)[]
}

/** Scores over some days as a small line; nothing with fewer than two. */
export function ScoreLine({ scores }: ScoreLineProps): JSX.Element | null {
  const known = scores.filter((score) => score !== null)
  const [first] = known
  const last = known.at(-1)
  if (first === undefined || last === undefined || known.length < 2) return null
  const held = holding(scores)
  // At this height a range of 100 points would show no change, so the line has a range of its own.
  const floor = floorOf(known)
  const lifted = held.map((score) => (score === null ? null : score - floor))
  const label = `Score over ${scores.length} days: first ${first}, lowest ${Math.min(...known)}, last ${last}.`
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
        <path class="chart-line" d={linePath(lifted, TOP)} />
      </svg>
      <circle
        class="chart-dot"
        cx={(xOf(held.length - 1, held.length) / 100) * 106}
        cy={4 + yOf(last - floor, TOP) * 0.22}
        r="3"
      />
    </svg>
  )
}

/** How many points the line is high. */
const TOP = 40

/** The score at the foot of the line: the change is in its middle, if there is room. */
function floorOf(known: readonly number[]): number {
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const middle = (least + most - TOP) / 2
  return Math.max(0, Math.min(100 - TOP, middle))
}

/** A score holds until the next one. */
function holding(scores: readonly (number | null)[]): (number | null)[] {
  let held: number | null = null
  return scores.map((score) => {
    held = score ?? held
    return held
  })
}
