import { createHmac, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'

/** ACP: a bounded skew; five minutes, as for its webhooks. */
const SKEW_MS = 300_000

interface SignedBody {
  signature: string | undefined
  /** RFC 3339. */
  timestamp: string | undefined
  /** Its JSON value; undefined if it is not JSON. */
  body: unknown
}

/**
 * Whether one of the keys made the signature over the canonical JSON of the body, and its time is
 * close to ours (ACP, Security Considerations: integrity and freshness). Unspecified: official ACP
 * names neither algorithm nor canonical form. The store uses HMAC-SHA256 in base64url over RFC
 * 8785's JSON, and over nothing for a request without a body.
 */
export function isSigned(
  { signature = '', timestamp = '', body }: SignedBody,
  keys: readonly string[],
  now: Date,
): boolean {
  const at = Date.parse(timestamp)
  if (!RFC_3339.test(timestamp) || !(Math.abs(now.getTime() - at) <= SKEW_MS)) return false
  const given = Buffer.from(signature, 'base64url')
  const text = canonicalize(body) ?? ''
  return keys.some((key) => {
    const right = createHmac('sha256', key).update(text).digest()
    return given.length === right.length && timingSafeEqual(given, right)
  })
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i
