import * as z from 'zod'
import { Domain } from '../web/address/domain.ts'
import { isStorable, NOT_STORABLE } from '../web/json/json.ts'
import { inspectEndpoint } from './fields.ts'

/** The file may be read by anything. */
const Text = z.string().refine(isStorable, NOT_STORABLE)

/** Input is judged by the validation's own rule, so that a generated manifest is always valid. */
const EndpointUrl = Text.superRefine((value, context) => {
  const fault = inspectEndpoint(value)
  if (fault !== null) context.addIssue({ code: 'custom', message: fault.message })
})

/**
 * Body of `POST /api/manifest` (spec, Manifest generation request). Unknown fields are refused, so
 * that a misspelt option is not silently lost.
 */
export const ManifestRequest = z.strictObject({
  // Unspecified: `format` asks for the specification's manifest, which is the default, or for an
  // official UCP profile of the latest version.
  format: z
    .enum(['1.0', 'ucp'])
    .optional()
    .describe(
      '`1.0` (when left out): the manifest of this document. `ucp`: an official UCP profile of the latest version',
    ),
  domain: Domain,
  catalog_endpoint: EndpointUrl.describe('Where agents read the products: an https URL'),
  checkout_endpoint: EndpointUrl.describe('Where they open a checkout: an https URL'),
  shipping_endpoint: EndpointUrl.optional().describe(
    'Where they ask for shipping options: an https URL',
  ),
  orders_endpoint: EndpointUrl.optional().describe('Where they read orders: an https URL'),
  supports_search: z.boolean().optional().describe('Whether the catalog can be searched'),
  supports_filters: z
    .array(Text.min(1))
    .optional()
    .describe('What the catalog can be filtered by: `category`'),
  supported_payment_methods: z
    .array(Text.min(1))
    .optional()
    .describe('How a checkout can be paid: `card`'),
})
export type ManifestRequest = z.infer<typeof ManifestRequest>

/** The list form of `supported_methods`. */
const methods = <const M extends 'GET' | 'POST'>(...names: M[]) =>
  z.array(z.enum(names)).describe('The HTTP methods that it takes')

const Endpoint = z.string().describe('Its address, an https URL')
const Version = z.literal('1.0').describe('The version of its form')

/**
 * The manifest of the spec: the content of `/.well-known/ucp`. This type describes what we
 * generate; manifests of others are judged field by field in inspect.ts.
 */
export const Manifest = z.object({
  version: z.literal('1.0').describe('The version of this form'),
  generated_at: z.iso
    .datetime()
    .optional()
    .describe('When it was generated, ISO 8601 in UTC. Remove it before you publish the file'),
  domain: z.string().describe('The domain of the shop'),
  capabilities: z
    .object({
      product_catalog: z
        .object({
          endpoint: Endpoint,
          format: z.literal('json').describe('The form of its answers'),
          version: Version,
          supports_search: z.boolean().optional().describe('Whether it can be searched'),
          supports_filters: z.array(z.string()).optional().describe('What it can be filtered by'),
        })
        .describe('Reading the products'),
      checkout: z
        .object({
          endpoint: Endpoint,
          supported_methods: methods('POST'),
          requires_authentication: z.boolean().describe('Whether agents need a key to buy'),
          version: Version,
          supported_payment_methods: z.array(z.string()).optional().describe('How it can be paid'),
        })
        .describe('Buying'),
      shipping: z
        .object({ endpoint: Endpoint, supported_methods: methods('POST') })
        .optional()
        .describe('Asking for shipping options'),
      orders: z
        .object({ endpoint: Endpoint, supported_methods: methods('GET', 'POST') })
        .optional()
        .describe('Reading orders'),
    })
    .describe('What agents can do, and where'),
})
export type Manifest = z.infer<typeof Manifest>

/**
 * Builds the manifest (spec, Manifest). Remove `generatedAt` before publishing, so that the file
 * stays stable across deployments. Options that are not given are left out.
 */
export function buildManifest(request: ManifestRequest, generatedAt: Date): Manifest {
  return {
    version: '1.0',
    generated_at: generatedAt.toISOString(),
    domain: request.domain,
    capabilities: {
      product_catalog: {
        endpoint: request.catalog_endpoint,
        format: 'json',
        version: '1.0',
        ...(request.supports_search !== undefined && { supports_search: request.supports_search }),
        ...(request.supports_filters && { supports_filters: request.supports_filters }),
      },
      checkout: {
        endpoint: request.checkout_endpoint,
        supported_methods: ['POST'],
        // Spec: the generated example has false, and the request has no option for it.
        requires_authentication: false,
        version: '1.0',
        ...(request.supported_payment_methods && {
          supported_payment_methods: request.supported_payment_methods,
        }),
      },
      ...(request.shipping_endpoint && {
        shipping: { endpoint: request.shipping_endpoint, supported_methods: ['POST'] },
      }),
      ...(request.orders_endpoint && {
        orders: { endpoint: request.orders_endpoint, supported_methods: ['GET', 'POST'] },
      }),
    },
  }
}
