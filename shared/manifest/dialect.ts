import * as z from 'zod'
import { UCP, type UcpVersion } from '../protocols/ucp/versions.ts'
import { field, isRecord, shown } from '../web/json/json.ts'
import { DAY_MS } from '../web/moment.ts'
import { inspectEndpoint } from './fields.ts'

/** The dialects of a document under `/.well-known/ucp`; `1.0` is the manifest of the spec. */
export const Dialect = z.enum(['1.0', ...UCP.all, 'unknown'])
export type Dialect = z.infer<typeof Dialect>

/**
 * The dialect of a document, by the version that it declares, or by its shape if it declares none.
 * `unknown` for anything else, also for JSON that is not an object.
 */
export function recogniseDialect(document: unknown): Dialect {
  const official = field(field(document, 'ucp'), 'version')
  // Unspecified: a document that is both counts as official, because agents look for `ucp` first.
  if (UCP.isKnown(official)) return official
  const version = field(document, 'version')
  if (version === '1.0') return '1.0'
  if (version !== undefined || field(document, 'ucp') !== undefined) return 'unknown'
  const capabilities = field(document, 'capabilities')
  const ofTheSpec = ['product_catalog', 'checkout'].some((name) =>
    isRecord(field(capabilities, name)),
  )
  return ofTheSpec ? '1.0' : 'unknown'
}

/**
 * Whether the profile has a later version than this code knows. It is then not judged, because its
 * rules are unknown: a store that is ahead of us must not lose points.
 */
export const isNewerProfile = (document: unknown): boolean =>
  UCP.isNewer(field(field(document, 'ucp'), 'version'))

const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

/** For messages: all versions that a document may declare. */
export const KNOWN_VERSIONS = `version "1.0", or ucp.version ${list(UCP.all)}`

/**
 * Whether a profile lacks the `ucp` object around it: official registries, or an official date, are
 * at its root. Generators make this mistake if they leave the envelope to the caller.
 */
export const lacksEnvelope = (document: unknown): boolean =>
  field(document, 'ucp') === undefined &&
  (nearestDate(field(document, 'version')) !== null ||
    ['services', 'payment_handlers'].some((key) => field(document, key) !== undefined))

/**
 * A sentence for the author of a document of an unknown dialect: the version that it declares, and
 * the nearest known one.
 */
export function nearMiss(document: unknown): string {
  const ucp = field(document, 'ucp')
  // Without the envelope, a version at the root counts as the profile's.
  const bare = lacksEnvelope(document)
  const name = ucp === undefined ? 'version' : 'ucp.version'
  const seen = field(ucp ?? document, 'version')
  const text =
    seen === undefined || bare
      ? `${bare ? 'ucp' : name} is missing.`
      : `${name} is ${shown(seen)}, which is not a version that agents know.`
  const nearest =
    ucp !== undefined || bare
      ? `ucp.version "${nearestDate(seen) ?? nearestShape(document)}"`
      : 'version "1.0"'
  return `${text} Did you mean ${nearest}?`
}

/** Days since 1970; NaN for text that is not a date. */
const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/**
 * The known version with the nearest date; null if the text holds no date. Only its first
 * characters are searched, because it may be long.
 */
function nearestDate(seen: unknown): UcpVersion | null {
  const date = typeof seen === 'string' ? /\d{4}-\d{2}-\d{2}/.exec(seen.slice(0, 40))?.[0] : null
  const day = dayNumber(date ?? '')
  if (Number.isNaN(day)) return null
  const distance = (version: UcpVersion) => Math.abs(dayNumber(version) - day)
  return UCP.all.reduce((best, each) => (distance(each) < distance(best) ? each : best))
}

/** A guess by what changed between versions: the form of capabilities and the name of the keys. */
function nearestShape(document: unknown): UcpVersion {
  const isList = Array.isArray(field(field(document, 'ucp'), 'capabilities'))
  const isOld = field(document, 'signing_keys') !== undefined
  const fits = UCP.all.findLast((version) => {
    const { registries, keys } = UCP.of(version)
    return isList ? registries === 'lists' : !isOld || keys === 'signing_keys'
  })
  return fits ?? UCP.newest
}

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
