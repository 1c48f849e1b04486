import * as z from 'zod'
import { exponentOf, isCountry, isCurrency } from './iso.ts'

const AN_INTEGER = 'expected an integer in the smallest unit of the currency'
const A_CURRENCY = 'expected an ISO 4217 code such as "USD"'

/**
 * An amount in the currency's smallest unit (spec, Resources): { amount: 1999, currency: "USD" } is
 * 19.99 USD. May be negative; prices may not.
 */
export const Money = z.object({
  amount: z.int(AN_INTEGER),
  currency: z.string(A_CURRENCY).refine(isCurrency, A_CURRENCY),
})
export type Money = z.infer<typeof Money>

/**
 * Smallest units from a decimal in major units, with a point: `19.99` in USD is 1999. Null for
 * other text, for fractions of the smallest unit, and for more than a number holds exactly.
 */
export function toMinor(decimal: string, currency: string): number | null {
  // At most fifteen digits before the point: a Number holds all integers below 2^53.
  const match = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(decimal.trim())
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  const digits = exponentOf(currency)
  if (/[1-9]/.test(fraction.slice(digits))) return null
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  return Number.isSafeInteger(minor) ? minor : null
}

/**
 * A decimal in major units with as many decimals as the currency has, as in markup and feeds:
 * `19.99`, or `1999` in JPY.
 */
export function toMajor({ amount, currency }: Money): string {
  const digits = exponentOf(currency)
  if (digits === 0) return String(amount)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  return `${amount < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** `19.99 USD`, the form in which findings name a price. */
export const formatMoney = (money: Money): string => `${toMajor(money)} ${money.currency}`

/**
 * Spec, Product: agents offer `in_stock`, `preorder` and `backorder`, and do not offer
 * `out_of_stock`.
 */
export const AVAILABILITIES = ['in_stock', 'out_of_stock', 'preorder', 'backorder'] as const
export const Availability = z.enum(AVAILABILITIES, `expected one of ${AVAILABILITIES.join(', ')}`)
export type Availability = z.infer<typeof Availability>

const A_TEXT = 'expected a non-empty string'

/** Rejects text of white space only. */
const Text = z.string(A_TEXT).trim().min(1, A_TEXT)

const A_COUNTRY = 'expected an ISO 3166-1 alpha-2 code such as "US"'

/** Spec, Address: six fields, all strings. */
export const Address = z.object({
  name: Text,
  street: Text,
  city: Text,
  state: Text,
  zip: Text,
  country: z.string(A_COUNTRY).refine(isCountry, A_COUNTRY),
})
export type Address = z.infer<typeof Address>

const AN_IMAGE = 'expected an absolute https URL'

/**
 * Spec, Product: "Absolute HTTPS URLs". Agents show images in their own pages, where http is
 * blocked.
 */
const ImageUrl = z
  .string(AN_IMAGE)
  .refine((text) => URL.parse(text)?.protocol === 'https:', AN_IMAGE)

/** A price that is charged: never negative. */
const Price = Money.extend({ amount: z.int(AN_INTEGER).min(0, AN_INTEGER) })

/**
 * Spec, Product: checkout takes a variant's `id` as `variant_id`. Its price and availability may
 * differ from the product's.
 */
export const Variant = z.object({
  id: Text,
  sku: z.string().optional(),
  attributes: z
    .record(z.string(), z.string())
    .refine(
      (map) => Object.keys(map).length > 0,
      'expected the attributes of the variant, such as its size',
    ),
  price: Price,
  availability: Availability,
})
export type Variant = z.infer<typeof Variant>

/** Spec, Product: "Minimum 50 characters; 150 or more for eligibility on one search surface". */
export const MIN_DESCRIPTION = 50
export const ADVISED_DESCRIPTION = 150

/**
 * Spec, Product. `images`, `url`, `brand`, `category` and `sku` may be absent; unknown fields are
 * ignored, because platforms add their own.
 */
export const Product = z.object({
  id: Text,
  name: Text,
  description: z
    .string(A_TEXT)
    .min(MIN_DESCRIPTION, `expected at least ${MIN_DESCRIPTION} characters`),
  price: Price,
  availability: Availability,
  category: z.string().optional(),
  brand: z.string().optional(),
  sku: z.string().optional(),
  url: z.string().optional(),
  images: z.array(ImageUrl).optional(),
  variants: z.array(Variant).optional(),
})
export type Product = z.infer<typeof Product>

/** Spec, Product: agents follow `next` until it is absent or null. */
export const Pagination = z.object({
  page: z.int().min(1),
  per_page: z.int().min(1),
  total: z.int().min(0),
  next: z.string().nullish(),
})
export type Pagination = z.infer<typeof Pagination>

/** Spec: "include when the catalog exceeds 100 products". */
export const MAX_UNPAGED_PRODUCTS = 100

/** Spec, Merchant-side UCP endpoints: the answer of `GET /ucp/products`. */
export const CatalogPage = z.object({
  products: z.array(Product),
  pagination: Pagination.optional(),
})
export type CatalogPage = z.infer<typeof CatalogPage>

/** The catalog's query parameters (spec, UCP endpoints). */
export const CATALOG_FILTERS = ['category', 'min_price', 'max_price', 'availability'] as const
