import { shown } from '../../web/json.ts'
import type { UcpVersion } from '../dialect.ts'
import { authorityFault } from './authority.ts'
import { dotted } from './findings.ts'
import type { ProfileOffer } from './offer.ts'

/**
 * Since this version `spec` is for people alone: it is bound to no host (UCP overview, Authority
 * Binding).
 */
const UNBOUND_SINCE = '2026-08-25'

/** Entries that are read: what agents know has two dozen names. */
const MAX_ENTRIES = 200

/**
 * What is wrong with the addresses of the documentation, `spec`, as sentences. Since 2026-08-25
 * each has to be https. Before, that of a capability is on a host of its name's owner, and
 * platforms should reject a capability whose is not (UCP overview of 2026-04-08, Spec URL Binding);
 * nothing is said of others.
 */
export function specFindings(offer: ProfileOffer, version: UcpVersion): string[] {
  const isUnbound = version >= UNBOUND_SINCE
  const entries = isUnbound
    ? [...offer.services, ...offer.capabilities, ...offer.handlers]
    : offer.capabilities
  return entries.slice(0, MAX_ENTRIES).flatMap(({ name, spec }) => {
    if (spec === null) return []
    const fault = isUnbound ? secureFault(spec.url) : ownerFault(name, spec.url)
    return fault === null ? [] : [`${dotted(spec.path)} (${shown(spec.url)}) ${fault}.`]
  })
}

const secureFault = (text: string): string | null =>
  URL.parse(text)?.protocol === 'https:' ? null : 'is not an https URL'

// Unspecified: UCP writes of the same origin; documentation on a host below the owner's, such as
// docs.example.com for com.example.pay, is taken for the owner's as well.
function ownerFault(name: string, text: string): string | null {
  const fault = authorityFault(name, text)
  const url = URL.parse(text)
  if (fault === null || url?.protocol !== 'https:') return fault
  for (let labels = url.hostname.split('.').slice(1); labels.length > 1; labels = labels.slice(1)) {
    if (authorityFault(name, `https://${labels.join('.')}/`) === null) return null
  }
  return fault
}
