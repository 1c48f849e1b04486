import { field, isRecord, shown } from '../../web/json.ts'
import { isNewerProfile, isUcpVersion, type UcpVersion } from '../dialect.ts'

/** The oldest version that agents in general still speak; both it and the latest are in use. */
const OLDEST_SPOKEN: UcpVersion = '2026-04-08'

/** The versions of `supported_versions` that agents know, oldest first. */
export function supportedVersions(document: unknown): UcpVersion[] {
  const versions = field(field(document, 'ucp'), 'supported_versions')
  return isRecord(versions) ? Object.keys(versions).filter(isUcpVersion).sort() : []
}

/**
 * What an agent of today does with a profile of an old version, as sentences; null where it speaks
 * the version, or finds one that it speaks in `supported_versions`. An agent that speaks another
 * version than all of these leaves (UCP overview, Protocol Version).
 */
export function outdatedVersion(document: unknown, version: UcpVersion): string | null {
  const spoken = [version, ...supportedVersions(document)].some((each) => each >= OLDEST_SPOKEN)
  return spoken
    ? null
    : `ucp.version is "${version}". Agents that speak ${OLDEST_SPOKEN} or later, as most do, find no version in common and leave.`
}

/**
 * What an agent of today does with a profile whose version this code cannot judge. Follows "Not
 * shoppable:".
 */
export function unknownVersion(document: unknown): string {
  const seen = field(field(document, 'ucp'), 'version')
  if (isNewerProfile(document)) {
    const older = supportedVersions(document)
    const fallback =
      older.length === 0
        ? 'Agents that do not speak it yet leave.'
        : `Agents that do not speak it yet use the profile of ${older.join(' or ')} in supported_versions.`
    return `${shown(seen)} is newer than this version of Aisle knows, so it cannot tell whether agents can buy. ${fallback}`
  }
  return seen === undefined
    ? 'Without ucp.version, agents do not know how to read the profile, and leave.'
    : `Agents speak no version ${shown(seen)}: they find none in common with the store, and leave.`
}
