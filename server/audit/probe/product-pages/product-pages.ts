import type {
  FeedSeen,
  FoundBy,
  PageSeen,
  ProductPageSeen,
} from '../../../../shared/audit/evidence.ts'
import { productsOfPage } from '../../../../shared/commerce/catalog/listing.ts'
import { readAddress } from '../../../../shared/markup/page-signs/address.ts'
import { isSameSite } from '../../../../shared/web/address/same-site.ts'
import { MAX_ADDRESS } from '../../../../shared/web/address/uri.ts'
import type { Fetched } from '../../../../shared/web/http/fetched.ts'
import { field } from '../../../../shared/web/json/json.ts'
import { counted } from '../../../../shared/web/text/english-count.ts'
import type { SealedPage } from '../../judging/sealed-page.ts'
import type { ListedPages } from '../catalog.ts'
import { DEFAULT_LIMITS } from '../fetch/session.ts'
import type { AuditSession } from '../session.ts'
import {
  choose,
  clusterCandidates,
  distinct,
  type PageCandidate,
  pagesOnSite,
  STRONG,
  spread,
  UNLIKELY,
} from './candidates.ts'
import { listPages, otherShops } from './lists.ts'
import {
  type Allowance,
  createAllowance,
  createSearch,
  MAX_PRODUCT_PAGES,
  type Search,
} from './search.ts'
import { probeSitemaps, type SitemapsSeen } from './sitemap.ts'

/**
 * Where the catalog of official UCP is read: its search, look-up and services are asked as well.
 */
const BESIDE_OFFICIAL_CATALOG = 3

/** Where a catalog took a request more, for a page from its middle. */
const BESIDE_MIDDLE_PAGE = 4

/** With this many, to look further would take time and show little more. */
const ENOUGH = 3

// Unspecified: product pages are looked for with at most 14 requests, sitemaps and lists included.
const MAX_REQUESTS = 14

/** After the home page, one after the other, so that looking on does not make an audit late. */
const MAX_ANSWERS = 7

/** Pages that are read before it is known which form of address is a product's. */
const MAX_TRIES = 4

/** Of links, as many as are compared. */
const MAX_LINKS = 1_000

/** What is known of the site before its product pages are looked for. */
interface Site {
  domain: string
  homePage: PageSeen<SealedPage>
  robots: Fetched
  catalog: ListedPages
  /** Null where the audit reads no feed. */
  feed: Promise<FeedSeen> | null
  /** Pages that an earlier audit judged. */
  known: readonly string[]
}

/**
 * Reads up to five product pages. The shop's own lists name them best: its catalog, its feed, the
 * markup of its home page. Without these, pages of an earlier audit are read again: their markup
 * may be what showed that they are product pages, and be gone. Where that is not enough, addresses
 * of sitemaps and links are grouped by their form, and reading some of each group shows which are
 * product pages. If no product page was found, the one entry of the result has no answer, and says
 * what was tried.
 */
export async function probeProductPages(
  session: AuditSession,
  site: Site,
): Promise<ProductPageSeen<SealedPage>[]> {
  const allowance = createAllowance(MAX_REQUESTS, MAX_ANSWERS, DEFAULT_LIMITS.perHost)
  const search = createSearch(session, site.homePage, allowance)
  const most = mostOf(site.catalog)
  const byShop = spreadOver(await namedByShop(site), most)
  const named = byShop.length > 0 ? byShop : knownBefore(site).slice(0, most)
  const readSitemaps = () => probeSitemaps(session, site.domain, site.robots, allowance)
  // Sitemaps cost requests, so they are read only where pages are missing.
  const meanwhile = named.length < ENOUGH ? readSitemaps() : null
  await search.read(named)
  if (search.found().length < ENOUGH) {
    await searchAddresses(site, await (meanwhile ?? readSitemaps()), allowance, search)
  }
  const found = [search.found(), search.ledHome()].find(({ length }) => length > 0)
  return found ?? [nothingFound(elsewhere(site) ?? search.describe())]
}

// Unspecified: a domain that leads to another one is judged by the page that it leads to, and pages
// of the other site are not looked for: `domain` is what was asked about.
/** Why a domain has no product pages whose home page is on another one; null where it is not. */
function elsewhere({ domain, homePage: { page } }: Site): string | null {
  const host = URL.parse(page?.url ?? '')?.hostname
  return host === undefined || isSameSite(host, domain.replace(/^www\./, ''))
    ? null
    : `no product page was found: ${domain} leads to ${host}, which is another domain; audit that`
}

function mostOf({ dialect, middle }: Site['catalog']): number {
  if (dialect === 'ucp') return BESIDE_OFFICIAL_CATALOG
  return middle === undefined ? MAX_PRODUCT_PAGES : BESIDE_MIDDLE_PAGE
}

