import { isRecord } from '../../../shared/web/json.ts'
import type { Reply } from '../http/reply.ts'
import type { JsonObject, Overridable, Visit } from '../http/store-request.ts'

type Override<T> = (right: T, visit: Visit) => T

/** Changes the answers of one path alone. */
export const at =
  (path: string, override: Override<Reply>): Override<Reply> =>
  (reply, visit) =>
    visit.path === path ? override(reply, visit) : reply

/** Changes the answers of every path that begins and ends so. */
export const below =
  (prefix: string, suffix: string, override: Override<Reply>): Override<Reply> =>
  (reply, visit) =>
    visit.path.startsWith(prefix) && visit.path.endsWith(suffix) ? override(reply, visit) : reply

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
  (change: (product: JsonObject, visit: Visit) => JsonObject): Override<Overridable['catalog']> =>
  (catalog, visit) => ({
    ...catalog,
    products: catalog.products.map((product) => change(product, visit)),
  })

/** Changes where the catalog's next page is; the last page has none. */
export const nextPage =
  (change: (next: string, visit: Visit) => string): Override<Overridable['catalog']> =>
  (catalog, visit) => {
    const next = catalog.pagination?.next
    return typeof next === 'string'
      ? { ...catalog, pagination: { ...catalog.pagination, next: change(next, visit) } }
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
  (change: (node: JsonObject, visit: Visit) => JsonObject): Override<JsonObject[]> =>
  (nodes, visit) =>
    nodes.map((node) => (node['@type'] === 'OnlineStore' ? change(node, visit) : node))
