import { hasBrokenProduct } from '../../../shared/audit/checks/schema/product-pages.ts'
import type { Page } from '../../../shared/markup/page.ts'
import { mainProduct } from '../../../shared/markup/products.ts'
import { withoutEndSlashes } from '../../../shared/web/uri.ts'

// Unspecified: a page about one product must mark it up; a listing need not.
/** Paths that platforms give to product pages; a category page seldom looks so. */
const PRODUCT_PATH = /\/(products?|p|dp|artikel|produkt|produit|producto)\/[^/]+/i

/**
 * Whether the page is about one product, and so must mark it up. A home page or a category page
 * that lists some is not.
 */
export function isProductPage(judged: Page, rendered: Page): boolean {
  const path = URL.parse(judged.url)?.pathname ?? '/'
  const isHome = path === '/'
  if (!isHome && (PRODUCT_PATH.test(path) || hasBrokenProduct(judged))) return true
  return [judged, rendered].some((page) => saysProduct(page) || isAboutProduct(page, isHome))
}

const saysProduct = ({ meta }: Page): boolean =>
  meta.some(
    ({ key, content }) =>
      key.startsWith('product:price') ||
      (key === 'og:type' && /^(og:)?product(\.item)?$/i.test(content.trim())),
  )

function isAboutProduct(page: Page, isHome: boolean): boolean {
  const main = mainProduct(page)
  if (main === null) return false
  if (page.products.length === 1) return true
  return !isHome && (main.url === null || pathOf(main.url) === pathOf(page.url))
}

const pathOf = (url: string): string => withoutEndSlashes(URL.parse(url)?.pathname ?? url)
