import { hash } from 'node:crypto'
import { parseDictionary } from 'structured-headers'

/** `Content-Digest` (RFC 9530) of the sent body's bytes, by SHA-256. */
export const contentDigest = (body: Uint8Array): string =>
  `sha-256=:${hash('sha256', body, 'base64')}:`

/** A header with two digests has about 160 characters. */
const LONGEST = 1000

/**
 * Whether the header holds the body's SHA-256. Digests by other algorithms may be there too and are
 * not read: UCP only accepts this one.
 */
export function matchesDigest(header: string, body: Uint8Array): boolean {
  if (header.length > LONGEST) return false
  try {
    const [given] = parseDictionary(header).get('sha-256') ?? []
    return (
      given instanceof ArrayBuffer &&
      Buffer.from(given).toString('base64') === hash('sha256', body, 'base64')
    )
  } catch {
    return false
  }
}
