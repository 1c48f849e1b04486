import type { Endpoint, ManifestSeen } from '../../../shared/audit/evidence.ts'
import { OFFICIAL_PROFILE } from '../../../shared/audit/rule.ts'
import { olderProfileOf } from '../../../shared/manifest/dialect.ts'
import { declared, endpointOf } from '../../../shared/manifest/inspect.ts'
import { isOfficial } from '../../../shared/manifest/ucp/profile.ts'
import { UCP_PATHS } from '../../../shared/protocols/spec/ucp.ts'
import { jsonOf, presenceOf } from '../../../shared/web/http/presence.ts'
import { field, isRecord } from '../../../shared/web/json/json.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { type AuditSession, notAsked, requestJson } from './session.ts'

/**
 * Reads `/.well-known/ucp`, and the same on `www.` when the domain itself has none: agents look at
 * the root domain only (spec, Merchant-side UCP endpoints). A profile that is newer than this code
 * is followed to the one that agents of today use.
 */
export async function probeManifest(session: AuditSession, domain: string): Promise<ManifestSeen> {
  const readAt = (url: string) => requestJson(session, { url, maxBytes: BODY_CAPS.manifest })
  const read = (host: string) => readAt(`https://${host}${UCP_PATHS.manifest}`)
  const seen = await read(domain)
  const mayBeOnWww = presenceOf(seen.fetched).is === 'absent' && !domain.startsWith('www.')
  const www = mayBeOnWww
    ? await read(`www.${domain}`)
    : notAsked('the domain itself answered the request for the manifest')
  const older = olderProfileOf(jsonOf(seen))
  return { ...seen, www, ...(older && { older: await readAt(older.url) }) }
}

/** An endpoint to request, or why none may be requested, as the reason of a skipped rule. */
export type EndpointFound = Endpoint | { reason: string }

/**
 * Where a capability's endpoint is: as the manifest says, or on the spec's path where a readable
 * manifest, or none at all, says nothing. A manifest that could not be read leaves it unknown.
 */
export function findEndpoint(
  manifest: ManifestSeen,
  domain: string,
  capability: 'product_catalog' | 'checkout',
): EndpointFound {
  const presence = presenceOf(manifest.fetched)
  const document = jsonOf(manifest) ?? jsonOf(manifest.www)
  if (presence.is !== 'present' && presence.is !== 'absent') {
    return { reason: `the endpoint is unknown: ${presence.why}` }
  }
  if (presence.is === 'present' && !isRecord(document)) {
    return { reason: 'the endpoint is unknown: the manifest cannot be read' }
  }
  if (isOfficial(document)) {
    if (presence.is === 'absent') return { reason: 'the profile is only on a subdomain' }
    return { reason: OFFICIAL_PROFILE }
  }
  const url = endpointOf(document, capability)
  if (url !== null) return { url, declared: true }
  const written = field(declared(document, capability), 'endpoint')
  if (typeof written === 'string' && written.startsWith('http:')) {
    return { url: written, declared: true }
  }
  if (written !== undefined) return { reason: 'the manifest does not give a usable endpoint' }
  const path = capability === 'checkout' ? UCP_PATHS.checkout : UCP_PATHS.catalog
  return { url: `https://${domain}${path}`, declared: false }
}
