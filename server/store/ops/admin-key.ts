import { createHash, timingSafeEqual } from 'node:crypto'
import { ucpRefusal } from '../http/refusals.ts'
import type { Reply } from '../http/reply.ts'

/** Hashed, so that both sides have one length and the comparison takes constant time. */
const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether the Authorization header carries the admin key (RFC 6750 §2.1), in constant time. */
export function isAdmin(key: string | undefined, authorization: string | null): boolean {
  const [, token] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (!key || token === undefined) return false
  return timingSafeEqual(digest(token), digest(key))
}

/**
 * Null for the merchant, otherwise the error. Without a configured key every request is rejected.
 */
export function refuseUnlessAdmin(
  key: string | undefined,
  authorization: string | null,
): Reply | null {
  if (isAdmin(key, authorization)) return null
  if (!key) {
    const message = 'This store has no admin key. Set STORE_ADMIN_KEY and start it again.'
    return ucpRefusal(403, { code: 'admin_key_not_set', message })
  }
  const message = 'Send the admin key in the header "Authorization: Bearer <STORE_ADMIN_KEY>".'
  const { headers, ...reply } = ucpRefusal(401, { code: 'unauthorized', message })
  return { ...reply, headers: { ...headers, 'www-authenticate': 'Bearer realm="store"' } }
}
