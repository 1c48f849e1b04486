import { toUcpProduct } from '../dialects/ucp/catalog/product.ts'
import { OFFICIAL_PATHS } from '../dialects/ucp/paths.ts'
import type { JsonObject, OperationCall, Overrides, StoreRequest } from '../http/store-request.ts'
import { ARTICLES } from '../shop/assortment.ts'
import { officialFault, type StoreFault, storeFault, walkFault } from './fault.ts'
import {
  below,
  eachOf,
  nested,
  patch,
  SOLD_OUT_EVERYWHERE,
  SURCHARGE,
  withHeader,
  without,
} from './overrides.ts'

type Change = (body: JsonObject, request: StoreRequest) => JsonObject

/** Changes what these operations show of the catalog, refusals aside. */
const shown = (operations: RegExp, change: Change): NonNullable<Overrides['ucpAnswer']> => {
  return ({ operation, body }, request) => ({
    operation,
    body:
      operations.test(operation) && ('products' in body || 'product' in body)
        ? change(body, request)
        : body,
  })
}

/** Every answer of the catalog, and searches alone. */
const ALL = /^(search_catalog|lookup_catalog|get_product)$/
const SEARCHES = /^search_catalog$/

/** Changes the argument of these operations. */
const asked = (
  operations: RegExp,
  change: (catalog: JsonObject, request: StoreRequest) => JsonObject,
): NonNullable<Overrides['ucpCall']> => {
  return (call, request) =>
    operations.test(call.operation)
      ? { ...call, given: patch(call.given, 'catalog', (catalog) => change(catalog, request)) }
      : call
}

const eachProduct =
  (change: Change): Change =>
  (body, request) =>
    patch(
      eachOf(body, 'products', (product) => change(product, request)),
      'product',
      (product) => change(product, request),
    )

const eachVariant = (change: (variant: JsonObject, index: number) => JsonObject): Change =>
  eachProduct((product) => eachOf(product, 'variants', change))

const priced = (holder: JsonObject, key: string, change: (amount: number) => unknown): JsonObject =>
  patch(holder, key, (price) => ({ ...price, amount: change(Number(price.amount)) }))

/** Every price of a product. */
const eachPrice = (change: (amount: number) => unknown): Change =>
  eachProduct((product) =>
    eachOf(
      patch(product, 'price_range', (range) => priced(priced(range, 'min', change), 'max', change)),
      'variants',
      (variant) => priced(variant, 'price', change),
    ),
  )

const described = (length: number): Change =>
  eachProduct((product) =>
    patch(product, 'description', ({ plain }) => ({ plain: String(plain).slice(0, length) })),
  )

/** What the call of a request was about, for its answer. */
function noted<T>(read: (call: OperationCall) => T): {
  note: NonNullable<Overrides['ucpCall']>
  of: (request: StoreRequest) => T | undefined
} {
  const calls = new WeakMap<StoreRequest, { said: T }>()
  return {
    note: (call, request) => {
      calls.set(request, { said: read(call) })
      return call
    },
    of: (request) => calls.get(request)?.said,
  }
}

/** Joins an id and the number of the request that it was given in. */
const UNSTABLE = /~\d+$/
const askedIds = noted(({ given }) => [
  nested(given, 'catalog', 'id'),
  ...[nested(given, 'catalog', 'ids')].flat(),
])
const askedCursor = noted(({ given }) => nested(given, 'catalog', 'pagination', 'cursor'))
/** Whether all products were asked for. */
const askedAll = noted(
  ({ given }) =>
    nested(given, 'catalog', 'query') === undefined &&
    nested(given, 'catalog', 'filters', 'price', 'max') === undefined,
)

/** An id of this request, but where the call named it as an earlier one gave it. */
const unstable: Change = (product, request) => {
  const known = askedIds.of(request)?.find((id) => String(id).replace(UNSTABLE, '') === product.id)
  return { ...product, id: known ?? `${product.id}~${request.number}` }
}
const stableIds = (catalog: JsonObject): JsonObject => ({
  ...catalog,
  ...(typeof catalog.id === 'string' && { id: catalog.id.replace(UNSTABLE, '') }),
  ...(Array.isArray(catalog.ids) && {
    ids: catalog.ids.map((id) => String(id).replace(UNSTABLE, '')),
  }),
})

const [FIRST, SECOND] = ARTICLES

const soldOut = (variant: JsonObject): JsonObject => ({
  ...variant,
  availability: { available: false, status: 'out_of_stock' },
})

