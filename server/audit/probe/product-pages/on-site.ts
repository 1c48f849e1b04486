import { isOfVisitor } from '../../../../shared/markup/page-signs/visitor-address.ts'
import { isUnder } from '../../../../shared/web/address/same-site.ts'

/**
 * An address over https where it is the audited shop's own or its subdomains'; null otherwise,
 * since markup elsewhere is another's. Shops that moved to https still write http: the site is
 * known to answer over https, and http is never read.
 */
export function onSite(url: string, domain: string): string | null {
  const parsed = URL.parse(url)
  if (parsed === null || !isUnder(parsed.hostname, domain)) return null
  if (parsed.protocol === 'http:' && parsed.port === '') parsed.protocol = 'https:'
  return parsed.protocol === 'https:' ? parsed.href : null
}

/** The same of a page that may be asked for: opening it does nothing in the shop. */
export function pageOnSite(url: string, domain: string): string | null {
  const own = onSite(url, domain)
  return own === null || isOfVisitor(own) ? null : own
}

/** Those of some pages that are the shop's and may be asked for. */
export const pagesOnSite = (urls: readonly string[], domain: string): string[] =>
  urls.flatMap((url) => pageOnSite(url, domain) ?? [])
