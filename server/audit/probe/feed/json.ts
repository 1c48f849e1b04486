import { excessOf, field, isRecord } from '../../../../shared/web/json/json.ts'
import {
  describeProduct,
  type FeedState,
  type Followed,
  type JsonState,
  type ListShape,
  MAX_RECORD,
  MAX_ROWS,
  type Rows,
  vendorOf,
} from './format.ts'

/** The characters of one product, its variants included: a platform lists up to 2,000 of them. */
const MAX_PRODUCT = 4 * MAX_RECORD

/** The fields of one row; the vendors know some hundred. */
const MAX_FIELDS = 300

/** Variants of one product that are read. */
const MAX_VARIANTS = 2_000

/** Gives a product's rows by the names of the feed. */
type ReadRows = (product: unknown) => Iterable<[string, string]>[]

/** White space and commas that stand between two products. */
const BETWEEN = /[\s,]*/y

/**
 * Reads OpenAI's feed in JSON Lines or as a list, Shopify's `/products.json` and the products of
 * WooCommerce's Store API, product by product. Gives how many characters are done with.
 */
export function readJsonFeed(
  state: FeedState,
  text: string,
  followed: Followed,
  rows: Rows,
): number {
  let at = 0
  if (state.form?.is !== 'json') {
    const found = shapeOf(text, followed === 'more')
    if (found === 'not yet') return 0
    state.form = { is: 'json', shape: found.shape, products: 0 }
    at = found.from
  }
  const { form } = state
  while (!state.done) {
    BETWEEN.lastIndex = at
    BETWEEN.exec(text)
    at = BETWEEN.lastIndex
    if (at === text.length) break
    if (text[at] === ']' && form.shape !== 'lines') {
      state.done = true
      return at
    }
    const end = endOfObject(text, at)
    if (end === null) {
      // Cut by a limit, or more of it is to come.
      if (followed === 'more' && text.length - at <= MAX_PRODUCT) return at
      if (followed !== 'cut' || text.length - at > MAX_PRODUCT)
        fail(state, `product ${form.products + 1} is not complete`)
      return at
    }
    takeProduct(state, form, text.slice(at, end), rows)
    at = end
  }
  if (!state.done && followed === 'end' && form.shape !== 'lines') {
    fail(state, `its list of products is not closed after product ${form.products}`)
  }
  return at
}

function fail(state: FeedState, problem: string): void {
  // Only a text that was recognised as a feed can have a problem.
  if (state.kind !== null) state.problem = problem
  state.done = true
}

/** Recognised by its beginning; an object whose first member is something else is a line. */
function shapeOf(text: string, isMore: boolean): { shape: ListShape; from: number } | 'not yet' {
  const list = /^\s*\[/.exec(text)
  if (list !== null) return { shape: 'list', from: list[0].length }
  const products = /^\s*\{\s*"products"\s*:\s*\[/.exec(text.slice(0, 200))
  if (products !== null) return { shape: 'products', from: products[0].length }
  if (text.length < 200 && isMore) return 'not yet'
  return { shape: 'lines', from: 0 }
}

/** Where the object that begins here ends, without reading it; null where it does not. */
function endOfObject(text: string, from: number): number | null {
  let depth = 0
  let inText = false
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inText) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) inText = false
    } else if (code === 0x22) inText = true
    else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) depth -= 1
    if (depth <= 0 && !inText) return at + 1
  }
  return null
}

function takeProduct(state: FeedState, form: JsonState, text: string, rows: Rows): void {
  const product = parse(text)
  if (product === undefined) {
    fail(state, `product ${form.products + 1} is not valid JSON`)
    return
  }
  form.products += 1
  if (state.kind === null) recognise(state, form.shape, product)
  if (state.done || state.kind === null) return
  for (const row of READ[state.kind]?.(product) ?? []) if (!rows.take(row)) return
  // Products without variants give no rows, so that the limit on rows would never stop them.
  if (form.products >= MAX_ROWS && state.tally.rows === 0) {
    state.full = true
    state.done = true
  }
}

function parse(text: string): unknown {
  if (excessOf(text) !== null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A platform is recognised by a member that only its products have, and a vendor by its names. */
function recognise(state: FeedState, shape: ListShape, product: unknown): void {
  const names = isRecord(product) ? Object.keys(product).slice(0, MAX_FIELDS) : []
  if (shape === 'products' && Array.isArray(field(product, 'variants'))) state.kind = 'shopify'
  else if (shape === 'list' && isRecord(field(product, 'prices'))) state.kind = 'woocommerce'
  else if (describeProduct(names) && vendorOf(names) !== null) {
    state.kind = shape === 'lines' ? 'jsonl' : 'json'
    state.vendor = vendorOf(names)
  } else state.done = true
}

const READ: Partial<Record<NonNullable<FeedState['kind']>, ReadRows>> = {
  shopify: (product) => shopifyVariants(product),
  woocommerce: (product) => [wooProduct(product)],
  jsonl: (product) => [fieldsOf(product)],
  json: (product) => [fieldsOf(product)],
}

/** The members of a row as text; objects and lists stay JSON. */
function fieldsOf(product: unknown): [string, string][] {
  if (!isRecord(product)) return []
  return Object.entries(product)
    .slice(0, MAX_FIELDS)
    .flatMap(([name, value]) => {
      if (value === null) return []
      return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]]
    })
}

/**
 * One item per variant, as in a Merchant Center feed. The link is relative: the list has no host.
 */
function shopifyVariants(product: unknown): [string, string][][] {
  const variants = field(product, 'variants')
  const handle = text(field(product, 'handle'))
  const options = Array.isArray(variants) ? variants.slice(0, MAX_VARIANTS) : []
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
function wooProduct(product: unknown): [string, string][] {
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

const valuesOf = (values: Record<string, string | undefined>): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))

const firstImage = (images: unknown): string | undefined =>
  Array.isArray(images) ? text(field(images[0], 'src')) : undefined

/** In Google's words; unknown where the platform says nothing. */
const stock = (available: unknown): string | undefined =>
  typeof available === 'boolean' ? (available ? 'in_stock' : 'out_of_stock') : undefined

/** Texts and numbers as text: ids are numbers on both platforms. */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
