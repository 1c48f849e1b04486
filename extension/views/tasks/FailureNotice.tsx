import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Action } from '../../../shared/view/Action.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import { failureText } from '../../api/failure-text.ts'
import type { ApiFailure } from '../../api/result.ts'
import { useApp } from '../app/app-state.ts'
import { copyText } from '../export/copy-and-save.ts'
import { clockText, secondsLeft, useClock } from './clock.ts'

interface FailureNoticeProps {
  failure: ApiFailure
  /** When it happened, in milliseconds. */
  at: number
  onRetry?: (() => void) | undefined
  /** False if the details are shown at their fields. */
  withDetails?: boolean
}

/** What only the operator of the server can look into. */
const OPERATORS: ReadonlySet<ApiFailure['kind']> = new Set(['server', 'unavailable', 'unexpected'])

/** What went wrong with a call to the server, and what to do next. */
export function FailureNotice({ failure, at, onRetry, withDetails = true }: FailureNoticeProps) {
  const { view, go } = useApp()
  const { title, text: advice, inOptions, seconds, request_id } = failureText(failure)
  const end = at + (seconds ?? 0) * 1000
  const left = secondsLeft(end, useClock(end))
  const canRetry = onRetry !== undefined && left === 0
  const canTurn = inOptions && view !== 'options'
  return (
    <Notice kind="error" title={title}>
      <p>{advice}</p>
      {withDetails && failure.details.length > 0 && (
        <ul>
          {failure.details.slice(0, 8).map(({ field, message }) => (
            <li key={field}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {request_id !== null && OPERATORS.has(failure.kind) && <RequestId id={request_id} />}
      {/* Changes every second, so screen readers must not announce it. */}
      {left > 0 && (
        <p class="countdown" role="timer">
          {clockText(left)} left
        </p>
      )}
      {(canRetry || canTurn) && (
        <div class="actions">
          {canRetry && <Action label="Try again" onAct={onRetry} />}
          {canTurn && <Action label="Open the options" onAct={() => go('options')} />}
        </div>
      )}
    </Notice>
  )
}

function RequestId({ id }: { id: string }): JSX.Element {
  const [copied, setCopied] = useState(false)
  return (
    <p class="request-id">
      <span>
        Request id <code>{id}</code>
      </span>
      <button
        type="button"
        class="button button-small"
        onClick={async () => setCopied(await copyText(id))}
      >
        {copied ? 'Copied' : 'Copy the request id'}
      </button>
    </p>
  )
}
