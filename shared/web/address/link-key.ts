import { isTrackingParameter, plainAddress } from './tracking.ts'

/**
 * The part of a link that identifies its product: host without `www.`, path without trailing slash,
 * and the query without tracking parameters and the choice of a variant. Null for text that is not
 * a link.
 */
export function linkKey(link: string, base?: string): string | null {
  const url = URL.parse(link, base)
  if (url === null) return null
  const query = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !isIgnored(part.split('=', 1)[0] ?? ''))
  const host = url.hostname.replace(/^www\./, '')
  return [host, url.pathname.replace(/\/$/, ''), ...query.toSorted()].join('\n')
}

/**
 * The address to fetch for a link's page: over https, and without tracking parameters. Unlike the
 * key, it says which variant is chosen. Null for text that is not a link.
 */
export function pageAddress(link: string, base?: string): string | null {
  const url = URL.parse(link, base)
  if (url === null) return null
  url.protocol = 'https:'
  return plainAddress(url)
}

/** Feeds and catalogs link to a variant where pages name the product. */
const isIgnored = (parameter: string): boolean =>
  isTrackingParameter(parameter) || parameter.toLowerCase() === 'variant'
