import type { JSX } from 'preact'
import type { Gap } from '../../audit/result/result.ts'
import { SEVERITIES, type Severity } from '../../audit/vocabulary.ts'
import { Icon, type IconShape } from '../Icon.tsx'
import { useLanguage } from '../language.ts'

const SHAPE_OF: Record<Severity, IconShape> = {
  critical: 'octagon',
  high: 'triangle',
  medium: 'diamond',
  low: 'ring',
}

/** Colour, shape and word. */
export function SeverityBadge({ severity }: { severity: Severity }): JSX.Element {
  const { text } = useLanguage()
  return (
    <span class={`badge severity-${severity}`}>
      <Icon shape={SHAPE_OF[severity]} />
      {text(`severity_${severity}`)}
    </span>
  )
}

/** Points that closing a gap adds; a gap seen on one page alone has none. */
export function PointsTag({ points }: { points: number | undefined }): JSX.Element | null {
  const { text } = useLanguage()
  if (points === undefined) return null
  return (
    <span class="tag" title={text('gap_points_why')}>
      {points === 0 ? text('gap_points_none') : text('gap_points', points)}
    </span>
  )
}

interface HeldNoteProps {
  /** See `holdsAt`. */
  holds_at?: number | null | undefined
  held_back?: boolean | undefined
}

/** How a gap and a cap on the score are related. */
export function HeldNote({ holds_at = null, held_back }: HeldNoteProps): JSX.Element | null {
  const { text } = useLanguage()
  if (holds_at !== null) return <p>{text('gap_holds', holds_at)}</p>
  return held_back ? <p class="quiet">{text('gap_points_held')}</p> : null
}

/** The number of gaps of each severity. */
export function SeverityCounts({ gaps }: { gaps: readonly Pick<Gap, 'severity'>[] }): JSX.Element {
  const { text } = useLanguage()
  const counts = SEVERITIES.map((severity) => ({
    severity,
    count: gaps.filter((each) => each.severity === severity).length,
  })).filter(({ count }) => count > 0)
  if (counts.length === 0) {
    return (
      <p class="badges">
        <span class="badge is-good">
          <Icon shape="check" />
          {text('count_none')}
        </span>
      </p>
    )
  }
  return (
    <ul class="badges">
      {counts.map(({ severity, count }) => (
        <li key={severity} class={`badge severity-${severity}`}>
          <Icon shape={SHAPE_OF[severity]} />
          {text(`count_${severity}`, count)}
        </li>
      ))}
    </ul>
  )
}
