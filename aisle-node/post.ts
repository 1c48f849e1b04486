import type { AisleAnswer, AisleRequest } from './index.d.ts'

/** Aisle's answers are short; a longer body is not from Aisle. */
const MAX_ANSWER_BYTES = 65_536

/** Posts by `fetch`. A redirect counts as an answer: the key is for the given address only. */
export async function post(
  { url, headers, body }: AisleRequest,
  signal: AbortSignal,
): Promise<AisleAnswer> {
  const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after') ?? undefined,
    body: await readStart(answer),
  }
}

async function readStart(answer: Response): Promise<string> {
  const reader = answer.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  for (let left = MAX_ANSWER_BYTES; left > 0; ) {
    const { value, done } = await reader.read()
    if (done) return text
    text += decoder.decode(value.subarray(0, left), { stream: true })
    left -= value.length
  }
  await reader.cancel()
  return text
}
