import * as z from 'zod'
import type { Article, Offer } from '../../../db/tables.ts'
import type { JsonObject } from '../../../http/store-request.ts'
import { CURRENCY, offersOf } from '../../../shop/assortment.ts'
import { isPricedWithin, matches } from '../../../shop/catalog.ts'
import { Text } from '../envelope.ts'

const Price = z.int().min(0).optional()

/** What every request to the catalog may carry; members that the store does not use are ignored. */
export const CatalogRequest = z.object({
  filters: z
    .looseObject({
      categories: z.array(Text).max(50).optional(),
      price: z.object({ min: Price, max: Price }).optional(),
    })
    .optional(),
  context: z.object({ currency: Text.optional() }).optional(),
})
type CatalogRequest = z.infer<typeof CatalogRequest>

const isOurs = ({ context }: CatalogRequest): boolean =>
  // Unspecified: a price filter without a currency is in the store's own.
  (context?.currency ?? CURRENCY).toUpperCase() === CURRENCY

/** The offers of a product that pass the filters; none if it is in none of the categories. */
export function wantedOffers(article: Article, request: CatalogRequest): Offer[] {
  const { categories, price } = request.filters ?? {}
  if (categories?.every((category) => !matches(article, { category }))) return []
  const range = isOurs(request) ? { min_price: price?.min, max_price: price?.max } : {}
  return offersOf(article).filter((offer) => isPricedWithin(offer, range))
}

/** The filters that are applied; the answer names the others. */
const KNOWN_FILTERS = ['categories', 'price']

/** Limits for the named filters, and for the characters of each. */
const MOST_NAMES = 5
const LONGEST_NAME = 50

/** Lists the filters that were ignored. */
export function unusedFilters(request: CatalogRequest): JsonObject[] {
  const filters = request.filters ?? {}
  const unknown = Object.keys(filters)
    .filter((name) => !KNOWN_FILTERS.includes(name))
    .map((name) => name.slice(0, LONGEST_NAME).toWellFormed())
  const listed =
    unknown.slice(0, MOST_NAMES).join(', ') + (unknown.length > MOST_NAMES ? ', …' : '')
  return [
    ...(filters.price === undefined || isOurs(request)
      ? []
      : [
          {
            type: 'info',
            code: 'price_filter_ignored',
            content: `This store sells only in ${CURRENCY}. Send the price filter in this currency.`,
          },
        ]),
    ...(unknown.length === 0
      ? []
      : [
          {
            type: 'info',
            code: 'filter_ignored',
            content: `This store filters by ${KNOWN_FILTERS.join(' and ')}. These filters were ignored: ${listed}.`,
          },
        ]),
  ]
}

/** The field `messages` of an answer, absent if there are none. */
export const withMessages = (messages: JsonObject[]): JsonObject =>
  messages.length === 0 ? {} : { messages }
