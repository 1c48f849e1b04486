import type { UcpSeen } from '../../../shared/audit/evidence.ts'
import { olderProfileOf, recogniseDialect } from '../../../shared/manifest/dialect.ts'
import { inspectEndpoint } from '../../../shared/manifest/fields.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import { describeFetch, type JsonSeen } from '../../../shared/web/http/fetched.ts'
import { jsonOf, presenceOf } from '../../../shared/web/http/presence.ts'
import { field, isRecord, shown } from '../../../shared/web/json/json.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { type AuditSession, requestJson } from './session.ts'

/** Profiles of other versions that are read. */
const MAX_VERSIONS = 2

/**
 * Reads two of the leaf profiles that an official profile names under `supported_versions`: the one
 * that agents of today go by (`olderProfileOf`), which is `older` where it was read already, and
 * then those that it names first. Empty when it names none.
 */
export async function probeSupportedVersions(
  session: AuditSession,
  profile: unknown,
  older?: JsonSeen,
): Promise<UcpSeen['versions']> {
  const known = olderProfileOf(profile)?.url
  const read = (url: string) =>
    older !== undefined && url === known
      ? older
      : requestJson(session, { url, maxBytes: BODY_CAPS.manifest })
  const versions = field(field(profile, 'ucp'), 'supported_versions')
  if (!isRecord(versions)) return []
  const named = Object.entries(versions)
    .toSorted(([, one], [, other]) => Number(other === known) - Number(one === known))
    .slice(0, MAX_VERSIONS)
  return Promise.all(
    named.map(async ([version, url]) => ({
      version,
      fault: await faultOf(session, read, version, url),
    })),
  )
}

/**
 * What is wrong with one of them, as a sentence; null for a right one and where nothing is certain.
 */
async function faultOf(
  session: AuditSession,
  read: (url: string) => JsonSeen | Promise<JsonSeen>,
  version: string,
  url: unknown,
): Promise<string | null> {
  // An invalid URL is reported by the validation of the document itself.
  if (typeof url !== 'string' || inspectEndpoint(url) !== null) return null
  const seen = await read(url)
  const presence = presenceOf(seen.fetched)
  if (presence.is === 'unknown' || presence.is === 'requires_auth') return null
  if (presence.is !== 'present') return `${presence.why}.`
  const profile = jsonOf(seen)
  const declared = field(field(profile, 'ucp'), 'version')
  if (declared !== version) {
    const other = declared ?? recogniseDialect(profile)
    return `${describeFetch(seen.fetched)} with a document of ${shown(other)}, not of ${version}.`
  }
  if (field(field(profile, 'ucp'), 'supported_versions') !== undefined) {
    return `${url} has supported_versions as well: the profile of a single version must not have it.`
  }
  // Of a version that is newer than this code no more is known.
  if (!UCP.isKnown(version)) return null
  const judged = await session.run('manifest', { document: profile })
  const [error] = 'done' in judged ? judged.done.read.errors : []
  return error === undefined
    ? null
    : `Agents of ${version} reject ${url}: ${error.field}: ${error.message}`
}
