import type { JSX } from 'preact'

/** The letter of a score in its colour; a score that has no grade has an empty one. */
export const GradeBadge = ({ grade }: { grade: string | null }): JSX.Element => (
  <span class={`grade tone-${(grade ?? '').toLowerCase()}`}>{grade}</span>
)
