import { normaliseDomain } from '../../../shared/web/domain.ts'

export type StoreDomain =
  | { is: 'none' }
  | { is: 'private'; host: string }
  | { is: 'public'; domain: string }

// Unspecified: up to five shops are audited side by side, while another is looked at.
const MAX_OPEN = 5

/** The domains that were looked at, the latest last; the same list where nothing changes. */
export function withDomain(domains: readonly string[], open: string | null): readonly string[] {
  if (open === null || domains.at(-1) === open) return domains
  return [...domains.filter((each) => each !== open), open].slice(-MAX_OPEN)
}

/** The domain of the open page, as far as a server could reach it. */
export function storeDomain(host: string | null): StoreDomain {
  if (host === null) return { is: 'none' }
  const read = normaliseDomain(host)
  return 'domain' in read ? { is: 'public', domain: read.domain } : { is: 'private', host }
}
