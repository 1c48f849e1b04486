import * as z from 'zod'
import type { Article, Offer } from '../../db/tables.ts'
import type { JsonObject } from '../../http/store-request.ts'
import { CURRENCY, offersOf } from '../../shop/assortment.ts'
import { isPricedWithin, matches } from '../../shop/catalog.ts'
import { Text } from './envelope.ts'

const Price = z.int().min(0).optional()

/** What every request to the catalog may carry; what the store has no use for is ignored. */
export const CatalogRequest = z.object({
  filters: z
    .object({
      categories: z.array(Text).max(50).optional(),
      price: z.object({ min: Price, max: Price }).optional(),
    })
    .optional(),
  context: z.object({ currency: Text.optional() }).optional(),
})
type CatalogRequest = z.infer<typeof CatalogRequest>

const isOurs = ({ context }: CatalogRequest): boolean =>
  // Unspecified: a price filter that names no currency is in the store's own.
  (context?.currency ?? CURRENCY).toUpperCase() === CURRENCY

/** The offers of a product that pass the filters: none when it is in none of the categories. */
export function wantedOffers(article: Article, request: CatalogRequest): Offer[] {
  const { categories, price } = request.filters ?? {}
  if (categories?.every((category) => !matches(article, { category }))) return []
  const range = isOurs(request) ? { min_price: price?.min, max_price: price?.max } : {}
  return offersOf(article).filter((offer) => isPricedWithin(offer, range))
}

/** Says it when the price filter was left aside. */
export const unusedFilter = (request: CatalogRequest): JsonObject[] =>
  request.filters?.price === undefined || isOurs(request)
    ? []
    : [
        {
          type: 'info',
          code: 'price_filter_ignored',
          content: `This store sells only in ${CURRENCY}. Send the price filter in this currency.`,
        },
      ]

export const withMessages = (messages: JsonObject[]): JsonObject =>
  messages.length === 0 ? {} : { messages }
