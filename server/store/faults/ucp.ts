import { AUTHENTICATION, FULFILLMENT, LOOKUP, SEARCH } from '../../../shared/protocols/ucp/names.ts'
import { GOOGLE_PAY_VERSION, SHOPPING, UCP } from '../../../shared/protocols/ucp/versions.ts'
import { isRecord } from '../../../shared/web/json/json.ts'
import { notFound } from '../dialects/refuse.ts'
import { isService, OFFICIAL_PATHS } from '../dialects/ucp/paths.ts'
import { type JsonObject, json, type Overrides, type Reply } from '../http/store-request.ts'
import { deadPage, officialFault, type StoreFault, storeFault } from './fault.ts'
import { at, below, eachOf, patch, withHeader, without } from './overrides.ts'
import { UCP_SERVICE_FAULTS } from './ucp-services.ts'

const inCapabilities = (change: (all: JsonObject) => JsonObject): Overrides => ({
  profile: (document) => patch(document, 'ucp', (ucp) => patch(ucp, 'capabilities', change)),
})
const withoutTools = (...names: string[]): Overrides => ({
  tools: (all) => all.filter((name) => !names.includes(name)),
})

/** Where A2A has the card of an agent. */
const CARD = '/.well-known/agent-card.json'

const SESSIONS = `${OFFICIAL_PATHS.rest}/checkout-sessions`

/** A redirect that keeps the method, which no agent follows with a POST. */
const elsewhere = (location: string): Reply => ({ status: 307, headers: { location }, body: '' })

/** Looks like a key but is not a real one: the same 32 bytes three times. */
const FILLER = 'c3RvcmUtc3RvcmUtc3RvcmUtc3RvcmUtc3RvcmUtc3Q'

/** Google Pay with a token that no gateway can charge. */
const UNUSABLE_PAY = {
  id: 'gpay',
  version: GOOGLE_PAY_VERSION,
  schema: `https://pay.google.com/gp/p/ucp/${GOOGLE_PAY_VERSION}/schemas/config.json`,
  config: {
    api_version: 2,
    api_version_minor: 0,
    environment: 'TEST',
    merchant_info: { merchant_name: 'Alder & Oak' },
    allowed_payment_methods: [
      {
        type: 'CARD',
        parameters: { allowed_auth_methods: ['PAN_ONLY'], allowed_card_networks: ['VISA'] },
        tokenization_specification: { type: 'PAYMENT_GATEWAY', parameters: {} },
      },
    ],
  },
}

/** The last one that agents no longer speak. */
const OLD_VERSION = UCP.all.findLast((version) => !UCP.of(version).isSpoken) ?? UCP.newest

const nestedUcp = (document: JsonObject): JsonObject => (isRecord(document.ucp) ? document.ucp : {})

/** The entries of a registry, each with its name. */
const namedIn = (registry: unknown): JsonObject[] =>
  Object.entries(isRecord(registry) ? registry : {}).flatMap(([name, entries]) =>
    [entries]
      .flat()
      .filter(isRecord)
      .slice(0, 1)
      .map((entry) => ({ ...entry, name })),
  )

/** `ucp` of an answer with every version in it the old one. */
const inOldVersion = (ucp: JsonObject): JsonObject => ({
  version: OLD_VERSION,
  capabilities: namedIn(ucp.capabilities).map(({ name }) => ({ name, version: OLD_VERSION })),
})

/** A profile in the form of the old version: an object for each service, and lists of the rest. */
function oldProfile(document: JsonObject): JsonObject {
  const ucp = nestedUcp(document)
  const services = Object.entries(isRecord(ucp.services) ? ucp.services : {}).map(
    ([name, entries]): [string, JsonObject] => {
      const bindings = [entries].flat().filter(isRecord)
      const over = bindings.map(({ transport, endpoint, schema }) => [
        transport,
        { endpoint, ...(schema !== undefined && { schema }) },
      ])
      const spec = 'https://ucp.dev/specification/overview'
      return [name, { version: OLD_VERSION, spec, ...Object.fromEntries(over) }]
    },
  )
  return {
    ucp: {
      version: OLD_VERSION,
      services: Object.fromEntries(services),
      capabilities: namedIn(ucp.capabilities).map((entry) => ({
        ...entry,
        version: OLD_VERSION,
        spec: 'https://ucp.dev/specification/overview',
        ...(Array.isArray(entry.extends) && { extends: entry.extends[0] }),
      })),
    },
    payment: {
      handlers: namedIn(ucp.payment_handlers).map(({ id, name, config }) => ({
        id,
        name,
        version: OLD_VERSION,
        spec: 'https://ucp.dev/specification/overview',
        config_schema: 'https://ucp.dev/schemas/config.json',
        instrument_schemas: ['https://ucp.dev/schemas/shopping/types/card_payment_instrument.json'],
        config: isRecord(config) ? config : {},
      })),
    },
    signing_keys: document.keys,
  }
}

