import {
  CHECKOUT,
  capabilityEntry,
  FULFILLMENT,
  ORDER,
  publishedAt,
  SEARCH,
} from '../../protocols/ucp/names.ts'
import { SHOPPING, UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { isUri } from '../../web/address/uri.ts'
import type { ManifestRequest } from '../manifest.ts'

/**
 * A business profile of the newest UCP, as far as a manifest request can fill it. Payment handlers
 * stay empty: they come from the payment provider.
 */
export interface Profile {
  ucp: {
    version: UcpVersion
    services: Record<string, ReturnType<typeof restService>[]>
    capabilities: ReturnType<typeof capabilitiesOf>
    payment_handlers: Record<string, never>
  }
}

/**
 * The official profile of the latest version, from the input for the spec's manifest. Information
 * that the input lacks is left out, never made up, and named in `warnings`.
 */
export function buildProfile(request: ManifestRequest): { profile: Profile; warnings: string[] } {
  const base = sharedBase(request)
  return {
    profile: {
      ucp: {
        version: UCP.newest,
        // Without one common base URL an entry would be wrong: the merchant gets a warning instead.
        services: base === null ? {} : { [SHOPPING]: [restService(base)] },
        capabilities: capabilitiesOf(request),
        // Required by the schema, but an empty map is valid.
        payment_handlers: {},
      },
    },
    warnings: warningsOf(request, base),
  }
}

const PUBLISHED = publishedAt(UCP.newest)

/**
 * The only transport that the input can fill; `spec` and `schema` are those of the published
 * version.
 */
const restService = (endpoint: string) => ({
  version: UCP.newest,
  transport: 'rest',
  endpoint,
  spec: `${PUBLISHED}/specification/overview/`,
  schema: `${PUBLISHED}/services/shopping/rest.openapi.json`,
})

const entryOf = (name: string): { version: string; schema: string; extends?: string }[] => {
  const { version, schema } = capabilityEntry(UCP.newest, name)
  return [{ version, schema, ...(name === FULFILLMENT && { extends: CHECKOUT }) }]
}

/**
 * The capabilities that the input proves. Fulfillment extends checkout: agents drop it without its
 * parent.
 */
const capabilitiesOf = (request: ManifestRequest): Record<string, ReturnType<typeof entryOf>> => ({
  ...(request.supports_search && { [SEARCH]: entryOf(SEARCH) }),
  [CHECKOUT]: entryOf(CHECKOUT),
  ...(request.shipping_endpoint && { [FULFILLMENT]: entryOf(FULFILLMENT) }),
  ...(request.orders_endpoint && { [ORDER]: entryOf(ORDER) }),
})

/**
 * The common base URL of all endpoints, without a trailing slash; null if there is none. UCP has
 * one endpoint per service and appends its own paths. Shipping is not compared, because UCP carries
 * it in a checkout session.
 */
function sharedBase(request: ManifestRequest): string | null {
  const base = baseOf(request.checkout_endpoint, /^checkouts?([-_]sessions?)?$/)
  const others = [baseOf(request.catalog_endpoint, /^(catalog|catalogue|products?|search)$/)]
  if (request.orders_endpoint) others.push(baseOf(request.orders_endpoint, /^orders?$/))
  return others.every((other) => other === base) ? base : null
}

/**
 * The part before the segment that names the resource: `https://shop.example/api` of
 * `https://shop.example/api/checkout`. Null without such a segment.
 */
function baseOf(endpoint: string, resource: RegExp): string | null {
  const url = URL.parse(endpoint)
  const segments = url?.pathname.split('/') ?? []
  const end = segments.findIndex((segment) => resource.test(segment))
  const base = url === null || end === -1 ? null : url.origin + segments.slice(0, end).join('/')
  return base !== null && isUri(base) && !base.endsWith('/') ? base : null
}

/** What the merchant has to add or check by hand, in sentences. */
function warningsOf(request: ManifestRequest, base: string | null): string[] {
  const warnings = [
    base === null
      ? 'services is empty: UCP requires one base URL, and your endpoints do not share one. Add the entry for dev.ucp.shopping yourself.'
      : `The endpoint ${base} is derived from your URLs. Agents append the UCP paths to it, such as ${base}/checkout-sessions: make sure that these paths answer.`,
    'payment_handlers is empty: a handler cannot be derived from the name of a payment method. Get the entry from your payment provider.',
    'keys is omitted: add public keys (JWK) if your server signs its messages.',
  ]
  if (!request.supports_search) {
    warnings.push('The catalog is omitted: supports_search is not true.')
  }
  if (request.supports_filters) {
    warnings.push('supports_filters is omitted: UCP has no field for it.')
  }
  if (request.supported_payment_methods) {
    warnings.push('supported_payment_methods is omitted: UCP has payment handlers instead.')
  }
  return warnings
}
