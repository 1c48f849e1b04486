import type { ManifestSeen } from '../../../shared/audit/evidence.ts'
import { UCP_PATHS } from '../../../shared/protocols/ucp.ts'
import { presenceOf } from '../../../shared/web/presence.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { notAsked, requestJson } from './json.ts'
import type { AuditSession } from './session.ts'

/**
 * Reads `/.well-known/ucp`, and the same on `www.` when the domain itself has none: agents look at
 * the root domain only (spec, Merchant-side UCP endpoints).
 */
export async function probeManifest(session: AuditSession, domain: string): Promise<ManifestSeen> {
  const read = (host: string) =>
    requestJson(session, {
      url: `https://${host}${UCP_PATHS.manifest}`,
      maxBytes: BODY_CAPS.manifest,
    })
  const seen = await read(domain)
  const mayBeOnWww = presenceOf(seen.fetched).is === 'absent' && !domain.startsWith('www.')
  const www = mayBeOnWww
    ? await read(`www.${domain}`)
    : notAsked('the domain itself answered the request for the manifest')
  return { ...seen, www }
}
