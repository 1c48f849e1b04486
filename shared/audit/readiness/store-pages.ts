import { presenceOf } from '../../web/http/presence.ts'
import { disallowedBy, MAX_ROBOTS_CHARACTERS } from '../../web/http/robots.ts'
import { counted } from '../../web/text/english-count.ts'
import { judgeDoor } from '../checks/well-known/open-door.ts'
import { judgeDeadPages } from '../checks/well-known/product-pages.ts'
import { neededUrls } from '../checks/well-known/robots.ts'
import type { Evidence } from '../evidence.ts'
import {
  findingOf,
  type ItemSeen,
  inPlace,
  missing,
  type Requirement,
  requirement,
  unseen,
} from './requirement.ts'
import type { VendorPage } from './vendor-pages.ts'

/** What several routes ask of the pages that people see. */

/** robots.txt lets the crawlers of these names read the home page and product pages. */
export const mayBeRead = (tokens: readonly [string, ...string[]], page: VendorPage): Requirement =>
  requirement({
    id: 'crawlers_allowed',
    label: `${tokens.join(' and ')} may read the store`,
    fix: `Allow ${tokens.join(' and ')} in robots.txt.`,
    page,
    check: 'well_known',
    reads: ['site', 'robots', 'productPages'],
    judge: (evidence) => readableBy(tokens, evidence),
  })

function readableBy(
  tokens: readonly string[],
  { site, robots, productPages }: Pick<Evidence, 'site' | 'robots' | 'productPages'>,
): ItemSeen {
  const presence = presenceOf(robots)
  // RFC 9309 §2.3.1.3: without a file, everything is allowed.
  if (presence.is === 'absent' || presence.is === 'requires_auth') {
    return inPlace('There is no robots.txt: everyone may read everything.')
  }
  if (presence.is !== 'present') return unseen(`${presence.why}.`)
  const { body, truncated } = presence.answer
  if (truncated || body.length > MAX_ROBOTS_CHARACTERS) {
    return unseen('robots.txt is too long to be read completely.')
  }
  const [home = '', , ...pages] = neededUrls(site.domain, presence.answer, productPages)
  const agents = tokens.map((token) => ({ token }))
  const found = disallowedBy(body, agents, [home, ...pages])
  return found.size === 0
    ? inPlace(`robots.txt lets ${tokens.join(' and ')} read the pages that were tried.`)
    : missing(
        [...found]
          .map(([token, { url, line }]) => `${token} may not read ${url} (line ${line}).`)
          .join(' '),
      )
}

/** Visitors see the store without a password. */
export const openDoor = (page: VendorPage): Requirement =>
  requirement({
    id: 'store_open',
    label: 'The store is open to everyone',
    fix: 'Take the password or the "coming soon" page away.',
    page,
    check: 'well_known',
    reads: ['site', 'homePage'],
    judge: (evidence) => findingOf(judgeDoor(evidence), 'The home page asks for no password.'),
  })

/** The addresses of products lead to products. */
export const livePages = (page: VendorPage): Requirement =>
  requirement({
    id: 'product_pages_open',
    label: 'Product pages that answer',
    fix: 'Name addresses in the catalog, feed and sitemap that lead to their products.',
    page,
    check: 'well_known',
    reads: ['productPages'],
    judge: (evidence) => {
      const read = evidence.productPages.filter((each) => each.page !== null).length
      return findingOf(judgeDeadPages(evidence), `${counted(read, 'product page')} could be read.`)
    },
  })
