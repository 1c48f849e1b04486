import type { ExpectationId } from '../../walk/expectations.ts'
import type { WalkSeen } from '../../walk/seen.ts'
import { capability, PROFILE_FOR_CARTS, REST_SERVICE } from './google-profile.ts'
import {
  byHand,
  type ItemSeen,
  inPlace,
  missing,
  type Route,
  requirement,
  unseen,
} from './requirement.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'

/** That a cart leads anywhere, and that the page there holds it. */
const OF_LINK: readonly ExpectationId[] = ['link_leads_on', 'leads_the_buyer_on', 'arrives_whole']

/** What a walk saw of the links of carts and checkouts; an audit alone opens no cart. */
function linkOf(walk: WalkSeen | null): ItemSeen {
  const seen = walk?.judged.filter(
    ({ expectation, protocol }) => OF_LINK.includes(expectation) && protocol === 'ucp',
  )
  if (seen === undefined || seen.length === 0) {
    return unseen('An audit opens no cart: a walk does, and follows its link.')
  }
  const failed = seen.find(({ failure }) => failure !== null)?.failure
  if (failed !== undefined && failed !== null) return missing(failed.found)
  return seen.some(({ expectation }) => expectation === 'link_leads_on')
    ? inPlace('A walk followed the link to a page with these goods.')
    : unseen('The walk met no link of a cart.')
}

/** What Google's transfer to the store's own cart needs: no payment, no order webhooks. */
export const GOOGLE_CART: Route = {
  surface: 'google_cart_transfer',
  label: 'Cart handed over by Google',
  vendor: 'google',
  about: 'Buyers fill a cart on Google, and finish on your site with that cart.',
  requirements: [
    PROFILE_FOR_CARTS,
    REST_SERVICE,
    capability('cart', { id: 'cart_capability', label: 'Carts in the profile' }),
    requirement({
      id: 'cart_link',
      label: 'A cart whose link opens the filled basket',
      fix: 'Answer POST /carts with a continue_url that leads to a page with the same lines.',
      page: VENDOR_PAGES.googleCartApi,
      check: 'checkout',
      reads: ['walk'],
      judge: ({ walk }) => linkOf(walk),
    }),
    byHand({
      id: 'cart_validated',
      label: 'Transfer to your cart, validated by Google',
      fix: 'In the UCP integration choose "I support transfer to merchant cart", simulate it and validate it. It needs neither product warnings nor support contacts.',
      where: 'Merchant Center, UCP integration',
      page: VENDOR_PAGES.googleHub,
    }),
    byHand({
      id: 'cart_account',
      label: 'Approved products in Merchant Center',
      fix: 'Have the account in good standing, with products that are approved for free listings.',
      where: 'Merchant Center',
      page: VENDOR_PAGES.googleAccount,
    }),
  ],
}
