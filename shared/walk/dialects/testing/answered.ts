import type { JsonSeen } from '../../../web/http/fetched.ts'
import { answerFrom } from '../../../web/testing/answer-from.ts'

/** An answer over HTTP: a text is the body as it is, anything else is sent as JSON. */
export function answered(
  status: number,
  body: unknown,
  { type = 'application/json', location = '' } = {},
): JsonSeen {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  return {
    fetched: answerFrom('https://shop.example/', {
      method: 'POST',
      status,
      headers: { ...(type && { 'content-type': type }), ...(location && { location }) },
      body: text,
      ms: 20,
    }),
    json: jsonIn(text),
  }
}

function jsonIn(text: string): NonNullable<JsonSeen['json']> {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, problem: 'it is not JSON.' }
  }
}

/** No answer came, for this reason. */
export const unanswered = (
  why: 'unreachable' | 'certificate' | 'timeout' | 'redirect' | 'too_large' | 'protocol',
): JsonSeen => ({
  fetched: {
    kind: 'no_answer',
    method: 'POST',
    url: 'https://shop.example/',
    why,
    message: 'the server did not answer in time',
    ms: 5000,
  },
  json: null,
})

/** A request that was not made. */
export const unasked = (reason: string): JsonSeen => ({
  fetched: { kind: 'not_asked', reason },
  json: null,
})
