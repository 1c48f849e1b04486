import { isNoResultCode } from '../../shared/audit/result/no-result.ts'
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
  title: string
  /** The server's sentence may stand in it. */
  text: string | ((message: string) => string)
  inOptions?: boolean
}

const OF_KIND: Record<ApiFailureKind, Row> = {
  offline: {
    title: 'The server cannot be reached',
    text: 'Check your connection and the server address.',
    inOptions: true,
  },
  bad_url: {
    title: 'The server address is not valid',
    text: 'Enter an https address, or http for a server on this computer.',
    inOptions: true,
  },
  unauthorized: {
    title: 'The server does not accept the key',
    text: (message) => `${message} Enter a valid key in the options.`,
    inOptions: true,
  },
  forbidden: {
    title: 'The key does not allow this',
    text: (message) => `${message} Ask the operator for a key with this permission.`,
    inOptions: true,
  },
  not_found: { title: 'Nothing here yet', text: (message) => message },
  invalid: { title: 'The server could not accept this', text: (message) => message },
  rate_limited: { title: 'Too many requests', text: 'Wait a while, then try again.' },
  unavailable: {
    title: 'The server is busy',
    text: (message) => `${message} Try again in a moment.`,
  },
  server: {
    title: 'Something failed on the server',
    text: 'Try again. If it keeps happening, send the operator the request id.',
  },
  unexpected: {
    title: 'This is not an Aisle server',
    text: (message) => `${message} Check the server address.`,
    inOptions: true,
  },
  cancelled: { title: 'Cancelled', text: 'Nothing was changed.' },
}

/** Codes with their own text, more specific than that of their kind. */
const OF_CODE = new Map<string, Row>([
  [
    'timeout',
    {
      title: 'The server took too long',
      text: (message) => `${message} Try again; a large store may need a second attempt.`,
    },
  ],
  [
    'redirected',
    {
      title: 'This is not an Aisle server',
      text: 'The server redirects to another address. Enter the final address.',
      inOptions: true,
    },
  ],
  [
    'walk_under_way',
    {
      title: 'A walk of this store is under way',
      text: 'Someone else started it, or you did in another window. Try again when it has ended.',
    },
  ],
  [
    'no_walks',
    { title: 'This server cannot walk purchases yet', text: 'Ask its operator to update it.' },
  ],
])

const NO_RESULT: Row = { title: 'The store could not be audited', text: (message) => message }

const rowOf = ({ kind, code }: ApiFailure): Row =>
  code === null
    ? OF_KIND[kind]
    : isNoResultCode(code)
      ? NO_RESULT
      : (OF_CODE.get(code) ?? OF_KIND[kind])

/**
 * Title, text and next step for each kind of failure. `failure.message` is the server's sentence.
 */
export function failureText(failure: ApiFailure): FailureText {
  const { kind, message, retry_after_s, request_id } = failure
  const { title, text: advice, inOptions = false } = rowOf(failure)
  const isWait = kind === 'rate_limited' && retry_after_s !== null
  return {
    title,
    text: isWait
      ? `Try again in ${waitText(retry_after_s)}.`
      : typeof advice === 'string'
        ? advice
        : advice(message),
    inOptions,
    seconds: retry_after_s,
    request_id,
  }
}

/** A waiting time in words: seconds below two minutes, else whole minutes. */
export function waitText(seconds: number): string {
  if (seconds === 1) return '1 second'
  if (seconds < 120) return `${Math.max(0, seconds)} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
