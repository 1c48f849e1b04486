import { counted } from '../../web/text/english-count.ts'
import { completeRows, inGoogleFeed } from './feed-rows.ts'
import { byHand, inPlace, type Route } from './requirement.ts'
import { livePages, mayBeRead, openDoor } from './store-pages.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'

/** What it takes to be listed without paying, in Search, Shopping, AI Mode and Gemini. */
export const GOOGLE_LISTINGS: Route = {
  surface: 'google_free_listings',
  label: 'Free listings on Google',
  vendor: 'google',
  about: 'Google shows your products, and leads buyers to your product pages.',
  requirements: [
    mayBeRead(['Googlebot'], VENDOR_PAGES.googleListings),
    openDoor(VENDOR_PAGES.googleListings),
    livePages(VENDOR_PAGES.googleListings),
    inGoogleFeed(
      {
        id: 'listing_feed',
        label: 'A product feed for Google',
        fix: 'Write a feed by Google’s product data specification, one item for each variant.',
        page: VENDOR_PAGES.googleProductData,
      },
      ({ url, tally }) => inPlace(`${url} has ${counted(tally.rows, 'row')}.`),
    ),
    inGoogleFeed(
      {
        id: 'listing_products',
        label: 'Complete data for each product',
        fix: 'Give each product every required attribute.',
        page: VENDOR_PAGES.googleProductData,
      },
      completeRows,
    ),
    byHand({
      id: 'listing_account',
      label: 'Contact details and return policy',
      fix: 'State a way to reach you and a return policy, on the site and in Merchant Center.',
      where: 'your site’s footer, and Merchant Center',
      page: VENDOR_PAGES.googleListings,
    }),
  ],
}
