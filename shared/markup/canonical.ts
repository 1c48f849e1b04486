import { isSameHost } from '../web/address/same-site.ts'
import type { Page } from './page.ts'
import { readAddress } from './page-signs/address.ts'

/**
 * The address under which a page wants to be found: its `<link rel="canonical">` if that has the
 * same host, else its own. One that leads to the home page is a template's mistake and does not
 * count.
 */
export function canonicalOf({ url, links }: Pick<Page, 'url' | 'links'>): string {
  const stated = links.find(({ rel }) => rel.includes('canonical'))?.href ?? url
  const isPage = isSameHost(stated, url) && readAddress(stated).is !== 'home'
  return isPage ? stated.replace(/#.*$/s, '') : url
}
