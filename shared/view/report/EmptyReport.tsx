import type { JSX } from 'preact'
import { Action } from '../Action.tsx'
import { useLanguage } from '../language.ts'

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
  const { text } = useLanguage()
  const steps = [
    { step: 'snippet', href: snippetHref },
    { step: 'events', href: eventsHref },
    { step: 'test', href: testHref },
  ] as const
  return (
    <section class="card empty-report">
      <h2>{text('empty_title')}</h2>
      <p>{text('empty_lead', domain)}</p>
      <ol class="first-steps">
        {steps.map(({ step, href }) => (
          <li key={step}>
            <h3>{text(`empty_${step}`)}</h3>
            <p class="quiet">{text(`empty_${step}_why`)}</p>
            {href !== undefined && (
              <Action label={text(`empty_${step}_action`)} href={href} newTab={newTab} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
