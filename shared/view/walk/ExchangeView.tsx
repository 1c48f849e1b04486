import type { JSX } from 'preact'
import type { Exchange } from '../../walk/transcript.ts'
import { useLanguage } from '../language.ts'
import { prettyJson } from './pretty-json.ts'
import { bytesText, durationText } from './walk-words.ts'

/** A request and its answer as they were sent, shown as text only. */
export function ExchangeView({ exchange }: { exchange: Exchange }): JSX.Element {
  const language = useLanguage()
  const { request, answer, failure, ms } = exchange
  return (
    <div class="walk-exchange">
      <figure class="code-block">
        <figcaption>
          <span>Request</span>
          <span>{bytesText(request.bytes, language)}</span>
        </figcaption>
        <p class="walk-call">
          <strong>{request.method}</strong> <span class="wild">{request.url}</span>
        </p>
        <Headers headers={request.headers} />
        {request.body === null ? (
          <p class="walk-call quiet">Without a body</p>
        ) : (
          <Body body={request.body} />
        )}
      </figure>
      <figure class="code-block">
        <figcaption>
          <span>Answer</span>
          <span>
            {durationText(ms, language)}
            {answer !== null && `, ${bytesText(answer.bytes, language)}`}
          </span>
        </figcaption>
        {answer === null ? (
          <p class="walk-call wild">
            {failure === null ? 'No answer came.' : `No answer: ${failure}`}
          </p>
        ) : (
          <>
            <p class="walk-call">
              <strong>{answer.status}</strong>
            </p>
            <Headers headers={answer.headers} />
            {answer.body === '' ? (
              <p class="walk-call quiet">The body is empty.</p>
            ) : (
              <Body body={answer.body} />
            )}
            {answer.cut && (
              <p class="walk-call quiet">
                The rest was cut off. The whole body has {bytesText(answer.bytes, language)}.
              </p>
            )}
          </>
        )}
      </figure>
    </div>
  )
}

function Headers({ headers }: { headers: Record<string, string> }): JSX.Element | null {
  const entries = Object.entries(headers)
  if (entries.length === 0) return null
  return (
    <details class="walk-headers">
      <summary>Headers ({entries.length})</summary>
      <ul>
        {entries.map(([name, value]) => (
          <li key={name} class="wild">
            <span class="quiet">{name}:</span> {value}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A long one scrolls in its box, also by keyboard. */
const Body = ({ body }: { body: string }): JSX.Element => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
  <pre tabIndex={0} class="wild">
    <code>{prettyJson(body)}</code>
  </pre>
)
