import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { shown } from '../../web/json/json.ts'
import { authorityFault } from './authority.ts'
import { dotted } from './findings.ts'
import type { ProfileOffer } from './offer.ts'

/** The most entries that are read: agents know about two dozen names. */
const MAX_ENTRIES = 200

/**
 * Faults of the documentation addresses, `spec`, as sentences. Today each must be https, and is for
 * people only (UCP overview, Authority Binding). Before, platforms should reject a capability whose
 * address was not on a host of its name's owner (2026-04-08, Spec URL Binding).
 */
export function specFindings(offer: ProfileOffer, version: UcpVersion): string[] {
  const { bindsSpec } = UCP.of(version)
  const entries = bindsSpec
    ? offer.capabilities
    : [...offer.services, ...offer.capabilities, ...offer.handlers]
  return entries.slice(0, MAX_ENTRIES).flatMap(({ name, spec }) => {
    if (spec === null) return []
    const fault = bindsSpec ? ownerFault(name, spec.url) : secureFault(spec.url)
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
