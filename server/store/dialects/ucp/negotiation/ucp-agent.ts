import { parseDictionary } from 'structured-headers'
import { type NegotiationRefusal, refusal } from './refusals.ts'

/** The caller's own claim: the address of their profile, and perhaps a version. */
export interface UcpAgent {
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
