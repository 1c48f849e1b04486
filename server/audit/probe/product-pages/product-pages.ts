import type {
  FeedSeen,
  FoundBy,
  PageSeen,
  ProductPageSeen,
} from '../../../../shared/audit/evidence.ts'
import { productsOfPage } from '../../../../shared/commerce/catalog/listing.ts'
import { canonicalOf } from '../../../../shared/markup/canonical.ts'
import { readAddress, wordsOfAddress } from '../../../../shared/markup/page-signs/address.ts'
import { counted } from '../../../../shared/web/english-count.ts'
import { describeFetch, type Fetched } from '../../../../shared/web/fetched.ts'
import { field } from '../../../../shared/web/json.ts'
import { isSameHost, isSameSite } from '../../../../shared/web/same-site.ts'
import { plainAddress } from '../../../../shared/web/tracking.ts'
import { MAX_ADDRESS, withoutEndSlashes } from '../../../../shared/web/uri.ts'
import type { SealedPage } from '../../judging/sealed-page.ts'
import type { ListedPages } from '../catalog.ts'
import { DEFAULT_LIMITS } from '../fetch/session.ts'
import { probePage } from '../pages.ts'
import type { AuditSession } from '../session.ts'
import { type Allowance, createAllowance } from './allowance.ts'
import {
  choose,
  clusterCandidates,
  formOf,
  type PageCandidate,
  STRONG,
  UNLIKELY,
} from './candidates.ts'
import { pagesOnSite } from './on-site.ts'
import { probeSitemaps, type SitemapsSeen, spread } from './sitemap.ts'

/** Pages of one shop come from one template: a few show its faults. */
const MAX_PRODUCT_PAGES = 5

/**
 * Where the catalog of official UCP is read: its search, look-up and services are asked as well.
 */
const BESIDE_OFFICIAL_CATALOG = 3

/** Where a catalog took a request more, for a page from its middle. */
const BESIDE_MIDDLE_PAGE = 4

/** With so many, looking on would take time and show little more. */
const ENOUGH = 3

// Unspecified: product pages are looked for with at most 14 requests, sitemaps and lists included.
const MAX_REQUESTS = 14

/** After the home page, one after the other, so that looking on does not make an audit late. */
const MAX_ANSWERS = 7

/** Pages that are read before it is known which form of address is a product's. */
const MAX_TRIES = 4

/** Lists that are read where the home page and the sitemaps show no product. */
const MAX_LISTS = 2

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
}

/**
 * Reads up to five product pages. The shop's own lists name them best: its catalog, its feed, the
 * markup of its home page. Without these, addresses of sitemaps and links are grouped by their
 * form, and reading some of each group shows which are product pages. Where there are none, the one
 * entry of the result has no answer, and says what was tried.
 */
