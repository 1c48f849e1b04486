import type { ListedProduct } from '../commerce/catalog/listing.ts'
import type { FeedItem } from '../commerce/feed.ts'
import { readFeedPrice } from '../commerce/price-text.ts'
import { Money, toMinor } from '../commerce/product.ts'
import { stockOf } from '../markup/availability.ts'
import { field, isRecord } from '../web/json/json.ts'
import type { GoodsWanted } from './intents.ts'
import type { WantedLine } from './operation.ts'

/** One thing that can be bought: a variant, or a product without variants. */
export interface Good {
  product_id: string
  /** Null for a product without variants. */
  variant_id: string | null
  /** The product's name with the values of the variant: `Ridge Jacket, S, Pine`. */
  name: string
  price: Money | null
  /** As listed; null if absent. */
  availability: string | null
  /** The number of the product's options. */
  options: number
  /** The address of its page, as listed. */
  page?: string
  /** The buyer knows its id alone: nothing that was read lists it. */
  isUnlisted?: true
}

/** An id that no store has. */
const UNKNOWN = 'aisle-unknown-variant'

/** Limit for a store's names. */
const MAX_NAME = 120

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** All goods of a catalog that have an id, in its order. */
export const goodsOf = (listed: readonly Pick<ListedProduct, 'product'>[]): Good[] =>
  listed.flatMap(({ product }) => {
    const product_id = textOf(product.id)
    if (product_id === null) return []
    const name = textOf(product.name) ?? product_id
    const variants = Array.isArray(product.variants) ? product.variants.filter(isRecord) : []
    const page = textOf(product.url)
    const about = { product_id, name, ...(page !== null && { page }) }
    if (variants.length === 0) return [goodOf(product, { ...about, variant_id: null })]
    return variants.flatMap((variant) => {
      const variant_id = textOf(variant.id)
      return variant_id === null ? [] : [goodOf(variant, { ...about, variant_id })]
    })
  })

/** The goods of a product feed: ACP has no catalog, and its item ids are those of the feed. */
export const goodsOfFeed = (items: readonly FeedItem[]): Good[] =>
  items.flatMap(({ id, title, link, price, sale_price, availability }) =>
    id === null || id === ''
      ? []
      : [
          {
            product_id: id,
            variant_id: null,
            name: (title ?? id).slice(0, MAX_NAME),
            price: feedPrice(sale_price ?? price),
            availability: availability === null ? null : (stockOf(availability) ?? availability),
            options: 0,
            ...(link && { page: link }),
          },
        ],
  )

/** Goods that no list has. */
export const unlistedGood = (item: string): Good => ({
  product_id: item,
  variant_id: null,
  name: item.slice(0, MAX_NAME),
  price: null,
  availability: null,
  options: 0,
  isUnlisted: true,
})

/** The price that a checkout is compared with: null if the text may mean several amounts. */
function feedPrice(written: string | null): Money | null {
  const { currency, decimals } = readFeedPrice(written ?? '')
  if (currency === null) return null
  const [amount, ...others] = new Set(decimals.flatMap((each) => toMinor(each, currency) ?? []))
  return amount === undefined || others.length > 0 ? null : { amount, currency }
}

/** A buyer understands `eur` as well; that it is written wrong, an audit says. */
const spelled = (price: unknown): unknown =>
  isRecord(price) && typeof price.currency === 'string'
    ? { ...price, currency: price.currency.toUpperCase() }
    : price

function goodOf(
  offer: Record<string, unknown>,
  about: Pick<Good, 'product_id' | 'variant_id' | 'name' | 'page'>,
): Good {
  const { variant_id, name } = about
  const price = Money.safeParse(spelled(offer.price))
  const attributes = isRecord(offer.attributes) ? Object.values(offer.attributes) : []
  // A variant without options is named by its title, which may be the product's.
  const options = variant_id === null ? [] : attributes.filter((each) => isOption(each, name))
  return {
    ...about,
    name: [name, ...options].join(', ').slice(0, MAX_NAME),
    price: price.success ? price.data : null,
    availability: textOf(field(offer, 'availability')),
    options: options.length,
  }
}

// Unspecified: goods without a stated availability count as available, because UCP leaves that
// field optional.
const canBeHad = ({ availability }: Good): boolean =>
  availability === 'in_stock' || availability === null

/**
 * Prefers two options, because shops most often get those wrong; then the cheapest, because a
 * mistake costs least.
 */
const byChoiceAndPrice = (one: Good, other: Good): number =>
  Math.min(other.options, 2) - Math.min(one.options, 2) ||
  (one.price?.amount ?? Number.MAX_SAFE_INTEGER) - (other.price?.amount ?? Number.MAX_SAFE_INTEGER)

const isOption = (value: unknown, name: string): boolean => textOf(value) !== null && value !== name

