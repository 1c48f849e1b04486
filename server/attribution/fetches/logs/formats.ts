import ipaddr from 'ipaddr.js'
import type { LogLine } from '../../../../shared/attribution/fetches/fetch.ts'
import { isRecord } from '../../../../shared/web/json/json.ts'
import { type RawRequest, requestOf, type Unread } from './request.ts'

/** One format of logs. Readers throw at nothing. */
export interface LogFormat {
  name: 'combined' | 'cloudfront' | 'json'
  /**
   * The User-Agent as the line writes it, found without reading the rest; null: it is not where it
   * is looked for, and `read` says more.
   */
  findUserAgent: (line: string) => string | null
  /** What it says, from how it is written. */
  decode: (userAgent: string) => string
  read: (line: string) => LogLine | Unread
  /** Learns from a line that begins with `#`. */
  readHeader?: (line: string) => void
}

export const FORMAT_NAMES = ['combined', 'cloudfront', 'json'] as const

/** The formats for one log: two of them learn from its lines where to look. */
export const createFormats = (): LogFormat[] => [combined, createCloudFront(), createJson()]

// -- Apache's and nginx's combined and common, with or without the host in front.

/** Where the quoted texts of a line are: request, referrer, User-Agent. */
interface Quoted {
  begins: number
  ends: number
}

function quotedAfter(line: string, from: number): Quoted | null {
  const begins = line.indexOf('"', from) + 1
  if (begins === 0) return null
  let ends = line.indexOf('"', begins)
  // Apache escapes a quote by a backslash, and a backslash too; nginx writes \x22.
  while (ends !== -1 && isEscaped(line, ends, begins)) ends = line.indexOf('"', ends + 1)
  return ends === -1 ? null : { begins, ends }
}

function isEscaped(line: string, at: number, from: number): boolean {
  let before = at
  while (before > from && line.charCodeAt(before - 1) === 92) before -= 1
  return (at - before) % 2 === 1
}

const combined: LogFormat = {
  name: 'combined',
  findUserAgent: (line) => {
    const bracket = line.indexOf('] "')
    const request = bracket === -1 ? null : quotedAfter(line, bracket + 2)
    const referrer = request && quotedAfter(line, request.ends + 1)
    const userAgent = referrer && quotedAfter(line, referrer.ends + 1)
    return userAgent && line.slice(userAgent.begins, userAgent.ends)
  },
  decode: unescaped,
  read: (line) => {
    const closes = line.indexOf('] "')
    const opens = line.lastIndexOf(' [', closes)
    const request = opens === -1 || closes === -1 ? null : quotedAfter(line, closes + 2)
    if (request === null) return 'unknown_format'
    const referrer = quotedAfter(line, request.ends + 1)
    const userAgent = referrer && quotedAfter(line, referrer.ends + 1)
    const after = line.slice(request.ends + 1, referrer ? referrer.begins - 1 : undefined)
    const [status, bytes] = after.trim().split(' ', 2)
    if (userAgent === null) return /^\d{3}$/.test(status ?? '') ? 'no_user_agent' : 'unknown_format'
    const [method, uri] = unescaped(line.slice(request.begins, request.ends)).split(' ', 2)
    const [first = '', second = ''] = line.slice(0, opens).trim().split(' ', 2)
    const hasHost = !ipaddr.isValid(first) && ipaddr.isValid(second)
    return requestOf({
      ...{ at: line.slice(opens + 2, closes), method, uri, status, bytes },
      ...(hasHost ? { host: first, address: second } : { address: first }),
      userAgent: unescaped(line.slice(userAgent.begins, userAgent.ends)),
    })
  },
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:x([\da-f]{2})|(.))/gi, (_, hex, plain) =>
    hex === undefined ? plain : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

// -- CloudFront's standard log: tabs, and a line that names the fields.

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html */
const STANDARD_FIELDS =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header'

