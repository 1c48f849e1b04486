import type { JSX } from 'preact'
import type { RunSeen } from '../../audit/progress.ts'
import { useLanguage } from '../language.ts'

/** An audit while it goes on: what is looked at, and what was seen already. */
export function RunView({ progress }: Pick<RunSeen, 'progress'>): JSX.Element {
  const { text } = useLanguage()
  const { parts, asking, requests } = progress
  const done = parts.filter((each) => each.done).length
  return (
    <>
      <p role="status">
        {parts.length === 0 ? text('run_waits') : text('run_done', done, parts.length, requests)}
      </p>
      {parts.length > 0 && (
        <ul class="run-parts">
          {parts.map(({ part, done: isDone }) => (
            <li key={part} class={isDone ? 'run-done' : 'run-open'}>
              <span aria-hidden="true">{isDone ? '✓' : '…'}</span> {text(`run_${part}`)}
              <span class="sr-only">{text(isDone ? 'run_is_done' : 'run_is_open')}</span>
            </li>
          ))}
        </ul>
      )}
      <p class="quiet run-asking wild">
        {asking[0] === undefined ? ' ' : text('run_asking', asking[0])}
      </p>
    </>
  )
}
