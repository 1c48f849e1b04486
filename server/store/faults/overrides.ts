import { isRecord } from '../../../shared/web/json/json.ts'
import type {
  CallFailure,
  JsonObject,
  OperationCall,
  Overridable,
  Overrides,
  Reply,
  StoreRequest,
} from '../http/store-request.ts'
import { ARTICLES, offersOf } from '../shop/assortment.ts'

type Override<T> = (right: T, request: StoreRequest) => T

/** Changes the answers of one path alone. */
export const at =
  (path: string, override: Override<Reply>): Override<Reply> =>
  (reply, request) =>
    request.path === path ? override(reply, request) : reply

/** Changes the answers of every path that begins and ends so. */
export const below =
  (prefix: string, suffix: string, override: Override<Reply>): Override<Reply> =>
  (reply, request) =>
    request.path.startsWith(prefix) && request.path.endsWith(suffix)
      ? override(reply, request)
      : reply

/** Changes a reply to have this header. */
export const withHeader =
  (name: string, value: string) =>
  (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, [name]: value } })

/** An object without some of its keys. */
export const without = (object: JsonObject, ...keys: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))

/** Changes an object inside an object. */
export const patch = (
  object: JsonObject,
  key: string,
  change: (inner: JsonObject) => JsonObject,
): JsonObject => {
  const inner = object[key]
  return isRecord(inner) ? { ...object, [key]: change(inner) } : object
}

/** Changes the objects of a list inside an object. */
export const eachOf = (
  object: JsonObject,
  key: string,
  change: (inner: JsonObject, index: number) => JsonObject,
): JsonObject => {
  const list = object[key]
  return Array.isArray(list) ? { ...object, [key]: list.filter(isRecord).map(change) } : object
}

/** Changes every product of a page of the catalog. */
export const eachProduct =
  (
    change: (product: JsonObject, request: StoreRequest) => JsonObject,
  ): Override<Overridable['catalog']> =>
  (catalog, request) => ({
    ...catalog,
    products: catalog.products.map((product) => change(product, request)),
  })

/** Changes where the catalog's next page is; the last page has none. */
export const nextPage =
  (change: (next: string, request: StoreRequest) => string): Override<Overridable['catalog']> =>
  (catalog, request) => {
    const next = catalog.pagination?.next
    return typeof next === 'string'
      ? { ...catalog, pagination: { ...catalog.pagination, next: change(next, request) } }
      : catalog
  }

/** Changes a product page's product and each of its variants. */
export const productAndVariants =
  (change: (node: JsonObject) => JsonObject): Override<JsonObject> =>
  (node) =>
    eachOf(change(node), 'hasVariant', change)

/** Changes every offer of a product page. */
export const offers = (change: (offer: JsonObject) => JsonObject): Override<JsonObject> =>
  productAndVariants((node) => patch(node, 'offers', change))

/** Changes the home page's organization. */
export const organization =
  (change: (node: JsonObject, request: StoreRequest) => JsonObject): Override<JsonObject[]> =>
  (nodes, request) =>
    nodes.map((node) => (node['@type'] === 'OnlineStore' ? change(node, request) : node))

