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

/**
 * Marks that only a vendor's challenge has. Scripts that watch visitors on ordinary pages do not
 * count: Cloudflare's `scripts/jsd`, DataDome's `tags.js`, HUMAN's sensor, the set-up of AWS WAF's
 * and Kasada's scripts.
 */
const MARKS: readonly { vendor: string; marks: readonly string[] }[] = [
  {
    // https://developers.cloudflare.com/cloudflare-challenges/
    vendor: 'Cloudflare',
    marks: [
      '_cf_chl_opt',
      '/cdn-cgi/challenge-platform/h/b/orchestrate/',
      '/cdn-cgi/challenge-platform/h/g/orchestrate/',
    ],
  },
  { vendor: 'DataDome', marks: ['captcha-delivery.com'] },
  { vendor: 'HUMAN (PerimeterX)', marks: ['px-captcha'] },
  { vendor: 'Imperva', marks: ['Incapsula incident ID', '/_Incapsula_Resource?SWUDNSAI='] },
  { vendor: 'Akamai', marks: ['sec-if-cpt-container', '/_sec/cp_challenge/', 'bm-verify='] },
  // https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge.html
  { vendor: 'AWS WAF', marks: ['window.gokuProps', 'AwsWafIntegration.checkForceRefresh'] },
  { vendor: 'Kasada', marks: ['KPSDK.start='] },
  { vendor: 'SiteGround', marks: ['/.well-known/sgcaptcha/'] },
]

/** Challenges are short pages: only this much is searched. */
const MAX_LOOKED_AT = 256 * 1024

/** The vendor whose header marks the answer as a challenge. Header names in lower case. */
export function challengeInHeaders(headers: Answer['headers']): string | null {
  if (headers['cf-mitigated'] === 'challenge') return 'Cloudflare'
  if (/^(challenge|captcha)$/.test(headers['x-amzn-waf-action'] ?? '')) return 'AWS WAF'
  return headers['sg-captcha'] === 'challenge' ? 'SiteGround' : null
}

/** The vendor whose challenge left its mark in a page. */
export function challengeInHtml(html: string): string | null {
  const beginning = html.slice(0, MAX_LOOKED_AT)
  const vendor = MARKS.find(({ marks }) => marks.some((mark) => beginning.includes(mark)))?.vendor
  return vendor ?? (TITLE.test(beginning) ? 'by its title' : null)
}

/** Titles of challenges whose vendor leaves no mark, and of those that a store made itself. */
const TITLE =
  /<title[^>]{0,100}>\s{0,50}(?:just a moment|one moment,? please|checking (?:your|the) browser|(?:please )?verify(?:ing)? (?:that )?you(?: a|['’])re (?:a )?human|are you (?:a )?(?:human|robot)|(?:ro)?bot (?:check|challenge|verification|detection)|human verification|security (?:check|challenge|verification)|captcha|pardon our interruption)(?![\w-])/i
