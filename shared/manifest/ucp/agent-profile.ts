import { LATEST_UCP_VERSION, type UcpVersion } from '../dialect.ts'
import { CATALOG_SINCE, SHOPPING } from './published.ts'

/**
 * Where an audit says who asks: the profile of the newest version, and those of others below it.
 */
const AGENT_PROFILE_PATH = '/.well-known/ucp-agent'

/** Versions in which an audit can be answered: a store speaks that of the profile it is sent to. */
export const AGENT_VERSIONS = [
  LATEST_UCP_VERSION,
  '2026-04-08',
  '2026-01-23',
] as const satisfies UcpVersion[]
export type AgentVersion = (typeof AGENT_VERSIONS)[number]

export const isAgentVersion = (value: unknown): value is AgentVersion =>
  AGENT_VERSIONS.some((version) => version === value)

/** The path of the profile of a version. */
export const agentProfilePath = (version: AgentVersion): string =>
  version === LATEST_UCP_VERSION ? AGENT_PROFILE_PATH : `${AGENT_PROFILE_PATH}/${version}`

/**
 * The address of the profile that a store of this version is sent to, below our origin: where we
 * have none of that version, the newest.
 */
export const agentProfileUrl = (agentBase: string, version: unknown): string =>
  agentBase + agentProfilePath(isAgentVersion(version) ? version : LATEST_UCP_VERSION)

/** What an audit reads, and a walk buys with: name, schema, page, parents. */
const CAPABILITIES: readonly [name: string, schema: string, page: string, parents?: string[]][] = [
  ['dev.ucp.shopping.checkout', 'checkout', 'checkout'],
  ['dev.ucp.shopping.cart', 'cart', 'cart'],
  ['dev.ucp.shopping.order', 'order', 'order'],
  ['dev.ucp.shopping.fulfillment', 'fulfillment', 'fulfillment', ['dev.ucp.shopping.checkout']],
  ['dev.ucp.shopping.discount', 'discount', 'discount', ['dev.ucp.shopping.checkout']],
  ['dev.ucp.shopping.catalog.search', 'catalog_search', 'catalog/search'],
  ['dev.ucp.shopping.catalog.lookup', 'catalog_lookup', 'catalog/lookup'],
]

/** The names of what our profile and a store's both have. */
export const sharedCapabilities = (names: readonly string[]): string[] =>
  names.filter((name) => CAPABILITIES.some(([ours]) => ours === name))

/** Since this version a capability may extend several others. */
const PARENTS_SINCE = '2026-04-08' satisfies UcpVersion

/** Since this version the pages of shopping stand below a folder of their own. */
const SHOPPING_PAGES_SINCE = '2026-08-25' satisfies UcpVersion

/** Capabilities that came with catalogs. */
const LATER = /\.(?:cart|catalog\.(?:search|lookup))$/

/**
 * The profile of Aisle as a platform, in one version (UCP, Overview, Platform Profile): stores
 * fetch it to learn which version and capabilities to answer in. It pays with nothing and takes no
 * webhooks.
 */
export function agentProfile(version: AgentVersion): { ucp: Record<string, unknown> } {
  const published = `https://ucp.dev/${version}`
  const spec = (page: string) =>
    `${published}/specification/${version >= SHOPPING_PAGES_SINCE ? `shopping/${page}` : page}`
  const service = (transport: string, schema: string) => ({
    version,
    spec: `${published}/specification/overview`,
    transport,
    schema: `${published}/services/shopping/${schema}`,
  })
  const capabilities = CAPABILITIES.filter(
    ([name]) => version >= CATALOG_SINCE || !LATER.test(name),
  ).map(([name, schema, page, parents]) => [
    name,
    [
      {
        version,
        spec: spec(page),
        schema: `${published}/schemas/shopping/${schema}.json`,
        ...(parents && { extends: version < PARENTS_SINCE ? parents[0] : parents }),
      },
    ],
  ])
  return {
    ucp: {
      version,
      services: {
        [SHOPPING]: [service('rest', 'rest.openapi.json'), service('mcp', 'mcp.openrpc.json')],
      },
      capabilities: Object.fromEntries(capabilities),
      payment_handlers: {},
    },
  }
}