/** The ways to be wrong in the catalog of official UCP, over REST and MCP alike. */
export const UCP_CATALOG_FAULTS: readonly StoreFault[] = [
  walkFault('ucp', 'look-up-dearer', 'catalog_agrees', {
    ucpAnswer: shown(
      /^lookup_catalog$/,
      eachPrice((amount) => amount + SURCHARGE),
    ),
  }),
  walkFault('ucp', 'product-sold-out', 'catalog_agrees', {
    ucpAnswer: shown(/^get_product$/, eachVariant(soldOut)),
  }),
  officialFault('catalog_unreachable', {
    // A server that demands what UCP does not know answers like this.
    ucpCall: asked(SEARCHES, () => ({})),
  }),
  officialFault('catalog_wrong_content_type', {
    reply: below(`${OFFICIAL_PATHS.rest}/catalog/`, '', withHeader('content-type', 'text/plain')),
  }),
  officialFault('catalog_not_json', {
    ucpAnswer: shown(SEARCHES, ({ products, ...rest }) => ({ ...rest, items: products })),
  }),
  officialFault('catalog_empty', {
    ucpAnswer: shown(SEARCHES, (body) => ({
      ...body,
      products: [],
      pagination: { has_next_page: false, total_count: 0 },
    })),
  }),
  officialFault('catalog_all_sold_out', {
    ucpAnswer: shown(
      ALL,
      eachVariant((variant) => ({
        ...variant,
        availability: { available: false, status: 'out_of_stock' },
      })),
    ),
    ...SOLD_OUT_EVERYWHERE,
  }),
  officialFault('catalog_product_fields_invalid', {
    ucpAnswer: shown(
      ALL,
      eachProduct((product) => without(product, 'price_range')),
    ),
  }),
  officialFault('catalog_price_not_integer', {
    ucpAnswer: shown(
      ALL,
      eachVariant((variant) => priced(variant, 'price', (amount) => (amount / 100).toFixed(2))),
    ),
  }),
  officialFault('catalog_price_major_units', {
    ucpCall: asked(SEARCHES, (catalog) =>
      patch(catalog, 'filters', (filters) =>
        patch(filters, 'price', (range) =>
          Object.fromEntries(
            Object.entries(range).map(([end, amount]) => [end, Number(amount) * 100]),
          ),
        ),
      ),
    ),
    ucpAnswer: shown(
      ALL,
      eachPrice((amount) => Math.round(amount / 100)),
    ),
  }),
  officialFault('catalog_availability_invalid', {
    ucpAnswer: shown(
      ALL,
      eachVariant((variant) =>
        patch(variant, 'availability', (stock) => ({
          ...stock,
          available: stock.available ? 'yes' : 'no',
        })),
      ),
    ),
  }),
  officialFault('catalog_description_short', { ucpAnswer: shown(ALL, described(20)) }),
  officialFault('catalog_description_brief', { ucpAnswer: shown(ALL, described(120)) }),
  officialFault('catalog_images_invalid', {
    ucpAnswer: shown(
      ALL,
      eachProduct((product) =>
        eachOf(product, 'media', (image) => ({ ...image, url: `/images/${product.id}.svg` })),
      ),
    ),
  }),
  officialFault('catalog_ids_duplicate', {
    ucpAnswer: shown(
      SEARCHES,
      eachProduct((product) =>
        product.id === SECOND?.id ? { ...product, id: FIRST?.id } : product,
      ),
    ),
  }),
  officialFault('catalog_ids_unstable', {
    ucpCall: (call, request) => asked(ALL, stableIds)(askedIds.note(call, request), request),
    ucpAnswer: shown(ALL, eachProduct(unstable)),
  }),
  officialFault('catalog_variants_invalid', {
    ucpAnswer: shown(
      ALL,
      eachVariant((variant) => without(variant, 'options')),
    ),
  }),
  officialFault('catalog_variants_clash', {
    ucpAnswer: shown(
      ALL,
      eachProduct((product) => {
        const [first] = Array.isArray(product.variants) ? product.variants : []
        return eachOf(product, 'variants', (variant, index) =>
          index === 1 ? { ...variant, options: first.options } : variant,
        )
      }),
    ),
  }),
  officialFault('catalog_pagination_missing', {
    ucpCall: askedAll.note,
    ucpAnswer: shown(SEARCHES, ({ pagination, ...body }, request) =>
      askedAll.of(request)
        ? { ...body, products: ARTICLES.map((article) => toUcpProduct(article, request.origin)) }
        : { ...body, pagination },
    ),
  }),
  officialFault('catalog_next_broken', {
    ucpAnswer: shown(SEARCHES, (body) =>
      patch(body, 'pagination', (page) => ('cursor' in page ? { ...page, cursor: 'next' } : page)),
    ),
  }),
  officialFault('catalog_next_loops', {
    ucpCall: askedCursor.note,
    ucpAnswer: shown(SEARCHES, (body, request) => {
      const cursor = askedCursor.of(request)
      return cursor === undefined
        ? body
        : patch(body, 'pagination', (page) => ({ ...page, has_next_page: true, cursor }))
    }),
  }),
  officialFault('catalog_filters_ineffective', {
    ucpCall: asked(SEARCHES, (catalog) => ({ ...catalog, filters: { price: { min: 0 } } })),
  }),
  // Numbers of one kind that agree are enough: the barcodes would.
  officialFault('catalog_page_identifiers_mismatch', {
    ucpAnswer: shown(
      ALL,
      eachVariant((variant) => ({ ...without(variant, 'barcodes'), sku: `${variant.sku}-9` })),
    ),
  }),
  officialFault('catalog_search_ineffective', {
    ucpCall: asked(SEARCHES, ({ query, ...catalog }) => ({
      filters: { price: { min: 0 } },
      ...catalog,
    })),
  }),
  storeFault('ucp_description_invalid', {
    ucpAnswer: shown(
      ALL,
      eachProduct((product) =>
        eachOf(
          { ...product, description: nested(product, 'description', 'plain') },
          'variants',
          (variant) => ({ ...variant, description: nested(variant, 'description', 'plain') }),
        ),
      ),
    ),
  }),
  storeFault('ucp_lookup_broken', {
    ucpAnswer: shown(/^lookup_catalog$/, (body) => ({ ...body, products: [] })),
  }),
  storeFault('ucp_product_unresolved', {
    ucpCall: asked(/^get_product$/, (catalog) => without(catalog, 'selected')),
  }),
  storeFault('ucp_transports_differ', {
    ucpAnswer: (answer, request) =>
      request.path === OFFICIAL_PATHS.mcp
        ? shown(
            ALL,
            eachPrice((amount) => amount + SURCHARGE),
          )(answer, request)
        : answer,
  }),
]
