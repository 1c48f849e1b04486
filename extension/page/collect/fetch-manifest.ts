import { readCapped } from '../../read-capped.ts'

const MAX_BYTES = 256 * 1024
const TIMEOUT_MS = 5000

/**
 * The file at /.well-known/ucp of the page's own origin (spec, Manifest), as parsed JSON; null if
 * there is none within 5 seconds and 256 KiB. Never throws.
 */
export async function fetchManifest(origin: string, request: typeof fetch): Promise<unknown> {
  try {
    const answer = await request(`${origin}/.well-known/ucp`, {
      credentials: 'omit',
      cache: 'no-cache',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!answer.ok) return null
    const { bytes, truncated } = await readCapped(answer, MAX_BYTES)
    return truncated ? null : JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