export async function probeProductPages(
  session: AuditSession,
  site: Site,
): Promise<ProductPageSeen<SealedPage>[]> {
  const allowance = createAllowance(MAX_REQUESTS, MAX_ANSWERS, DEFAULT_LIMITS.perHost)
  const search = createSearch(session, site, allowance)
  const most = mostOf(site.catalog)
  const named = spreadOver(await namedByShop(site), most)
  const readSitemaps = () => probeSitemaps(session, site.domain, site.robots, allowance)
  // Sitemaps cost requests, so they are read only where pages are missing.
  const meanwhile = named.length < ENOUGH ? readSitemaps() : null
  await search.read(named)
  if (search.found().length < ENOUGH) {
    await searchAddresses(site, await (meanwhile ?? readSitemaps()), allowance, search)
  }
  const found = search.found()
  return found.length > 0 ? found : [nothingFound(elsewhere(site) ?? search.describe())]
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

type Search = ReturnType<typeof createSearch>

/** What was read so far, and what it showed. */
function createSearch(session: AuditSession, site: Site, allowance: Allowance) {
  const pages = new Map<string, ProductPageSeen<SealedPage>>()
  const looked: { url: string; why: string }[] = []
  const asked = new Set<string>()
  const tried: string[] = []
  const turned = new Map<string, boolean>()
  const lists: SealedPage[] = []
  const home = site.homePage.page
  if (home !== null) {
    asked.add(home.url)
    // A shop of one product sells it on its home page.
    if (home.kind.is === 'product') {
      const { because } = home.kind
      const canonical = canonicalOf(home)
      asked.add(canonical)
      pages.set(canonical, { ...site.homePage, found_by: 'home_page', because })
    }
  }

  const readOne = async (candidate: PageCandidate) => {
    const seen = await probePage(session, candidate.url, candidate.named)
    return { candidate, seen }
  }
  const keep = ({ candidate, seen }: Awaited<ReturnType<typeof readOne>>, isList: boolean) => {
    const { fetched, page } = seen
    const { found_by, named, url } = candidate
    const form = formOf(url)
    if (fetched.kind === 'answer') {
      // A product that is gone often leads to the home page, as do its neighbours.
      const isGone =
        fetched.redirects.length > 0 &&
        readAddress(fetched.final_url).is === 'home' &&
        readAddress(url).is !== 'home'
      if (isGone || pages.has(page === null ? fetched.final_url : canonicalOf(page))) {
        looked.push({ url, why: 'it leads to another page' })
        return
      }
    }
    if (page === null) {
      // The shop says that there is a product page, and it could not be read: that is evidence.
      if (named !== null && named.of_shell !== true)
        pages.set(url, { ...seen, found_by, because: [named.by] })
      looked.push({ url, why: describeFetch(fetched) })
      return
    }
    const { kind } = page
    if (isList) lists.push(page)
    if (kind.is === 'product') {
      const canonical = canonicalOf(page)
      asked.add(canonical)
      pages.set(canonical, { ...seen, found_by, because: kind.because })
      turned.set(form, true)
      return
    }
    // A list says nothing of other pages whose addresses have its form.
    if (!isList) {
      if (!turned.has(form)) turned.set(form, false)
      if (kind.is === 'other') lists.push(page)
    }
    const [reason = 'nothing shows what it is'] = kind.because
    // The reason is of the page that answered, such as the login of a shop for companies.
    const isOther = !isSamePage(page.url, url)
    looked.push({ url, why: isOther ? `it leads to ${page.url}, and ${reason}` : reason })
  }

  return {
    turned,
    lists: () => lists,
    isNew: (url: string) => !asked.has(url),
    tried: (what: string) => {
      tried.push(what)
    },
    /**
     * Reads pages together, as far as requests are left; `areLists` for those whose links are
     * wanted.
     */
    async read(candidates: readonly PageCandidate[], areLists = false): Promise<void> {
      const unread = candidates.filter(({ url }) => !asked.has(url))
      const fresh = unread.slice(0, allowance.take(unread.length))
      for (const { url } of fresh) asked.add(url)
      for (const each of await Promise.all(fresh.map(readOne))) keep(each, areLists)
    },
    found: () => [...pages.values()].slice(0, MAX_PRODUCT_PAGES),
    /** What was tried, as the reason of a skip. */
    describe(): string {
      const some = looked.slice(0, 4).map(({ url, why }) => `${url}: ${why}`)
      const where = tried.length === 0 ? '' : ` Tried: ${tried.join(', ')}.`
      return some.length === 0
        ? `no product page was found.${where}`
        : `no product page was found among the ${counted(looked.length, 'page')} looked at (${some.join('; ')}).${where}`
    },
  }
}

/** But for the host, the query and a slash at the end. */
const isSamePage = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((url) => withoutEndSlashes(URL.parse(url)?.pathname ?? url))
  return a === b
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
  // about its products may look like them, beside a shop on another host.
  const hasShop = otherRoots(home, links).some(({ url }) => SHOP_HOST.test(url))
  if (hasShop || (clusters()[0]?.score ?? 0) < STRONG) {
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

/** Of two names of one page, the one that says more. */
const strengthOf = ({ named }: PageCandidate): number =>
  named === null ? 0 : named.of_shell === true ? 1 : 2

/** Each page once: without its fragment, and without what only follows a visitor. */
function distinct(candidates: readonly PageCandidate[]): PageCandidate[] {
  const seen = new Map<string, PageCandidate>()
  for (const candidate of candidates) {
    const parsed = URL.parse(candidate.url)
    if (parsed === null) continue
    const url = plainAddress(parsed)
    const before = seen.get(url)
    if (before === undefined) seen.set(url, { ...candidate, url })
    else if (candidate.weight > before.weight || strengthOf(candidate) > strengthOf(before)) {
      seen.set(url, {
        ...before,
        weight: candidate.weight,
        named: strengthOf(candidate) < strengthOf(before) ? before.named : candidate.named,
      })
    }
  }
  return [...seen.values()]
}

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

/** A company's site links its shop, which has a host of its own. */
const SHOP_HOST =
  /^https:\/\/(?:\w+-)?(?:e?shop|store|boutique|tienda|loja|negozio|sklep|obchod|bolt)\b/i

/** First pages of other hosts of the site that the home page links. */
const otherRoots = (home: SealedPage | null, links: readonly PageCandidate[]): PageCandidate[] =>
  links.filter(
    ({ url }) => readAddress(url).is === 'home' && home !== null && !isSameHost(url, home.url),
  )

/**
 * Pages that probably list products: the shop on a host of its own, categories that the home page
 * links, else its search.
 */
function listPages(
  home: SealedPage | null,
  domain: string,
  links: readonly PageCandidate[],
): PageCandidate[] {
  const isCategory = ({ url }: PageCandidate) =>
    /\/(?:collections?|categor(?:y|ies|ia|ie)|kategorie|kategoria|c|cat|shop|store|product-category|produkt-kategorie|catalog|katalog|products|produkte|produits|productos)(?:\/|$)/i.test(
      URL.parse(url)?.pathname ?? '',
    )
  const named = links.filter(isCategory)
  const plain = links.filter(({ url }) => ['plain', 'likely'].includes(readAddress(url).is))
  const template = home?.search ?? null
  const word =
    plain.flatMap(({ url }) => wordsOfAddress(url)).find((each) => each.length > 3) ?? 'a'
  const search =
    template === null
      ? null
      : URL.parse(template.replace(/\{[^}]*\}/, encodeURIComponent(word)), home?.url)
  const found = (search === null ? [] : pagesOnSite([search.href], domain)).map(
    (url): PageCandidate => ({ url, found_by: 'category_link', weight: 0, named: null }),
  )
  const roots = otherRoots(home, links)
  const likely = [
    ...roots.filter(({ url }) => SHOP_HOST.test(url)),
    ...spread(named, MAX_LISTS),
    ...found,
    ...roots.filter(({ url }) => !SHOP_HOST.test(url)),
    ...spread(plain, MAX_LISTS),
  ]
  return distinct(likely).slice(0, MAX_LISTS)
}

/** There is nothing to judge: the rules that read product pages say why. */
const nothingFound = (reason: string): ProductPageSeen<SealedPage> => ({
  fetched: { kind: 'not_asked', reason },
  page: null,
  found_by: 'nothing',
  because: [],
})
