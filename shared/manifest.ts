import * as z from 'zod'
import { Domain } from './domain.ts'
import { inspectEndpoint } from './inspect-manifest.ts'

const EndpointUrl = z.string().superRefine((value, context) => {
  const fault = inspectEndpoint(value)
  if (fault !== null) context.addIssue({ code: 'custom', message: fault.message })
})

/** Body of `POST /api/manifest`. */
export const ManifestRequest = z.strictObject({
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

/** The manifest of the spec: the content of `/.well-known/ucp`. */
export interface Manifest {
  version: '1.0'
  generated_at?: string
  domain: string
  capabilities: {
    product_catalog: {
      endpoint: string
      format: 'json'
      version: '1.0'
      supports_search?: boolean
      supports_filters?: string[]
    }
    checkout: {
      endpoint: string
      supported_methods: ['POST']
      requires_authentication: boolean
      version: '1.0'
      supported_payment_methods?: string[]
    }
    shipping?: { endpoint: string; supported_methods: ['POST'] }
    orders?: { endpoint: string; supported_methods: ['GET', 'POST'] }
  }
}

/** Builds the manifest; `generatedAt` is to be removed before it is published (spec, Manifest). */
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
