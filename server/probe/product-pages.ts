import { productsOf } from '../../shared/catalog-reading.ts'
import type { Fetched, JsonSeen, PageSeen, ProductPageSeen } from '../../shared/evidence.ts'
import { field } from '../../shared/json.ts'
import { readProducts } from '../../shared/product-markup.ts'
import type { Session } from './fetch.ts'
import { probePage } from './pages.ts'
import { probeSitemap } from './sitemap.ts'

const MAX_PRODUCT_PAGES = 5

/** Paths that platforms give to product pages; a category page seldom looks so. */
const PRODUCT_PATH = /\/(products?|p|item|items|dp|shop|artikel|produkt|produit|producto)\/[^/]+/i

type Source = ProductPageSeen['found_by']

/**
 * Reads up to five product pages. Their addresses come from the catalog, the home page's markup,
 * the sitemap and the home page's links, in that order, until there are five.
 */
export async function probeProductPages(
  session: Session,
  site: { domain: string; homePage: PageSeen; robots: Fetched; catalog: JsonSeen },
): Promise<ProductPageSeen[]> {
  const found = new Map<string, Source>()
  const add = (source: Source, urls: readonly string[]) => {
    for (const url of urls) {
      if (found.size === MAX_PRODUCT_PAGES) return
      if (isOnSite(url, site.domain) && !found.has(url)) found.set(url, source)
    }
  }
  const { page } = site.homePage
  add('catalog', spread(catalogUrls(site.catalog)))
  if (page !== null) {
    add(
      'json_ld',
      readProducts(page).flatMap(({ url }) => (url === null ? [] : [url])),
    )
  }
  if (found.size < MAX_PRODUCT_PAGES) {
    const locations = await probeSitemap(session, site.domain, site.robots)
    add('sitemap', spread(locations.filter((url) => PRODUCT_PATH.test(pathOf(url)))))
  }
  if (page !== null) {
    add(
      'home_page_link',
      page.anchors.filter((url) => PRODUCT_PATH.test(pathOf(url))),
    )
  }
  return Promise.all(
    [...found].map(async ([url, found_by]) => ({ ...(await probePage(session, url)), found_by })),
  )
}

const catalogUrls = (catalog: JsonSeen): string[] =>
  (productsOf(catalog) ?? []).flatMap((product) => {
    const url = field(product, 'url')
    return typeof url === 'string' ? [url] : []
  })

/** A sample over the whole list: the first products are often the best kept ones. */
function spread(urls: readonly string[]): string[] {
  const step = urls.length / MAX_PRODUCT_PAGES
  if (step <= 1) return [...urls]
  return Array.from(
    { length: MAX_PRODUCT_PAGES },
    (_, index) => urls[Math.floor(index * step)],
  ).filter((url) => url !== undefined)
}

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? ''

function isOnSite(url: string, domain: string): boolean {
  const parsed = URL.parse(url)
  const site = domain.replace(/^www\./, '')
  if (parsed === null || parsed.protocol !== 'https:') return false
  return parsed.hostname === site || parsed.hostname.endsWith(`.${site}`)
}