/** Headers without those of these names. */
export const withoutHeaders =
  (...names: string[]) =>
  (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

/** What stands at a path inside an object; undefined where there is nothing. */
export const nested = (object: JsonObject, ...[key, ...keys]: string[]): unknown => {
  const inner = key === undefined ? object : object[key]
  return keys.length > 0 && isRecord(inner) ? nested(inner, ...keys) : inner
}

/** Whole prices stay apart from these by cents. */
export const SURCHARGE = 137

/** Raises the amounts of these types among the totals of an official dialect. */
export const raise =
  (kinds: readonly string[], by: number) =>
  (entry: JsonObject): JsonObject =>
    kinds.includes(String(entry.type)) ? { ...entry, amount: Number(entry.amount) + by } : entry

/** The first variants: those that search features. The others of their products can be bought. */
const UNSOLD = new Set(ARTICLES.flatMap(({ variants: [first] }) => first?.id ?? []))

/** Asks for a variant as if it were not there, though the catalog has it. */
export const unsold = (item: JsonObject): JsonObject =>
  UNSOLD.has(String(item.id)) ? { ...item, id: `${item.id}~` } : item

const AVAILABILITY = new Map(
  ARTICLES.flatMap((article) =>
    offersOf(article).map(({ id, availability }) => [id, availability]),
  ),
)

/** The title of another article than that of a variant. */
export const titleBeside = (id: unknown): string =>
  ARTICLES.find((article) => !offersOf(article).some((offer) => offer.id === id))?.name ?? ''

/** What no shelf has. */
export const SOLD_OUT = 'ao-1120'

export const isSoldOut = (id: unknown): boolean => AVAILABILITY.get(String(id)) === 'out_of_stock'
export const isKnown = (id: unknown): boolean => AVAILABILITY.has(String(id))

/** In stock, and bought instead of what is not. */
const STAND_IN = 'ao-1101'

/** The item that is bought where `wanted` would be refused. */
export const instead = (item: JsonObject, wanted: (id: unknown) => boolean): JsonObject =>
  wanted(item.id) ? { ...item, id: STAND_IN } : item

/** What is shipped by where another option was chosen. */
export const DEAREST_OPTION = 'express'

/** More than any shelf has. */
const MANY = 1000
export const isMuch = (quantity: unknown): boolean => Number(quantity) > MANY

/** The milliseconds for which a session can be paid, where they are too few in any dialect. */
const SHORT_LIFE_MS = 30_000

/** A session of an official dialect that ends before anybody has paid. */
export const endsSoon = (body: JsonObject, { at: now }: StoreRequest): JsonObject => ({
  ...body,
  expires_at: new Date(now.getTime() + SHORT_LIFE_MS).toISOString(),
})

/** Totals of an official dialect in major units, as texts. */
export const inDecimals = (body: JsonObject): JsonObject =>
  eachOf(body, 'totals', (entry) => ({ ...entry, amount: (Number(entry.amount) / 100).toFixed(2) }))

/** A payment that the test PSP declines, in the arguments of either official dialect. */
export const isDeclined = (given: JsonObject): boolean =>
  /"token":"\w*declined"/.test(JSON.stringify(given))

/** Longer than agents wait. */
export const TOO_SLOW: Partial<Reply> = { delay: 3200 }

/** A country that the shop ships from, or none at all: what is neither is abroad. */
export const isAbroad = (country: unknown): boolean =>
  typeof country === 'string' && !['', 'US', 'ZZ'].includes(country)

/** A country that does not exist (ISO 3166-1 keeps ZZ free). */
export const isNowhere = (country: unknown): boolean => country === 'ZZ'

/** The most checkouts that are remembered. */
const MOST_LOCKED = 1000

/** A basket that takes no change once shipping was chosen: whether this update comes too late. */
export function lockedOnceShipped(
  isChoice: (given: JsonObject) => boolean,
): (call: OperationCall) => boolean {
  const locked = new Set<string>()
  return ({ operation, id, given }) => {
    if (!operation.startsWith('update_checkout')) return false
    if (locked.has(id)) return true
    if (locked.size >= MOST_LOCKED) locked.clear()
    if (isChoice(given)) locked.add(id)
    return false
  }
}

/**
 * The server does nothing in the calls that `when` picks, and fails unless it says another error.
 */
export const failing =
  (calls: 'ucpCall' | 'acpCall' | 'specAcpCall') =>
  (when: (call: OperationCall) => boolean, failure: CallFailure = 'internal_error'): Overrides => ({
    [calls]: (call: OperationCall) => (when(call) ? { ...call, failure } : call),
  })

/** A version that the store speaks and the answer is not of; the next older one if there is one. */
export function otherVersion(served: readonly string[], version: unknown): unknown {
  const at = served.indexOf(String(version))
  return at === -1 ? version : (served[at - 1] ?? served[at + 1] ?? version)
}

export const openGraph = (name: string, content: string): Overrides => ({
  page: (page) =>
    name in page.openGraph ? { ...page, openGraph: { ...page.openGraph, [name]: content } } : page,
})

export const OUT_OF_STOCK = 'https://schema.org/OutOfStock'

/** In the markup and in the feed. */
export const SOLD_OUT_EVERYWHERE: Overrides = {
  productMarkup: offers((offer) => ({ ...offer, availability: OUT_OF_STOCK })),
  ...openGraph('product:availability', 'out of stock'),
  feedItems: (items) => items.map((item) => ({ ...item, availability: 'out_of_stock' })),
}