function createCloudFront(): LogFormat {
  let places = placesOf(STANDARD_FIELDS)
  return {
    name: 'cloudfront',
    findUserAgent: (line) => {
      const place = places.get('cs(User-Agent)')
      return place === undefined ? null : tabbed(line, place)
    },
    decode: percentDecoded,
    readHeader: (line) => {
      if (line.startsWith('#Fields:')) places = placesOf(line.slice('#Fields:'.length))
    },
    read: (line) => {
      const values = line.split('\t')
      const of = (name: string) => {
        const value = values[places.get(name) ?? -1]
        return value === '-' ? undefined : value
      }
      const time = of('timestamp(ms)') ?? of('timestamp') ?? `${of('date')}T${of('time')}Z`
      if (of('cs-uri-stem') === undefined) return 'unknown_format'
      const userAgent = of('cs(User-Agent)')
      return requestOf({
        ...{ at: time, method: of('cs-method'), uri: of('cs-uri-stem'), query: of('cs-uri-query') },
        ...{ host: of('x-host-header') ?? of('cs(Host)'), status: of('sc-status') },
        ...{ bytes: of('sc-bytes'), address: of('c-ip'), id: of('x-edge-request-id') },
        userAgent: percentDecoded(userAgent ?? ''),
        challenged: isWafChallenge(of('cs-method'), of('sc-status')),
      })
    },
  }
}

// Unspecified: CloudFront's log does not name a challenge. AWS WAF answers 202 for one, and 405 for
// a CAPTCHA, which no page of a store answers to GET
// (https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-logs-metrics.html).
const isWafChallenge = (method: unknown, status: unknown): boolean =>
  (method === 'GET' || method === 'HEAD') && ['202', '405'].includes(String(status))

const placesOf = (names: string): ReadonlyMap<string, number> =>
  new Map(
    names
      .trim()
      .split(/\s+/)
      .map((name, place) => [name, place]),
  )

/** A column of a line with tabs; null without one. */
function tabbed(line: string, place: number): string | null {
  let from = 0
  for (let n = 0; n < place; n += 1) {
    from = line.indexOf('\t', from) + 1
    if (from === 0) return null
  }
  const to = line.indexOf('\t', from)
  return to === -1 && place > 0 ? line.slice(from) : line.slice(from, to)
}

/** Older logs write `%2520` for a space. */
function percentDecoded(text: string): string {
  const once = (encoded: string) =>
    encoded.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return once(once(text))
}

// -- JSON, one object a line: whoever wrote it, its fields have one of these names.

type Field = keyof Omit<RawRequest, 'signature' | 'challenged' | 'vouched'>

/**
 * The names of fields: Caddy's, Cloudflare's, Vercel's, CloudFront's, those of nginx's variables,
 * of Netlify, of the format that we give for Fastly, and our own (`LogLine`).
 */
const NAMES: Readonly<Record<Field, string>> = {
  at: 'ts EdgeStartTimestamp proxy.timestamp timestamp(ms) time_iso8601 msec at @timestamp timestamp time_local time',
  method: 'request.method ClientRequestMethod proxy.method cs-method request_method method',
  host: 'request.host ClientRequestHost proxy.host x-host-header cs(Host) http_host host server_name',
  uri: 'request.uri ClientRequestURI ClientRequestPath proxy.path cs-uri-stem request_uri uri url path',
  query: 'cs-uri-query',
  status: 'status EdgeResponseStatus proxy.statusCode statusCode sc-status status_code',
  bytes: 'size EdgeResponseBytes sc-bytes body_bytes_sent bytes_sent response_size bytes',
  userAgent:
    'request.headers.User-Agent ClientRequestUserAgent proxy.userAgent cs(User-Agent) http_user_agent user_agent userAgent',
  address:
    'request.client_ip request.remote_ip ClientIP proxy.clientIp c-ip remote_addr client_ip address',
  id: 'RayID requestId x-edge-request-id request_id id',
}

const PATHS = Object.fromEntries(
  Object.entries(NAMES).map(([field, names]) => [
    field,
    names.split(' ').map((name) => name.split('.')),
  ]),
) as Readonly<Record<Field, string[][]>>

function createJson(): LogFormat {
  /** What stands before the User-Agent in lines of this log, such as `"userAgent":["`. */
  let before = ''
  return {
    name: 'json',
    findUserAgent: (line) => {
      const at = before === '' ? -1 : line.indexOf(before)
      const from = at + before.length
      const to = at === -1 ? -1 : line.indexOf('"', from)
      return to === -1 || line.charCodeAt(to - 1) === 92 ? null : line.slice(from, to)
    },
    decode: (userAgent) => percentDecoded(userAgent),
    read: (line) => {
      const object = parsed(line)
      if (object === null) return 'unknown_format'
      before = beforeUserAgent(line, object) ?? before
      return readLogRecord(object)
    },
  }
}

