import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { field, isRecord, shown } from '../../web/json/json.ts'
import { isNewerProfile } from '../dialect.ts'
import { inspectEndpoint } from '../fields.ts'

/** The oldest version that agents in general still support; both it and the latest are in use. */
const OLDEST_SPOKEN = UCP.all.find((version) => UCP.of(version).isSpoken) ?? UCP.newest

/** The versions of `supported_versions` that agents know, oldest first. */
export function supportedVersions(document: unknown): UcpVersion[] {
  const versions = field(field(document, 'ucp'), 'supported_versions')
  return isRecord(versions) ? Object.keys(versions).filter(UCP.isKnown).sort() : []
}

/** The profile for today's agents that a newer profile than this code knows links to. */
interface OlderProfile {
  version: UcpVersion
  url: string
}

/**
 * The newest version that today's agents share with a newer profile, and so use (UCP overview,
 * Initial Service and Capability Discovery); null if there is none, and for profiles that are not
 * newer.
 */
export function olderProfileOf(document: unknown): OlderProfile | null {
  if (!isNewerProfile(document)) return null
  const versions = field(field(document, 'ucp'), 'supported_versions')
  for (const version of supportedVersions(document).toReversed()) {
    const url = field(versions, version)
    if (!UCP.of(version).isSpoken) return null
    if (typeof url === 'string' && inspectEndpoint(url) === null) return { version, url }
  }
  return null
}

/** The words for a profile that is newer than this code; follows "the profile is". */
export const newerWords = (document: unknown): string =>
  `of UCP ${String(field(field(document, 'ucp'), 'version'))}, which is newer than this version of Aisle knows (${UCP.newest})`

/**
 * What today's agents do with a profile of an old version, as sentences; null if they support the
 * version, or find one that they support in `supported_versions`. An agent that shares no version
 * leaves (UCP overview, Protocol Version).
 */
export function outdatedVersion(document: unknown, version: UcpVersion): string | null {
  const spoken = [version, ...supportedVersions(document)].some((each) => UCP.of(each).isSpoken)
  return spoken
    ? null
    : `ucp.version is "${version}". Agents that speak ${OLDEST_SPOKEN} or later, as most do, find no version in common and leave.`
}

/**
 * What today's agents do with a profile whose version this code cannot judge. Follows "Not
 * shoppable:", and for a newer version "Not judged:".
 */
export function unknownVersion(document: unknown): string {
  const seen = field(field(document, 'ucp'), 'version')
  if (isNewerProfile(document)) {
    const older = olderProfileOf(document)
    const today = `agents of ${UCP.newest} or before`
    const they =
      older === null
        ? `${today} find no version in common and leave`
        : `${today} go by the one of ${older.version} in supported_versions`
    return `The profile is ${newerWords(document)}; ${they}.`
  }
  return seen === undefined
    ? 'Without ucp.version, agents do not know how to read the profile, and leave.'
    : `Agents speak no version ${shown(seen)}: they find none in common with the store, and leave.`
}
