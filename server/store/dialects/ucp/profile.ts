import { LATEST_UCP_VERSION } from '../../../../shared/manifest/dialect.ts'
import { cacheable, json, type Reply } from '../../http/reply.ts'
import { applyFaults, type JsonObject, type StoreRequest } from '../../http/store-request.ts'
import type { PublicJwk } from '../../signatures/jwk.ts'
import type { Capabilities, ServedVersion } from './negotiation/negotiate.ts'
import { OFFICIAL_PATHS } from './paths.ts'

export const CHECKOUT = 'dev.ucp.shopping.checkout'
export const FULFILLMENT = 'dev.ucp.shopping.fulfillment'
export const SEARCH = 'dev.ucp.shopping.catalog.search'
export const LOOKUP = 'dev.ucp.shopping.catalog.lookup'

const OLDER_VERSION = '2026-04-08' satisfies ServedVersion

/** The business profile of UCP 2026-08-25 at `/.well-known/ucp`, with the keys that the store signs by. */
export function profileReply(request: StoreRequest, keys: readonly PublicJwk[]): Reply {
  const { ucp } = profileOf(request, LATEST_UCP_VERSION)
  const supported_versions = { [OLDER_VERSION]: request.origin + OFFICIAL_PATHS.leaf }
  return json(
    applyFaults(request, 'profile', { ucp: { ...ucp, supported_versions }, keys }),
    cacheable(300),
  )
}

/** The same shop for agents of the version before: a leaf, which names no other versions. */
export const leafReply = (request: StoreRequest, keys: readonly PublicJwk[]): Reply =>
  json({ ...profileOf(request, OLDER_VERSION), signing_keys: keys }, cacheable(300))

/** Where a version of UCP is published, and a page of its text there. */
const publishedAt = (version: ServedVersion) => {
  const published = `https://ucp.dev/${version}`
  return { published, spec: (page: string) => `${published}/specification/${page}` }
}

/** What the store can do in a version of UCP. */
export function capabilitiesOf(version: ServedVersion): Capabilities {
  const { published, spec } = publishedAt(version)
  const capability = (name: string, page: string) => ({
    version,
    spec: spec(page),
    schema: `${published}/schemas/shopping/${name}.json`,
  })
  return {
    [CHECKOUT]: [capability('checkout', 'checkout')],
    [FULFILLMENT]: [{ ...capability('fulfillment', 'fulfillment'), extends: CHECKOUT }],
    [SEARCH]: [capability('catalog_search', 'catalog/search')],
    [LOOKUP]: [capability('catalog_lookup', 'catalog/lookup')],
  }
}

function profileOf({ origin }: StoreRequest, version: ServedVersion): { ucp: JsonObject } {
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
      capabilities: capabilitiesOf(version),
      // The store takes no payment: a handler here would be a promise that it breaks.
      payment_handlers: {},
    },
  }
}
