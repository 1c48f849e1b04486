import { challengeInHeaders, challengeInHtml } from './challenge.ts'
import { type Answer, describeFetch, type Fetched, type JsonSeen } from './fetched.ts'

/**
 * Whether something exists, as far as one answer can tell. `unknown`: a timeout, a 5xx, a refusal
 * or a bot challenge may be temporary, or affect only us. Rules skip then: only what is certain may
 * cost points.
 */
export type Presence =
  | { is: 'present'; answer: Answer }
  | { is: 'absent' | 'requires_auth' | 'unreachable' | 'unknown'; why: string }

/**
 * The statuses that say of the address itself that nothing is there; firewalls have the other 4xx.
 */
const ABSENT = new Set([400, 404, 410])

/** Request Timeout and Too Early: the client may try again (RFC 9110, 15.5.9; RFC 8470, 5.2). */
const TEMPORARY = new Set([408, 425])

/** A page that is not there; a refusal, an error and a time-out may be about us or about now. */
export const isGone = ({ kind, status }: { kind: string; status?: number }): boolean =>
  kind === 'answer' && (status === 404 || status === 410)

/**
 * 404, 410, 400 and a redirect that was not followed mean absent, 401 that it needs authentication.
 * HTML under 200 where JSON was asked for is absent too: storefronts answer unknown paths with
 * their own page.
 */
export function presenceOf(fetched: Fetched): Presence {
  const why = describeFetch(fetched)
  if (fetched.kind === 'not_asked') return { is: 'unknown', why }
  if (fetched.kind === 'no_answer') {
    // Without a valid certificate agents reach as little as without a server.
    const isDead = fetched.why === 'unreachable' || fetched.why === 'certificate'
    return { is: isDead ? 'unreachable' : 'unknown', why }
  }
  const challenge = challengeIn(fetched)
  if (challenge !== null) return { is: 'unknown', why: describeFetch({ ...fetched, challenge }) }
  const { status } = fetched
  if (status >= 200 && status < 300) {
    return looksLikeHtml(fetched)
      ? { is: 'absent', why: `${why} with an HTML page instead of JSON` }
      : { is: 'present', answer: fetched }
  }
  if (status === 401) return { is: 'requires_auth', why }
  if (status >= 500 || TEMPORARY.has(status)) {
    return { is: 'unknown', why: `${why}, which may be temporary` }
  }
  if (status < 400 || ABSENT.has(status)) return { is: 'absent', why }
  return { is: 'unknown', why: `${why}: it blocks our requests` }
}

/** Whose bot challenge came where data was asked for; null for any other answer. */
export const challengeIn = (answer: Answer): string | null =>
  answer.challenge ??
  challengeInHeaders(answer.headers) ??
  (looksLikeHtml(answer) ? challengeInHtml(answer.body) : null)

/**
 * A page where data was asked for: a "not found" page, or a storefront's answer to unknown paths.
 * Decided by the body, because many servers send JSON as text/html.
 */
export const looksLikeHtml = ({ body }: Answer): boolean =>
  /^\s*<(!doctype\s+html|html|head|body|script|title|meta|div|!--)/i.test(body.slice(0, 1000))

/** The essence of Content-Type, lower-case, without parameters; empty when there is none. */
export const contentType = (answer: Answer): string =>
  (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** `application/json` and the `+json` types. */
export const isJsonType = (type: string): boolean =>
  type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)

/** The parsed body, or undefined if it is missing or not JSON. */
export const jsonOf = ({ json }: JsonSeen): unknown => (json?.ok ? json.value : undefined)

/** The beginning of a body as a finding quotes it, on one line. */
export function excerpt(answer: Answer): string {
  const text = answer.body.slice(0, 400).replace(/\s+/g, ' ').trim()
  return text.length > 160 ? `${text.slice(0, 159)}…` : text
}
