import { readProfileOffer } from '../../manifest/ucp/offer.ts'
import { readSigningKeys } from '../../manifest/ucp/signing-keys.ts'
import { UCP } from '../../protocols/ucp/versions.ts'
import { inGoogleFeed } from './feed-rows.ts'
import { productionOf } from './google-pay.ts'
import {
  capability,
  inProfile,
  PROFILE_FOR_CHECKOUT,
  type ProfileRead,
  REST_SERVICE,
} from './google-profile.ts'
import {
  byHand,
  type ItemSeen,
  inPlace,
  missing,
  ofRows,
  type Route,
  reasonsOf,
  unseen,
} from './requirement.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'

const GOOGLE_PAY = 'com.google.pay'

function keysOf({ document, version }: ProfileRead): ItemSeen {
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
export const GOOGLE_CHECKOUT: Route = {
  surface: 'google_native_checkout',
  label: 'Checkout on Google',
  vendor: 'google',
  about: 'Buyers pay inside AI Mode and Gemini, and the order comes to you over UCP.',
  requirements: [
    PROFILE_FOR_CHECKOUT,
    REST_SERVICE,
    capability('checkout', { id: 'checkout_capability', label: 'Checkout in the profile' }),
    capability('fulfillment', { id: 'fulfillment_capability', label: 'Delivery in the profile' }),
    capability('order', { id: 'order_capability', label: 'Orders in the profile' }),
    inProfile(
      {
        id: 'google_pay',
        label: 'Google Pay',
        fix: `Add ${GOOGLE_PAY} to payment_handlers, with the config from your Google Pay & Wallet Console.`,
        page: VENDOR_PAGES.googlePay,
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
        page: VENDOR_PAGES.googlePayConfig,
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
        page: VENDOR_PAGES.googleOrders,
      },
      keysOf,
    ),
    inGoogleFeed(
      {
        id: 'feed_native_commerce',
        label: 'Products that opt in to checkout',
        fix: 'Set native_commerce(checkout_eligibility) to true for each product that Google may sell.',
        page: VENDOR_PAGES.googleAccount,
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
    inGoogleFeed(
      {
        id: 'feed_products',
        label: 'Complete data for these products',
        fix: 'Give each product every required attribute, and an id of its own that the checkout takes too.',
        page: VENDOR_PAGES.googleProductData,
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
    inGoogleFeed(
      {
        id: 'feed_consumer_notice',
        label: 'Legal notices',
        fix: 'Give products that need a warning by law (such as Proposition 65) a consumer_notice with its type and its message; others need none.',
        page: VENDOR_PAGES.googleAccount,
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
    byHand({
      id: 'merchant_center',
      label: 'Merchant Center',
      fix: 'Set the return policy (cost, window and link) and the support contact in Merchant Center, and finish its UCP integration. Checkout is for products sold in the US so far.',
      where: 'Merchant Center',
      page: VENDOR_PAGES.googleAccount,
    }),
  ],
}
