import type { JSX } from 'preact'
import { Icon } from '../Icon.tsx'

/** Points gained or lost from one audit to another: sign, colour and words. */
export function PointsChange({ points }: { points: number }): JSX.Element {
  if (points === 0) return <span class="quiet">same</span>
  const way = points > 0 ? 'up' : 'down'
  return (
    <span class={`change ${points > 0 ? 'is-good' : 'is-bad'}`}>
      <Icon shape={way} />
      {Math.abs(points)} {way}
    </span>
  )
}
