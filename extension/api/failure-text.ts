import { isNoResultCode } from '../../shared/audit/result/no-result.ts'
import type { MessageKey, MessageText } from '../texts/messages.ts'
import type { ApiFailure, ApiFailureKind } from './result.ts'

/** How a failure is shown, and what helps. Every failure can be retried. */
interface FailureText {
  title: string
  text: string
  /** Whether the server or the key, which the options hold, may be wrong. */
  inOptions: boolean
  /** How long to wait before the next try; null if the server did not say. */
  seconds: number | null
  /** The id to send to the operator. */
  request_id: string | null
}

interface Row {
  title: MessageKey
  text: MessageKey
  inOptions?: boolean
}

const OF_KIND: Record<ApiFailureKind, Row> = {
  offline: { title: 'failure_offline_title', text: 'failure_offline_text', inOptions: true },
  bad_url: { title: 'failure_bad_url_title', text: 'failure_bad_url_text', inOptions: true },
  unauthorized: {
    title: 'failure_unauthorized_title',
    text: 'failure_unauthorized_text',
    inOptions: true,
  },
  forbidden: { title: 'failure_forbidden_title', text: 'failure_forbidden_text', inOptions: true },
  not_found: { title: 'failure_not_found_title', text: 'failure_not_found_text' },
  invalid: { title: 'failure_invalid_title', text: 'failure_invalid_text' },
  rate_limited: { title: 'failure_rate_limited_title', text: 'failure_rate_limited_unknown' },
  unavailable: { title: 'failure_unavailable_title', text: 'failure_unavailable_text' },
  server: { title: 'failure_server_title', text: 'failure_server_text' },
  unexpected: {
    title: 'failure_unexpected_title',
    text: 'failure_unexpected_text',
    inOptions: true,
  },
  cancelled: { title: 'failure_cancelled_title', text: 'failure_cancelled_text' },
}

/** Codes with their own text, more specific than that of their kind. */
const OF_CODE = new Map<string, Row>([
  ['timeout', { title: 'failure_timeout_title', text: 'failure_timeout_text' }],
  [
    'redirected',
    { title: 'failure_unexpected_title', text: 'failure_redirected_text', inOptions: true },
  ],
  [
    'walk_under_way',
    { title: 'failure_walk_under_way_title', text: 'failure_walk_under_way_text' },
  ],
  ['no_walks', { title: 'failure_no_walks_title', text: 'failure_no_walks_text' }],
])

const NO_RESULT: Row = { title: 'failure_no_result_title', text: 'failure_invalid_text' }

const rowOf = ({ kind, code }: ApiFailure): Row =>
  code === null
    ? OF_KIND[kind]
    : isNoResultCode(code)
      ? NO_RESULT
      : (OF_CODE.get(code) ?? OF_KIND[kind])

/**
 * Title, text and next step for each kind of failure. `failure.message` is the server's sentence.
 */
export function failureText(failure: ApiFailure, text: MessageText): FailureText {
  const { kind, message, retry_after_s, request_id } = failure
  const { title, text: advice, inOptions = false } = rowOf(failure)
  const isWait = kind === 'rate_limited' && retry_after_s !== null
  return {
    title: text(title),
    text: isWait
      ? text('failure_rate_limited_text', waitText(retry_after_s, text))
      : text(advice, message),
    inOptions,
    seconds: retry_after_s,
    request_id,
  }
}

/** A waiting time in words: seconds below two minutes, else whole minutes. */
export function waitText(seconds: number, text: MessageText): string {
  if (seconds === 1) return text('wait_one_second')
  if (seconds < 120) return text('wait_seconds', Math.max(0, seconds))
  return text('wait_minutes', Math.ceil(seconds / 60))
}
