import { deserialize, serialize } from 'node:v8'
import type { Evidence, PageSeen, ProductPageSeen } from '../../../shared/audit/evidence.ts'
import type { Page } from '../../../shared/markup/page.ts'
import {
  judgeKind,
  type NamedAsProduct,
  type PageKind,
} from '../../../shared/markup/product-page.ts'

/**
 * A page that was read, as an audit keeps it until it is judged: what leads on to other pages, and
 * all of it as one block of bytes. Some ten pages of an audit are a hundred thousand objects; kept
 * in the thread that answers the API, they would stop it for 50 ms at each full collection of
 * garbage.
 */
export interface SealedPage extends Pick<Page, 'url' | 'links' | 'anchors'> {
  kind: PageKind
  /** The addresses of the products that its markup names. */
  products: string[]
  /** The addresses of its markup's lists. */
  listed: string[]
  /** The template of its search. */
  search: string | null
  bytes: Uint8Array<ArrayBuffer>
}

/** `named`: who calls it a product's page. */
export function sealPage(page: Page, named: NamedAsProduct | null): SealedPage {
  const { url, links, anchors, products, subjects } = page
  return {
    url,
    links,
    anchors,
    kind: judgeKind(page, named),
    products: products.flatMap((product) => (product.url === null ? [] : [product.url])),
    listed: subjects.listed,
    search: subjects.search,
    bytes: new Uint8Array(serialize(page)),
  }
}

export const openPage = ({ bytes }: SealedPage): Page => deserialize(bytes)

/** All that an audit knows, with its pages sealed. */
export interface SealedEvidence extends Omit<Evidence, 'homePage' | 'productPages'> {
  homePage: PageSeen<SealedPage>
  productPages: ProductPageSeen<SealedPage>[]
}

/** The evidence as rules read it. */
export function openEvidence({
  homePage,
  productPages,
  ...others
}: Partial<SealedEvidence>): Partial<Evidence> {
  return {
    ...others,
    ...(homePage && { homePage: openSeen(homePage) }),
    ...(productPages && { productPages: productPages.map(openSeen) }),
  }
}

export const openSeen = <S extends PageSeen<SealedPage>>(seen: S) => ({
  ...seen,
  page: seen.page && openPage(seen.page),
})
