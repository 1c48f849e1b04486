import { hash, timingSafeEqual } from 'node:crypto'

/** Hashed, so that both sides have one length and the comparison takes constant time. */
const digest = (text: string) => hash('sha256', text, 'buffer')

/** Whether the Authorization header carries this secret (RFC 6750 §2.1), in constant time. */
export function carries(secret: string | undefined, authorization: string | null): boolean {
  const [, token] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (!secret || token === undefined) return false
  return timingSafeEqual(digest(token), digest(secret))
}
