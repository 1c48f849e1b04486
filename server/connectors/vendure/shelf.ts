import { inSmallestUnit } from '../../../aisle-node/money.ts'
import { priceSpan, type Shelf, type UcpListing, type UcpListingVariant } from '../ucp/catalog.ts'

export interface PublishedCatalog {
  /** The public address of the Vendure server. */
  url: string
  /** The page of a product, with `{slug}` in it. */
  productUrl: string
  /** The path of the Shop API, unless it is `shop-api`. */
  shopApiPath?: string
  /** Of a channel other than the default one. */
  channelToken?: string
}

/** A product of the Shop API, with the fields that are asked for. */
interface ShopProduct {
  id: string
  name: string
  slug: string
  description: string
  featuredAsset: { preview: string } | null
  collections: { name: string }[]
  variants: {
    id: string
    name: string
    sku: string
    priceWithTax: number
    currencyCode: string
    stockLevel: string
    options: { name: string; group: { name: string } }[]
  }[]
}

const QUERY = `query ($options: ProductListOptions) {
  products(options: $options) {
    totalItems
    items {
      id name slug description featuredAsset { preview } collections { name }
      variants {
        id name sku priceWithTax currencyCode stockLevel options { name group { name } }
      }
    }
  }
}`
const TIMEOUT_MS = 10_000
/** The Shop API gives no more in one answer. */
const MOST = 100

/** What the Shop API shows a visitor. */
export function vendureShelf(options: PublishedCatalog, precision: number): Shelf {
  const products = async (asked: object) => {
    const answer = await fetch(`${options.url}/${options.shopApiPath ?? 'shop-api'}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(options.channelToken && { 'vendure-token': options.channelToken }),
      },
      body: JSON.stringify({ query: QUERY, variables: { options: asked } }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    const { data } = await answer.json()
    const found: ShopProduct[] = data.products.items
    return {
      products: found.flatMap((each) => vendureListing(each, options.productUrl, precision) ?? []),
      total: Number(data.products.totalItems),
    }
  }
  return {
    search: ({ words, start, limit }) => {
      const contains = { contains: words }
      const filter = { _or: [{ name: contains }, { description: contains }] }
      return products({
        skip: start,
        take: Math.min(limit, MOST),
        ...(words !== '' && { filter }),
      })
    },
    find: async (ids) => {
      const own = [...new Set(ids.map((id) => id.split('.')[0] ?? ''))]
      return (await products({ take: MOST, filter: { id: { in: own } } })).products
    },
  }
}

/** A product as UCP has it. Null: it has no variants, and is not for sale. */
export function vendureListing(
  product: ShopProduct,
  productUrl: string,
  precision: number,
): UcpListing | null {
  const url = productUrl.replace('{slug}', encodeURIComponent(product.slug))
  const plain = product.description
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const description = { plain: plain || product.name }
  const variants = product.variants.map((variant): UcpListingVariant => {
    const { currencyCode: currency } = variant
    // By the shop's own strategy it is a word or a number.
    const available = variant.stockLevel !== 'OUT_OF_STOCK' && variant.stockLevel !== '0'
    const options = variant.options.map(({ name, group }) => ({ name: group.name, label: name }))
    const amount = (variant.priceWithTax / 10 ** precision).toFixed(precision)
    return {
      // Products and variants are both numbered from 1.
      id: `${product.id}.${variant.id}`,
      sku: variant.sku,
      title: variant.name,
      description,
      url,
      price: { amount: inSmallestUnit(amount, currency), currency },
      availability: { available, status: available ? 'in_stock' : 'out_of_stock' },
      ...(options.length > 0 && { options }),
    }
  })
  const price_range = priceSpan(variants)
  if (price_range === null) return null
  const categories = product.collections.map(({ name }) => ({ value: name }))
  return {
    id: product.id,
    title: product.name,
    description,
    url,
    price_range,
    ...(categories.length > 0 && { categories }),
    ...(product.featuredAsset && {
      media: [{ type: 'image' as const, url: product.featuredAsset.preview }],
    }),
    variants,
  }
}
