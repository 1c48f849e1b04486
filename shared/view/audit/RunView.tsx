import type { JSX } from 'preact'
import type { AuditPart, RunSeen } from '../../audit/result/progress.ts'

const PART_NAMES: Record<AuditPart, string> = {
  site: 'Connection',
  homePage: 'Home page',
  robots: 'robots.txt',
  manifest: 'Manifest for agents (/.well-known/ucp)',
  catalog: 'Product catalog',
  productPages: 'Product pages',
  feed: 'Product feed',
  checkout: 'Checkout',
  ucp: 'UCP services',
  acp: 'ACP services',
  access: 'What AI agents are shown',
  judging: 'Judging what was found',
}

/** A running audit: what is being read, and what was seen already. */
export function RunView({ progress }: Pick<RunSeen, 'progress'>): JSX.Element {
  const { parts, asking, requests } = progress
  const done = parts.filter((each) => each.done).length
  return (
    <>
      <p role="status">
        {parts.length === 0
          ? 'Waiting for its turn …'
          : `${done} of ${parts.length} parts seen, ${requests} requests so far`}
      </p>
      {parts.length > 0 && (
        <ul class="run-parts">
          {parts.map(({ part, done: isDone }) => (
            <li key={part} class={isDone ? 'run-done' : 'run-open'}>
              <span aria-hidden="true">{isDone ? '✓' : '…'}</span> {PART_NAMES[part]}
              <span class="sr-only">{isDone ? ': done' : ': not yet'}</span>
            </li>
          ))}
        </ul>
      )}
      <p class="quiet run-asking wild">{asking[0] === undefined ? ' ' : `Reading ${asking[0]}`}</p>
    </>
  )
}
