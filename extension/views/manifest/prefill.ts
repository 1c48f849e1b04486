import { declared, endpointOf } from '../../../shared/manifest/inspect.ts'
import type { ManifestRequest } from '../../../shared/manifest/manifest.ts'
import { UCP_PATHS } from '../../../shared/protocols/ucp.ts'
import { field } from '../../../shared/web/json.ts'

const ENDPOINTS = {
  catalog_endpoint: 'product_catalog',
  checkout_endpoint: 'checkout',
  shipping_endpoint: 'shipping',
  orders_endpoint: 'orders',
} as const

/**
 * What is known of a shop before the form is filled in: its domain, and what its manifest declares.
 * `document` is the content of /.well-known/ucp, undefined when that is unknown.
 */
export function prefillManifest(domain: string, document: unknown): Partial<ManifestRequest> {
  const catalog = declared(document, 'product_catalog')
  const filters = texts(field(catalog, 'supports_filters'))
  const payment = texts(field(declared(document, 'checkout'), 'supported_payment_methods'))
  const endpoints = Object.entries(ENDPOINTS).flatMap(([name, capability]) => {
    const endpoint = endpointOf(document, capability)
    return endpoint === null ? [] : [[name, endpoint]]
  })
  return {
    domain,
    ...Object.fromEntries(endpoints),
    ...(field(catalog, 'supports_search') === true && { supports_search: true }),
    ...(filters.length > 0 && { supports_filters: filters }),
    ...(payment.length > 0 && { supported_payment_methods: payment }),
  }
}

/** Where the specification puts each endpoint: an example for an empty field, never a fact. */
export const specEndpoints = (domain: string) => ({
  catalog_endpoint: `https://${domain}${UCP_PATHS.catalog}`,
  checkout_endpoint: `https://${domain}${UCP_PATHS.checkout}`,
  shipping_endpoint: `https://${domain}/ucp/shipping`,
  orders_endpoint: `https://${domain}${UCP_PATHS.orders}`,
})

const MAX_TEXTS = 50

const texts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((item) => typeof item === 'string' && item !== '').slice(0, MAX_TEXTS)
    : []
