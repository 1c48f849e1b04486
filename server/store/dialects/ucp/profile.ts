import { SHOPPING, UCP, type UcpVersion } from '../../../../shared/protocols/ucp/versions.ts'
import { BUYER_PATHS } from '../../buyer/addresses.ts'
import { cacheable, json, type Reply } from '../../http/reply.ts'
import { applyFaults, type JsonObject, type StoreRequest } from '../../http/store-request.ts'
import type { Acceptance } from '../../psp/acceptance.ts'
import type { PublicJwk } from '../../signatures/jwk.ts'
import {
  AUTHENTICATION,
  CART,
  CHECKOUT,
  FULFILLMENT,
  LOOKUP,
  ORDER,
  PERMALINK,
  SEARCH,
} from './capability-names.ts'
import type { Capabilities } from './negotiation/negotiate.ts'
import { leafPath, OFFICIAL_PATHS, OLDER_VERSIONS } from './paths.ts'
import { offeredHandlers } from './payment-handlers.ts'

/** The business profile of the newest UCP at `/.well-known/ucp`, with the store's signing keys. */
export function profileReply(
  request: StoreRequest,
  keys: readonly PublicJwk[],
  acceptance: Acceptance,
): Reply {
  const version = applyFaults(request, 'profileVersion', UCP.newest)
  if (version !== UCP.newest) return leafReply(request, version, keys, acceptance)
  const { ucp } = profileOf(request, version, acceptance)
  const supported_versions = Object.fromEntries(
    OLDER_VERSIONS.map((older) => [older, request.origin + leafPath(older)]),
  )
  return json(
    applyFaults(request, 'profile', {
      ucp: { ...ucp, supported_versions },
      [UCP.of(version).keys]: keys,
    }),
    cacheable(300),
  )
}

/** The same shop for agents of an older version: a leaf, which names no other versions. */
export const leafReply = (
  request: StoreRequest,
  version: UcpVersion,
  keys: readonly PublicJwk[],
  acceptance: Acceptance,
): Reply =>
  json({ ...profileOf(request, version, acceptance), [UCP.of(version).keys]: keys }, cacheable(300))

/** Where UCP publishes a version, and a page of its text there. */
const publishedAt = (version: UcpVersion) => {
  const published = `https://ucp.dev/${version}`
  return { published, spec: (page: string) => `${published}/specification/${page}` }
}

/** The store's capabilities in a version of UCP. */
export function capabilitiesOf(version: UcpVersion): Capabilities {
  const { published, spec } = publishedAt(version)
  const { pages, capabilities } = UCP.of(version)
  const capability = (schema: string, page: string) => ({
    version,
    spec: spec(pages + page),
    schema: `${published}/schemas/${schema}.json`,
  })
  return {
    [CHECKOUT]: [capability('shopping/checkout', 'checkout')],
    [FULFILLMENT]: [{ ...capability('shopping/fulfillment', 'fulfillment'), extends: [CHECKOUT] }],
    [CART]: [capability('shopping/cart', 'cart')],
    [ORDER]: [capability('shopping/order', 'order')],
    [SEARCH]: [capability('shopping/catalog_search', 'catalog/search')],
    [LOOKUP]: [capability('shopping/catalog_lookup', 'catalog/lookup')],
    ...(Object.hasOwn(capabilities, AUTHENTICATION) && {
      [AUTHENTICATION]: [
        {
          version,
          schema: `${published}/schemas/common/payment_authentication.json`,
          extends: [CHECKOUT],
        },
      ],
    }),
  }
}

/** A link to items that a person opens; older versions have none. */
const permalinkOf = (origin: string, version: UcpVersion): Capabilities =>
  Object.hasOwn(UCP.of(version).capabilities, PERMALINK)
    ? {
        [PERMALINK]: [
          {
            version,
            schema: `${publishedAt(version).published}/schemas/shopping/permalink.json`,
            config: { endpoint: origin + BUYER_PATHS.permalink },
          },
        ],
      }
    : {}

function profileOf(
  request: StoreRequest,
  version: UcpVersion,
  acceptance: Acceptance,
): { ucp: JsonObject } {
  const { origin } = request
  const { published, spec } = publishedAt(version)
  const service = (transport: string, path: string, schema: string) => ({
    version,
    transport,
    endpoint: origin + path,
    spec: spec('overview'),
    schema: `${published}/services/shopping/${schema}`,
  })
  return {
    ucp: {
      version,
      services: {
        [SHOPPING]: [
          service('rest', OFFICIAL_PATHS.rest, 'rest.openapi.json'),
          service('mcp', OFFICIAL_PATHS.mcp, 'mcp.openrpc.json'),
        ],
      },
      capabilities: { ...capabilitiesOf(version), ...permalinkOf(origin, version) },
      payment_handlers: offeredHandlers(request, version, acceptance),
    },
  }
}
