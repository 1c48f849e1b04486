import type { Page } from '../../../markup/page.ts'
import { canonicalOf, leadsHome, readAddress } from '../../../markup/page-signs/address.ts'
import { isSameHost } from '../../../web/address/same-site.ts'
import { withoutEndSlashes } from '../../../web/address/uri.ts'
import { describeFetch, type Fetched } from '../../../web/http/fetched.ts'
import { challengeIn, isGone } from '../../../web/http/presence.ts'
import { shown } from '../../../web/json/json.ts'
import { counted } from '../../../web/text/english-count.ts'
import type { Evidence } from '../../evidence.ts'
import { gap, pass, skip, type Verdict } from '../../rule.ts'
import { cut, judgePages, MAX_PAGES_NAMED, whyNoneRead } from '../pages.ts'

/**
 * All crawlers, and those of the indexes that AI Overviews and Copilot draw on. What is said to
 * others alone, such as `googlebot-news`, is the shop's own choice.
 */
const CRAWLERS = new Set(['robots', 'googlebot', 'bingbot'])

/**
 * `none` is `noindex, nofollow`. Unspecified: `nosnippet` and `noarchive` shorten what is shown of
 * a page that is found all the same, and are not a gap.
 */
const REFUSES = new Set(['noindex', 'none'])

/** Rules with a value, which look as a crawler's name does in a header. */
const WITH_VALUE = /^(?:max-(?:snippet|image-preview|video-preview)|unavailable_after)$/

/**
 * Judges whether product pages ask not to be indexed, in a `<meta>`, in `X-Robots-Tag` or by their
 * canonical address, by
 * https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag. Of several rules,
 * the strictest counts.
 */
export const judgeIndexing = ({ productPages }: Pick<Evidence, 'productPages'>): Verdict =>
  judgePages(
    productPages,
    (page, { fetched }) =>
      // A filtered or tracked address may well stay out: its canonical one is what is indexed.
      isDuplicate(page)
        ? null
        : [...canonicalRefusals(page), ...metaRefusals(page), ...headerRefusals(fetched)],
    'the product pages that were read name other addresses as theirs',
    'gap',
  )

const isDuplicate = (page: Page): boolean => addressOf(canonicalOf(page)) !== addressOf(page.url)

function addressOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${withoutEndSlashes(pathname)}${search}`
}

/** Hosts of the machine that a shop was made on. */
const NOT_PUBLIC = /^(?:[^.]+|.*\.(?:local|localhost|internal)|\d+(?:\.\d+){3})$/

// Unspecified: a canonical address on another domain is not a gap. Shops with a domain for each
// country name one of them, and a copy for tests rightly names the shop.
/** A canonical address that is the home page's, or that only the shop's own machine can open. */
function canonicalRefusals({ url, links }: Page): string[] {
  const stated = links.find(({ rel }) => rel.includes('canonical'))?.href
  if (stated === undefined) return []
  const isHome =
    isSameHost(stated, url) && readAddress(stated).is === 'home' && readAddress(url).is !== 'home'
  return isHome || NOT_PUBLIC.test(URL.parse(stated)?.hostname ?? '')
    ? [`its canonical address is ${shown(stated)}`]
    : []
}

const metaRefusals = ({ meta }: Page): string[] =>
  meta.flatMap(({ key, content }) => {
    const isRefused = CRAWLERS.has(key) && content.split(',').some(refuses)
    return isRefused ? [`its meta element ${shown(key)} is ${shown(content)}`] : []
  })

/** Not in a rule with a value: the `none` of `max-image-preview: none` is about previews. */
const refuses = (rule: string): boolean =>
  !rule.includes(':') &&
  rule
    .toLowerCase()
    .split(/\s+/)
    .some((word) => REFUSES.has(word))

/** `googlebot: noindex, nofollow`: a name is said once, and holds for what follows. */
function headerRefusals(fetched: Fetched): string[] {
  const header = fetched.kind === 'answer' ? (fetched.headers['x-robots-tag'] ?? '') : ''
  let crawler = 'robots'
  for (const part of header.split(',')) {
    const [, name = '', rest = ''] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? []
    const isNamed = name !== '' && !WITH_VALUE.test(name.toLowerCase())
    if (isNamed) crawler = name.toLowerCase()
    const rule = (isNamed ? rest : part).trim().toLowerCase()
    if (CRAWLERS.has(crawler) && REFUSES.has(rule)) return [`X-Robots-Tag is ${shown(header)}`]
  }
  return []
}

// Unspecified: one product page that fails (5xx) or leads to the home page counts as not read. If
// all that were asked for fail, lead there or are gone, and a catalog names their products, no
// buyer reaches a product: that is a gap.

/** Judges whether any of the pages that the store itself names as its products' is there. */
export function judgeDeadPages({ productPages }: Pick<Evidence, 'productPages'>): Verdict {
  if (productPages.some(({ page }) => page !== null)) return pass()
  const isListed = productPages.some(({ found_by }) => found_by === 'catalog')
  const areDead =
    productPages.length > 0 &&
    productPages.every(({ fetched }) => isGone(fetched) || (isListed && isLost(fetched)))
  if (!areDead) return skip(whyNoneRead(productPages))
  const named = productPages.slice(0, MAX_PAGES_NAMED).map(({ fetched, because = [] }) => {
    const [by] = because
    return `${sayDead(fetched)}${by === undefined ? '' : `, and ${by}`}`
  })
  const count = counted(productPages.length, 'product page')
  return gap(cut(`${count} asked for, none is there. ${named.join('. ')}.`))
}

const isLost = (fetched: Fetched): boolean =>
  fetched.kind === 'answer' &&
  challengeIn(fetched) === null &&
  (fetched.status >= 500 || leadsHome(fetched))

const sayDead = (fetched: Fetched): string =>
  fetched.kind === 'answer' && leadsHome(fetched)
    ? `${fetched.method} ${fetched.url} leads to ${fetched.final_url}`
    : describeFetch(fetched)
