import * as z from 'zod'
import { Money } from '../../commerce/product.ts'
import { Uri } from '../shapes.ts'
import { Confirmation, ShippingOption } from './ucp.ts'

/**
 * Spec, Merchant-side ACP endpoints, on the merchant's domain; `:id` stands for a session or an
 * order.
 */
export const ACP_PATHS = {
  create: '/acp/checkout/create',
  update: '/acp/checkout/:id/update',
  complete: '/acp/checkout/:id/complete',
  // Unspecified: the specification shows no way to cancel a session. This is the usual path, and
  // the reference store uses it.
  cancel: '/acp/checkout/:id/cancel',
  search: '/acp/products/search',
  order: '/acp/orders/:id',
  history: '/acp/orders/history',
} as const

// Unspecified: ACP errors have `code` and `message` at the top level, as in official ACP; an audit
// accepts them under `error` as well.
const CodeAndMessage = z.object({ code: z.string().min(1), message: z.string().min(1) })

/** Spec, ACP errors: `message` is for the person who buys. */
export const AcpError = CodeAndMessage

/** The form of an error that an audit accepts from other stores. */
export const AnyAcpError = z.union([CodeAndMessage, z.object({ error: CodeAndMessage })])
export type AcpError = z.infer<typeof AcpError>

/** Spec, Checkout session and order: the ACP create response. */
export const AcpCreated = z.object({
  checkout_id: z.string().min(1),
  status: z.string().min(1),
  items: z
    .array(
      z.object({
        product_id: z.string().min(1),
        variant_id: z.string().nullish(),
        name: z.string().min(1),
        quantity: z.int().min(1),
        unit_price: Money,
      }),
    )
    .min(1),
  subtotal: Money,
  shipping_options: z.array(ShippingOption),
  tax_estimate: Money,
  expires_at: z.iso.datetime({ offset: true }),
})

/** Spec, the same: the ACP update response. */
export const AcpUpdated = z.object({
  checkout_id: z.string().min(1),
  status: z.string().min(1),
  /** Null until one is chosen. */
  selected_shipping: ShippingOption.nullable(),
  total: Money,
})

/** Spec, the same: "ACP complete also returns `receipt_url`". */
export const AcpConfirmation = Confirmation.extend({ receipt_url: Uri })
