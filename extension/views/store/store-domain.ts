import { normaliseDomain } from '../../../shared/domain.ts'

export type StoreDomain =
  | { is: 'none' }
  | { is: 'private'; host: string }
  | { is: 'public'; domain: string }

/** The domain of the open page, as far as a server could reach it. */
export function storeDomain(host: string | null): StoreDomain {
  if (host === null) return { is: 'none' }
  const read = normaliseDomain(host)
  return 'domain' in read ? { is: 'public', domain: read.domain } : { is: 'private', host }
}
