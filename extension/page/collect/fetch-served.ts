import { readCapped } from '../../read-capped.ts'
import type { Served } from './collected.ts'

// Unspecified: at most 3 MiB of a page's served HTML are read, within 15 seconds, which a busy
// computer needs as well; a timeout is reported.
const MAX_BYTES = 3 * 1024 * 1024
const TIMEOUT_MS = 15_000

/** The headers that a rule reads; no others are kept. */
const HEADERS = ['content-type', 'content-security-policy']

/**
 * Fetches an address as a bot would: without cookies and past the cache. `encoding` is the label of
 * the page's own (https://encoding.spec.whatwg.org/#names-and-labels), used if the answer names
 * none. Never throws: a failure gives its reason.
 */
export async function fetchServed(
  url: string,
  encoding: string,
  request: typeof fetch,
): Promise<Served> {
  const started = performance.now()
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const answer = await request(url.replace(/#.*$/s, ''), {
      credentials: 'omit',
      cache: 'no-cache',
      redirect: 'follow',
      headers: { accept: 'text/html,application/xhtml+xml' },
      signal: limit,
    })
    const { bytes, truncated } = await readCapped(answer, MAX_BYTES)
    return {
      kind: 'answer',
      status: answer.status,
      final_url: answer.url,
      headers: Object.fromEntries(
        HEADERS.flatMap((name) => {
          const value = answer.headers.get(name)
          return value === null ? [] : [[name, value]]
        }),
      ),
      body: decode(bytes, answer.headers.get('content-type') ?? '', encoding),
      truncated,
      ms: Math.round(performance.now() - started),
    }
  } catch {
    return { kind: 'failed', why: limit.aborted ? 'timeout' : 'unreachable' }
  }
}

function decode(bytes: Uint8Array, contentType: string, encoding: string): string {
  const [, stated] = /charset\s*=\s*"?([\w-]+)/i.exec(contentType) ?? []
  try {
    return new TextDecoder(stated ?? encoding).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
