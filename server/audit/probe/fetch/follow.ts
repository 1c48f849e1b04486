import type { Readable } from 'node:stream'
import { isActing } from '../../../../shared/markup/page-signs/visitor-address.ts'
import type { Answer } from '../../../../shared/web/http/fetched.ts'
import { checkUrl } from './address.ts'
import { ACCEPT_ENCODING, readBody } from './body.ts'
import { Failure } from './failure.ts'
import type { FetchRequest } from './request.ts'
import type { TestHosts } from './test-hosts.ts'

type Method = NonNullable<FetchRequest['method']>

/** A request as it goes out, header names in lower case. */
export interface Sent {
  method: Method
  headers: Record<string, string>
  /** The fetcher's own unless given. */
  userAgent?: string
  unsigned?: true
  body?: string
  /** The most bytes of the decoded answer. */
  maxBytes: number
}

/** One request and its answer, whose body is not read yet. */
export type Ask = (
  url: URL,
  sent: Sent,
) => Promise<{ status: number; headers: Record<string, string>; body: Readable }>

interface FollowOptions {
  ask: Ask
  testHosts: TestHosts
  /** Redirects that are followed. */
  most: number
}

/** Statuses that lead elsewhere (RFC 9110, 15.4); 300 and 304 do not. */
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Asks, follows redirects with the full check of each address, and reads the last body. Adds each
 * redirect to `redirects` as it is followed. Only GET and HEAD are followed: a cart must not go to
 * another address. What began over https ends there: http is passed through at most, by a request
 * without the caller's headers. Throws a Failure, or what `ask` throws.
 */
export async function follow(
  request: FetchRequest,
  redirects: Answer['redirects'],
  { ask, testHosts, most }: FollowOptions,
): Promise<Pick<Answer, 'final_url' | 'status' | 'headers' | 'body' | 'truncated'>> {
  const follows = request.redirect !== 'manual' && ['GET', 'HEAD'].includes(request.method ?? 'GET')
  const mayPassHttp = Object.keys(request.headers ?? {}).every((name) => /^accept$/i.test(name))
  let url = checkUrl(request.url, testHosts)
  let sent = toSent(request)
  let wasSecure = false
  for (;;) {
    wasSecure ||= url.protocol === 'https:'
    const isOpen = wasSecure && url.protocol === 'http:'
    const { status, headers, body } = await ask(url, sent)
    const { location } = headers
    if (!follows || !REDIRECTS.has(status) || location === undefined) {
      if (isOpen) {
        body.on('error', () => {}).destroy()
        throw endsOverHttp()
      }
      return { final_url: url.href, status, headers, ...(await readBody(body, headers, request)) }
    }
    body.on('error', () => {}).destroy()
    if (redirects.length >= most) {
      throw new Failure('redirect', `more than ${most} redirects; serve it at the first URL`)
    }
    const next = URL.parse(location, url)
    redirects.push({ status, location: next?.href ?? location })
    if (!next) throw new Failure('redirect', 'the Location header is not a valid URL')
    // Medusa's storefront asks each visitor to come back with a cookie first.
    if (next.href === url.href && headers['set-cookie'] !== undefined) throw wantsCookie()
    // An audit only reads: it must not put things into carts.
    if (isActing(next.href)) {
      throw new Failure(
        'redirect',
        'a redirect to an address that does something, such as add to a cart',
      )
    }
    // What was asked for in private must not be asked again in the open. Shops often lead from one
    // name to another by way of http, as browsers follow.
    if (next.protocol === 'http:' && url.protocol === 'https:' && !mayPassHttp) throw endsOverHttp()
    if (next.origin !== url.origin) sent = { ...sent, headers: withoutOwnHeaders(sent.headers) }
    url = checkUrl(next.href, testHosts, 'redirect')
  }
}

const wantsCookie = () =>
  new Failure('redirect', 'it leads to itself until a cookie comes back, and crawlers keep none')

const endsOverHttp = () =>
  new Failure('redirect', 'a redirect from https to http; redirect to https instead')

/**
 * The first request: our own headers, then the caller's, which may replace them but for the
 * codings.
 */
function toSent(request: FetchRequest): Sent {
  const { method = 'GET', headers = {}, userAgent, unsigned, json, jsonText, maxBytes } = request
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const body = jsonText ?? (json === undefined ? undefined : JSON.stringify(json))
  return {
    method,
    maxBytes,
    headers: {
      accept: '*/*',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(own),
      'accept-encoding': ACCEPT_ENCODING,
    },
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(unsigned === undefined ? {} : { unsigned }),
    ...(body === undefined ? {} : { body }),
  }
}

/** The caller's headers are for the first origin: another must not get credentials or secrets. */
function withoutOwnHeaders({ accept = '*/*' }: Record<string, string>): Record<string, string> {
  return { accept, 'accept-encoding': ACCEPT_ENCODING }
}
