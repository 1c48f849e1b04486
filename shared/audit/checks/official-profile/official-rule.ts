import { isNewerProfile, newerWords, olderProfileOf } from '../../../manifest/dialect.ts'
import { inspectAny, isOfficial, type ProfileInspection } from '../../../manifest/ucp/profile.ts'
import { UCP, type UcpVersion } from '../../../protocols/ucp/versions.ts'
import { jsonOf } from '../../../web/http/presence.ts'
import { field } from '../../../web/json/json.ts'
import type { ManifestSeen, UcpSeen } from '../../evidence.ts'
import {
  inOtherDialect,
  type Rule,
  type RuleDefinition,
  rule,
  skip,
  type Verdict,
} from '../../rule.ts'

const PROFILE = 'UCP, Discovery and Governance'
const TRANSPORTS = 'UCP, Transports'

/** What the capabilities of the catalog begin with. */
export const CATALOG = 'dev.ucp.shopping.catalog.'

/** What differs between rules that only stores with an official profile have. */
type About = Pick<RuleDefinition<'ucp'>, 'id' | 'lostWith' | 'check'> & {
  /** The section of UCP or the vendor's page; by default that on profiles. */
  authority?: string
}

/** A profile of a version that can be judged, as it was read and as it is written. */
export interface JudgedProfile {
  profile: ProfileInspection
  document: unknown
  version: UcpVersion
  /** It was reached through a redirect, which agents do not follow (UCP, Profile Requirements). */
  isRedirected: boolean
}

/** Judges the document where it is an official profile. */
export const profileRule = (
  about: About,
  audit: (profile: ProfileInspection, judged: JudgedProfile) => Verdict,
): Rule =>
  rule({
    authority: PROFILE,
    ...about,
    dialect: 'official',
    tool: null,
    reads: ['manifest'],
    audit: ({ manifest }) => whenOfficial(manifest, audit),
  })

/** Judges what the profile's services answered. */
export const serviceRule = (
  about: About,
  audit: (ucp: UcpSeen, profile: ProfileInspection) => Verdict,
): Rule =>
  rule({
    authority: TRANSPORTS,
    ...about,
    dialect: 'official',
    tool: null,
    reads: ['manifest', 'ucp'],
    audit: ({ manifest, ucp }) => whenOfficial(manifest, (profile) => audit(ucp, profile)),
  })

/**
 * Judges an official profile; stores with the manifest of the spec have other rules, and the result
 * does not mention these. Agents refuse a profile of a version that does not exist, so that nothing
 * in it can be judged. One that is newer than this code is only unknown, unless it leads to one
 * that is not.
 */
function whenOfficial(
  manifest: ManifestSeen,
  audit: (profile: ProfileInspection, judged: JudgedProfile) => Verdict,
): Verdict {
  const document = spokenProfile(manifest)
  const inspection = seenProfile(manifest)
  // Unspecified: an audit judges what agents make of a profile, so that what they overlook costs a
  // gap of its own and hides nothing else.
  const { errors, shoppable, shoppable_reason } = inspection.read
  const profile = { ...inspection, errors, shoppable, shoppable_reason }
  const { dialect } = profile
  const { fetched } = manifest
  const isRedirected = fetched.kind === 'answer' && fetched.redirects.length > 0
  if (UCP.isKnown(dialect)) {
    return audit(profile, { profile, document, version: dialect, isRedirected })
  }
  if (!isOfficial(document)) return inOtherDialect('there is no official UCP profile')
  return skip(
    isNewerProfile(document) ? `the profile is ${newerWords(document)}` : shoppable_reason,
  )
}

/**
 * The document that agents of today go by: what is at `/.well-known/ucp`, or the profile of a known
 * version that a newer one leads to. Agents must not use one that is of another version than it was
 * named for (UCP overview, Initial Service and Capability Discovery).
 */
export function spokenProfile(manifest: ManifestSeen): unknown {
  const document = jsonOf(manifest)
  const older = manifest.older && jsonOf(manifest.older)
  const version = field(field(older, 'ucp'), 'version')
  return version !== undefined && version === olderProfileOf(document)?.version ? older : document
}

const known = new WeakMap<ManifestSeen, ProfileInspection>()

/**
 * `spokenProfile`, inspected without regard to its owner. Inspected once for all rules: a profile
 * may have 256 KiB.
 */
export function seenProfile(manifest: ManifestSeen): ProfileInspection {
  const inspection = known.get(manifest) ?? inspectAny(spokenProfile(manifest))
  known.set(manifest, inspection)
  return inspection
}
