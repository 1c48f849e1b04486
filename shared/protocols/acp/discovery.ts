import * as z from 'zod'
import { isUri, withoutEndSlashes } from '../../web/address/uri.ts'
import { field } from '../../web/json/json.ts'
import { Uri } from '../shapes.ts'
import { VERSION_DATE } from '../versions.ts'
import { ACP } from './versions.ts'

/** Where official ACP's discovery document is, on the merchant's domain. */
export const ACP_DISCOVERY = '/.well-known/acp.json'

/** ACP's schema only asks for a URI; an endpoint that takes payment tokens must be https. */
const HttpsUrl = z
  .string()
  .refine(
    (text) => isUri(text) && URL.parse(text)?.protocol === 'https:',
    'must be an absolute https URL',
  )
const IsoDate = z.string().regex(VERSION_DATE, `must be a date such as "${ACP.newest}"`)

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