/** Answers a redirect first, and then what was asked for at the other address. */
function redirected(): NonNullable<Overrides['reply']> {
  let profile: Reply | undefined
  return (reply, { path }) => {
    if (path === MOVED && profile !== undefined) return profile
    if (path !== OFFICIAL_PATHS.profile) return reply
    profile = reply
    return { status: 302, headers: { location: MOVED }, body: '' }
  }
}
const MOVED = '/ucp-profile.json'

/**
 * What can be wrong with how any manifest is served, where it is seen that it is an official one.
 */
const PROFILE_FAULTS: readonly StoreFault[] = [
  officialFault('well_known_wrong_content_type', {
    reply: at(OFFICIAL_PATHS.profile, withHeader('content-type', 'text/plain')),
  }),
  officialFault('well_known_redirected', { reply: redirected() }),
  officialFault('well_known_invalid', {
    profile: (document) => patch(document, 'ucp', (ucp) => without(ucp, 'payment_handlers')),
  }),
  officialFault('well_known_not_cacheable', {
    reply: at(OFFICIAL_PATHS.profile, withHeader('cache-control', 'no-store')),
  }),
]

/**
 * The ways to be wrong in official UCP. Their hosts begin with `ucp-`, which is how they speak it.
 */
export const UCP_FAULTS: readonly StoreFault[] = [
  ...PROFILE_FAULTS,
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
    reply: below(`${OFFICIAL_PATHS.profile}/`, '', (_, request) => notFound(request)),
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
      path.startsWith(SESSIONS) || path === OFFICIAL_PATHS.mcp
        ? withHeader('content-type', 'text/plain')(reply)
        : reply,
  }),
  storeFault('ucp_error_body_invalid', {
    reply: (reply, { path }) => {
      if (path === SESSIONS && reply.status === 400) return { ...deadPage(), status: 400 }
      // Over MCP an unknown checkout is a result, and here an error that is none of JSON-RPC's.
      return path === OFFICIAL_PATHS.mcp && reply.body.includes('"status":"error"')
        ? { ...reply, body: '{"jsonrpc":"2.0","id":1,"error":"Bad request"}' }
        : reply
    },
  }),
  storeFault('ucp_version_outdated', {
    profile: oldProfile,
    ucpAnswer: ({ operation, body }) => ({
      operation,
      body: patch(body, 'ucp', inOldVersion),
    }),
  }),
  storeFault(
    'ucp_form_departs',
    inCapabilities((all) => ({
      ...all,
      [SEARCH]: [all[SEARCH]].flat().map((entry) => ({ ...Object(entry), extends: null })),
    })),
  ),
  storeFault(
    'ucp_names_unknown',
    inCapabilities((all) => ({
      ...without(all, AUTHENTICATION),
      'dev.ucp.common.payment.authentification': all[AUTHENTICATION],
    })),
  ),
  storeFault(
    'ucp_spec_addresses_wrong',
    inCapabilities((all) =>
      eachOf(all, FULFILLMENT, (entry) => ({
        ...entry,
        spec: 'http://docs.shop.example/shipping',
      })),
    ),
  ),
  storeFault('ucp_agent_card_invalid', {
    profile: (document, { origin }) =>
      patch(document, 'ucp', (ucp) =>
        patch(ucp, 'services', (services) => ({
          ...services,
          [SHOPPING]: [
            ...[services[SHOPPING]].flat(),
            { version: UCP.newest, transport: 'a2a', endpoint: origin + CARD },
          ],
        })),
      ),
    // It says neither what the agent can do nor where it is.
    reply: at(CARD, () => json({ name: 'Alder & Oak', description: 'Sells.', version: '1.0.0' })),
  }),
  storeFault('ucp_keys_unusable', {
    profile: (document) => ({
      ...document,
      keys: [
        { kid: 'store-1', kty: 'EC', crv: 'P-256', x: FILLER, y: FILLER, use: 'sig', alg: 'ES256' },
      ],
    }),
  }),
  storeFault('ucp_webhook_keys_missing', { profile: (document) => without(document, 'keys') }),
  storeFault('ucp_payment_handler_unusable', {
    profile: (document) =>
      patch(document, 'ucp', (ucp) =>
        patch(ucp, 'payment_handlers', (all) => ({ ...all, 'com.google.pay': [UNUSABLE_PAY] })),
      ),
  }),
  ...UCP_SERVICE_FAULTS,
]
