import { isUnder } from '../../../../shared/web/same-site.ts'

/** Only https pages of the audited shop itself or its subdomains: markup elsewhere is another's. */
export function isOnSite(url: string, domain: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'https:' && isUnder(parsed.hostname, domain)
}
