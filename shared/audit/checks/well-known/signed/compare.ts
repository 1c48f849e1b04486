import type { Fetched } from '../../../../web/http/fetched.ts'

/** Whether an answer turns the caller away. 429 is not counted: it may be chance. */
export const isShut = (fetched: Fetched): boolean =>
  fetched.kind === 'answer' &&
  (fetched.status === 401 || fetched.status === 403 || fetched.challenge !== undefined)

/**
 * Whether an answer lets the caller in. What did not answer, a limit and a failing server say
 * nothing of it.
 */
export const isLetIn = (fetched: Fetched): boolean =>
  fetched.kind === 'answer' && !isShut(fetched) && fetched.status !== 429 && fetched.status < 500

/** Outside of addresses; to sign in is something else. */
const WANTED = /signature|\bsign(?:ed|s)?\b(?![ -](?:in|up|on)\b)/i

/**
 * Whether a refusal says that a signature is wanted: by the header of RFC 9421, 5.1, by a
 * challenge, or in the words of its body.
 */
export function asksForSignature(fetched: Fetched): boolean {
  if (fetched.kind !== 'answer') return false
  const { headers, body } = fetched
  return (
    headers['accept-signature'] !== undefined ||
    /\bsignature\b/i.test(headers['www-authenticate'] ?? '') ||
    WANTED.test(body.slice(0, 4000).replace(/https?:[^"'\s<>]*/g, ''))
  )
}
