import type { TextKey } from './all-texts.ts'
import type { Failure } from './result.ts'
import type { Say } from './say.ts'

/** How a failure is told, and what helps: with `wait`, after `seconds`. */
export interface FailureText {
  title: string
  text: string
  way: 'retry' | 'options' | 'wait' | 'none'
  seconds: number | null
  /** To be told to the operator. */
  request_id: string | null
}

interface Row {
  title: TextKey
  text: TextKey
  way: FailureText['way']
}

const ROWS = {
  offline: { title: 'failure_offline_title', text: 'failure_offline_text', way: 'retry' },
  bad_url: { title: 'failure_bad_url_title', text: 'failure_bad_url_text', way: 'options' },
  unauthorized: {
    title: 'failure_unauthorized_title',
    text: 'failure_unauthorized_text',
    way: 'options',
  },
  forbidden: { title: 'failure_forbidden_title', text: 'failure_forbidden_text', way: 'options' },
  not_found: { title: 'failure_not_found_title', text: 'failure_not_found_text', way: 'none' },
  invalid: { title: 'failure_invalid_title', text: 'failure_invalid_text', way: 'none' },
  rate_limited: {
    title: 'failure_rate_limited_title',
    text: 'failure_rate_limited_unknown',
    way: 'retry',
  },
  unavailable: {
    title: 'failure_unavailable_title',
    text: 'failure_unavailable_text',
    way: 'retry',
  },
  timeout: { title: 'failure_timeout_title', text: 'failure_timeout_text', way: 'retry' },
  server: { title: 'failure_server_title', text: 'failure_server_text', way: 'retry' },
  unexpected: {
    title: 'failure_unexpected_title',
    text: 'failure_unexpected_text',
    way: 'options',
  },
  redirected: {
    title: 'failure_unexpected_title',
    text: 'failure_redirected_text',
    way: 'options',
  },
  cancelled: { title: 'failure_cancelled_title', text: 'failure_cancelled_text', way: 'retry' },
} as const satisfies Record<string, Row>

/** Title, text and way on for each kind of failure. `failure.message` is the server's own sentence. */
export function failureText(failure: Failure, say: Say): FailureText {
  const { kind, code, message, retry_after_s, request_id } = failure
  const { title, text, way }: Row =
    code === 'timeout' || code === 'redirected' ? ROWS[code] : ROWS[kind]
  const told = { title: say(title), request_id, seconds: retry_after_s }
  if (kind === 'rate_limited' && retry_after_s !== null) {
    return {
      ...told,
      text: say('failure_rate_limited_text', waitText(retry_after_s, say)),
      way: 'wait',
    }
  }
  return { ...told, text: say(text, message), way: retry_after_s === null ? way : 'wait' }
}

/** A time to wait in words: seconds below two minutes, else whole minutes. */
export function waitText(seconds: number, say: Say): string {
  if (seconds === 1) return say('wait_one_second')
  if (seconds < 120) return say('wait_seconds', Math.max(0, seconds))
  return say('wait_minutes', Math.ceil(seconds / 60))
}
