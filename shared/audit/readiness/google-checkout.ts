import { isNewerProfile, newerWords, supportedVersions } from '../../manifest/dialect.ts'
import { readProfileOffer } from '../../manifest/ucp/offer.ts'
import type { ProfileInspection } from '../../manifest/ucp/profile.ts'
import { readSigningKeys } from '../../manifest/ucp/signing-keys.ts'
import { SHOPPING, UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { isAfter } from '../../protocols/versions.ts'
import { presenceOf } from '../../web/http/presence.ts'
import { seenProfile, spokenProfile } from '../checks/official-profile/official-rule.ts'
import { lifeOfRest } from '../checks/official-profile/service-life.ts'
import type { FeedSeen, ManifestSeen, UcpSeen } from '../evidence.ts'
import { productionOf } from './google-pay.ts'
import {
  type ItemSeen,
  inPlace,
  missing,
  ofRows,
  type ReadinessSurface,
  type Requirement,
  reasonsOf,
  requirement,
  unseen,
} from './requirement.ts'

const GUIDES = 'https://developers.google.com/merchant/ucp/guides'
const PROFILE = `${GUIDES}/overview/ucp-profile`
const ACCOUNT = `${GUIDES}/merchant-center`
const PAY = 'https://developers.google.com/pay/api/universal-commerce-protocol'

/** The versions for which Google documents native checkout (…/merchant/ucp/implementation). */
const GOOGLE_VERSIONS = UCP.all.filter((version) => UCP.of(version).isOnGoogle)
const NEWEST_ON_GOOGLE = GOOGLE_VERSIONS.at(-1) ?? UCP.newest

const IMPLEMENTATION = `https://developers.google.com/merchant/ucp/implementation/${NEWEST_ON_GOOGLE}`

const GOOGLE_PAY = 'com.google.pay'

type Words = Pick<Requirement, 'id' | 'label' | 'fix' | 'authority' | 'isSign'>
type Known = Exclude<ProfileSeen, { absent: ItemSeen }>

/** Without a profile that can be read, what it would say is missing or unknown with it. */
const inProfile = (words: Words, judge: (known: Known) => ItemSeen): Requirement =>
  requirement({
    ...words,
    check: 'well_known',
    reads: ['manifest'],
    judge: ({ manifest }) => {
      const seen = readProfile(manifest)
      return 'absent' in seen ? seen.absent : judge(seen)
    },
  })

const capability = (name: string, words: Pick<Words, 'id' | 'label'>): Requirement =>
  inProfile(
    { ...words, fix: `Offer ${SHOPPING}.${name} in the profile.`, authority: PROFILE },
    ({ profile: { capabilities, dropped, drop_warnings } }) => {
      const full = `${SHOPPING}.${name}`
      if (!capabilities.includes(full)) return missing(`The profile does not offer ${full}.`)
      if (!dropped.includes(full)) return inPlace(`The profile offers ${full}.`)
      return missing(`Agents drop ${full}: ${drop_warnings.slice(0, 3).join(' ')}`)
    },
  )

const inFeed = (words: Words, judge: (feed: FeedSeen) => ItemSeen): Requirement =>
  requirement({
    ...words,
    check: 'feed',
    reads: ['feed'],
    judge: ({ feed }) => {
      if (feed.kind === null || feed.tally.rows === 0) {
        return unseen('No public product feed was read; one that is uploaded cannot be seen.')
      }
      return feed.vendor === 'google'
        ? judge(feed)
        : unseen(`The feed at ${feed.url} does not have Google’s names.`)
    },
  })

/** Which of the profile's versions Google documents, and whether its profile can be read. */
function versionOf({ profile, document, version }: Known, { versions }: UcpSeen): ItemSeen {
  const [first] = profile.errors
  if (first !== undefined) {
    return missing(`The profile violates version ${version}: ${first.field}: ${first.message}`)
  }
  if (GOOGLE_VERSIONS.includes(version)) return inPlace(`The profile is of ${version}.`)
  const other = supportedVersions(document).findLast((each) => GOOGLE_VERSIONS.includes(each))
  if (other !== undefined) {
    const fault = versions.find((each) => each.version === other)?.fault ?? null
    return fault === null
      ? inPlace(`The profile is of ${version}, and supported_versions has ${other}.`)
      : missing(`The profile of ${other} in supported_versions cannot be used: ${fault}`)
  }
  const documented = `Google documents native checkout for ${GOOGLE_VERSIONS.join(' and ')}.`
  // Unspecified: Google may read a later version than its guides say; an earlier one it does not.
  return isAfter(version, NEWEST_ON_GOOGLE)
    ? unseen(`The profile offers ${version} alone. ${documented}`)
    : missing(`The profile is of ${version}. ${documented}`)
}

function restOf({ profile: { services } }: Known, { rest }: UcpSeen): ItemSeen {
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

function keysOf({ document, version }: Known): ItemSeen {
  const { usable, listed, isExposed, faults } = readSigningKeys(document, version)
  const name = UCP.of(version).keys
  if (isExposed) return missing('A key is published with its private part.')
  if (usable > 0) return inPlace(`${name} has ${usable === 1 ? 'a key' : `${usable} keys`}.`)
  if (listed > 0) return missing(`No key in ${name} can be used. ${faults.slice(0, 3).join(' ')}`)
  return UCP.of(version).hasGoogleSecret
    ? unseen(`${name} is empty. In ${version}, webhooks may be signed by a secret of Google’s.`)
    : missing(`The profile has no ${name}.`)
}

/** What Google's native checkout (UCP) needs of a store. */
export const GOOGLE_CHECKOUT: ReadinessSurface = {
  surface: 'google_native_checkout',
  label: 'Checkout on Google',
  requirements: [
    requirement({
      id: 'ucp_profile',
      label: 'A UCP profile that Google reads',
      fix: `Publish a profile of ${NEWEST_ON_GOOGLE} at /.well-known/ucp, or name it in supported_versions.`,
      authority: `${IMPLEMENTATION}/publish-profile`,
      check: 'well_known',
      reads: ['manifest', 'ucp'],
      judge: ({ manifest, ucp }) => {
        const seen = readProfile(manifest)
        return 'absent' in seen ? seen.absent : versionOf(seen, ucp)
      },
    }),
    requirement({
      id: 'rest_service',
      label: 'A REST service that answers',
      fix: `Offer ${SHOPPING} over REST, with an https endpoint that Google can reach.`,
      authority: `${GUIDES}/overview/mcp-transport`,
      check: 'well_known',
      reads: ['manifest', 'ucp'],
      judge: ({ manifest, ucp }) => {
        const seen = readProfile(manifest)
        return 'absent' in seen ? seen.absent : restOf(seen, ucp)
      },
    }),
    capability('checkout', { id: 'checkout_capability', label: 'Checkout in the profile' }),
    capability('fulfillment', { id: 'fulfillment_capability', label: 'Delivery in the profile' }),
    capability('order', { id: 'order_capability', label: 'Orders in the profile' }),
    inProfile(
      {
        id: 'google_pay',
        label: 'Google Pay',
        fix: `Add ${GOOGLE_PAY} to payment_handlers, with the config from your Google Pay & Wallet Console.`,
        authority: `${PAY}/google-pay-payment-handler`,
        isSign: true,
      },
      ({ document, version }) =>
        readProfileOffer(document, version).handlers.some(({ name }) => name === GOOGLE_PAY)
          ? inPlace(`payment_handlers has ${GOOGLE_PAY}.`)
          : missing(`payment_handlers does not have ${GOOGLE_PAY}.`),
    ),
    inProfile(
      {
        id: 'google_pay_production',
        label: 'Google Pay takes real payments',
        fix: 'Set environment to PRODUCTION, merchant_id to the id in Google Pay & Wallet Console, and gateway to the name of your payment provider.',
        authority: `${PAY}/reference/config`,
      },
      ({ profile: { dropped, drop_warnings }, document, version }) => {
        if (dropped.includes(GOOGLE_PAY)) {
          return missing(`Agents drop ${GOOGLE_PAY}: ${drop_warnings.slice(0, 3).join(' ')}`)
        }
        const { handlers } = readProfileOffer(document, version)
        return productionOf(handlers.filter(({ name }) => name === GOOGLE_PAY))
      },
    ),
    inProfile(
      {
        id: 'webhook_keys',
        label: 'Keys by which Google verifies order webhooks',
        fix: 'Sign order webhooks, and publish the public half of the key in the profile.',
        authority: `${IMPLEMENTATION}/order-lifecycle`,
      },
      keysOf,
    ),
    inFeed(
      {
        id: 'feed_native_commerce',
        label: 'Products that opt in to checkout',
        fix: 'Set native_commerce(checkout_eligibility) to true for each product that Google may sell.',
        authority: ACCOUNT,
        isSign: true,
      },
      (feed) => {
        const { checkout, checkout_off } = feed.tally.opt_ins
        const { rows } = feed.tally
        if (checkout > 0) return inPlace(`${ofRows(checkout, rows, feed)} opt in.`)
        return checkout_off > 0
          ? missing(
              `No row opts in: native_commerce is false in ${ofRows(checkout_off, rows, feed)}.`,
            )
          : unseen(
              'The public feed has no native_commerce; it may stand in a supplemental feed, as Google advises.',
            )
      },
    ),
    inFeed(
      {
        id: 'feed_products',
        label: 'Complete data for these products',
        fix: 'Give each product every required attribute, and an id of its own that the checkout takes too.',
        authority: 'https://support.google.com/merchants/answer/7052112',
      },
      (feed) => {
        const { checkout, checkout_ready } = feed.tally.opt_ins
        if (checkout === 0) return unseen('The public feed has no product that opts in.')
        const of = `${ofRows(checkout_ready, checkout, feed)} that opt in have every required value`
        return checkout_ready === checkout
          ? inPlace(`${of}.`)
          : missing(`${of}. In the feed: ${reasonsOf(feed, 'google')}.`)
      },
    ),
    inFeed(
      {
        id: 'feed_consumer_notice',
        label: 'Legal notices',
        fix: 'Give products that need a warning by law (such as Proposition 65) a consumer_notice with its type and its message; others need none.',
        authority: ACCOUNT,
      },
      (feed) => {
        const { notices, notices_broken } = feed.tally.opt_ins
        if (notices === 0) {
          return unseen('No row has a consumer_notice; only products that need a warning have one.')
        }
        return notices_broken === 0
          ? inPlace(
              `${ofRows(notices, feed.tally.rows, feed)} have a notice with type and message.`,
            )
          : missing(
              `${ofRows(notices_broken, notices, feed)} with a notice lack its type or message.`,
            )
      },
    ),
    requirement({
      id: 'merchant_center',
      label: 'Merchant Center',
      fix: 'Set the return policy (cost, window and link) and the support contact in Merchant Center, and finish its UCP integration. Checkout is for products sold in the US so far.',
      authority: ACCOUNT,
      check: null,
      reads: [],
      judge: () => unseen('The account and Google’s approval cannot be seen from outside.'),
    }),
  ],
}

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
