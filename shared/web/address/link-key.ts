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

/**
 * Parameters that platforms, mails and advertisements add to an address to follow a visit: click
 * ids (Google's, Meta's, Microsoft's, TikTok's, X's, OpenAI's), `utm_source`, Shopify's search
 * (`_pos`), `ref`.
 */
const FOLLOWS_A_VISIT =
  /^(?:utm_\w+|gad_\w+|mc_\w+|_g[al]|_pos|_sid|_ss|_psq|_fid|_v|ref|gclid|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|twclid|oppref|olref|srsltid)$/i

/** Whether a parameter of that name does not affect its page. */
export const isTrackingParameter = (name: string): boolean => FOLLOWS_A_VISIT.test(name)

/** An address without its fragment and its tracking parameters. */
export function plainAddress(address: URL): string {
  const plain = new URL(address.href)
  plain.hash = ''
  for (const name of [...plain.searchParams.keys()]) {
    if (isTrackingParameter(name)) plain.searchParams.delete(name)
  }
  return plain.href
}
