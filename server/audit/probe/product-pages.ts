import type { PageSeen, ProductPageSeen } from '../../../shared/audit/evidence.ts'
import { productsOfPage } from '../../../shared/commerce/catalog-page.ts'
import { mainProduct } from '../../../shared/markup/products.ts'
import type { Fetched, JsonSeen } from '../../../shared/web/fetched.ts'
import { field } from '../../../shared/web/json.ts'
import { probePage } from './pages.ts'
import type { AuditSession } from './session.ts'
import { probeSitemap } from './sitemap.ts'

/** Pages of one shop come from one template: a few show its faults. */
const MAX_PRODUCT_PAGES = 5

/** Paths that platforms give to product pages; a category page seldom looks so. */
const PRODUCT_PATH = /\/(products?|p|dp|artikel|produkt|produit|producto)\/[^/]+/i

/** How a page was found; shown with its findings. */
type Source = ProductPageSeen['found_by']

/**
 * Reads up to five product pages. Their addresses come from the catalog, the home page's markup,
 * the sitemap and the home page's links, in that order, until there are five.
 */
export async function probeProductPages(
  session: AuditSession,
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
      page.products.flatMap(({ url }) => (url === null ? [] : [url])),
    )
  }
  // The sitemap costs requests, so it is read only where pages are missing.
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
  const read = await Promise.all(
    [...found].map(async ([url, found_by]) => ({ ...(await probePage(session, url)), found_by })),
  )
  return uniquePages(read).filter(isProductPage)
}

/** A product that is gone often leads to the home page, as do its neighbours. */
function uniquePages(pages: readonly ProductPageSeen[]): ProductPageSeen[] {
  const seen = new Set<string>()
  return pages.filter(({ fetched }) => {
    if (fetched.kind !== 'answer') return true
    const isGone = fetched.redirects.length > 0 && pathOf(fetched.final_url) === '/'
    if (isGone || seen.has(fetched.final_url)) return false
    seen.add(fetched.final_url)
    return true
  })
}

/** An address that only looks like a product's must show that it is one. */
function isProductPage({ found_by, page }: ProductPageSeen): boolean {
  if (found_by === 'catalog' || found_by === 'json_ld' || page === null) return true
  const saysProduct = page.meta.some(
    ({ key, content }) =>
      key.startsWith('product:price') || (key === 'og:type' && content.includes('product')),
  )
  const problem = page.json_ld_problems.some(({ types }) => types.includes('Product'))
  const scripted = page.product_script !== null
  return saysProduct || problem || scripted || mainProduct(page) !== null
}

/** The pages that the catalog names, not validated. */
const catalogUrls = (catalog: JsonSeen): string[] =>
  (productsOfPage(catalog) ?? []).flatMap((product) => {
    const url = field(product, 'url')
    return typeof url === 'string' ? [url] : []
  })

/** A sample over the whole list: the first products are often the best kept ones. At most five. */
function spread(urls: readonly string[]): string[] {
  const step = urls.length / MAX_PRODUCT_PAGES
  if (step <= 1) return [...urls]
  return Array.from(
    { length: MAX_PRODUCT_PAGES },
    (_, index) => urls[Math.floor(index * step)],
  ).filter((url) => url !== undefined)
}

/** The path of an address, empty for text that is none. */
const pathOf = (url: string): string => URL.parse(url)?.pathname ?? ''

/** Only https pages of the audited shop itself or its subdomains: markup elsewhere is another's. */
function isOnSite(url: string, domain: string): boolean {
  const parsed = URL.parse(url)
  const site = domain.replace(/^www\./, '')
  if (parsed === null || parsed.protocol !== 'https:') return false
  return parsed.hostname === site || parsed.hostname.endsWith(`.${site}`)
}
