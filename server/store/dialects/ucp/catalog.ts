import * as z from 'zod'
import { MAX_LINES } from '../../checkout/steps/basket.ts'
import type { Article, Offer } from '../../db/tables.ts'
import type { JsonObject } from '../../http/store-request.ts'
import { matches } from '../../shop/catalog.ts'
import type { Inventory, InventoryRequest } from '../../shop/inventory.ts'
import { noteLookUp } from '../../shop/product-views.ts'
import { CatalogRequest, unusedFilter, wantedOffers, withMessages } from './catalog-filters.ts'
import { Text, type UcpResult, ucpOf } from './envelope.ts'
import { isAvailable, toUcpProduct, toUcpVariant } from './product.ts'
import { LOOKUP, SEARCH } from './profile.ts'

const MAX_PAGE = 50

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

/** The products that match: ten of them, or as many as asked for, up to fifty. */
export function search(shop: InventoryRequest, request: z.infer<typeof SearchRequest>): UcpResult {
  const { origin, inventory } = shop
  const { cursor = '0', limit = 10 } = request.pagination ?? {}
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
      ucp: ucpOf('success', SEARCH),
      products: shown.map((article) => toUcpProduct(article, origin)),
      pagination: {
        has_next_page: more,
        total_count: found.length,
        ...(more && { cursor: String(to) }),
      },
      ...withMessages(unusedFilter(request)),
    },
  }
}

/** The argument of `lookup_catalog`. */
export const LookupRequest = CatalogRequest.extend({ ids: z.array(Text).min(1).max(MAX_LINES) })

/** Products by their ids or by those of variants, and which ids none has. */
export function lookup(shop: InventoryRequest, request: z.infer<typeof LookupRequest>): UcpResult {
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
      ucp: ucpOf('success', LOOKUP),
      products,
      ...withMessages([...missing, ...unusedFilter(request)]),
    },
  }
}

interface Hit {
  article: Article
  offer: Offer
  match: 'exact' | 'featured'
}

/** A variant by its id; for the id of a product its featured variant, the first that can be had. */
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
