import * as z from 'zod'
import { LOOKUP, SEARCH } from '../../../../../shared/protocols/ucp/names.ts'
import type { Article, Offer } from '../../../db/tables.ts'
import type { JsonObject } from '../../../http/store-request.ts'
import { matches } from '../../../shop/catalog.ts'
import type { Inventory, InventoryRequest } from '../../../shop/inventory.ts'
import { noteLookUp } from '../../../shop/product-views.ts'
import { type Agreed, protocolError, Text, type UcpResult, ucpOf } from '../envelope.ts'
import { CatalogRequest, unusedFilters, wantedOffers, withMessages } from './catalog-filters.ts'
import { isAvailable, toUcpProduct, toUcpVariant } from './product.ts'

/** A page must fit into what an assistant can read of one answer. */
const MAX_PAGE = 20

const DEFAULT_PAGE = 10

/** Ids in one lookup. UCP: ten at least. */
const MAX_IDS = 20

/** A call that reads the catalog. */
export interface CatalogCall extends Agreed {
  request: InventoryRequest
}

/** The argument of `search_catalog`; a cursor is the number of products before the page. */
export const SearchRequest = CatalogRequest.extend({
  query: Text.optional(),
  pagination: z
    .object({
      cursor: z
        .string()
        .regex(/^\d{1,6}$/, 'expected the cursor of an earlier answer')
        .optional(),
      limit: z.int().min(1).optional(),
    })
    .optional(),
})

/** The matching products: ten of them, or the requested number, up to twenty. */
export function search(
  { request: shop, negotiated }: CatalogCall,
  request: z.infer<typeof SearchRequest>,
): UcpResult {
  if (!request.query?.trim() && Object.keys(request.filters ?? {}).length === 0) {
    return protocolError(
      400,
      'invalid_request',
      'Send a query, filters, or both: an empty search lists nothing.',
    )
  }
  const { origin, inventory } = shop
  const { cursor = '0', limit = DEFAULT_PAGE } = request.pagination ?? {}
  const q = request.query?.trim()
  const found = inventory.articles.filter(
    (article) => (!q || matches(article, { q })) && wantedOffers(article, request).length > 0,
  )
  const from = Number(cursor)
  const to = from + Math.min(limit, MAX_PAGE)
  const more = to < found.length
  const shown = found.slice(from, to)
  noteLookUp(shop, { source: 'ucp', shown, total: found.length })
  return {
    status: 200,
    body: {
      ucp: ucpOf(negotiated, 'success', SEARCH),
      products: shown.map((article) => toUcpProduct(article, origin)),
      pagination: {
        has_next_page: more,
        total_count: found.length,
        ...(more && { cursor: String(to) }),
      },
      ...withMessages(unusedFilters(request)),
    },
  }
}

/** The argument of `lookup_catalog`. */
export const LookupRequest = CatalogRequest.extend({ ids: z.array(Text).min(1) })

/** Why these are too many ids, checked before the catalog is read; null: they are not. */
export const tooManyIds = ({ ids }: z.infer<typeof LookupRequest>): UcpResult | null =>
  new Set(ids).size > MAX_IDS
    ? protocolError(400, 'request_too_large', `Send at most ${MAX_IDS} ids in each request.`)
    : null

/** Products by their ids or by those of variants, and the ids without a product. */
export function lookup(
  { request: shop, negotiated }: CatalogCall,
  request: z.infer<typeof LookupRequest>,
): UcpResult {
  const { origin, inventory } = shop
  const found = new Map<Article, Map<Offer, JsonObject[]>>()
  const missing: JsonObject[] = []
  for (const id of new Set(request.ids)) {
    const hit = resolve(inventory, id, request)
    if (hit === null) {
      missing.push({ type: 'info', code: 'not_found', content: `There is no product ${id}.` })
    } else {
      const inputs = found.get(hit.article) ?? new Map<Offer, JsonObject[]>()
      found.set(hit.article, inputs)
      inputs.set(hit.offer, [...(inputs.get(hit.offer) ?? []), { id, match: hit.match }])
    }
  }
  const exact = [...found.values()]
    .flatMap((inputsOf) => [...inputsOf])
    .flatMap(([{ id }, inputs]) => (inputs.some(({ match }) => match === 'exact') ? [id] : []))
  const variantId = exact.length === 1 ? exact[0] : undefined
  noteLookUp(shop, { source: 'ucp', shown: [...found.keys()], variantId })
  const products = [...found].map(([article, inputsOf]) => {
    const variants = [...inputsOf].map(([offer, inputs]) => ({
      ...toUcpVariant(article, offer),
      inputs,
    }))
    return toUcpProduct(article, origin, variants)
  })
  return {
    status: 200,
    body: {
      ucp: ucpOf(negotiated, 'success', LOOKUP),
      products,
      ...withMessages([...missing, ...unusedFilters(request)]),
    },
  }
}

interface Hit {
  article: Article
  offer: Offer
  match: 'exact' | 'featured'
}

/** A variant by its id; for a product's id its featured variant, the first available one. */
export function resolve(
  inventory: Inventory,
  id: string,
  request: z.infer<typeof CatalogRequest>,
): Hit | null {
  const found = inventory.findOffer(id)
  if (found === undefined) return null
  const { article, offer } = found
  const wanted = wantedOffers(article, request)
  if (offer !== undefined) return wanted.includes(offer) ? { article, offer, match: 'exact' } : null
  const featured = wanted.find(isAvailable) ?? wanted[0]
  return featured === undefined ? null : { article, offer: featured, match: 'featured' }
}
