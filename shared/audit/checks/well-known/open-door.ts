import type { Page } from '../../../markup/page.ts'
import { isDoor } from '../../../markup/page-signs/visitor-address.ts'
import { describeFetch } from '../../../web/http/fetched.ts'
import type { Evidence } from '../../evidence.ts'
import { gap, pass, skip, type Verdict } from '../../rule.ts'

/** Characters of a page that has a form for a password and little else. */
const MAX_DOOR_TEXT = 1_500

/** WooCommerce marks the page that it shows before a store is launched. */
const COMING_SOON = 'woo-coming-soon-page'

/**
 * Judges whether the store lets anyone in: shops in preview, before their opening and for members
 * alone show every visitor a page that asks for a password.
 */
export function judgeDoor({
  site: { domain, https },
  homePage: { fetched, page },
}: Pick<Evidence, 'site' | 'homePage'>): Verdict {
  // The home page is not read where it leads to a door.
  if (https.kind === 'answer' && https.url === `https://${domain}/`) {
    if (isDoor(https.final_url)) return gap(`${https.url} leads to ${https.final_url}.`)
    if (https.status === 401) return gap(`${describeFetch(https)}: it asks for a password.`)
  }
  if (page === null) return skip(`the home page could not be read: ${describeFetch(fetched)}`)
  if (page.meta.some(({ key }) => key === COMING_SOON)) {
    return gap(`${page.url} has a meta element "${COMING_SOON}".`)
  }
  return isDoorPage(page)
    ? gap(`${page.url} has a field for a password, and nothing that is for sale.`)
    : pass()
}

const isDoorPage = ({ signs, products, truncated }: Page): boolean =>
  signs.password &&
  !signs.cart &&
  signs.prices === 0 &&
  signs.buys === 0 &&
  signs.text < MAX_DOOR_TEXT &&
  products.length === 0 &&
  truncated === null
