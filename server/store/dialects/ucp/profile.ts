import { LATEST_UCP_VERSION } from '../../../../shared/manifest/dialect.ts'
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
import type { Capabilities, ServedVersion } from './negotiation/negotiate.ts'
import { OFFICIAL_PATHS } from './paths.ts'
import { offeredHandlers } from './payment-handlers.ts'

const OLDER_VERSION = '2026-04-08' satisfies ServedVersion

/** The business profile of UCP 2026-08-25 at `/.well-known/ucp`, with the store's signing keys. */
export function profileReply(
  request: StoreRequest,
  keys: readonly PublicJwk[],
  acceptance: Acceptance,
): Reply {
  if (applyFaults(request, 'profileVersion', LATEST_UCP_VERSION) === OLDER_VERSION) {
    return leafReply(request, keys, acceptance)
  }
  const { ucp } = profileOf(request, LATEST_UCP_VERSION, acceptance)
  const supported_versions = { [OLDER_VERSION]: request.origin + OFFICIAL_PATHS.leaf }
  return json(
    applyFaults(request, 'profile', { ucp: { ...ucp, supported_versions }, keys }),
    cacheable(300),
  )
}

/** The same shop for agents of the version before: a leaf, which names no other versions. */
export const leafReply = (
  request: StoreRequest,
  keys: readonly PublicJwk[],
  acceptance: Acceptance,
): Reply =>
  json({ ...profileOf(request, OLDER_VERSION, acceptance), signing_keys: keys }, cacheable(300))

/** Where UCP publishes a version, and a page of its text there. */
const publishedAt = (version: ServedVersion) => {
  const published = `https://ucp.dev/${version}`
  return { published, spec: (page: string) => `${published}/specification/${page}` }
}

/** The store's capabilities in a version of UCP. */
export function capabilitiesOf(version: ServedVersion): Capabilities {
  const { published, spec } = publishedAt(version)
  const isOlder = version === OLDER_VERSION
  const capability = (schema: string, page: string) => ({
    version,
    spec: spec(isOlder ? page : `shopping/${page}`),
    schema: `${published}/schemas/${schema}.json`,
  })
  return {
    [CHECKOUT]: [capability('shopping/checkout', 'checkout')],
    [FULFILLMENT]: [{ ...capability('shopping/fulfillment', 'fulfillment'), extends: [CHECKOUT] }],
    [CART]: [capability('shopping/cart', 'cart')],
    [ORDER]: [capability('shopping/order', 'order')],
    [SEARCH]: [capability('shopping/catalog_search', 'catalog/search')],
    [LOOKUP]: [capability('shopping/catalog_lookup', 'catalog/lookup')],
    ...(isOlder
      ? {}
      : {
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

/** A link to items that a person opens; the version before has none. */
const permalinkOf = (origin: string, version: ServedVersion): Capabilities =>
  version === OLDER_VERSION
    ? {}
    : {
        [PERMALINK]: [
          {
            version,
            schema: `${publishedAt(version).published}/schemas/shopping/permalink.json`,
            config: { endpoint: origin + BUYER_PATHS.permalink },
          },
        ],
      }

function profileOf(
  request: StoreRequest,
  version: ServedVersion,
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
        'dev.ucp.shopping': [
          service('rest', OFFICIAL_PATHS.rest, 'rest.openapi.json'),
          service('mcp', OFFICIAL_PATHS.mcp, 'mcp.openrpc.json'),
        ],
      },
      capabilities: { ...capabilitiesOf(version), ...permalinkOf(origin, version) },
      payment_handlers: offeredHandlers(request, version, acceptance),
    },
  }
}
