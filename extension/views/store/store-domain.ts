import { normaliseDomain } from '../../../shared/web/address/domain.ts'

export type StoreDomain =
  | { is: 'none' }
  | { is: 'private'; host: string }
  | { is: 'public'; domain: string }

// Unspecified: up to five stores are audited at the same time, while another is open.
const MAX_OPEN = 5

/** The domains that were opened, the latest last; the same list if nothing changes. */
export function withDomain(domains: readonly string[], open: string | null): readonly string[] {
  if (open === null || domains.at(-1) === open) return domains
  return [...domains.filter((each) => each !== open), open].slice(-MAX_OPEN)
}

/** The domain of the open page, if a server could reach it. */
export function storeDomain(host: string | null): StoreDomain {
  if (host === null) return { is: 'none' }
  const read = normaliseDomain(host)
  return 'domain' in read ? { is: 'public', domain: read.domain } : { is: 'private', host }
}
