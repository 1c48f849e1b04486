import type { ManifestSeen, UcpSeen } from '../../../shared/audit/evidence.ts'
import { isOfficial } from '../../../shared/manifest/ucp/profile.ts'
import type { Answer, Fetched, JsonSeen } from '../../../shared/web/fetched.ts'
import { jsonOf } from '../../../shared/web/presence.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { notAsked, requestJson } from './json.ts'
import { askLiveness } from './liveness.ts'
import type { AuditSession } from './session.ts'
import { probeSupportedVersions } from './supported-versions.ts'

/** The revision of MCP that we speak. */
const MCP_VERSION = '2025-06-18'

/**
 * Asks the services of an official profile whether they respond and what tools they have. Only safe
 * requests and MCP's handshake are sent: nothing is created.
 */
export async function probeUcp(session: AuditSession, manifest: ManifestSeen): Promise<UcpSeen> {
  const document = jsonOf(manifest)
  if (!isOfficial(document)) return { rest: null, mcp: null, versions: [] }
  const judged = await session.run('manifest', { document })
  const services = 'done' in judged ? judged.done.services : []
  const endpointOf = (transport: string) =>
    services.find((each) => each.transport === transport)?.endpoint ?? null
  const [rest, mcp] = [endpointOf('rest'), endpointOf('mcp')]
  const [restSeen, mcpSeen, versions] = await Promise.all([
    rest === null ? null : askLiveness(session, restCheckout(rest)),
    mcp === null ? null : probeMcp(session, mcp),
    probeSupportedVersions(session, document),
  ])
  return { rest: restSeen, mcp: mcpSeen, versions }
}

/** The base URL of a REST service is not a resource itself: its checkout sessions are. */
export const restCheckout = (endpoint: string): string =>
  `${endpoint.replace(/\/$/, '')}/checkout-sessions`

/**
 * Reads the tools over MCP's Streamable HTTP transport
 * (https://modelcontextprotocol.io/specification/2025-06-18/basic/transports): initialize, list,
 * and end the session if the server has opened one.
 */
async function probeMcp(session: AuditSession, url: string): Promise<NonNullable<UcpSeen['mcp']>> {
  const call = (id: number, method: string, params: object, headers = {}) =>
    requestJson(session, {
      method: 'POST',
      url,
      headers: { accept: 'application/json, text/event-stream', ...headers },
      json: { jsonrpc: '2.0', id, method, params },
      maxBytes: BODY_CAPS.page,
    })
  const initialize = await call(1, 'initialize', {
    protocolVersion: MCP_VERSION,
    capabilities: {},
    clientInfo: { name: 'aisle', version: '1.0' },
  })
  if (!isOk(initialize.fetched)) {
    return { initialize, tools: notAsked('the MCP service did not accept our initialize request') }
  }
  // Servers without sessions send no such header, and want none back.
  const sessionId = initialize.fetched.headers['mcp-session-id']
  const tools: JsonSeen = await call(
    2,
    'tools/list',
    {},
    {
      'mcp-protocol-version': MCP_VERSION,
      ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
    },
  )
  // MCP, "Session Management": a client that is done should end its session.
  if (sessionId !== undefined) {
    const headers = { 'mcp-session-id': sessionId }
    await session.request({ method: 'DELETE', url, headers, maxBytes: BODY_CAPS.manifest })
  }
  return { initialize, tools }
}

const isOk = (fetched: Fetched): fetched is Answer =>
  fetched.kind === 'answer' && fetched.status >= 200 && fetched.status < 300
