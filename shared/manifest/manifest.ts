import * as z from 'zod'
import { Domain } from '../web/domain.ts'
import { inspectEndpoint } from './fields.ts'

/** A generated manifest must pass its own validation, so the same rule judges its input. */
const EndpointUrl = z.string().superRefine((value, context) => {
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
  format: z.enum(['1.0', 'ucp']).optional(),
  domain: Domain,
  catalog_endpoint: EndpointUrl,
  checkout_endpoint: EndpointUrl,
  shipping_endpoint: EndpointUrl.optional(),
  orders_endpoint: EndpointUrl.optional(),
  supports_search: z.boolean().optional(),
  supports_filters: z.array(z.string().min(1)).optional(),
  supported_payment_methods: z.array(z.string().min(1)).optional(),
})
export type ManifestRequest = z.infer<typeof ManifestRequest>

/** The list form of `supported_methods`. */
const methods = <const M extends 'GET' | 'POST'>(...names: M[]) => z.array(z.enum(names))

/**
 * The manifest of the spec: the content of `/.well-known/ucp`. This describes what we generate;
 * what others publish is judged field by field in inspect.ts.
 */
export const Manifest = z.object({
  version: z.literal('1.0'),
  /** Present when generated, absent when published. */
  generated_at: z.iso.datetime().optional(),
  domain: z.string(),
  capabilities: z.object({
    product_catalog: z.object({
      endpoint: z.string(),
      format: z.literal('json'),
      version: z.literal('1.0'),
      supports_search: z.boolean().optional(),
      supports_filters: z.array(z.string()).optional(),
    }),
    checkout: z.object({
      endpoint: z.string(),
      supported_methods: methods('POST'),
      requires_authentication: z.boolean(),
      version: z.literal('1.0'),
      supported_payment_methods: z.array(z.string()).optional(),
    }),
    shipping: z.object({ endpoint: z.string(), supported_methods: methods('POST') }).optional(),
    orders: z
      .object({ endpoint: z.string(), supported_methods: methods('GET', 'POST') })
      .optional(),
  }),
})
export type Manifest = z.infer<typeof Manifest>

/**
 * Builds the manifest (spec, Manifest). `generatedAt` is to be removed before it is published, so
 * that the file stays stable across deployments. Options that are not given are left out.
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
        // Spec: the generated example has false, and the request cannot say otherwise.
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
