import type { JSX } from 'preact'
import { holdsText } from '../../audit/gap/cap-text.ts'
import type { Gap } from '../../audit/result/result.ts'
import { SEVERITIES, type Severity } from '../../audit/vocabulary.ts'
import { capital } from '../../web/text/capital.ts'
import { Icon, type IconShape } from '../Icon.tsx'

const SHAPE_OF: Record<Severity, IconShape> = {
  critical: 'octagon',
  high: 'triangle',
  medium: 'diamond',
  low: 'ring',
}

/** Colour, shape and word. */
export function SeverityBadge({ severity }: { severity: Severity }): JSX.Element {
  return (
    <span class={`badge severity-${severity}`}>
      <Icon shape={SHAPE_OF[severity]} />
      {capital(severity)}
    </span>
  )
}

/** Points that closing a gap adds; a gap seen on one page alone has none. */
export function PointsTag({ points }: { points: number | undefined }): JSX.Element | null {
  if (points === undefined) return null
  return (
    <span class="tag" title="Closing this gap alone adds at least this much to the score.">
      {points === 0 ? 'under +1' : `+${points}`}
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
  if (holds_at !== null) return <p>{holdsText(holds_at)}</p>
  return held_back ? <p class="quiet">This counts once the score is no longer capped.</p> : null
}

/** The number of gaps of each severity. */
export function SeverityCounts({ gaps }: { gaps: readonly Pick<Gap, 'severity'>[] }): JSX.Element {
  const counts = SEVERITIES.map((severity) => ({
    severity,
    count: gaps.filter((each) => each.severity === severity).length,
  })).filter(({ count }) => count > 0)
  if (counts.length === 0) {
    return (
      <p class="badges">
        <span class="badge is-good">
          <Icon shape="check" />
          No gaps
        </span>
      </p>
    )
  }
  return (
    <ul class="badges">
      {counts.map(({ severity, count }) => (
        <li key={severity} class={`badge severity-${severity}`}>
          <Icon shape={SHAPE_OF[severity]} />
          {count} {severity}
        </li>
      ))}
    </ul>
  )
}