/** The request that an object of a vendor's log is of, such as one that a drain sends. */
export function readLogRecord(object: Readonly<Record<string, unknown>>): LogLine | Unread {
  const raw: RawRequest = {
    ...{ at: timeOf(object), method: fieldOf(object, 'method'), host: fieldOf(object, 'host') },
    ...{ uri: fieldOf(object, 'uri'), query: fieldOf(object, 'query') },
    ...{ status: fieldOf(object, 'status'), bytes: fieldOf(object, 'bytes') },
    ...{ userAgent: fieldOf(object, 'userAgent'), address: fieldOf(object, 'address') },
    ...{ id: fieldOf(object, 'id'), signature: signatureOf(object) },
    ...{ challenged: isChallenged(object), vouched: isVouched(object) },
  }
  if (raw.uri === undefined && typeof object.request === 'string') {
    const [method, uri] = object.request.split(' ', 2)
    Object.assign(raw, { method, uri })
  }
  if (raw.userAgent === undefined) {
    return raw.uri === undefined ? 'no_request' : 'no_user_agent'
  }
  const encoded = object['cs(User-Agent)'] !== undefined
  const userAgent = encoded ? percentDecoded(String(raw.userAgent)) : raw.userAgent
  return requestOf({ ...raw, userAgent })
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(line)
    return isRecord(read) ? read : null
  } catch {
    return null
  }
}

function valueAt(object: Record<string, unknown>, path: readonly string[]): unknown {
  let value: unknown = object
  for (const key of path)
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

function at(object: Record<string, unknown>, path: readonly string[]): unknown {
  const value = valueAt(object, path)
  // Caddy and Vercel have lists of the values of a header.
  return Array.isArray(value) ? value[0] : value
}

function fieldOf(object: Record<string, unknown>, field: Field): unknown {
  for (const path of PATHS[field]) {
    const value = at(object, path)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** CloudFront's JSON has the day apart. */
const timeOf = (object: Record<string, unknown>): unknown =>
  typeof object.date === 'string' && typeof object.time === 'string'
    ? `${object.date}T${object.time}Z`
    : fieldOf(object, 'at')

/**
 * Where logs name what a firewall did: Cloudflare's, as a field and as a logged header of the
 * answer, Vercel's, AWS WAF's, and of a format of one's own.
 */
const MITIGATIONS = [
  ...['SecurityAction', 'SecurityActions', 'WAFAction', 'ResponseHeaders.cf-mitigated'],
  ...['proxy.wafAction', 'wafAction', 'waf_action', 'x_amzn_waf_action', 'cf_mitigated'],
].map((name) => name.split('.'))

/** A challenge that was sent; not one that was solved, bypassed or written down alone. */
const CHALLENGE = /^(?:js|managed)?[_-]?(?:challenge|captcha)(?:_?failed)?$/i

function isChallenged(object: Record<string, unknown>): boolean {
  if (object['sc-status'] !== undefined) {
    return isWafChallenge(object['cs-method'], object['sc-status'])
  }
  if (object.challenged === true) return true
  return MITIGATIONS.some((path) => {
    const value = valueAt(object, path)
    const named: unknown[] = Array.isArray(value) ? value : [value]
    return named.some((each) => typeof each === 'string' && CHALLENGE.test(each))
  })
}

/** Cloudflare names the category of a bot that it has verified; of others it is empty. */
const isVouched = ({ VerifiedBotCategory: category, vouched }: Record<string, unknown>): boolean =>
  vouched === true || (typeof category === 'string' && category !== '')

const SIGNATURE_HEADERS = ['Signature', 'Signature-Input', 'Signature-Agent']

/** The headers of Web Bot Auth: Caddy logs them, and collectors send them. */
function signatureOf(object: Record<string, unknown>): Record<string, string> | undefined {
  const given = SIGNATURE_HEADERS.flatMap((name) => {
    const lower = name.toLowerCase()
    const value = at(object, ['request', 'headers', name]) ?? at(object, ['signature', lower])
    return typeof value === 'string' ? [[lower, value.slice(0, 2048)]] : []
  })
  return given.length < 2 ? undefined : Object.fromEntries(given)
}

function beforeUserAgent(line: string, object: Record<string, unknown>): string | null {
  const name = PATHS.userAgent.find((path) => at(object, path) !== undefined)?.at(-1)
  if (name === undefined) return null
  const key = `"${name}":`
  const from = line.indexOf(key)
  const [rest] = from === -1 ? [] : (/^[ [\n]*"/.exec(line.slice(from + key.length)) ?? [])
  return rest === undefined ? null : key + rest
}
