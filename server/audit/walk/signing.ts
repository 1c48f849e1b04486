import type { WalkReply } from '../../../shared/walk/session.ts'
import type { Fetched } from '../../../shared/web/http/fetched.ts'
import type { FetchRequest } from '../probe/fetch/request.ts'
import type { AuditSession } from '../probe/session.ts'

/** A request as it will be sent. */
interface Unsigned {
  method: string
  url: string
  headers: Record<string, string>
  /** The JSON that is sent, byte for byte; null without a body. */
  body: string | null
}

/** The headers that sign a request (RFC 9421). */
export type Sign = (request: Unsigned) => Promise<Record<string, string>>

/** Makes these requests signed ones. */
export type Signed = <T>(work: () => Promise<T>) => Promise<T>

/** A session that can sign what it sends; `signed` is null without a key. */
export function signingSession(
  session: AuditSession,
  sign: Sign | undefined,
): { session: AuditSession; signed: Signed | null } {
  if (sign === undefined) return { session, signed: null }
  let isSigning = false
  return {
    session: {
      ...session,
      request: async (input) =>
        session.request(isSigning ? await withSignature(input, sign) : input),
    },
    async signed(work) {
      isSigning = true
      try {
        return await work()
      } finally {
        isSigning = false
      }
    },
  }
}

async function withSignature(input: FetchRequest, sign: Sign): Promise<FetchRequest> {
  const { method = 'GET', url, headers = {}, json, jsonText } = input
  const body = jsonText ?? (json === undefined ? null : JSON.stringify(json))
  const type = body === null ? {} : { 'content-type': 'application/json' }
  const added = await sign({ method, url, headers: { ...headers, ...type }, body })
  const { json: _, ...others } = input
  return {
    ...others,
    headers: { ...headers, ...added },
    ...(body !== null && { jsonText: body }),
  }
}

/** Whether a store refuses a caller because it has not signed. */
export function wantsSignature(reply: WalkReply, fetched: Fetched): boolean {
  if (reply.is !== 'refused' || reply.refusal.reason !== 'caller') return false
  const { code, text } = reply.refusal
  const headers = fetched.kind === 'answer' ? fetched.headers : {}
  return (
    headers['accept-signature'] !== undefined ||
    /\bsignature\b/i.test(headers['www-authenticate'] ?? '') ||
    /signature|\bsign(?:ed|s)?\b/i.test(`${code ?? ''} ${text ?? ''}`)
  )
}
