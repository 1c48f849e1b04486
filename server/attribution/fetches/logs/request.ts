import { parse } from 'node:querystring'
import type { LogLine } from '../../../../shared/attribution/fetches/fetch.ts'
import { instantOf } from './instant.ts'

/** Why a line is not read. */
export type Unread = keyof typeof UNREAD_WORDS

export const UNREAD_WORDS = {
  unknown_format: 'are in no format that is read here',
  no_user_agent: 'have no User-Agent: log it, as the format "combined" does',
  no_time: 'have no time that can be',
  no_request: 'are not of a request with path and status',
  too_long: 'are longer than 64 KiB',
} as const

/** The fields of a line as its format has them. */
export interface RawRequest {
  at: unknown
  method: unknown
  host?: unknown
  /** With its query, which is dropped but for known marks. */
  uri: unknown
  query?: unknown
  status: unknown
  bytes?: unknown
  userAgent: unknown
  address?: unknown
  id?: unknown
  /** A firewall answered with a challenge. */
  challenged?: boolean
  /** The CDN has verified whose agent it was. */
  vouched?: boolean
  signature?: Readonly<Record<string, string>> | undefined
}

const LONGEST_PATH = 2048
const LONGEST_AGENT = 512
const LONGEST_WORD = 253
const MARKS = ['utm_source', 'utm_medium', 'utm_campaign']
const METHOD = /^[A-Z-]{1,20}$/

/** One request of a log, from what its format has read; why not, where something is missing. */
export function requestOf(raw: RawRequest): LogLine | Unread {
  const at = instantOf(raw.at)
  if (Number.isNaN(at)) return 'no_time'
  const status = Number(raw.status)
  const target = targetOf(textOf(raw.uri, LONGEST_PATH * 4))
  if (target === null || !Number.isInteger(status)) return 'no_request'
  const host = hostOf(textOf(raw.host, LONGEST_WORD)) ?? target.host
  const marks = marksOf(textOf(raw.query, LONGEST_PATH) || target.query)
  const bytes = Number(raw.bytes)
  const address = textOf(raw.address, 64)
  const id = textOf(raw.id, LONGEST_WORD)
  const method = textOf(raw.method, 20).toUpperCase()
  return {
    ...{ at, method: METHOD.test(method) ? method : 'GET', path: target.path, status },
    userAgent: textOf(raw.userAgent, LONGEST_AGENT),
    ...(host !== undefined && { host }),
    ...(marks !== null && { marks }),
    ...(Number.isSafeInteger(bytes) && bytes >= 0 && { bytes }),
    ...(address !== '' && address !== '-' && { address }),
    ...(id !== '' && id !== '-' && { id }),
    ...(raw.challenged && { challenged: true }),
    ...(raw.vouched && { vouched: true }),
    ...(raw.signature !== undefined && { signature: raw.signature }),
  }
}

/** A text, cut; empty if it is none. */
const textOf = (value: unknown, longest: number): string =>
  typeof value === 'string' ? value.slice(0, longest) : ''

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i

function targetOf(uri: string): { path: string; query: string; host?: string } | null {
  const [origin = '', authority = ''] = ORIGIN.exec(uri) ?? []
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(uri.slice(origin.length)) ?? []
  if (origin === '' && !path.startsWith('/')) return null
  const host = hostOf(authority)
  return { path: path.slice(0, LONGEST_PATH) || '/', query, ...(host !== undefined && { host }) }
}

function hostOf(text: string): string | undefined {
  const host = text.toLowerCase().replace(/:\d+$/, '')
  return host === '' || host === '-' || host === '_' ? undefined : host
}

function marksOf(query: string): Record<string, string> | null {
  if (!query.includes('utm_')) return null
  const read = parse(query, '&', '=', { maxKeys: 50 })
  const marks = MARKS.flatMap((mark) => {
    const value = read[mark]
    return typeof value === 'string' && value !== '' ? [[mark, value.slice(0, 100)]] : []
  })
  return marks.length === 0 ? null : Object.fromEntries(marks)
}
