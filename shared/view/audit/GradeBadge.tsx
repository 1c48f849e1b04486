import type { JSX } from 'preact'

/** The letter of a score in its colour; empty if the score has no grade. */
export const GradeBadge = ({ grade }: { grade: string | null }): JSX.Element => (
  <span class={`grade tone-${(grade ?? '').toLowerCase()}`}>{grade}</span>
)
