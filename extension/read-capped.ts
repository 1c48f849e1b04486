/**
 * Reads at most `maxBytes` of an answer's decoded body and cancels the rest, so that no answer can
 * fill the memory. `truncated` says whether there was more. Rejects if the connection breaks.
 */
export async function readCapped(
  answer: Pick<Response, 'body'>,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = answer.body?.getReader()
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    chunks.push(next.value.subarray(0, maxBytes - length))
    length += next.value.length
    if (length > maxBytes) {
      await reader?.cancel()
      return { bytes: joined(chunks), truncated: true }
    }
  }
  return { bytes: joined(chunks), truncated: false }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
