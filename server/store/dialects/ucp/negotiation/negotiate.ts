import { parseDictionary } from 'structured-headers'
import { ORDER } from '../../../../../shared/protocols/ucp/names.ts'
import { UCP, type UcpVersion } from '../../../../../shared/protocols/ucp/versions.ts'
import {
  Capabilities,
  type NegotiationRefusal,
  type PlatformProfile,
  type PlatformProfiles,
  type ProfileReader,
  refusal,
  WebhookConfig,
} from './platform-profiles.ts'

/** The agreement of store and platform for one request. */
export interface Negotiated {
  version: UcpVersion
  /** The capabilities that both have in this version. */
  capabilities: ReadonlySet<string>
  profileUrl: string
  profile: PlatformProfile
  /** The platform's address for order events; null if it names no https address. */
  webhookUrl: string | null
}

/**
 * Negotiates with a platform: the version is that of its profile, and a capability counts if both
 * have it (UCP overview, Negotiation).
 */
export async function negotiate(
  profiles: PlatformProfiles,
  { profileUrl, version }: UcpAgent,
  ours: ReadonlyMap<UcpVersion, Capabilities>,
  reader: ProfileReader,
): Promise<{ negotiated: Negotiated } | { refusal: NegotiationRefusal }> {
  if (version !== undefined && !UCP.isServed(version)) return unsupported(version)
  const found = await profiles.find(profileUrl, reader)
  if ('refusal' in found) return found
  const { profile } = found
  const spoken = profile.ucp.version
  if (!UCP.isServed(spoken)) return unsupported(spoken)
  const theirs = Capabilities.safeParse(profile.ucp.capabilities ?? {})
  if (!theirs.success) {
    return refusal(
      'profile_malformed',
      'In your profile, ucp.capabilities is not a map from names to lists of versions. Fix it and try again.',
    )
  }
  const capabilities = intersect(ours.get(spoken) ?? {}, theirs.data)
  const webhookUrl = webhookUrlOf(theirs.data, spoken)
  return { negotiated: { version: spoken, capabilities, profileUrl, profile, webhookUrl } }
}

/** UCP, Order, Webhooks: `config.webhook_url` of the platform's own capability. */
function webhookUrlOf(theirs: Capabilities, version: string): string | null {
  const entries = Object.hasOwn(theirs, ORDER) ? (theirs[ORDER] ?? []) : []
  const entry = entries.find((each) => each.version === version)
  return WebhookConfig.safeParse(entry?.config).data?.webhook_url ?? null
}

const unsupported = (version: string) =>
  refusal(
    'version_unsupported',
    `This store does not speak UCP ${JSON.stringify(version.slice(0, 40))}. Use one of: ${UCP.served.toReversed().join(', ')}.`,
  )

/** The shared capabilities of a version, without extensions that have nothing left to extend. */
export function intersect(ours: Capabilities, theirs: Capabilities): ReadonlySet<string> {
  const versionsOf = (all: Capabilities, name: string) =>
    Object.hasOwn(all, name) ? (all[name] ?? []).map(({ version }) => version) : []
  const parentsOf = (name: string) => (ours[name] ?? []).flatMap((each) => each.extends ?? [])
  const left = new Set(
    Object.keys(ours).filter((name) => {
      const known = versionsOf(theirs, name)
      return versionsOf(ours, name).some((version) => known.includes(version))
    }),
  )
  for (;;) {
    const orphan = [...left].find((name) => {
      const parents = parentsOf(name)
      return parents.length > 0 && !parents.some((parent) => left.has(parent))
    })
    if (orphan === undefined) return left
    left.delete(orphan)
  }
}

/** The caller's own claim: the address of their profile, and perhaps a version. */
interface UcpAgent {
  profileUrl: string
  version?: string
}

const LONGEST_URL = 2000

const HOW_TO =
  'Send the https URL of your UCP profile: UCP-Agent: profile="https://agent.example/ucp.json", or meta["ucp-agent"].profile over MCP.'

/** Reads `UCP-Agent: profile="https://…"`, a dictionary of RFC 8941. */
export function readAgentHeader(
  header: string | null,
): { agent: UcpAgent } | { refusal: NegotiationRefusal } {
  try {
    const members = parseDictionary(header ?? '')
    const [profile, parameters] = members.get('profile') ?? []
    return readAgent(profile, parameters?.get('version') ?? members.get('version')?.[0])
  } catch {
    return refusal('invalid_profile_url', HOW_TO)
  }
}

/** The caller's claim in a header or in `meta`. */
export function readAgent(
  profile: unknown,
  version?: unknown,
): { agent: UcpAgent } | { refusal: NegotiationRefusal } {
  const text = typeof profile === 'string' && profile.length <= LONGEST_URL ? profile : ''
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:' || url.username || url.password) {
    return refusal('invalid_profile_url', HOW_TO)
  }
  url.hash = ''
  return { agent: { profileUrl: url.href, ...(typeof version === 'string' && { version }) } }
}
