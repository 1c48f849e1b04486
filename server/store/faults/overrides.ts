import { isRecord } from '../../../shared/web/json.ts'
import type { Reply } from '../http/reply.ts'
import type { JsonObject, Seams, Visit } from '../http/store-request.ts'

type Twist<T> = (right: T, visit: Visit) => T

/** Changes the answers of one path alone. */
export const at =
  (path: string, twist: Twist<Reply>): Twist<Reply> =>
  (reply, visit) =>
    visit.path === path ? twist(reply, visit) : reply

/** Changes the answers of every path that begins and ends so. */
export const below =
  (prefix: string, suffix: string, twist: Twist<Reply>): Twist<Reply> =>
  (reply, visit) =>
    visit.path.startsWith(prefix) && visit.path.endsWith(suffix) ? twist(reply, visit) : reply

export const withHeader =
  (name: string, value: string) =>
  (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, [name]: value } })

export const without = (object: JsonObject, ...keys: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))

/** Changes an object inside an object. */
export const within = (
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
export const products =
  (change: (product: JsonObject, visit: Visit) => JsonObject): Twist<Seams['catalog']> =>
  (catalog, visit) => ({
    ...catalog,
    products: catalog.products.map((product) => change(product, visit)),
  })

/** Changes where the catalog's next page is; the last page has none. */
export const nextPage =
  (change: (next: string, visit: Visit) => string): Twist<Seams['catalog']> =>
  (catalog, visit) => {
    const next = catalog.pagination?.next
    return typeof next === 'string'
      ? { ...catalog, pagination: { ...catalog.pagination, next: change(next, visit) } }
      : catalog
  }

/** Changes a product page's product and each of its variants. */
export const productAndVariants =
  (change: (node: JsonObject) => JsonObject): Twist<JsonObject> =>
  (node) =>
    eachOf(change(node), 'hasVariant', change)

/** Changes every offer of a product page. */
export const offers = (change: (offer: JsonObject) => JsonObject): Twist<JsonObject> =>
  productAndVariants((node) => within(node, 'offers', change))

/** Changes the home page's organization. */
export const organization =
  (change: (node: JsonObject, visit: Visit) => JsonObject): Twist<JsonObject[]> =>
  (nodes, visit) =>
    nodes.map((node) => (node['@type'] === 'OnlineStore' ? change(node, visit) : node))
