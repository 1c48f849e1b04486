import { LATEST_UCP_VERSION, type UcpVersion } from '../dialect.ts'
import { CATALOG_SINCE, SHOPPING } from './published.ts'

/**
 * The address at which audits identify themselves: the profile of the newest version, and below it
 * those of other versions.
 */
const AGENT_PROFILE_PATH = '/.well-known/ucp-agent'

/**
 * Versions that an audit can ask for: a store answers in the version of the profile that it gets.
 */
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
 * The address of our profile for a store of this version, below our origin: if we have no profile
 * of that version, the newest.
 */
export const agentProfileUrl = (agentBase: string, version: unknown): string =>
  agentBase + agentProfilePath(isAgentVersion(version) ? version : LATEST_UCP_VERSION)

/** Capabilities that an audit reads and a walk buys with: name, schema, page, parents. */
const CAPABILITIES: readonly [name: string, schema: string, page: string, parents?: string[]][] = [
  ['dev.ucp.shopping.checkout', 'checkout', 'checkout'],
  ['dev.ucp.shopping.cart', 'cart', 'cart'],
  ['dev.ucp.shopping.order', 'order', 'order'],
  ['dev.ucp.shopping.fulfillment', 'fulfillment', 'fulfillment', ['dev.ucp.shopping.checkout']],
  ['dev.ucp.shopping.discount', 'discount', 'discount', ['dev.ucp.shopping.checkout']],
  ['dev.ucp.shopping.catalog.search', 'catalog_search', 'catalog/search'],
  ['dev.ucp.shopping.catalog.lookup', 'catalog_lookup', 'catalog/lookup'],
]

/** The capability names that our profile and a store's share. */
export const sharedCapabilities = (names: readonly string[]): string[] =>
  names.filter((name) => CAPABILITIES.some(([ours]) => ours === name))

/** Since this version a capability may extend several others. */
const PARENTS_SINCE = '2026-04-08' satisfies UcpVersion

/** Since this version the pages of shopping are in their own folder. */
const SHOPPING_PAGES_SINCE = '2026-08-25' satisfies UcpVersion

/** Capabilities that came with catalogs. */
const LATER = /\.(?:cart|catalog\.(?:search|lookup))$/

/**
 * The profile of Aisle as a platform, in one version (UCP, Overview, Platform Profile): stores
 * fetch it to learn which version and capabilities to answer in. It has no payment handler and
 * takes no webhooks.
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
