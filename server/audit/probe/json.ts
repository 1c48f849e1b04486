import type { Fetched, Json, JsonSeen } from '../../../shared/web/fetched.ts'
import type { FetchRequest } from './fetch/request.ts'
import type { FetchSession } from './fetch/session.ts'

/**
 * Asks for JSON, with the Accept header that agents send. What cannot be parsed is evidence too.
 */
export async function requestJson(session: FetchSession, input: FetchRequest): Promise<JsonSeen> {
  const fetched = await session.request({
    ...input,
    headers: { accept: 'application/json', ...input.headers },
  })
  return { fetched, json: parseJson(fetched) }
}

/** A request that was not made, and why. */
export const notAsked = (reason: string): JsonSeen => ({
  fetched: { kind: 'not_asked', reason },
  json: null,
})

/**
 * Parses a body that should be JSON; null when there is none. A body that was cut is not parsed:
 * the fault would be ours.
 */
export function parseJson(fetched: Fetched): Json | null {
  if (fetched.kind !== 'answer') return null
  if (fetched.body === '') return { ok: false, problem: 'it is empty.' }
  if (fetched.truncated) {
    return { ok: false, problem: `it is longer than the ${fetched.body.length} characters read.` }
  }
  try {
    return { ok: true, value: JSON.parse(fetched.body) }
  } catch (error) {
    return {
      ok: false,
      problem: error instanceof Error ? `${error.message}.` : 'it is not valid JSON.',
    }
  }
}
