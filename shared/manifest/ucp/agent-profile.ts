import {
  ap2MandateIn,
  CART,
  CHECKOUT,
  capabilityEntry,
  DISCOUNT,
  FULFILLMENT,
  hasCapability,
  LOOKUP,
  ORDER,
  publishedAt,
  SEARCH,
} from '../../protocols/ucp/names.ts'
import { isAskedUcp, SHOPPING, UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'

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

/** The query of the profile that buys by mandate. It is one of its own: it locks a checkout. */
export const BY_MANDATE = 'buys=by_mandate'

interface Buying {
  byMandate?: boolean
}

/**
 * The address of our profile for a store of this version, below our origin: if we have no profile
 * of that version, the newest.
 */
export const agentProfileUrl = (
  agentBase: string,
  version: unknown,
  { byMandate = false }: Buying = {},
): string => {
  const path = agentProfilePath(isAskedUcp(version) ? version : UCP.newest)
  return agentBase + path + (byMandate ? `?${BY_MANDATE}` : '')
}

/** Capabilities that an audit reads and a walk buys with. */
const CAPABILITIES = [CHECKOUT, CART, ORDER, FULFILLMENT, DISCOUNT, SEARCH, LOOKUP]

/** The capability names that our profile and a store's share. */
export const sharedCapabilities = (names: readonly string[]): string[] =>
  names.filter((name) => CAPABILITIES.includes(name) || MANDATES.has(name))

const MANDATES: ReadonlySet<string> = new Set(AGENT_VERSIONS.map(ap2MandateIn))

/** With our signing keys, in the list of its version. */
interface AgentProfile {
  ucp: Record<string, unknown>
  keys?: Record<string, unknown>[]
  signing_keys?: Record<string, unknown>[]
}

/**
 * The profile of Aisle as a platform, in one version (UCP, Overview, Platform Profile): stores
 * fetch it to learn which version and capabilities to answer in. It has no payment handler and
 * takes no webhooks. `keys` are the public ones that it signs with, if it signs.
 */
export function agentProfile(
  version: UcpVersion,
  keys: readonly { kty: string }[] = [],
  { byMandate = false }: Buying = {},
): AgentProfile {
  const service = (transport: string, schema: string) => ({
    version,
    spec: `${publishedAt(version)}/specification/overview`,
    transport,
    schema: `${publishedAt(version)}/services/shopping/${schema}`,
  })
  // A mandate is verified by a key of the profile: without one we could make none.
  const makesMandates = byMandate && keys.some(({ kty }) => kty === 'EC')
  const names = [...CAPABILITIES, ...(makesMandates ? [ap2MandateIn(version)] : [])]
  const capabilities = names
    .filter((name) => hasCapability(version, name))
    .map((name) => [name, [capabilityEntry(version, name)]])
  const list = UCP.of(version).keys
  // Versions before had no Ed25519, and their readers may refuse a list that has some.
  const known = keys.filter(({ kty }) => list === 'keys' || kty === 'EC').map((key) => ({ ...key }))
  return {
    ucp: {
      version,
      services: {
        [SHOPPING]: [service('rest', 'rest.openapi.json'), service('mcp', 'mcp.openrpc.json')],
      },
      capabilities: Object.fromEntries(capabilities),
      payment_handlers: {},
    },
    ...(known.length > 0 && { [list]: known }),
  }
}
