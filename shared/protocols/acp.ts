import * as z from 'zod'
import { Money } from '../commerce/product.ts'
import { isUri, withoutEndSlashes } from '../web/address/uri.ts'
import { field, textsIn } from '../web/json/json.ts'
import { Confirmation, ShippingOption } from './ucp.ts'

/**
 * Spec, Merchant-side ACP endpoints, on the merchant's domain; `:id` stands for a session or an
 * order. Only official ACP has `discovery`.
 */
export const ACP_PATHS = {
  discovery: '/.well-known/acp.json',
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

/** ACP's schema only asks for a URI; an endpoint that takes payment tokens must be https. */
const HttpsUrl = z
  .string()
  .refine(
    (text) => isUri(text) && URL.parse(text)?.protocol === 'https:',
    'must be an absolute https URL',
  )
/** JSON Schema's `format: uri`. */
export const Uri = z.string().refine(isUri, 'must be an absolute URL')
const IsoDate = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as "2026-04-17"')

/** JSON Schema's `uniqueItems`. */
const distinct = <T extends z.ZodType>(item: T) =>
  z.array(item).refine((items) => new Set(items).size === items.length, 'must not repeat a value')

const Services = z.enum(['checkout', 'orders', 'delegate_payment', 'carts'])

/** Interventions: what a store may ask of the buyer before it accepts a payment. */
const Interventions = z.enum(['3ds', 'biometric', 'address_verification'])
const Extension = z.strictObject({
  name: z.string(),
  spec: Uri.optional(),
  schema: Uri.optional(),
})

/**
 * The ACP discovery document (ACP 2026-04-17, DiscoveryResponse); https is our own requirement. The
 * spec does not define it, so a store may do without one, but a broken one misleads agents.
 */
export const AcpDiscovery = z.strictObject({
  protocol: z.strictObject({
    name: z.literal('acp'),
    version: IsoDate,
    supported_versions: distinct(IsoDate).min(1),
    documentation_url: Uri.optional(),
  }),
  api_base_url: HttpsUrl,
  transports: distinct(z.enum(['rest', 'mcp'])).min(1),
  capabilities: z.strictObject({
    services: distinct(Services).min(1),
    extensions: z.array(Extension).optional(),
    intervention_types: distinct(Interventions).optional(),
    /** Lower case: ACP writes ISO 4217 codes that way. */
    supported_currencies: distinct(z.string().regex(/^[a-z]{3}$/)).optional(),
    supported_locales: distinct(z.string()).optional(),
  }),
})
export type AcpDiscovery = z.infer<typeof AcpDiscovery>

/** An address in an official ACP document; null if it is missing or must not be requested. */
export function acpBaseOf(document: unknown): string | null {
  const base = field(document, 'api_base_url')
  const url = typeof base === 'string' && isUri(base) ? URL.parse(base) : null
  if (url === null || url.protocol !== 'https:') return null
  return withoutEndSlashes(`${url.origin}${url.pathname}`)
}

/**
 * The tools of official ACP over MCP, named after their operations (ACP, MCP binding, Conformance
 * 2).
 */
export const ACP_TOOLS = {
  create: 'create_checkout_session',
  read: 'get_checkout_session',
  update: 'update_checkout_session',
  complete: 'complete_checkout_session',
  cancel: 'cancel_checkout_session',
} as const

/** Where official ACP's operations are below `api_base_url` (ACP 2026-04-17, Agentic Checkout). */
export const OFFICIAL_ACP_PATHS = {
  create: '/checkout_sessions',
  read: '/checkout_sessions/:id',
  update: '/checkout_sessions/:id',
  complete: '/checkout_sessions/:id/complete',
  cancel: '/checkout_sessions/:id/cancel',
  carts: '/carts',
} as const

/** The published versions of official ACP, oldest first. */
export const ACP_RELEASES = [
  '2025-09-29',
  '2025-12-12',
  '2026-01-16',
  '2026-01-30',
  '2026-04-17',
] as const
export const NEWEST_ACP: string = ACP_RELEASES[ACP_RELEASES.length - 1] ?? ''

/** Whether this is the date of a version newer than all that this code knows. */
export const isNewerAcp = (version: unknown): version is string =>
  typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version > NEWEST_ACP

/**
 * The version to use with a store: the one in its acp.json. If this code does not know that one,
 * the newest known version that it also lists, or else the store's own.
 */
export function spokenAcpVersion(document: unknown): string {
  const protocol = field(document, 'protocol')
  const named = field(protocol, 'version')
  const listed = textsIn(field(protocol, 'supported_versions'))
  const common = ACP_RELEASES.findLast((version) => listed.includes(version))
  if (isNewerAcp(named) && common !== undefined) return common
  return typeof named === 'string' && /^[\w.-]{1,40}$/.test(named) ? named : NEWEST_ACP
}

// Unspecified: ACP errors have `code` and `message` at the top level, as in official ACP; an audit
// accepts them under `error` as well.
const CodeAndMessage = z.object({ code: z.string().min(1), message: z.string().min(1) })

/** Spec, ACP errors: `message` is for the person who buys. */
export const AcpError = CodeAndMessage

/**
 * Official ACP's flat error; `request_not_idempotent` and `rate_limit_exceeded` are older types.
 */
export const OfficialAcpError = z.object({
  type: z.enum([
    'invalid_request',
    'processing_error',
    'service_unavailable',
    'request_not_idempotent',
    'rate_limit_exceeded',
  ]),
  code: z.string().min(1),
  message: z.string().min(1),
  supported_versions: z.array(z.string()).optional().catch(undefined),
})
export type OfficialAcpError = z.infer<typeof OfficialAcpError>

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
