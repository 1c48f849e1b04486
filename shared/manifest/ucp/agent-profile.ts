import {
  type AskedUcp,
  isAskedUcp,
  SHOPPING,
  UCP,
  type UcpVersion,
} from '../../protocols/ucp/versions.ts'

/**
 * The address at which audits identify themselves: the profile of the newest version, and below it
 * those of other versions.
 */
const AGENT_PROFILE_PATH = '/.well-known/ucp-agent'

/**
 * Versions that an audit can ask for, newest first: a store answers in the version of the profile
 * that it gets.
 */
export const AGENT_VERSIONS = UCP.all.filter(isAskedUcp).toReversed()

/** The path of the profile of a version. */
export const agentProfilePath = (version: UcpVersion): string =>
  version === UCP.newest ? AGENT_PROFILE_PATH : `${AGENT_PROFILE_PATH}/${version}`

/**
 * The address of our profile for a store of this version, below our origin: if we have no profile
 * of that version, the newest.
 */
export const agentProfileUrl = (agentBase: string, version: unknown): string =>
  agentBase + agentProfilePath(isAskedUcp(version) ? version : UCP.newest)

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

/**
 * The profile of Aisle as a platform, in one version (UCP, Overview, Platform Profile): stores
 * fetch it to learn which version and capabilities to answer in. It has no payment handler and
 * takes no webhooks.
 */
export function agentProfile(version: AskedUcp): { ucp: Record<string, unknown> } {
  const published = `https://ucp.dev/${version}`
  const { pages, parents: extended, capabilities: known } = UCP.of(version)
  const service = (transport: string, schema: string) => ({
    version,
    spec: `${published}/specification/overview`,
    transport,
    schema: `${published}/services/shopping/${schema}`,
  })
  const capabilities = CAPABILITIES.filter(([name]) => Object.hasOwn(known, name)).map(
    ([name, schema, page, parents]) => [
      name,
      [
        {
          version,
          spec: `${published}/specification/${pages}${page}`,
          schema: `${published}/schemas/shopping/${schema}.json`,
          ...(parents && { extends: extended === 'one' ? parents[0] : parents }),
        },
      ],
    ],
  )
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
