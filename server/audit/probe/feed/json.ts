import type { FeedItem } from '../../../../shared/commerce/feed.ts'
import { countJsonValues, field, isRecord, MAX_JSON_VALUES } from '../../../../shared/web/json.ts'
import { type FeedRead, type FeedReader, MAX_ITEMS, notAFeed, toItem } from './format.ts'

/** Ten products are asked for: more text or more values are something else. */
const MAX_TEXT = 5_000_000

/** Gives an attribute's text, or undefined where the product has none. */
type Values = Parameters<typeof toItem>[1]

/**
 * Shopify's `/products.json` and the products of WooCommerce's Store API. Read whole, because JSON
 * says nothing before its end; text that is cut is no feed.
 */
export function createJsonReader(): FeedReader {
  const parts: string[] = []
  let length = 0
  return {
    write(text) {
      parts.push(text)
      length += text.length
      return length <= MAX_TEXT
    },
    end: (cut) => (cut || length > MAX_TEXT ? notAFeed() : readProducts(parse(parts.join('')))),
  }
}

function parse(text: string): unknown {
  if (countJsonValues(text) > MAX_JSON_VALUES) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Each platform is told by a member that only its own products have. */
function readProducts(document: unknown): FeedRead {
  const products = field(document, 'products')
  if (Array.isArray(products) && Array.isArray(field(products[0], 'variants'))) {
    return { kind: 'shopify', items: itemsOf(products.flatMap(shopifyVariants)), problem: null }
  }
  if (Array.isArray(document) && isRecord(field(document[0], 'prices'))) {
    return { kind: 'woocommerce', items: itemsOf(document.map(wooProduct)), problem: null }
  }
  return notAFeed()
}

/** Numbered from 1, as a person counts. */
const itemsOf = (values: readonly Values[]): FeedItem[] =>
  values.slice(0, MAX_ITEMS).map((read, index) => toItem(index + 1, read))

/**
 * One item per variant, as in a Merchant Center feed. The link is relative: the host is not told.
 */
function shopifyVariants(product: unknown): Values[] {
  const variants = field(product, 'variants')
  const handle = text(field(product, 'handle'))
  const options = Array.isArray(variants) ? variants.slice(0, MAX_ITEMS) : []
  return options.map((variant) => {
    const option = text(field(variant, 'title'))
    const title = [text(field(product, 'title')), option === 'Default Title' ? undefined : option]
    return valuesOf({
      id: text(field(variant, 'id')),
      title: title.filter(Boolean).join(' - '),
      description: text(field(product, 'body_html')),
      link: handle === undefined ? undefined : `/products/${handle}`,
      image_link:
        text(field(field(variant, 'featured_image'), 'src')) ??
        firstImage(field(product, 'images')),
      availability: stock(field(variant, 'available')),
      price: text(field(variant, 'price')),
      brand: text(field(product, 'vendor')),
    })
  })
}

/**
 * A product of https://developer.woocommerce.com/docs/apis/store-api; brands are an extension that
 * many shops have.
 */
function wooProduct(product: unknown): Values {
  const brands = field(product, 'brands')
  const description =
    text(field(product, 'description')) || text(field(product, 'short_description'))
  return valuesOf({
    id: text(field(product, 'id')),
    title: text(field(product, 'name')),
    description,
    link: text(field(product, 'permalink')),
    image_link: firstImage(field(product, 'images')),
    availability:
      field(product, 'is_on_backorder') === true
        ? 'backorder'
        : stock(field(product, 'is_in_stock')),
    price: wooPrice(field(product, 'prices')),
    brand: Array.isArray(brands) ? text(field(brands[0], 'name')) : undefined,
  })
}

/**
 * The Store API counts in units of its own choice: the store's displayed decimals, not ISO 4217's.
 */
function wooPrice(prices: unknown): string | undefined {
  const amount = text(field(prices, 'price'))
  const digits = field(prices, 'currency_minor_unit')
  if (amount === undefined || !/^\d{1,15}$/.test(amount)) return undefined
  if (digits !== 0 && digits !== 1 && digits !== 2 && digits !== 3 && digits !== 4) return undefined
  const padded = amount.padStart(digits + 1, '0')
  const whole = padded.slice(0, padded.length - digits)
  const decimal = digits === 0 ? whole : `${whole}.${padded.slice(-digits)}`
  return `${decimal} ${text(field(prices, 'currency_code')) ?? ''}`
}

const valuesOf =
  (values: Partial<Record<Parameters<Values>[0], string | undefined>>): Values =>
  (attribute) =>
    values[attribute]

const firstImage = (images: unknown): string | undefined =>
  Array.isArray(images) ? text(field(images[0], 'src')) : undefined

/** In Google's words; unknown where the platform says nothing. */
const stock = (available: unknown): string | undefined =>
  typeof available === 'boolean' ? (available ? 'in_stock' : 'out_of_stock') : undefined

/** Texts and numbers as text: ids are numbers on both platforms. */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
