import type { Fetched, Json, JsonSeen } from '../../../shared/web/http/fetched.ts'
import { readJson } from '../judging/json.ts'
import type { FetchRequest } from './fetch/request.ts'
import { type AuditSession, requestRead } from './session.ts'

/**
 * Asks for JSON, with the Accept header that agents send. What cannot be parsed is evidence too,
 * and what is more than we read counts as cut.
 */
export async function requestJson(session: AuditSession, input: FetchRequest): Promise<JsonSeen> {
  const asked = { ...input, headers: { accept: 'application/json', ...input.headers } }
  const { fetched, read } = await requestRead(session, asked, 'json')
  if (fetched.kind !== 'answer' || read === null) return { fetched, json: null }
  const { excerpt: body, exceeded, json } = read
  return { fetched: { ...fetched, body, truncated: fetched.truncated || exceeded }, json }
}

/** Parses a glimpse: an answer that was read as text, at most `GLIMPSE_BYTES` of it. */
export const parseGlimpse = (fetched: Fetched): Json | null =>
  fetched.kind === 'answer'
    ? readJson(fetched.body, { ...fetched, contentType: fetched.headers['content-type'] }).json
    : null

/** A request that was not made, and why. */
export const notAsked = (reason: string): JsonSeen => ({
  fetched: { kind: 'not_asked', reason },
  json: null,
})
