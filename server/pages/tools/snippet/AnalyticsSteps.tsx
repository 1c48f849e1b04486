import type { JSX } from 'preact'
import { WithCode } from '../../WithCode.tsx'

const TAG_MANAGER = [
  'Variables: a Data Layer Variable of the name `ai_surface`, and one of `ai_confidence`.',
  'Triggers: a Custom Event with the event name `ai_session`.',
  'Tags: a Google Analytics GA4 Event with the event name `ai_session`, both variables as its parameters, and that trigger.',
  'In Google Analytics, under Custom definitions: a dimension of the scope Event for `ai_surface`.',
] as const

/** What `snippet/mark.ts` sends to each of them. */
const OTHERS = [
  [
    'Plausible',
    'Where it starts after the tag, its first page view is in the channel of AI assistants, and has the properties `ai_surface` and `ai_confidence`. Otherwise it gets the event `ai_session`: add that as a goal.',
  ],
  [
    'Matomo',
    'Where it starts after the tag, it takes the assistant for the website that the visit comes from. Otherwise it receives nothing.',
  ],
  [
    'PostHog',
    'Each event of the session has `ai_surface` and `ai_confidence`, also the first page view where PostHog starts after the tag.',
  ],
  [
    'Umami',
    'It gets the event `ai_session` with both as its data, and a tag such as `ai:chatgpt`.',
  ],
] as const

export function AnalyticsSteps(): JSX.Element {
  return (
    <>
      <details>
        <summary>In Google Analytics and Tag Manager</summary>
        <p>
          The data layer gets the event <code>ai_session</code> with <code>ai_surface</code>, such
          as <code>chatgpt</code>, and <code>ai_confidence</code>, from 0 to 1. A container passes
          it on to Google Analytics only if you tell it to:
        </p>
        <ol>
          {TAG_MANAGER.map((step) => (
            <li key={step}>
              <WithCode text={step} />
            </li>
          ))}
        </ol>
        <p>
          For visits that Google Analytics would not recognise itself, the event also has{' '}
          <code>campaign_source</code>, <code>campaign_medium</code> and <code>campaign_name</code>.
          Campaign tags of your own stay as they are.
        </p>
        <p>
          The Google tag without a container (gtag.js) needs the dimension alone. Where it starts
          after the tag, the visit has the medium <code>ai-assistant</code>; otherwise, or if it has
          campaign tags, it has the event <code>ai_session</code>. What Google Analytics recognises
          by the referrer is left to it.
        </p>
        <p>
          If your data layer has another name, put it into the tag: <code>data-layer="…"</code>.
        </p>
      </details>
      <details>
        <summary>In other analytics</summary>
        <p>There is nothing to set up but what is said here.</p>
        <dl>
          {OTHERS.map(([product, gets]) => (
            <div key={product}>
              <dt>{product}</dt>
              <dd>
                <WithCode text={gets} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}
