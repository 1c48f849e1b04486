import type { JSX } from 'preact'

interface BarProps {
  /** From 0 to 1; values outside are clamped. */
  part: number
  tone?: 'accent' | 'a' | 'b' | 'c' | 'd' | undefined
}

/** A bar next to its number: screen readers skip it. */
export const Bar = ({ part, tone = 'accent' }: BarProps): JSX.Element => (
  <svg
    class={`bar tone-${tone}`}
    viewBox="0 0 100 8"
    preserveAspectRatio="none"
    width="100%"
    height="8"
    aria-hidden="true"
  >
    <rect class="bar-rest" width="100" height="8" />
    <rect
      class="bar-part"
      width={part > 0 ? Math.min(100, Math.round(part * 1000) / 10) : 0}
      height="8"
    />
  </svg>
)
