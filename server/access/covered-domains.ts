import { getDomain } from 'tldts'
import { withOrWithoutWww } from '../../shared/web/address/domain.ts'

// Unspecified: a key for a domain covers the same one with or without `www.`, for all that the key
// may do. Other subdomains may be somebody else's, and need a key of their own.

/**
 * The domain, and the same with or without `www.`, unless that may be somebody else's: under a
 * public suffix, such as that of a hosting platform, `www` is one customer's name.
 */
const siteOf = (domain: string): string[] => {
  const twins = withOrWithoutWww(domain)
  return twins.every((each) => getDomain(each, { allowPrivateDomains: true }) !== null)
    ? twins
    : [domain]
}

/** Whether a key for these domains covers this one; `*` covers all. */
export const covers = (domains: readonly string[], domain: string): boolean =>
  domains.includes('*') ||
  domains.includes(domain) ||
  siteOf(domain).some((each) => domains.includes(each))

/**
 * Whether a key for these domains belongs to the owner of this one: it names the domain. `*` is the
 * operator's, who owns none of them by it.
 */
export const namesDomain = (domains: readonly string[], domain: string): boolean =>
  covers(
    domains.filter((each) => each !== '*'),
    domain,
  )

/** All that a key for these domains covers, each once; `*` stays. */
export const coveredBy = (domains: readonly string[]): string[] => [
  ...new Set(domains.flatMap(siteOf)),
]
