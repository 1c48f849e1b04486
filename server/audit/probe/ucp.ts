import type { ManifestSeen, McpSeen, UcpSeen } from '../../../shared/audit/evidence.ts'
import { LATEST_UCP_VERSION } from '../../../shared/manifest/dialect.ts'
import { agentProfilePath, isAgentVersion } from '../../../shared/manifest/ucp/agent-profile.ts'
import { isOfficial } from '../../../shared/manifest/ucp/profile.ts'
import type { JsonSeen } from '../../../shared/web/fetched.ts'
import { field } from '../../../shared/web/json.ts'
import { jsonOf } from '../../../shared/web/presence.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { requestJson } from './json.ts'
import { callTool, type OpenedMcp, openMcp } from './mcp.ts'
import type { AuditSession } from './session.ts'
import { probeSupportedVersions } from './supported-versions.ts'

/** The service that leads to a checkout; others, such as loyalty, do not. */
export const SHOPPING = 'dev.ucp.shopping'

/** An id that no store has. */
const UNKNOWN_SESSION = 'aisle-unknown-session'

/**
 * A checkout that nobody can make: its one line is of the wrong type. A list of none, and what is no
 * list, are an empty basket to lenient servers, and so is a list of nulls to those that drop them.
 */
const INVALID_CHECKOUT = { line_items: [[]], currency: 0 }

/** Requests to the MCP service, its catalog's aside. */
const MAX_MCP_REQUESTS = 4

/** The address of our profile as an agent, in the version of the store's or in the newest. */
export const agentOf = ({ agentBase }: AuditSession, profile: unknown): string => {
  const version = field(field(profile, 'ucp'), 'version')
  return `${agentBase}${agentProfilePath(isAgentVersion(version) ? version : LATEST_UCP_VERSION)}`
}

/**
 * Where the shopping service of an official profile is, over one transport; null where it has none
 * that agents may be sent to.
 */
async function endpointOf(
  session: AuditSession,
  document: unknown,
  transport: 'rest' | 'mcp',
): Promise<string | null> {
  const judged = await session.run('manifest', { document })
  const services = 'done' in judged ? judged.done.services : []
  const ours = services.filter(({ service }) => service === SHOPPING)
  return ours.find((each) => each.transport === transport)?.endpoint ?? null
}

/** Opens the MCP service of an official profile; null where it offers none. */
export async function openUcpMcp(
  session: AuditSession,
  manifest: ManifestSeen,
): Promise<OpenedMcp | null> {
  const document = jsonOf(manifest)
  if (!isOfficial(document)) return null
  const url = await endpointOf(session, document, 'mcp')
  return url === null
    ? null
    : openMcp(session, { url, version: field(field(document, 'ucp'), 'version') })
}

/**
 * Asks the services of an official profile whether they respond, what tools they have, and what they
 * say of a checkout that does not exist. Nothing is created: what is sent is invalid, or only read.
 * An MCP service that is open already is asked on, and left open.
 */
export async function probeUcp(
  session: AuditSession,
  manifest: ManifestSeen,
  opened?: Promise<OpenedMcp | null>,
): Promise<UcpSeen> {
  const document = jsonOf(manifest)
  const agent = agentOf(session, document)
  if (!isOfficial(document)) return { agent, rest: null, mcp: null, versions: [] }
  const [rest, mcp, versions] = await Promise.all([
    endpointOf(session, document, 'rest').then((endpoint) =>
      endpoint === null ? null : askRest(session, endpoint, agent),
    ),
    probeMcp(session, manifest, opened),
    probeSupportedVersions(session, document),
  ])
  return { agent, rest, mcp, versions }
}

/** The base URL of a REST service is not a resource itself: its checkout sessions are. */
const restCheckout = (endpoint: string): string =>
  `${endpoint.replace(/\/$/, '')}/checkout-sessions`

/**
 * Asks for a checkout that cannot be, and for one that is not there. Whatever knows
 * the protocol says so.
 */
export async function askRest(
  session: AuditSession,
  endpoint: string,
  agent: string,
): Promise<NonNullable<UcpSeen['rest']>> {
  const url = restCheckout(endpoint)
  const ask = (request: { url: string; method?: 'POST'; json?: object }): Promise<JsonSeen> =>
    requestJson(session, {
      ...request,
      // UCP, REST Binding: a dictionary of RFC 8941.
      headers: { 'ucp-agent': `profile="${agent}"` },
      maxBytes: BODY_CAPS.manifest,
    })
  const checkout = await ask({ method: 'POST', url, json: INVALID_CHECKOUT })
  // Who keeps strangers out, or gives no answer, is not asked again.
  const { fetched } = checkout
  const isTold = fetched.kind !== 'answer' || [401, 403, 429].includes(fetched.status)
  return {
    endpoint,
    checkout,
    unknown: isTold ? null : await ask({ url: `${url}/${UNKNOWN_SESSION}` }),
  }
}

async function probeMcp(
  session: AuditSession,
  manifest: ManifestSeen,
  opened: Promise<OpenedMcp | null> | undefined,
): Promise<McpSeen | null> {
  const mcp = await (opened ?? openUcpMcp(session, manifest))
  if (mcp === null) return null
  const { seen } = mcp
  const isListed = [seen.tools, ...seen.more].some((page) => {
    const tools = field(field(jsonOf(page), 'result'), 'tools')
    return Array.isArray(tools) && tools.some((tool) => field(tool, 'name') === 'get_checkout')
  })
  const isAffordable = seen.tried.length + seen.more.length < MAX_MCP_REQUESTS
  const unknown =
    isListed && isAffordable ? await callTool(mcp, 'get_checkout', { id: UNKNOWN_SESSION }) : null
  if (opened === undefined) await mcp.close()
  return { ...seen, unknown }
}
