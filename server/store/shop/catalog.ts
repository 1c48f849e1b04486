import * as z from 'zod'
import { Availability, type CatalogPage, type Money } from '../../../shared/commerce/product.ts'
import type { Article } from '../db/tables.ts'
import { ASSISTANT_ERROR } from '../http/refusals.ts'
import { applyFaults } from '../http/store-request.ts'
import { toProduct } from './assortment.ts'
import type { InventoryRequest } from './inventory.ts'

// Unspecified: a page of the catalog has 100 products, and no parameter changes that.
const PER_PAGE = 100

/** More than any price, and exact as a number. */
const MAX_WHOLE = 999_999_999_999

const Whole = z
  .string()
  .regex(/^\d+$/, { error: 'must be a whole number', abort: true })
  .refine((digits) => Number(digits) <= MAX_WHOLE, `must be at most ${MAX_WHOLE}`)
  .transform(Number)

/** The catalog's query (spec, UCP endpoints). Unknown parameters are ignored. */
const CatalogQuery = z.object({
  q: z.string().max(200, 'must be at most 200 characters').optional(),
  category: z.string().max(200, 'must be at most 200 characters').optional(),
  min_price: Whole.optional(),
  max_price: Whole.optional(),
  availability: Availability.optional(),
  page: Whole.pipe(z.number().min(1, 'must be at least 1')).optional(),
})
type CatalogQuery = z.infer<typeof CatalogQuery>

/** Reads the parameters; an empty one counts as absent, a wrong one is named. */
export function readQuery(
  request: InventoryRequest,
  parameters: Record<string, string>,
): { query: CatalogQuery } | { message: string; fields: string[]; detail: string } {
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  const read = CatalogQuery.safeParse(
    applyFaults(request, 'catalogQuery', Object.fromEntries(given)),
  )
  if (read.success) return { query: read.data }
  const fields = read.error.issues.map(({ path }) => String(path[0]))
  const wrong = read.error.issues.map(({ message }, at) => `${fields[at]}: ${message}`).join('; ')
  return {
    message: ASSISTANT_ERROR,
    fields: [...new Set(fields)],
    detail: `Fix the query and send it again: ${wrong}.`,
  }
}

/** A page of the results; `path` is the address of the next one. */
export function catalogPage(
  request: InventoryRequest,
  query: CatalogQuery,
  path: string,
): CatalogPage {
  const page = query.page ?? 1
  const perPage = applyFaults(request, 'perPage', PER_PAGE)
  const found = request.inventory.articles.filter((article) => matches(article, query))
  const listed = found.slice((page - 1) * perPage, page * perPage)
  return {
    products: listed.map((article) => toProduct(article, request.origin)),
    pagination: {
      page,
      per_page: perPage,
      total: found.length,
      next: page * perPage < found.length ? pageUrl(request, query, path, page + 1) : null,
    },
  }
}

function pageUrl(
  { origin }: InventoryRequest,
  query: CatalogQuery,
  path: string,
  page: number,
): string {
  const url = new URL(path, origin)
  for (const [name, value] of Object.entries({ ...query, page })) {
    url.searchParams.set(name, String(value))
  }
  return url.href
}

/** Whether the query lists the product. */
export function matches(article: Article, query: CatalogQuery): boolean {
  const { q, category, availability } = query
  if (category !== undefined && article.category.toLowerCase() !== category.toLowerCase()) {
    return false
  }
  const { name, description, brand, sku } = article
  const words = q?.toLowerCase().split(/\s+/) ?? []
  const text = [name, description, article.category, brand, sku].join(' ').toLowerCase()
  if (!words.every((word) => text.includes(word))) return false
  // Unspecified: the catalog's filter by availability goes by the product's own availability, not
  // by its variants'.
  if (availability !== undefined && article.availability !== availability) return false
  // Unspecified: a product passes the filter by price if its own price or that of one of its
  // variants does.
  return [article, ...article.variants].some((offer) => isPricedWithin(offer, query))
}

/** Whether the price of an offer (smallest unit) is within the range, both ends included. */
export const isPricedWithin = (
  { price }: { price: Money },
  { min_price, max_price }: Pick<CatalogQuery, 'min_price' | 'max_price'>,
): boolean =>
  price.amount >= (min_price ?? 0) && price.amount <= (max_price ?? Number.POSITIVE_INFINITY)
