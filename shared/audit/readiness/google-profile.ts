import { isNewerProfile, newerWords, supportedVersions } from '../../manifest/dialect.ts'
import type { ProfileInspection } from '../../manifest/ucp/profile.ts'
import { SHOPPING, UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { isAfter } from '../../protocols/versions.ts'
import { presenceOf } from '../../web/http/presence.ts'
import { seenProfile, spokenProfile } from '../checks/official-profile/official-rule.ts'
import { lifeOfRest } from '../checks/official-profile/service-life.ts'
import type { ManifestSeen, UcpSeen } from '../evidence.ts'
import {
  type ItemSeen,
  inPlace,
  missing,
  type Requirement,
  requirement,
  unseen,
} from './requirement.ts'
import { GOOGLE_VERSIONS, NEWEST_ON_GOOGLE, VENDOR_PAGES, type VendorPage } from './vendor-pages.ts'

/** Those of Google's versions that have carts. */
const CART_VERSIONS = GOOGLE_VERSIONS.filter((version) => UCP.of(version).hasCatalog)

type Words = Pick<Requirement, 'id' | 'label' | 'fix' | 'page'>
export type ProfileRead = Exclude<ProfileSeen, { absent: ItemSeen }>

/** Without a profile that can be read, what it would say is missing or unknown with it. */
export const inProfile = (words: Words, judge: (known: ProfileRead) => ItemSeen): Requirement =>
  requirement({
    ...words,
    check: 'well_known',
    reads: ['manifest'],
    judge: ({ manifest }) => {
      const seen = readProfile(manifest)
      return 'absent' in seen ? seen.absent : judge(seen)
    },
  })

export const capability = (name: string, words: Pick<Words, 'id' | 'label'>): Requirement =>
  inProfile(
    {
      ...words,
      fix: `Offer ${SHOPPING}.${name} in the profile.`,
      page: VENDOR_PAGES.googleProfile,
    },
    ({ profile: { capabilities, dropped, drop_warnings } }) => {
      const full = `${SHOPPING}.${name}`
      if (!capabilities.includes(full)) return missing(`The profile does not offer ${full}.`)
      if (!dropped.includes(full)) return inPlace(`The profile offers ${full}.`)
      return missing(`Agents drop ${full}: ${drop_warnings.slice(0, 3).join(' ')}`)
    },
  )

/**
 * Whether the profile is of one of the versions that Google documents for a route, and can be read.
 */
function versionOf(
  { profile, document, version }: ProfileRead,
  { versions }: UcpSeen,
  documentedFor: readonly UcpVersion[],
): ItemSeen {
  const [first] = profile.errors
  if (first !== undefined) {
    return missing(`The profile violates version ${version}: ${first.field}: ${first.message}`)
  }
  if (documentedFor.includes(version)) return inPlace(`The profile is of ${version}.`)
  const other = supportedVersions(document).findLast((each) => documentedFor.includes(each))
  if (other !== undefined) {
    const fault = versions.find((each) => each.version === other)?.fault ?? null
    return fault === null
      ? inPlace(`The profile is of ${version}, and supported_versions has ${other}.`)
      : missing(`The profile of ${other} in supported_versions cannot be used: ${fault}`)
  }
  const documented = `Google documents this for ${documentedFor.join(' and ')}.`
  // Unspecified: Google may read a later version than its guides say; an earlier one it does not.
  return isAfter(version, NEWEST_ON_GOOGLE)
    ? unseen(`The profile offers ${version} alone. ${documented}`)
    : missing(`The profile is of ${version}. ${documented}`)
}

function restOf({ profile: { services } }: ProfileRead, { rest }: UcpSeen): ItemSeen {
  const shopping = services.filter(({ service }) => service === SHOPPING)
  if (!shopping.some(({ transport, endpoint }) => transport === 'rest' && endpoint !== null)) {
    const others = shopping.map(({ transport }) => transport).join(', ')
    return missing(
      others === ''
        ? `The profile has no service ${SHOPPING}.`
        : `${SHOPPING} is offered over ${others}. Google validates REST by itself; MCP is in early access.`,
    )
  }
  if (rest === null) return unseen('The REST service was not asked.')
  const life = lifeOfRest(rest)
  if (life.is === 'alive') return inPlace(`${rest.endpoint} answers.`)
  return life.is === 'dead' || life.is === 'moved'
    ? missing(`${life.why}.`)
    : unseen(`${life.why}.`)
}

/** A profile of a version that Google documents for this route. */
const profileOf = (versions: readonly UcpVersion[], page: VendorPage): Requirement =>
  requirement({
    id: 'ucp_profile',
    label: 'A UCP profile that Google reads',
    fix: `Publish a profile of ${NEWEST_ON_GOOGLE} at /.well-known/ucp, or name it in supported_versions.`,
    page,
    check: 'well_known',
    reads: ['manifest', 'ucp'],
    judge: ({ manifest, ucp }) => {
      const seen = readProfile(manifest)
      return 'absent' in seen ? seen.absent : versionOf(seen, ucp, versions)
    },
  })

export const PROFILE_FOR_CHECKOUT = profileOf(GOOGLE_VERSIONS, VENDOR_PAGES.googleProfile)
export const PROFILE_FOR_CARTS = profileOf(CART_VERSIONS, VENDOR_PAGES.googleCart)

/** What Google calls. */
export const REST_SERVICE = requirement({
  id: 'rest_service',
  label: 'A REST service that answers',
  fix: `Offer ${SHOPPING} over REST, with an https endpoint that Google can reach.`,
  page: VENDOR_PAGES.googleTransport,
  check: 'well_known',
  reads: ['manifest', 'ucp'],
  judge: ({ manifest, ucp }) => {
    const seen = readProfile(manifest)
    return 'absent' in seen ? seen.absent : restOf(seen, ucp)
  },
})

/** An official profile of a version that can be judged, or why there is none. */
type ProfileSeen =
  | { profile: ProfileInspection; document: unknown; version: UcpVersion }
  | { absent: ItemSeen }

/** The official profile of the domain. */
function readProfile(manifest: ManifestSeen): ProfileSeen {
  const presence = presenceOf(manifest.fetched)
  if (presence.is === 'unknown') return { absent: unseen(`${presence.why}.`) }
  if (presence.is !== 'present') return { absent: missing(`${presence.why}.`) }
  const document = spokenProfile(manifest)
  if (document === undefined) return { absent: missing('/.well-known/ucp is not JSON.') }
  const profile = seenProfile(manifest)
  if (UCP.isKnown(profile.dialect)) return { profile, document, version: profile.dialect }
  return {
    absent: isNewerProfile(document)
      ? unseen(`The profile is ${newerWords(document)}.`)
      : missing('What is at /.well-known/ucp is not a profile of official UCP.'),
  }
}
