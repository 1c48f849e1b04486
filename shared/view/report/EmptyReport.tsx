import type { JSX } from 'preact'
import { Action } from '../Action.tsx'

export interface EmptyReportProps {
  domain: string
  /** The page with the tag. */
  snippetHref?: string | undefined
  /** The page about reporting from a server. */
  eventsHref?: string | undefined
  testHref?: string | undefined
  newTab?: boolean | undefined
}

/** Instead of a report of zeros: what to do first. */
export function EmptyReport(props: EmptyReportProps): JSX.Element {
  const { domain, snippetHref, eventsHref, testHref, newTab } = props
  const steps = [
    {
      title: 'Put the tag on your storefront',
      why: 'It detects visits that come from AI assistants.',
      action: { label: 'Get the tag', href: snippetHref },
    },
    {
      title: 'Report checkouts from your server',
      why: 'Orders and revenue come from your server only, never from a browser.',
      action: { label: 'See how', href: eventsHref },
    },
    {
      title: 'Send a test event',
      why: 'It shows immediately whether the connection works.',
      action: { label: 'Send a test event', href: testHref },
    },
  ]
  return (
    <section class="card empty-report">
      <h2>No AI sessions yet</h2>
      <p>
        Nothing was reported for {domain} in this period. Three steps get you the first numbers.
      </p>
      <ol class="first-steps">
        {steps.map(({ title, why, action: { label, href } }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p class="quiet">{why}</p>
            {href !== undefined && <Action label={label} href={href} newTab={newTab} />}
          </li>
        ))}
      </ol>
    </section>
  )
}
