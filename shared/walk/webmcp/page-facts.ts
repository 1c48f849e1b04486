import { readPriceText } from '../../commerce/price-text.ts'
import { type Money, toMajor } from '../../commerce/product.ts'
import { findPrices } from '../../markup/page-signs/prices.ts'
import { field, isRecord, listIn } from '../../web/json/json.ts'
import type { ReadPage } from './page-answers.ts'
import { pageJson } from './page-json.ts'

interface StatedPrice {
  /** Plain decimals, the likeliest first. */
  decimals: readonly string[]
  currency: string | null
  /** Where it is stated. */
  where: 'the page' | 'its markup' | 'the catalog'
}

/** What a page says of its product, to compare the answers of tools with. */
export interface PageFacts {
  /** Empty on a page without a product. */
  name: string
  /** Ids that a tool may want, the likeliest first. */
  ids: readonly string[]
  prices: readonly StatedPrice[]
}

const MAX_DEPTH = 8

/** A variant or product, as the catalog of the store lists it. */
export interface ListedGood {
  id: string
  /** Of its product. */
  name: string
  price: Money | null
  /** The address of its page. */
  page: string | null
}

// Unspecified: the catalog gives the price where page and markup state none. Where they state
// another one, a rule of its own says so, and tools are held to what the buyer sees.
/**
 * What the page and its markup say, and what the catalog lists of the product; `url` may end with
 * the id of the product.
 */
export function factsOf(
  { heading, text, jsonLd }: Omit<ReadPage, 'tools'>,
  url: string,
  listed: readonly ListedGood[] = [],
): PageFacts {
  const products = jsonLd.flatMap((block) => productsIn(pageJson(block), 0))
  const named = products.find((each) => sameName(each.name, heading)) ?? products[0]
  const marked = named === undefined ? [] : pricesOf(named, 0)
  const shown = findPrices(text.slice(0, 4000), 20).flatMap((price): StatedPrice[] => {
    const { decimals, currency } = readPriceText(price.text)
    return decimals.length === 0 ? [] : [{ decimals, currency, where: 'the page' }]
  })
  const last = URL.parse(url)?.pathname.split('/').findLast(Boolean)
  const goods = goodsOfPage(listed, url, named?.name ?? heading)
  const ids = [
    ...[named?.productGroupID, named?.productID],
    ...goods.map(({ id }) => id),
    ...[named?.sku, last],
  ]
  const seen = [...marked, ...shown]
  return {
    name: typeof named?.name === 'string' ? named.name : (goods[0]?.name ?? ''),
    ids: [...new Set(ids.filter((id): id is string => typeof id === 'string' && id !== ''))],
    prices: seen.length > 0 ? seen : goods.flatMap(({ price }) => listedPrice(price)),
  }
}

const listedPrice = (price: Money | null): StatedPrice[] =>
  price === null
    ? []
    : [{ decimals: [toMajor(price)], currency: price.currency, where: 'the catalog' }]

/** The goods with this page; where the catalog names no pages, those with this name. */
function goodsOfPage(
  listed: readonly ListedGood[],
  url: string,
  name: unknown,
): readonly ListedGood[] {
  const pathOf = (address: string | null) => URL.parse(address ?? '')?.pathname
  const path = pathOf(url)
  const here = listed.filter(({ page }) => page !== null && pathOf(page) === path)
  if (here.length > 0) return here
  return listed.filter((each) => each.page === null && sameName(each.name, String(name)))
}

const sameName = (one: unknown, other: string): boolean =>
  typeof one === 'string' && one.trim().toLowerCase() === other.trim().toLowerCase()

type Node = Record<string, unknown>

function productsIn(value: unknown, depth: number): Node[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((each) => productsIn(each, depth + 1))
  if (!isRecord(value)) return []
  const types = [value['@type']].flat()
  const own = types.some((type) => type === 'Product' || type === 'ProductGroup') ? [value] : []
  return [...own, ...productsIn(value['@graph'], depth + 1)]
}

/** The prices of a product and its variants. */
function pricesOf(product: Node, depth: number): StatedPrice[] {
  if (depth > MAX_DEPTH) return []
  const offers = [product.offers].flat().filter(isRecord)
  const own = offers.flatMap((offer): StatedPrice[] => {
    const currency = field(offer, 'priceCurrency')
    return [offer.price, offer.lowPrice, offer.highPrice].flatMap((price) => {
      const { decimals } = readPriceText(String(price ?? ''))
      return decimals.length === 0
        ? []
        : [
            {
              decimals,
              currency: typeof currency === 'string' ? currency : null,
              where: 'its markup',
            },
          ]
    })
  })
  const variants = listIn(product.hasVariant).filter(isRecord)
  return [...own, ...variants.flatMap((each) => pricesOf(each, depth + 1))]
}
