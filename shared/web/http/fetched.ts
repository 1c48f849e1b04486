/** An HTTP answer as it was received. Times in milliseconds, header names in lower case. */
export interface Answer {
  kind: 'answer'
  method: string
  url: string
  /** Where the answer came from after following `redirects`. */
  final_url: string
  redirects: { status: number; location: string }[]
  status: number
  headers: Record<string, string>
  body: string
  /** The body was longer than we read. */
  truncated: boolean
  ms: number
  /** What it took beyond `ms`: our machine let others run meanwhile. Left out of fast answers. */
  lag_ms?: number
  /** The vendor, if the answer is a bot challenge instead of the page; otherwise left out. */
  challenge?: string
}

/**
 * `unreachable` covers a name without an address, a refused address, a closed port and a failed TLS
 * handshake alike, so that an audit cannot serve as a port scanner. `certificate` may differ: only
 * a server with a public address is ever asked for one. `not_read`: it answered, and our machine
 * had no time to read that.
 */
export interface NoAnswer {
  kind: 'no_answer'
  method: string
  url: string
  why:
    | 'unreachable'
    | 'certificate'
    | 'timeout'
    | 'redirect'
    | 'too_large'
    | 'protocol'
    | 'not_read'
  message: string
  ms: number
}

/** In the message of what was `not_read`, and so in the reason of each rule that it hides. */
export const NOT_READ_HERE = 'its content was not read here'

/** A request that was not made, and why: it was not needed, or the audit's budget was used up. */
interface NotAsked {
  kind: 'not_asked'
  reason: string
}

/** A failed fetch is evidence like any other: nothing throws. */
export type Fetched = Answer | NoAnswer | NotAsked

export type Json = { ok: true; value: unknown } | { ok: false; problem: string }

/** An answer that should be JSON; `json` is null if there was no answer. */
export interface JsonSeen {
  fetched: Fetched
  json: Json | null
}

/**
 * The answer's `Date` (RFC 9110, 6.6.1), in milliseconds since 1970; null without one. A cached
 * answer has the date of the copy.
 */
export function servedAt(fetched: Fetched): number | null {
  const time = fetched.kind === 'answer' ? Date.parse(fetched.headers.date ?? '') : Number.NaN
  return Number.isNaN(time) ? null : time
}

/** `GET https://…` answered 404 — the sentence with which details and reasons name a request. */
export function describeFetch(fetched: Fetched): string {
  if (fetched.kind === 'not_asked') return fetched.reason
  const request = `${fetched.method} ${fetched.url}`
  if (fetched.kind === 'no_answer') return `${request} gave no answer: ${fetched.message}`
  const location = fetched.status >= 300 && fetched.status < 400 && fetched.headers.location
  const to = location ? `, leading to ${location.slice(0, 200)}` : ''
  const challenge = fetched.challenge ? ` with a bot challenge (${fetched.challenge})` : ''
  return `${request} answered ${fetched.status}${to}${challenge}`
}
