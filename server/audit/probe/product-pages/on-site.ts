import { isOfVisitor } from '../../../../shared/markup/page-signs/visitor-address.ts'
import { isUnder } from '../../../../shared/web/same-site.ts'

/** Only https pages of the audited shop itself or its subdomains: markup elsewhere is another's. */
export function isOnSite(url: string, domain: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'https:' && isUnder(parsed.hostname, domain)
}

/** Pages of this site that may be asked for: opening them does nothing in the shop. */
export const mayRead = (url: string, domain: string): boolean =>
  isOnSite(url, domain) && !isOfVisitor(url)
