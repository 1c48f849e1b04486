import type { ListedProduct } from '../../../commerce/catalog/listing.ts'
import { canonicalOf } from '../../../markup/canonical.ts'
import { mainProduct, type ProductMarkup } from '../../../markup/products.ts'
import { linkKey, pageAddress } from '../../../web/address/link-key.ts'
import type { CatalogSeen, ProductPageSeen } from '../../evidence.ts'
import { seenProducts } from './seen-products.ts'

/** A page that was read, its product, and the catalog's products that lead to it. */
interface MatchedPage {
  listed: readonly ListedProduct[]
  markup: ProductMarkup
  /** The page's address as it was asked for. */
  url: string
}

type ByPage = ReadonlyMap<string | null, readonly ListedProduct[]>
const known = new WeakMap<CatalogSeen, ByPage>()

/**
 * Pages that were read and whose products the catalog lists. A page is asked for over https and
 * without what follows a visit, so that its address need not be the one that the catalog writes.
 * One whose own address the catalog does not know stands for the page that it names as canonical,
 * which is then not read: the home page of a shop of one product. Where products differ only by the
 * variant that is chosen, a page speaks for its own; for all where none has its address.
 */
export function matchCatalogPages(
  catalog: CatalogSeen,
  pages: readonly ProductPageSeen[],
): readonly MatchedPage[] {
  const byPage = known.get(catalog) ?? groupByPage(catalog)
  known.set(catalog, byPage)
  return pages.flatMap(({ fetched, page }) => {
    // A page that was cut may state other offers as well.
    if (fetched.kind !== 'answer' || page === null || page.truncated !== null) return []
    const { url } = fetched
    const at = (address: string) => byPage.get(linkKey(address))
    const found = at(url) ?? at(canonicalOf(page)) ?? []
    const address = pageAddress(url)
    const own = found.filter(({ product }) => pageAddress(String(product.url)) === address)
    const listed = own.length > 0 ? own : found
    const markup = mainProduct(page)
    return listed.length === 0 || markup === null ? [] : [{ listed, markup, url }]
  })
}

/** Several products may share a page; those whose address leads to none are left out. */
function groupByPage(catalog: CatalogSeen): ByPage {
  const byPage = Map.groupBy(seenProducts(catalog), ({ product: { url } }) =>
    typeof url === 'string' ? linkKey(url) : null,
  )
  byPage.delete(null)
  return byPage
}
