import { keptPath } from '../../attribution/kept-path.ts'
import type { FeedItem } from '../../commerce/feed.ts'
import { readFeedPrice } from '../../commerce/price-text.ts'
import { Money, toMinor } from '../../commerce/product.ts'
import { field, isRecord, isStorable } from '../../web/json/json.ts'
import { visibleText } from '../../web/text/invisible.ts'
import { seenProducts } from '../checks/catalog/seen-products.ts'
import type { Evidence } from '../evidence.ts'

/** A product, or a variant of one: what the store calls it, where its page is, what it costs. */
export interface ProductTitle {
  product_id: string
  title: string
  /** As landing pages are kept. */
  path?: string
  /** In the smallest unit of `currency`. */
  price?: number
  currency?: string
}

// Unspecified: an audit names 2,000 products at most, and a domain has as many names: the report
// lists some dozens a month.
export const MAX_TITLES = 2_000

/** Longer ids are too long for a report. */
const MAX_ID = 200

/** Characters of a title; feeds may have 150. */
const MAX_TITLE = 120

/** Variants of one product. */
const MAX_VARIANTS = 100

/**
 * What the catalog and the feed call the products that were read, each id once. A merchant's events
 * name products by the ids of either, or by those of variants: products come first, and where the
 * two differ the catalog is right, which agents buy from. The texts are a stranger's, shortened to
 * one line each.
 */
export function titlesOf({
  catalog,
  feed,
}: Partial<Pick<Evidence, 'catalog' | 'feed'>>): ProductTitle[] {
  const products = (catalog === undefined ? [] : seenProducts(catalog)).map(
    ({ product }) => product,
  )
  const found = new Map<string, ProductTitle>()
  const add = (id: unknown, title: unknown, page: PageOf, more = '') => {
    const key = idOf(id)
    if (key === null || found.size === MAX_TITLES) return
    const before = found.get(key)
    if (before !== undefined) {
      // A catalog need not say where a product's page is; the feed does.
      if (before.path === undefined && page.path !== undefined) before.path = page.path
      return
    }
    const name = titleFrom(title)
    if (name === null) return
    const whole = more === '' ? name : (titleFrom(`${name} (${more})`) ?? name)
    found.set(key, { product_id: key, title: whole, ...page })
  }
  for (const product of products) add(product.id, product.name, inCatalog(product, product))
  for (const item of feed?.items ?? []) add(item.id, item.title, inFeed(item))
  for (const product of products) {
    const { variants } = product
    if (!Array.isArray(variants)) continue
    for (const variant of variants.slice(0, MAX_VARIANTS)) {
      // An only variant is the product.
      const more = variants.length > 1 ? attributesOf(variant) : ''
      add(field(variant, 'id'), product.name, inCatalog(product, variant), more)
    }
  }
  return [...found.values()]
}

type PageOf = Pick<ProductTitle, 'path' | 'price' | 'currency'>

/** Of a variant the page is that of its product. */
const inCatalog = (product: Record<string, unknown>, priced: unknown): PageOf => {
  const price = Money.safeParse(field(priced, 'price')).data
  return {
    ...pathOf(product.url),
    ...(price !== undefined && { price: price.amount, currency: price.currency }),
  }
}

function inFeed({ link, price, sale_price }: FeedItem): PageOf {
  const { decimals, currency } = readFeedPrice(sale_price ?? price ?? '')
  // What may mean two prices says none.
  const [decimal = ''] = decimals.length === 1 ? decimals : []
  const amount = currency === null ? null : toMinor(decimal, currency)
  return {
    ...pathOf(link),
    ...(amount !== null && currency !== null && { price: amount, currency }),
  }
}

function pathOf(address: unknown): Pick<ProductTitle, 'path'> {
  const url = typeof address === 'string' && address.length <= 2000 ? URL.parse(address) : null
  // The front page is the page of no product.
  return url === null || url.pathname === '/' ? {} : { path: keptPath(url.pathname) }
}

/** Numbers are read too: events have the same as text. */
function idOf(id: unknown): string | null {
  const text = typeof id === 'number' ? String(id) : id
  if (typeof text !== 'string' || text === '' || text.length > MAX_ID) return null
  return isStorable(text) ? text : null
}

/** In one line; null where nothing of it can be read. */
function titleFrom(text: unknown): string | null {
  if (typeof text !== 'string') return null
  // A title may have megabytes. Reports show it, and models read it: nothing may hide in it.
  const line = visibleText(text.slice(0, 10 * MAX_TITLE))
    .replace(/\s+/g, ' ')
    .trim()
  if (line === '') return null
  if (line.length <= MAX_TITLE) return line
  const characters = [...line]
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join('')}…` : line
}

/** What tells a variant from the others, such as `M, red`. */
function attributesOf(variant: unknown): string {
  const attributes = field(variant, 'attributes')
  if (!isRecord(attributes)) return ''
  return Object.values(attributes)
    .filter((value) => typeof value === 'string')
    .slice(0, 5)
    .map((value) => value.slice(0, MAX_TITLE))
    .join(', ')
}
