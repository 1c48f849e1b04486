import { parse } from 'cache-control-parser'
import type { Answer } from './fetched.ts'

/**
 * UCP asks for `Cache-Control: public, max-age` of at least this (UCP overview, Profile
 * Requirements): otherwise agents fetch a manifest again and again.
 */
export const MIN_MANIFEST_CACHE_SECONDS = 60

/**
 * How many seconds a shared cache may keep the answer; null if nothing says so. `s-maxage` wins
 * over `max-age`, and `no-store`, `no-cache` and `private` count as 0 (RFC 9111, 5.2.2).
 */
export function sharedCacheSeconds(answer: Answer): number | null {
  const header = answer.headers['cache-control']
  if (header === undefined) return null
  const directives = parse(header)
  if (directives['no-store'] || directives['no-cache'] || directives.private) return 0
  return directives['s-maxage'] ?? directives['max-age'] ?? null
}

/**
 * What else UCP asks of a published profile's caching, as a part of a sentence; null if nothing is
 * missing. Without it, the profile works (UCP overview of 2026-08-25, Hosting 3 and 4).
 */
export function cachingAdvice({ headers }: Answer): string | null {
  const lacks = [
    ...(parse(headers['cache-control'] ?? '').public ? [] : ['the word public in Cache-Control']),
    ...(headers.etag === undefined && headers['last-modified'] === undefined
      ? ['an ETag or Last-Modified, by which agents see that nothing has changed']
      : []),
  ]
  return lacks.length === 0 ? null : `UCP also asks for ${lacks.join(', and for ')}`
}
