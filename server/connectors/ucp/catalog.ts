import { LOOKUP, SEARCH } from '../../../shared/protocols/ucp/names.ts'
import { catalogRefusal, type ListedAnswer, spoken } from './profile.ts'

/** A product as UCP has it; amounts are in the smallest unit of their currency. */
export interface UcpListing {
  id: string
  title: string
  description: { plain: string }
  url: string
  price_range: { min: UcpAmount; max: UcpAmount }
  categories?: { value: string }[]
  media?: { type: 'image'; url: string }[]
  variants: UcpListingVariant[]
}

interface UcpAmount {
  amount: number
  currency: string
}

export interface UcpListingVariant {
  id: string
  sku?: string
  title: string
  description: { plain: string }
  url: string
  price: UcpAmount
  availability: { available: boolean; status: 'in_stock' | 'out_of_stock' | 'backorder' }
  options?: { name: string; label: string }[]
}

/** What the shop shows any visitor. */
export interface Shelf {
  /** The products from `start` on, at most `limit`, and how many there are. */
  search(asked: { words: string; start: number; limit: number }): Promise<{
    products: UcpListing[]
    total: number
  }>
  /** The products that have these ids, or variants that have them. */
  find(ids: readonly string[]): Promise<UcpListing[]>
}

const MOST = 50
/** A range of prices is looked for among the first 200. */
const MOST_FILTERED = 200

export async function answerSearch(shelf: Shelf, request: unknown): Promise<ListedAnswer> {
  const query = memberOf(request, 'query')
  const filters = memberOf(request, 'filters')
  if (typeof query !== 'string' && Object(filters) !== filters) {
    return catalogRefusal(400, 'invalid', 'Send a query, filters, or both.')
  }
  const words = typeof query === 'string' ? query.slice(0, 200) : ''
  const limit = numberOf(memberOf(memberOf(request, 'pagination'), 'limit'), 1, MOST, 10)
  const cursor = memberOf(memberOf(request, 'pagination'), 'cursor')
  const start = numberOf(cursor, 0, Number.MAX_SAFE_INTEGER, 0)
  const price = memberOf(filters, 'price')
  const min = numberOf(memberOf(price, 'min'), 0, Number.MAX_SAFE_INTEGER, 0)
  const max = numberOf(memberOf(price, 'max'), 0, Number.MAX_SAFE_INTEGER, Infinity)
  const isFiltered = min > 0 || max < Infinity
  // Unspecified: the shops cannot search by price, so the first 200 that match are looked through.
  const found = await shelf.search(
    isFiltered ? { words, start: 0, limit: MOST_FILTERED } : { words, start, limit },
  )
  const within = isFiltered
    ? found.products.filter(
        ({ price_range }) => price_range.max.amount >= min && price_range.min.amount <= max,
      )
    : found.products
  const products = isFiltered ? within.slice(start, start + limit) : within
  const total = isFiltered ? within.length : found.total
  const next = start + limit
  return {
    status: 200,
    body: {
      ucp: spoken(SEARCH),
      products,
      pagination: {
        has_next_page: next < total,
        total_count: total,
        ...(next < total && { cursor: String(next) }),
      },
    },
  }
}

export async function answerLookup(shelf: Shelf, request: unknown): Promise<ListedAnswer> {
  const asked = memberOf(request, 'ids')
  const ids = [...new Set(Array.isArray(asked) ? asked.map(idOf).filter((id) => id !== '') : [])]
  if (ids.length === 0) {
    return catalogRefusal(400, 'invalid', 'Send the ids of products or variants as "ids".')
  }
  if (ids.length > MOST)
    return catalogRefusal(400, 'request_too_large', `Send at most ${MOST} ids.`)
  const products = (await shelf.find(ids)).map((product) => ({
    ...product,
    variants: product.variants.flatMap((variant, index) => {
      const inputs = ids.flatMap((id) => {
        if (id === variant.id) return [{ id, match: 'exact' }]
        // The product itself was asked for: the first of its variants stands for it.
        return id === product.id && index === 0 ? [{ id, match: 'featured' }] : []
      })
      return inputs.length > 0 ? [{ ...variant, inputs }] : []
    }),
  }))
  return { status: 200, body: { ucp: spoken(LOOKUP), products } }
}

export async function answerProduct(shelf: Shelf, request: unknown): Promise<ListedAnswer> {
  const id = idOf(memberOf(request, 'id'))
  const [product] = id === '' ? [] : await shelf.find([id])
  if (product === undefined) return catalogRefusal(200, 'not_found', `There is no product "${id}".`)
  const asked = memberOf(request, 'selected')
  const selected = (Array.isArray(asked) ? asked : []).map((option) => ({
    name: String(memberOf(option, 'name')),
    label: String(memberOf(option, 'label')),
  }))
  const closeness = ({ id: own, options = [] }: UcpListingVariant) =>
    (own === id ? 100 : 0) +
    selected.filter(({ name, label }) =>
      options.some((option) => option.name === name && option.label === label),
    ).length
  const variants = product.variants.toSorted((a, b) => closeness(b) - closeness(a))
  return {
    status: 200,
    body: {
      ucp: spoken(LOOKUP),
      product: { ...product, variants, ...(selected.length > 0 && { selected }) },
    },
  }
}

/** An answer, also where the shop's own API gives none. */
export async function answered(answer: () => Promise<ListedAnswer>): Promise<ListedAnswer> {
  try {
    return await answer()
  } catch {
    return catalogRefusal(503, 'unavailable', 'The products cannot be read now. Try again later.')
  }
}

/** The lowest and the highest price of some variants. */
export function priceSpan(
  variants: readonly UcpListingVariant[],
): UcpListing['price_range'] | null {
  const prices = variants.map(({ price }) => price).toSorted((a, b) => a.amount - b.amount)
  const [min] = prices
  const max = prices.at(-1)
  return min && max ? { min, max } : null
}

const memberOf = (value: unknown, name: string): unknown =>
  Object(value) === value && Object.hasOwn(Object(value), name) ? Object(value)[name] : undefined

const idOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : ''

function numberOf(value: unknown, least: number, most: number, otherwise: number): number {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number)
    ? Math.min(Math.max(Math.floor(number), least), most)
    : otherwise
}
