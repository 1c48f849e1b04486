import { shown } from '../../web/json/json.ts'
import type { UcpVersion } from '../dialect.ts'
import { authorityFault } from './authority.ts'
import { dotted } from './findings.ts'
import type { ProfileOffer } from './offer.ts'

/**
 * Since this version `spec` is for people only, and not bound to a host (UCP overview, Authority
 * Binding).
 */
const UNBOUND_SINCE = '2026-08-25'

/** The most entries that are read: agents know about two dozen names. */
const MAX_ENTRIES = 200

/**
 * Faults of the documentation addresses, `spec`, as sentences. Since 2026-08-25 each must be https.
 * Before, a capability's had to be on a host of its name's owner, and platforms should reject the
 * capability otherwise (UCP overview of 2026-04-08, Spec URL Binding); other entries had no such
 * rule.
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

// Unspecified: UCP asks for the same origin. Documentation on a host below the owner's, such as
// docs.example.com for com.example.pay, is accepted as the owner's too.
function ownerFault(name: string, text: string): string | null {
  const fault = authorityFault(name, text)
  const url = URL.parse(text)
  if (fault === null || url?.protocol !== 'https:') return fault
  for (let labels = url.hostname.split('.').slice(1); labels.length > 1; labels = labels.slice(1)) {
    if (authorityFault(name, `https://${labels.join('.')}/`) === null) return null
  }
  return fault
}
