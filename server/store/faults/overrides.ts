import { isRecord } from '../../../shared/web/json.ts'
import type { Reply } from '../http/reply.ts'
import type { JsonObject, Overridable, StoreRequest } from '../http/store-request.ts'
import { ARTICLES } from '../shop/assortment.ts'

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

export const withHeader =
  (name: string, value: string) =>
  (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, [name]: value } })

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
