import { parse } from 'cache-control-parser'
import type { Answer } from './fetched.ts'

/** Agents ask again for a manifest that may not be kept this long (UCP, profile hosting). */
export const MIN_MANIFEST_CACHE_SECONDS = 60

/** For how many seconds a shared cache may keep the answer (RFC 9111); null when nothing says so. */
export function sharedCacheSeconds(answer: Answer): number | null {
  const header = answer.headers['cache-control']
  if (header === undefined) return null
  const directives = parse(header)
  if (directives['no-store'] || directives['no-cache'] || directives.private) return 0
  return directives['s-maxage'] ?? directives['max-age'] ?? null
}
