import { isUnder } from '../../web/address/same-site.ts'
import { counted } from '../../web/text/english-count.ts'
import type { FeedSeen } from '../evidence.ts'
import { inGoogleFeed } from './feed-rows.ts'
import { byHand, type ItemSeen, inPlace, missing, type Route } from './requirement.ts'
import { livePages, mayBeRead, openDoor } from './store-pages.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'

/** "50 Unicode character limit" (Microsoft's product attributes, `id`). */
const MAX_ID = 50

function idsOf({ items }: FeedSeen): ItemSeen {
  const long = items.filter(({ id }) => id !== null && [...id].length > MAX_ID)
  const [first] = long
  return first === undefined
    ? inPlace(`${counted(items.length, 'row')} compared: no id is longer.`)
    : missing(`${long.length} of ${items.length} ids are longer, such as ${first.id}.`)
}

/** Links are compared with the host of the feed, which is the store's. */
function linksOf({ url, items }: FeedSeen): ItemSeen {
  const home = URL.parse(url ?? '')?.hostname ?? ''
  const away = items.filter(({ link }) => {
    const host = URL.parse(link ?? '')?.hostname
    return host !== undefined && !isUnder(host, home)
  })
  const [first] = away
  return first === undefined
    ? inPlace(`${counted(items.length, 'link')} compared: all are on ${home}.`)
    : missing(`${away.length} of ${items.length} links leave ${home}, such as ${first.link}.`)
}

/** Product ads and Copilot draw on the same Merchant Center. */
export const MICROSOFT: Route = {
  surface: 'microsoft_shopping',
  label: 'Shown in Copilot and Bing',
  vendor: 'microsoft',
  about: 'Copilot and Bing show your products, and lead buyers to your store.',
  requirements: [
    mayBeRead(['bingbot'], VENDOR_PAGES.microsoftCenter),
    openDoor(VENDOR_PAGES.microsoftCenter),
    livePages(VENDOR_PAGES.microsoftCenter),
    inGoogleFeed(
      {
        id: 'microsoft_feed',
        label: 'A product feed',
        fix: 'Write a feed with the attributes of Microsoft’s reference.',
        page: VENDOR_PAGES.microsoftFields,
      },
      ({ url, tally }) => inPlace(`${url} has ${counted(tally.rows, 'row')}.`),
    ),
    inGoogleFeed(
      {
        id: 'microsoft_ids',
        label: `Ids of at most ${MAX_ID} characters`,
        fix: 'Shorten the ids; they must be unique over all feeds of a market.',
        page: VENDOR_PAGES.microsoftFields,
      },
      idsOf,
    ),
    inGoogleFeed(
      {
        id: 'microsoft_links',
        label: 'Links that stay on your website',
        fix: 'Offers whose link is not below the website that you claimed are rejected.',
        page: VENDOR_PAGES.microsoftCenter,
      },
      linksOf,
    ),
    byHand({
      id: 'microsoft_account',
      label: 'A claimed website and an approved store',
      fix: 'Claim the website in Bing Webmaster Tools, create a store, and submit the feed.',
      where: 'Microsoft Merchant Center',
      page: VENDOR_PAGES.microsoftCenter,
    }),
  ],
}
