import { notFound } from '../dialects/refuse.ts'
import { FULFILLMENT, LOOKUP, SEARCH } from '../dialects/ucp/capability-names.ts'
import { isService, OFFICIAL_PATHS } from '../dialects/ucp/paths.ts'
import type { Reply } from '../http/reply.ts'
import type { JsonObject, Overrides } from '../http/store-request.ts'
import { deadPage, type StoreFault, storeFault } from './fault.ts'
import { at, eachOf, patch, withHeader, without } from './overrides.ts'
import { UCP_SERVICE_FAULTS } from './ucp-services.ts'

const inCapabilities = (change: (all: JsonObject) => JsonObject): Overrides => ({
  profile: (document) => patch(document, 'ucp', (ucp) => patch(ucp, 'capabilities', change)),
})
const withoutTools = (...names: string[]): Overrides => ({
  tools: (all) => all.filter((name) => !names.includes(name)),
})

const SESSIONS = `${OFFICIAL_PATHS.rest}/checkout-sessions`

/** A redirect that keeps the method, which no agent follows with a POST. */
const elsewhere = (location: string): Reply => ({ status: 307, headers: { location }, body: '' })

/** Looks like a key but is none: the same 32 bytes three times. */
const FILLER = 'c3RvcmUtc3RvcmUtc3RvcmUtc3RvcmUtc3RvcmUtc3Q'

/** The ways to be wrong in official UCP. Their hosts begin with `ucp-`, which is how they speak it. */
export const UCP_FAULTS: readonly StoreFault[] = [
  storeFault('ucp_private_key_published', {
    profile: (document) => ({
      ...document,
      keys: [{ kid: 'store-1', kty: 'EC', crv: 'P-256', x: FILLER, y: FILLER, d: FILLER }],
    }),
  }),
  storeFault(
    'ucp_parts_dropped',
    inCapabilities((all) =>
      eachOf(all, FULFILLMENT, (entry) => ({ ...entry, extends: 'dev.ucp.shopping.loyalty' })),
    ),
  ),
  storeFault('ucp_supported_versions_broken', {
    reply: at(OFFICIAL_PATHS.leaf, (_, request) => notFound(request)),
  }),
  storeFault(
    'ucp_catalog_undeclared',
    inCapabilities((all) => without(all, SEARCH, LOOKUP)),
  ),
  storeFault(
    'ucp_catalog_tools_missing',
    withoutTools('search_catalog', 'lookup_catalog', 'get_product'),
  ),
  storeFault('ucp_not_shoppable', {
    profile: (document) =>
      patch(document, 'ucp', (ucp) => ({
        ...ucp,
        services: {},
        capabilities: {},
        payment_handlers: {},
      })),
  }),
  storeFault('ucp_endpoint_unreachable', {
    refusal: (reply, { path }) => (isService(path) ? deadPage() : reply),
  }),
  storeFault('ucp_transport_unreachable', {
    refusal: (reply, { path }) => (path === OFFICIAL_PATHS.mcp ? deadPage() : reply),
  }),
  storeFault('ucp_post_redirected', {
    refusal: (reply, { path }) => (path === SESSIONS ? elsewhere(`${path}/`) : reply),
  }),
  storeFault('ucp_checkout_tools_missing', withoutTools('create_checkout')),
  storeFault('ucp_tools_missing', withoutTools('get_order')),
  storeFault('ucp_wrong_content_type', {
    reply: (reply, { path }) =>
      path.startsWith(SESSIONS) ? withHeader('content-type', 'text/plain')(reply) : reply,
  }),
  storeFault('ucp_error_body_invalid', {
    reply: at(SESSIONS, (reply) =>
      reply.status === 400 ? { ...deadPage(), status: reply.status } : reply,
    ),
  }),
  ...UCP_SERVICE_FAULTS,
]
