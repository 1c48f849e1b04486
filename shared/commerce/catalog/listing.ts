import type { JsonSeen } from '../../web/http/fetched.ts'
import { field, isRecord, shown } from '../../web/json/json.ts'
import type { CatalogDialect, CatalogDialectName } from './dialect.ts'
import { OFFICIAL_CATALOG } from './official.ts'
import { SPEC_CATALOG } from './spec.ts'

/**
 * Only this many products of a catalog are judged: a sample of this size shows every systematic
 * fault, and its time is bounded.
 */
const MAX_PRODUCTS = 1000

/** Limit for the images and for the variants of one product. */
const MAX_PARTS = 100

const DIALECTS: Readonly<Record<CatalogDialectName, CatalogDialect>> = {
  spec: SPEC_CATALOG,
  ucp: OFFICIAL_CATALOG,
}

/** The dialect of the catalog. */
export const dialectOf = ({ dialect }: Spoken): CatalogDialect => DIALECTS[dialect]

/** The pages of a catalog, as the answers to their requests. */
export interface CatalogPages {
  dialect: CatalogDialectName
  first: JsonSeen
  next: readonly JsonSeen[]
}

/** A product as the merchant listed it, not validated. */
export interface ListedProduct {
  /** `products[3] on https://…`: where the merchant finds it in their own data. */
  where: string
  /** In the form of the specification's Product, for every dialect. */
  product: Record<string, unknown>
  /** In the catalog's own form. */
  raw: Record<string, unknown>
}

/** A catalog of which one answer is read. */
type Spoken = Pick<CatalogPages, 'dialect'>

/**
 * The first thousand products of an answer in the form of the specification's Product, not
 * validated; null without a list of products.
 */
export const productsOfPage = (catalog: Spoken, seen: JsonSeen): unknown[] | null =>
  rawProductsOf(catalog, seen)?.map((raw) =>
    isRecord(raw) ? dialectOf(catalog).toProduct(raw) : raw,
  ) ?? null

/** The same in the catalog's own words. */
const rawProductsOf = (catalog: Spoken, seen: JsonSeen): unknown[] | null =>
  dialectOf(catalog).productsOf(seen)?.slice(0, MAX_PRODUCTS) ?? null

/** A non-empty string, or null. The product is untrusted. */
export function nonEmptyText(product: unknown, key: string): string | null {
  const value = field(product, key)
  return typeof value === 'string' && value !== '' ? value : null
}

/** The first of these fields that a product has identifies it if it has no id. */
export const nameOf = (product: unknown): string | null =>
  nonEmptyText(product, 'url') ?? nonEmptyText(product, 'sku') ?? nonEmptyText(product, 'name')

const listings = new WeakMap<CatalogPages, readonly ListedProduct[]>()

/** The catalog's products over all pages that were read, in order. Read once for all rules. */
export function listedProducts(catalog: CatalogPages): readonly ListedProduct[] {
  const listed = listings.get(catalog) ?? listProducts(catalog)
  listings.set(catalog, listed)
  return listed
}

function listProducts({ dialect, first, next }: CatalogPages): ListedProduct[] {
  const listed: ListedProduct[] = []
  for (const [index, page] of [first, ...next].entries()) {
    for (const each of productsOn({ dialect }, page, index + 1)) {
      if (listed.length === MAX_PRODUCTS) return listed
      listed.push(each)
    }
  }
  return listed
}

/** The first thousand products of one page. Its number matters only if pages have no address. */
export function productsOn(catalog: Spoken, page: JsonSeen, number = 1): ListedProduct[] {
  const dialect = dialectOf(catalog)
  const url = page.fetched.kind === 'answer' ? page.fetched.url : ''
  const on = number === 1 || dialect.hasPageUrls ? url : `page ${number} of ${url}`
  return (rawProductsOf(catalog, page) ?? []).map((product, index) => {
    const raw = isRecord(product) ? bounded(product) : {}
    return {
      // A page with its own address can be opened; otherwise the id says which product it is.
      where: `products[${index}]${on === url ? '' : ` (id ${shown(raw.id)})`} on ${on}`,
      product: dialect.toProduct(raw),
      raw,
    }
  })
}

/** Whether the page lists more products than are read of one. */
export const isTooLong = (catalog: Spoken, page: JsonSeen): boolean =>
  (dialectOf(catalog).productsOf(page)?.length ?? 0) > MAX_PRODUCTS

/** A hostile product may have millions of parts; the first ones are enough for findings. */
function bounded(product: Record<string, unknown>): Record<string, unknown> {
  const copy = { ...product }
  for (const key of ['images', 'variants', 'media', 'options']) {
    const parts = field(product, key)
    if (Array.isArray(parts) && parts.length > MAX_PARTS) copy[key] = parts.slice(0, MAX_PARTS)
  }
  return copy
}

/**
 * The first findings in full and the number of the others, as one sentence: people read this text,
 * and a catalog may repeat one fault in a thousand products.
 */
export const summarise = (findings: readonly string[]): string =>
  summariseCounted({ count: findings.length, examples: findings.slice(0, 3) })

/** Findings of one kind, of which only the first are kept. */
export interface Counted {
  count: number
  examples: readonly string[]
}

/** The same for findings that are already counted. */
export function summariseCounted({ count, examples }: Counted): string {
  const more = count - examples.length
  return `${examples.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}
