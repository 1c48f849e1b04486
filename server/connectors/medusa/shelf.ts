import type { MedusaContainer, Query } from '@medusajs/framework/types'
import { inSmallestUnit } from '../../../aisle-node/money.ts'
import { priceSpan, type Shelf, type UcpListing, type UcpListingVariant } from '../ucp/catalog.ts'
import type { CatalogOptions } from './service.ts'

/** A product of the Store API, with the fields that are asked for. */
export interface StoreProduct {
  id: string
  title: string
  handle: string
  description: string | null
  images?: { url: string }[] | null
  categories?: { name: string }[] | null
  variants?: StoreVariant[] | null
}

interface StoreVariant {
  id: string
  title: string | null
  sku: string | null
  manage_inventory: boolean
  allow_backorder: boolean
  inventory_quantity?: number | null
  calculated_price?: { calculated_amount: number; currency_code: string } | null
  options?: { value: string; option?: { title: string } | null }[] | null
}

/** Beyond what the Store API answers anyway. */
const FIELDS = '*variants.calculated_price,+variants.inventory_quantity,*categories'
const TIMEOUT_MS = 10_000

/** What the Store API of the shop shows a visitor of its storefront. */
export function medusaShelf(options: CatalogOptions, container: MedusaContainer): Shelf {
  const ask = async (path: string, query: URLSearchParams | string = '') => {
    const answer = await fetch(`${options.url}/store/${path}?${query}`, {
      headers: { 'x-publishable-api-key': options.publishableKey },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    if (!answer.ok) throw new Error(`The Store API answers HTTP ${answer.status}.`)
    return answer.json()
  }
  let region = options.region
  const products = async (asked: string[][]) => {
    region ??= (await ask('regions', 'limit=1')).regions[0]?.id
    const pairs = [['fields', FIELDS], ['region_id', region ?? ''], ...asked]
    const { products: found, count } = await ask('products', new URLSearchParams(pairs))
    return { products: readProducts(found, options.productUrl), total: Number(count) }
  }
  return {
    search: ({ words, start, limit }) =>
      products([
        ...(words === '' ? [] : [['q', words]]),
        ['offset', String(start)],
        ['limit', String(limit)],
      ]),
    find: async (ids) => {
      const { data } = await container
        .resolve<Query>('query')
        .graph<{ product_id: string | null }>({
          entity: 'variant',
          fields: ['product_id'],
          filters: { id: ids },
        })
      const owners = data.flatMap(({ product_id }) => product_id ?? [])
      const asked = [...new Set([...ids, ...owners])].map((id) => ['id[]', id])
      return (await products([...asked, ['limit', '100']])).products
    },
  }
}

const readProducts = (found: readonly StoreProduct[], productUrl: string) =>
  found.flatMap((product) => medusaListing(product, productUrl) ?? [])

/** A product as UCP has it. Null: it has no price here, and is not for sale. */
export function medusaListing(product: StoreProduct, productUrl: string): UcpListing | null {
  const url = productUrl.replace('{handle}', encodeURIComponent(product.handle))
  const description = { plain: product.description || product.title }
  const variants = (product.variants ?? []).flatMap((variant): UcpListingVariant[] => {
    const { calculated_price: price } = variant
    if (!price) return []
    const inStock = !variant.manage_inventory || (variant.inventory_quantity ?? 0) > 0
    const currency = price.currency_code.toUpperCase()
    const options = (variant.options ?? []).flatMap(({ value, option }) =>
      option ? [{ name: option.title, label: value }] : [],
    )
    return [
      {
        id: variant.id,
        ...(variant.sku && { sku: variant.sku }),
        title: variant.title ? `${product.title} - ${variant.title}` : product.title,
        description,
        url,
        price: { amount: inSmallestUnit(price.calculated_amount, currency), currency },
        availability: {
          available: inStock || variant.allow_backorder,
          status: inStock ? 'in_stock' : variant.allow_backorder ? 'backorder' : 'out_of_stock',
        },
        ...(options.length > 0 && { options }),
      },
    ]
  })
  const price_range = priceSpan(variants)
  if (price_range === null) return null
  const categories = (product.categories ?? []).map(({ name }) => ({ value: name }))
  const media = (product.images ?? []).slice(0, 10).map(({ url: at }) => ({
    type: 'image' as const,
    url: at,
  }))
  return {
    id: product.id,
    title: product.title,
    description,
    url,
    price_range,
    ...(categories.length > 0 && { categories }),
    ...(media.length > 0 && { media }),
    variants,
  }
}
