import { capability, PROFILE_FOR_CARTS, REST_SERVICE } from './google-profile.ts'
import { byHand, type Route } from './requirement.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'

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
    byHand({
      id: 'cart_link',
      label: 'A cart whose link opens the filled basket',
      fix: 'Answer POST /carts with a continue_url that leads to a page with the same lines.',
      where: 'aisle walk, or POST /carts by hand',
      page: VENDOR_PAGES.googleCartApi,
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
