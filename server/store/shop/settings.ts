import type { Money } from '../../../shared/commerce/product.ts'

/** One name on every host: a domain's own label may only support the brand. */
export const SHOP_NAME = 'Aisle Outfitters'
/** The User-Agent of the store's own requests. */
export const STORE_AGENT = 'Aisle-Store/1'
export const SHOP_MOTTO = 'Gear for paths, peaks and the night between'

/**
 * Unspecified: the shipping endpoint is at /ucp/shipping and orders are at /ucp/orders; the
 * manifest declares both.
 */
export const SHIPPING_PATH = '/ucp/shipping'

export const FEED_PATH = '/feeds/google.xml'
export const LOGO_PATH = '/images/logo.svg'
export const STYLES_PATH = '/styles.css'
export const TOOLS_PATH = '/webmcp.js'
export const POLICIES_PATH = '/policies'
export const BASKET_PATH = '/basket'

export const RETURN_DAYS = 30

const usd = (amount: number): Money => ({ amount, currency: 'USD' })

/** What shipping costs; standard is free from `freeFrom` on, within the country. */
export const SHIPPING = {
  country: 'US',
  standard: usd(600),
  express: usd(1800),
  international: usd(2900),
  freeFrom: usd(10_000),
} as const

/** The longest delivery of each option, in days. */
export const SHIPPING_DAYS: Readonly<Record<string, number>> = {
  standard: 5,
  express: 1,
  international: 14,
}

/** When items that cannot ship now will, as Google demands for preorder and backorder. */
export const DAYS_UNTIL_AVAILABLE = 30

// Unspecified: tax is eight percent of the subtotal, within the country only: the reference store
// has no tax service.
export const TAX_PERCENT = 8

/** Snippet of the reference store, if no other is configured. */
export const SNIPPET_URL = 'https://aisle.example/attribution.js?id=aisle-outfitters'
