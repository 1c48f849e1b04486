import type { ManifestSeen } from '../../../shared/audit/evidence.ts'
import { olderProfileOf } from '../../../shared/manifest/ucp/version-outlook.ts'
import { UCP_PATHS } from '../../../shared/protocols/spec/ucp.ts'
import { jsonOf, presenceOf } from '../../../shared/web/http/presence.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { notAsked, requestJson } from './json.ts'
import type { AuditSession } from './session.ts'

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
