import type { JSX } from 'preact'

const SHAPES = {
  octagon: 'M4.7 0h6.6L16 4.7v6.6L11.3 16H4.7L0 11.3V4.7zM7 3v6h2V3zM7 10.7v2.3h2v-2.3z',
  triangle: 'M8 1.5 15.5 15H.5z',
  diamond: 'M8 .5 15.5 8 8 15.5.5 8z',
  ring: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  info: 'M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0zM7 3v2.3h2V3zM7 6.7v6.3h2V6.7z',
  up: 'M8 4 15 14H1z',
  down: 'M8 14 1 4h14z',
  level: 'M2 6.5h12v3H2z',
  cross:
    'm2.2 4.1 1.9-1.9L8 6.1l3.9-3.9 1.9 1.9L9.9 8l3.9 3.9-1.9 1.9L8 9.9l-3.9 3.9-1.9-1.9L6.1 8z',
  check: 'm6.3 13.2-5-5 1.9-1.9 3.1 3.1 6.5-6.6 1.9 1.9z',
} as const

export type IconShape = keyof typeof SHAPES

/** A shape next to words that say the same: screen readers skip it. */
export const Icon = ({ shape }: { shape: IconShape }): JSX.Element => (
  <svg class="icon" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
    <path fill-rule="evenodd" d={SHAPES[shape]} />
  </svg>
)
