import * as z from 'zod'
import { Address, Money } from '../../commerce/product.ts'

/** Spec, Merchant-side UCP endpoints, on the merchant's domain. A manifest may name other paths. */
export const UCP_PATHS = {
  manifest: '/.well-known/ucp',
  catalog: '/ucp/products',
  checkout: '/ucp/checkout',
  orders: '/ucp/orders',
} as const

/** The spec sets no length; this limit bounds how much one request can make a store keep. */
const Id = z.string().min(1).max(200)

/**
 * Spec, Merchant-side UCP endpoints: `variant_id` is required if the product has options, which
 * only the catalog knows.
 */
export const CheckoutItem = z.object({
  product_id: Id,
  variant_id: Id.optional(),
  quantity: z.int().min(1),
})
export type CheckoutItem = z.infer<typeof CheckoutItem>

/** Body of `POST /ucp/checkout`. With `dry_run` nothing is reserved or stored. */
export const UcpCheckoutRequest = z.object({
  items: z.array(CheckoutItem).min(1),
  shipping_address: Address,
  dry_run: z.boolean().optional(),
})
export type UcpCheckoutRequest = z.infer<typeof UcpCheckoutRequest>

/** Spec, Checkout session and order. The confirmation takes `id` as `shipping_option_id`. */
export const ShippingOption = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  cost: Money,
})
export type ShippingOption = z.infer<typeof ShippingOption>

/**
 * Spec, Checkout session and order: the UCP cart response. `expires_at` is ISO 8601 with an offset
 * or Z.
 */
export const UcpCart = z.object({
  checkout_id: z.string().min(1),
  subtotal: Money,
  shipping_options: z.array(ShippingOption),
  tax: Money,
  expires_at: z.iso.datetime({ offset: true }),
})
export type UcpCart = z.infer<typeof UcpCart>

/**
 * Spec, Checkout session and order: the answer to a paid checkout, in UCP and ACP. `total` is the
 * final charge.
 */
export const Confirmation = z.object({
  order_id: z.string().min(1),
  status: z.literal('confirmed', 'expected "confirmed"'),
  total: Money,
  estimated_delivery: z.string().min(1),
  confirmation_number: z.string().min(1),
})

/**
 * Spec, UCP error body: its codes. Each is about the cart or its payment, never about the caller.
 */
export const UCP_ERROR_CODES: readonly string[] = [
  'payment_failed',
  'out_of_stock',
  'invalid_address',
  'session_expired',
]

/** Spec, UCP error body. `items` and `fields` come with `out_of_stock` and `invalid_address`. */
export const UcpError = z.object({
  error: z.object({
    code: z.string().min(1),
    message: z.string().min(1),
    /** Whether an agent may retry without asking the customer. */
    retryable: z.boolean(),
    items: z.array(z.string()).optional(),
    fields: z.array(z.string()).optional(),
  }),
})
export type UcpError = z.infer<typeof UcpError>

/** Spec, Limits: a cart is created within 3 s and lives 15 to 30 minutes. */
export const MAX_CREATE_MS = 3000
export const SESSION_MINUTES = { min: 15, max: 30 } as const

/** Tolerance for different clocks and for the time that an answer takes to arrive. */
export const CLOCK_SLACK_MS = 60_000

/** The shortest life that a cart may have as an agent sees it. */
export const MIN_LIFE_MS = SESSION_MINUTES.min * 60_000 - CLOCK_SLACK_MS