/** Sitemaps, the home page's links, and pages of lists: all of them may name anything. */
async function searchAddresses(
  site: Site,
  sitemaps: SitemapsSeen,
  allowance: Allowance,
  search: Search,
): Promise<void> {
  const { domain } = site
  const home = site.homePage.page
  for (const { url, pages } of sitemaps.tried) search.tried(`${url} (${counted(pages, 'page')})`)
  const links = linksOf(home, domain, 'home_page_link')
  search.tried(`the home page (${counted(links.length, 'link')})`)
  const all = [...fromSitemaps(sitemaps), ...links, ...listedBy(home, domain)]
  const clusters = () => clusterCandidates(distinct(all).filter(({ url }) => search.isNew(url)))
  const bareFirst = (candidates: readonly PageCandidate[]) =>
    withoutParameters(candidates, distinct(all), search.isNew)
  let followed = 0
  const followLists = () => {
    const lists = search.lists()
    for (const page of lists.slice(followed)) {
      all.push(...linksOf(page, domain, 'category_link', home), ...listedBy(page, domain))
    }
    followed = lists.length
  }

  // Where nothing looks like a product, the links of categories are read first. A company's pages
  // about its products may look like product pages while its shop is on another host.
  if (otherShops(home, links).length > 0 || (clusters()[0]?.score ?? 0) < STRONG) {
    const lists = bareFirst(listPages(home, domain, links))
    await search.read(lists, true)
    followLists()
    if (lists.length > 0) {
      search.tried(`the links of ${lists.map(({ url }) => url).join(' and ')}`)
    }
  }
  while (search.found().length < ENOUGH && allowance.left() > 0) {
    const found = search.found().length
    const groups = clusters().filter(({ score }) => found === 0 || score > UNLIKELY)
    const isLikely = (groups[0]?.score ?? 0) >= STRONG
    const next = choose(groups, search.turned, isLikely ? MAX_PRODUCT_PAGES : MAX_TRIES)
    if (next.length === 0) break
    await search.read(bareFirst(next))
    followLists()
  }
}

/** What the shop itself calls products, with addresses of this site. */
async function namedByShop({ domain, homePage, catalog, feed }: Site): Promise<PageCandidate[]> {
  const named = (urls: readonly string[], found_by: FoundBy, by: string, points: number) =>
    pagesOnSite(urls, domain).map((url) => ({ url, found_by, weight: 0, named: { by, points } }))
  const listed = catalogUrls(catalog)
  // Looking for a feed may take several answers; a catalog that names enough need not wait for it.
  const seen = listed.length < MAX_PRODUCT_PAGES ? await feed : null
  const items = (seen?.items ?? []).flatMap(({ link }) => (link === null ? [] : [link]))
  const products = homePage.page?.products ?? []
  return [
    ...named(listed, 'catalog', 'the catalog lists it', 5),
    ...named(items, 'feed', 'the product feed lists it', 5),
    ...named(products, 'json_ld', 'the markup of the home page names it as a product', 4),
  ].filter(({ url }) => readAddress(url).is !== 'home')
}

/** Pages of an earlier audit. One that is gone since says nothing: products go. */
const knownBefore = ({ domain, known }: Site): PageCandidate[] =>
  distinct(
    pagesOnSite(known, domain).map((url) => ({
      url,
      found_by: 'earlier_audit',
      weight: 0,
      named: { by: 'an earlier audit judged it as a product page', points: 5 },
    })),
  )

/** The pages that the catalog names, not validated. */
const catalogUrls = (catalog: Site['catalog']): string[] =>
  [catalog.first, ...catalog.next, ...(catalog.middle === undefined ? [] : [catalog.middle])]
    .flatMap((page) => productsOfPage(catalog, page) ?? [])
    .flatMap((product) => {
      const url = ['url', 'product_url', 'link'].map((key) => field(product, key)).find(isText)
      return url === undefined || url.length > MAX_ADDRESS ? [] : [url]
    })

const isText = (value: unknown): value is string => typeof value === 'string'

/** The best source first, each from all over its list. */
function spreadOver(candidates: readonly PageCandidate[], most: number): PageCandidate[] {
  const unique = distinct(candidates)
  const bySource = Map.groupBy(unique, ({ found_by }) => found_by)
  return [...bySource.values()].flatMap((list) => spread(list, most)).slice(0, most)
}

/** What the sitemap's own name says of its pages. */
const SITEMAP_WEIGHT = { products: 5, anything: 0, other: -3 }

const fromSitemaps = ({ pages }: SitemapsSeen): PageCandidate[] =>
  pages.map(({ url, image, named }) => ({
    url,
    found_by: 'sitemap',
    weight: SITEMAP_WEIGHT[named] + (image ? 1 : 0),
    named:
      named === 'products'
        ? { by: 'a sitemap of products lists it', points: 3 }
        : named === 'anything' && readAddress(url).is === 'product'
          ? { by: 'a sitemap lists it', points: 3, of_shell: true }
          : null,
  }))

/** Links of a page to others of the site; of a list, only those that the home page lacks. */
function linksOf(
  page: SealedPage | null,
  domain: string,
  found_by: FoundBy,
  home: SealedPage | null = null,
): PageCandidate[] {
  const known = new Set(home?.anchors)
  const others = (page?.anchors ?? []).filter((url) => !known.has(url) && url !== page?.url)
  return pagesOnSite(others, domain)
    .slice(0, MAX_LINKS)
    .map((url) => ({ url, found_by, weight: found_by === 'category_link' ? 1 : 0, named: null }))
}

const listedBy = (page: SealedPage | null, domain: string): PageCandidate[] =>
  pagesOnSite(page?.listed ?? [], domain).map((url) => ({
    url,
    found_by: 'json_ld',
    weight: 2,
    named: null,
  }))

/** The same, with what is known and unread without parameters first: what these do is not known. */
function withoutParameters(
  candidates: readonly PageCandidate[],
  known: readonly PageCandidate[],
  isNew: (url: string) => boolean,
): PageCandidate[] {
  const byUrl = new Map(known.map((each) => [each.url, each]))
  return distinct(
    candidates.map((candidate) => {
      const bare = byUrl.get(candidate.url.replace(/\?.*$/s, ''))
      const isFirst = bare !== undefined && isNew(bare.url) && readAddress(bare.url).is !== 'home'
      return isFirst ? bare : candidate
    }),
  )
}

/** There is nothing to judge: the rules that read product pages say why. */
const nothingFound = (reason: string): ProductPageSeen<SealedPage> => ({
  fetched: { kind: 'not_asked', reason },
  page: null,
  found_by: 'nothing',
  because: [],
})
