import { byHand, type Route } from './requirement.ts'
import { livePages, mayBeRead, openDoor } from './store-pages.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'

/** Its crawlers are documented; what its program for merchants asks is not published. */
export const PERPLEXITY: Route = {
  surface: 'perplexity',
  label: 'Shown in Perplexity',
  vendor: 'perplexity',
  about: 'Perplexity shows your products in its answers, and leads buyers to your store.',
  requirements: [
    mayBeRead(['PerplexityBot'], VENDOR_PAGES.perplexityCrawlers),
    openDoor(VENDOR_PAGES.perplexityCrawlers),
    livePages(VENDOR_PAGES.perplexityCrawlers),
    byHand({
      id: 'perplexity_firewall',
      label: 'The firewall lets its crawlers in',
      fix: 'Allow PerplexityBot and Perplexity-User from the addresses that Perplexity publishes.',
      where: 'your CDN or firewall: bot rules',
      page: VENDOR_PAGES.perplexityCrawlers,
    }),
  ],
}
