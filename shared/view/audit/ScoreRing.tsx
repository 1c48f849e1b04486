import type { JSX } from 'preact'
import { type Grade, gradeOf } from '../../audit/score.ts'

interface ScoreRingProps {
  /** 0 to 100. */
  score: number
  /** Null for a page, which has no grade: only its number is shown. */
  grade: Grade | null
}

/** The score as a ring around its letter and number. */
export function ScoreRing({ score, grade }: ScoreRingProps): JSX.Element {
  const label =
    grade === null ? `This page: ${score} of 100` : `Score ${score} of 100, grade ${grade}`
  return (
    <svg
      class={`ring tone-${(grade ?? gradeOf(score)).toLowerCase()}`}
      viewBox="0 0 120 120"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <circle class="ring-rest" cx="60" cy="60" r="52" />
      {score > 0 && (
        <circle
          class="ring-part"
          cx="60"
          cy="60"
          r="52"
          pathLength="100"
          stroke-dasharray={`${Math.min(100, score)} 100`}
          transform="rotate(-90 60 60)"
        />
      )}
      <text
        class={grade === null && score >= 100 ? 'ring-grade ring-full' : 'ring-grade'}
        x="60"
        y="62"
        text-anchor="middle"
      >
        {grade ?? score}
      </text>
      <text class="ring-score" x="60" y="86" text-anchor="middle">
        {grade === null ? '/ 100' : score}
      </text>
    </svg>
  )
}
