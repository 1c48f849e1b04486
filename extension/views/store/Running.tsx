import type { ComponentChildren } from 'preact'
import { Action } from '../../../shared/view/Action.tsx'
import { clockText, useClock } from '../tasks/clock.ts'

interface RunningProps {
  domain: string
  /** When it began, in milliseconds. */
  since: number
  onCancel: () => void
  /** What to show meanwhile. */
  children: ComponentChildren
}

/** A running audit: how long it has taken, and a button to cancel it. */
export function Running({ domain, since, onCancel, children }: RunningProps) {
  const now = useClock(Number.POSITIVE_INFINITY)
  const elapsed = clockText(Math.max(0, Math.floor((now - since) / 1000)))
  return (
    <section class="card running">
      <p>Auditing {domain}</p>
      <progress aria-label={`Auditing ${domain}`} />
      {children}
      <div class="actions">
        <span class="elapsed" role="timer">
          {elapsed}
        </span>
        <Action label="Cancel" onAct={onCancel} />
      </div>
    </section>
  )
}
