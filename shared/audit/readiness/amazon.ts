import { byHand, type Route } from './requirement.ts'
import { livePages, mayBeRead, openDoor } from './store-pages.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'

/** Its crawler is documented; what its agents that buy elsewhere ask of stores is not published. */
export const AMAZON: Route = {
  surface: 'amazon_agents',
  label: 'Read by Amazon’s agents',
  vendor: 'amazon',
  about: 'Alexa and Amazon’s shopping agents read your pages.',
  requirements: [
    mayBeRead(['Amazonbot'], VENDOR_PAGES.amazonCrawler),
    openDoor(VENDOR_PAGES.amazonCrawler),
    livePages(VENDOR_PAGES.amazonCrawler),
    byHand({
      id: 'amazon_hosts',
      label: 'A robots.txt on each host',
      fix: 'Amazonbot reads robots.txt for each host by itself: say the same on shop. and www.',
      where: '/robots.txt of each host',
      page: VENDOR_PAGES.amazonCrawler,
    }),
  ],
}
