import { describeFetch, type JsonSeen } from '../../web/http/fetched.ts'
import { contentType, isJsonType, jsonOf } from '../../web/http/presence.ts'
import type { BuyerOperation } from '../operation.ts'
import type { Reason, WalkReply } from '../session.ts'

/**
 * An answer over HTTP, before a dialect reads it. `taken`: a 2xx with JSON. `declined`: a 4xx or
 * 5xx; `value` is undefined if its body is not JSON, and `isTyped` tells whether it has JSON's
 * media type.
 */
type HttpReply =
  | { is: 'taken'; status: number; value: unknown }
  | { is: 'declined'; status: number; value: unknown; isTyped: boolean }
  | Extract<WalkReply, { is: 'unreadable' | 'silent' }>

/** The meaning of an answer by HTTP alone, for every dialect over REST. */
export function httpReply(seen: JsonSeen): HttpReply {
  const { fetched } = seen
  if (fetched.kind === 'not_asked') return { is: 'silent', why: fetched.reason }
  const said = describeFetch(fetched)
  if (fetched.kind === 'no_answer') {
    // A truncated answer (`protocol`) does not count: it may be the network's fault.
    const isAnswer = fetched.why === 'redirect' || fetched.why === 'too_large'
    return { is: isAnswer ? 'unreadable' : 'silent', why: said }
  }
  const { status } = fetched
  const type = contentType(fetched)
  const isTyped = isJsonType(type)
  if (status >= 400) return { is: 'declined', status, value: jsonOf(seen), isTyped }
  // A buyer does not send a basket or a payment to another address.
  if (status < 200 || status >= 300) return { is: 'unreadable', why: said }
  const sentAs = type === '' ? 'without a content type' : `as ${type.slice(0, 80)}`
  if (!isTyped) return { is: 'unreadable', why: `${said}, ${sentAs} instead of application/json` }
  if (seen.json?.ok) return { is: 'taken', status, value: seen.json.value }
  const problem = seen.json?.problem.replace(/\.$/, '') ?? 'it was not read'
  return { is: 'unreadable', why: `${said} with a body that is not JSON: ${problem}` }
}

/** The operation is missing, so this says nothing about the request. */
export const NOT_THERE: readonly number[] = [405, 501]

/**
 * The reason for a refusal by its status, if no code of the dialect gives one. A 404 for an open
 * session means its end; for anything else it may mean many things.
 */
export function reasonOfStatus(status: number, { op }: BuyerOperation): Reason {
  if (status >= 500 || NOT_THERE.includes(status)) return 'failed'
  const isGone = status === 404 || status === 410
  if (isGone) return op === 'open' || op === 'order' ? 'other' : 'ended'
  return REASONS[status] ?? 'other'
}

const REASONS: Readonly<Record<number, Reason>> = {
  400: 'invalid',
  401: 'caller',
  402: 'payment',
  403: 'caller',
  422: 'invalid',
  429: 'too_many',
}

/** An id as a part of a path; the store may have put anything into it. */
export const pathPart = (id: string): string => encodeURIComponent(id.toWellFormed())