/** The goods of a purchase; null if the catalog has none of that kind. */
export function chooseGoods(wanted: GoodsWanted, goods: readonly Good[]): Good[] | null {
  const inStock = goods.filter(canBeHad).toSorted(byChoiceAndPrice)
  const cheapest = inStock[0]
  const of = (availability: string) =>
    goods.filter((each) => each.availability === availability).toSorted(byChoiceAndPrice)[0]
  switch (wanted) {
    case 'cheapest':
      return cheapest === undefined ? null : [cheapest]
    case 'two': {
      const other = inStock.find(
        ({ product_id, price }) =>
          product_id !== cheapest?.product_id && price?.currency === cheapest?.price?.currency,
      )
      return cheapest === undefined || other === undefined ? null : [cheapest, other]
    }
    case 'sold_out': {
      const soldOut = of('out_of_stock')
      return soldOut === undefined ? null : [soldOut]
    }
    case 'preorder': {
      const later = of('preorder') ?? of('backorder')
      return later === undefined ? null : [later]
    }
    case 'unknown':
      if (cheapest === undefined) return null
      return [
        cheapest.variant_id === null
          ? { ...cheapest, product_id: UNKNOWN, name: 'a product that does not exist' }
          : { ...cheapest, variant_id: UNKNOWN, name: 'a variant that does not exist' },
      ]
  }
}

/** Why there is nothing to buy for a purchase, as a sentence. */
export const NO_GOODS: Readonly<Record<GoodsWanted, string>> = {
  cheapest: 'The catalog lists nothing that is in stock.',
  two: 'The catalog does not list two products in stock.',
  sold_out: 'Among the products that were read, none is sold out.',
  preorder: 'Among the products that were read, none can be ordered before its release.',
  unknown: 'The catalog lists nothing that is in stock.',
}

export const lineOf = ({ product_id, variant_id }: Good, quantity: number): WantedLine => ({
  product_id,
  variant_id,
  quantity,
})

/** Several of the first of these goods, and one of each other. */
export const wantedLines = (goods: readonly Good[], quantity: number): WantedLine[] =>
  goods.map((good, at) => lineOf(good, at === 0 ? quantity : 1))

/** Letters and digits, in small letters, for comparing names. */
export const plain = (name: string): string =>
  ` ${
    name
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `

/** Its name, without what its options add. */
export const productName = ({ name, options }: Good): string =>
  options === 0 ? name : name.split(', ').slice(0, -options).join(', ')

/** Shorter ids are numbers that stand in any text. */
const LEAST_ID = 5

function hasId(text: string, good: Good): boolean {
  const id = itemOf(good)
  const at = id.length < LEAST_ID ? -1 : text.indexOf(id)
  return at >= 0 && !/[\p{L}\p{N}]/u.test(`${text[at - 1] ?? ''}${text[at + id.length] ?? ''}`)
}

/** Whether a text has its name, its id, or one of these other names of it. */
export function isNamedIn(text: string, good: Good, names: readonly string[] = []): boolean {
  const said = plain(text)
  return (
    hasId(text, good) || [productName(good), ...names].some((name) => said.includes(plain(name)))
  )
}

const MOST_WORDS = 30
const MOST_PLACES = 20

/** Where a text has one of these names, in its order. */
export function mentionsOf(text: string, names: readonly string[]): { at: number; end: number }[] {
  const found = names.flatMap((name) => {
    const words = name.match(/[\p{L}\p{N}]+/gu)?.slice(0, MOST_WORDS) ?? []
    if (words.length === 0) return []
    const pattern = `(?<![\\p{L}\\p{N}])${words.join('[^\\p{L}\\p{N}]{1,5}')}(?![\\p{L}\\p{N}])`
    const places = Array.from(text.matchAll(new RegExp(pattern, 'giu')))
    return places.slice(0, MOST_PLACES).map((match) => ({
      at: match.index,
      end: match.index + match[0].length,
    }))
  })
  const sorted = found.toSorted((a, b) => a.at - b.at || b.end - a.end)
  return sorted.filter(({ at }, index) => index === 0 || at >= (sorted[index - 1]?.end ?? 0))
}

/** The other variant of the same product that a text names in place of this one. */
export function otherVariantIn(text: string, good: Good, listed: readonly Good[]): Good | null {
  const isIn = ({ name }: Good) => mentionsOf(text, [name]).length > 0
  if (good.options === 0 || isIn(good)) return null
  const others = listed.filter(
    (each) =>
      each.product_id === good.product_id && each.variant_id !== good.variant_id && isIn(each),
  )
  const [other] = others
  return other !== undefined && others.length === 1 ? other : null
}

/**
 * The other product that a title names; null if it may be the good's own. Unspecified: a store may
 * write titles as it likes, so only the whole name of another product counts.
 */
export function otherNamed(title: string, good: Good, listed: readonly Good[]): Good | null {
  const [said, own] = [plain(title), plain(good.name)]
  if (said.includes(plain(productName(good))) || own.includes(said)) return null
  const other = listed.find(
    (each) => each.product_id !== good.product_id && said.startsWith(plain(productName(each))),
  )
  return other ?? null
}

/** A session's id of the good: the id of the variant, or of the product without variants. */
export const itemOf = ({
  product_id,
  variant_id,
}: Pick<WantedLine, 'product_id' | 'variant_id'>): string => variant_id ?? product_id
