import type { JSX } from 'preact'
import type { AuditPart, RunSeen } from '../../audit/result/progress.ts'
import { useLanguage } from '../language.ts'
import type { TextKey } from '../texts.ts'

const PART_TEXTS = {
  site: 'run_site',
  homePage: 'run_home_page',
  robots: 'run_robots',
  manifest: 'run_manifest',
  catalog: 'run_catalog',
  productPages: 'run_product_pages',
  feed: 'run_feed',
  checkout: 'run_checkout',
  ucp: 'run_ucp',
  acp: 'run_acp',
  access: 'run_access',
  judging: 'run_judging',
} as const satisfies Record<AuditPart, TextKey>

/** A running audit: what is being read, and what was seen already. */
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
              <span aria-hidden="true">{isDone ? '✓' : '…'}</span> {text(PART_TEXTS[part])}
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
