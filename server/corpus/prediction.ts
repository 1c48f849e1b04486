import type { OfferMarkup } from '../../shared/markup/offers.ts'
import type { Page } from '../../shared/markup/page.ts'
import { mainProduct, type ProductMarkup } from '../../shared/markup/products.ts'

/** What the markup of a page states about its product; null where it states nothing readable. */
export interface Prediction {
  price: string | null
  currency: string | null
  availability: 'InStock' | 'OutOfStock' | null
  sku: string | null
  brand: string | null
  gtin: string | null
}

const NOTHING: Prediction = {
  price: null,
  currency: null,
  availability: null,
  sku: null,
  brand: null,
  gtin: null,
}

export function predict(page: Page): Prediction {
  const product = mainProduct(page)
  if (product === null) return NOTHING
  const offers = [product, ...product.variants].flatMap((each) => each.offers)
  const priced = offers.find(({ price }) => price !== null && /^\d+(\.\d+)?$/.test(price))
  return {
    price: priced?.price ?? null,
    currency:
      priced?.currency ?? offers.find(({ currency }) => currency !== null)?.currency ?? null,
    availability: stockOf(offers),
    sku: skuOf(page, product),
    brand: product.brand ?? product.variants[0]?.brand ?? null,
    gtin: gtinOf(product),
  }
}

/** A product is in stock when one of its offers is, and out of stock when all of them are. */
function stockOf(offers: readonly OfferMarkup[]): Prediction['availability'] {
  if (offers.some(({ stock }) => stock === 'in_stock')) return 'InStock'
  const isOut = offers.length > 0 && offers.every(({ stock }) => stock === 'out_of_stock')
  return isOut ? 'OutOfStock' : null
}

/**
 * Of the numbers that the markup states, the one in the page's address, else the product's own.
 * Several products of one name are sizes and colors: then none of their numbers is the product's.
 */
function skuOf(page: Page, product: ProductMarkup): string | null {
  const offered = new Set(product.offers.flatMap(({ sku }) => sku ?? []))
  const stated = [product.sku, product.product_id, ...(offered.size === 1 ? offered : [])]
    .filter((sku) => sku !== null)
    .map((sku) => sku.replace(/^(sku|mpn):/i, ''))
  const address = (URL.parse(page.url)?.pathname ?? '').toLowerCase()
  const inAddress = stated.find((sku) => sku.length > 3 && address.includes(sku.toLowerCase()))
  if (inAddress !== undefined) return inAddress
  const sameName = page.products.filter(({ name }) => name === product.name)
  const skus = new Set(sameName.flatMap(({ sku }) => sku ?? []))
  return skus.size > 1 ? null : (stated[0] ?? null)
}

function gtinOf(product: ProductMarkup): string | null {
  const stated = [product, ...product.variants, ...product.offers].flatMap(({ gtins }) => gtins)
  const [first] = stated.filter(({ value }) => !/^0*$/.test(value))
  return first?.value.replace(/[\s-]/g, '') ?? null
}
