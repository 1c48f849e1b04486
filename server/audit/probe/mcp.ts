import type { McpSeen, McpWay } from '../../../shared/audit/evidence.ts'
import { agentProfileUrl } from '../../../shared/manifest/ucp/agent-profile.ts'
import { isRpc, rpcErrorOf } from '../../../shared/protocols/mcp-answer.ts'
import type { JsonSeen } from '../../../shared/web/http/fetched.ts'
import { jsonOf } from '../../../shared/web/http/presence.ts'
import { field } from '../../../shared/web/json/json.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { type AuditSession, notAsked, requestJson } from './session.ts'

/** The revision of MCP that we name where a server wants a handshake. */
const HANDSHAKE_REVISION = '2025-06-18'
/** The first revision without one: every request says what it is. */
const STATELESS_REVISION = '2026-07-28'
const META = 'io.modelcontextprotocol'

/** What MCP's clients say they accept; many agents say less. */
const BOTH_TYPES = 'application/json, text/event-stream'

/** Questions until the tools are listed; what opens and ends a session comes on top. */
const MAX_QUESTIONS = 4
/** Further pages of a list of tools. */
const MAX_PAGES = 2

/** An MCP service, and how it is spoken to. */
export interface OpenedMcp {
  /** What was seen so far, as plain data. */
  seen: McpSeen
  /** Sends one request as the service wants it. Never throws. */
  ask: (method: string, params?: object, how?: { unsigned?: true }) => Promise<JsonSeen>
  /** Our profile as UCP's REST has it, so that a signature can be verified; else empty. */
  headers: Record<string, string>
  /** The address of our profile, in the version of the store's. */
  profile: string
  /** Ends the session if the server has opened one: call it when all is asked. */
  close: () => Promise<void>
}

/**
 * Finds out how an MCP service wants to be spoken to, and lists its tools: as agents ask that send
 * nothing before, then as each revision of MCP has it. Creates nothing. `version` is the
 * `ucp.version` of the store's profile: we name our own profile in it, or in the newest. Once it
 * answers 429 it is asked no more, except by a caller that `waits` for as long as the answer says.
 */
export async function openMcp(
  session: AuditSession,
  { url, version, waits = false }: { url: string; version: unknown; waits?: boolean },
): Promise<OpenedMcp> {
  let id = 0
  let hasEnough = false
  const profile = agentProfileUrl(session.agentBase, version)
  // Unspecified: UCP's MCP binding has the profile in the body alone, but signatures are verified
  // before the body is read.
  const named = session.signedAs() === null ? {} : { 'ucp-agent': `profile="${profile}"` }
  const send = async (
    { headers, meta }: Manner,
    method: string,
    params?: object,
    how: { unsigned?: true } = {},
  ): Promise<JsonSeen> => {
    if (hasEnough) return notAsked('the MCP service has had enough requests, and answered 429')
    id += 1
    const isCall = method === 'tools/call'
    const given = meta === undefined ? params : { ...params, _meta: meta }
    const seen = await requestJson(session, {
      method: 'POST',
      url,
      ...how,
      headers: {
        ...headers,
        ...named,
        ...(meta && standardHeaders(method, isCall ? params : undefined)),
      },
      json: { jsonrpc: '2.0', id, method, ...(given && { params: given }) },
      maxBytes: BODY_CAPS.page,
    })
    hasEnough ||= statusOf(seen) === 429
    return seen
  }
  const { manner, how, tried, sessionId } = await findManner(session, url, send)
  const lists = tried.filter((each) => each.how !== 'initialize')
  const tools = (lists.findLast((each) => each.how === how) ?? lists.at(-1))?.seen ?? NOTHING
  const more: JsonSeen[] = []
  for (let cursor = nextCursor(tools); cursor !== null && more.length < MAX_PAGES; ) {
    const page = await send(manner, 'tools/list', { cursor })
    more.push(page)
    cursor = nextCursor(page)
  }
  let isOpen = sessionId !== null
  return {
    seen: { endpoint: url, how, tried, tools, more, unknown: null },
    ask(method, params, how) {
      if (waits) hasEnough = false
      return send(manner, method, params, how)
    },
    headers: named,
    profile,
    async close() {
      if (!isOpen) return
      isOpen = false
      // MCP, "Session Management": a client that is done should end its session.
      const { headers } = manner
      await session.request({ method: 'DELETE', url, headers, maxBytes: BODY_CAPS.manifest })
    },
  }
}

/**
 * Calls a tool, in the name of our profile. `args` are its arguments without `meta`. The answer is
 * as it came: `mcpBody` takes it apart.
 */
export const callTool = (
  { ask, profile }: OpenedMcp,
  name: string,
  args: Readonly<Record<string, unknown>>,
  how?: { unsigned?: true },
): Promise<JsonSeen> =>
  ask('tools/call', { name, arguments: { meta: { 'ucp-agent': { profile } }, ...args } }, how)

/** What every request of a service has. */
interface Manner {
  headers: Record<string, string>
  /** The envelope of the revision without handshakes. */
  meta?: object
}

const PLAIN: Manner = { headers: { accept: 'application/json' } }
const WIDE: Manner = { headers: { accept: BOTH_TYPES } }
const STATELESS: Manner = {
  headers: { accept: BOTH_TYPES, 'mcp-protocol-version': STATELESS_REVISION },
  meta: {
    [`${META}/protocolVersion`]: STATELESS_REVISION,
    [`${META}/clientInfo`]: { name: 'aisle', version: '1.0' },
    [`${META}/clientCapabilities`]: {},
  },
}

/** MCP 2026-07-28, Standard Request Headers: they agree with the body. */
const standardHeaders = (method: string, params?: object) => {
  const name = field(params, 'name')
  return { 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) }
}

const NOTHING: JsonSeen = {
  fetched: { kind: 'not_asked', reason: 'nothing was asked' },
  json: null,
}

interface Found {
  /** How to go on, whether or not the tools could be listed. */
  manner: Manner
  how: McpWay | null
  tried: McpSeen['tried']
  sessionId: string | null
}

async function findManner(
  session: AuditSession,
  url: string,
  send: (manner: Manner, method: string, params?: object) => Promise<JsonSeen>,
): Promise<Found> {
  const tried: Found['tried'] = []
  const list = async (how: McpWay, manner: Manner): Promise<JsonSeen> => {
    const seen = await send(manner, 'tools/list')
    tried.push({ how, seen })
    return seen
  }
  const found = (how: McpWay | null, manner: Manner, sessionId: string | null = null): Found => ({
    manner,
    how,
    tried,
    sessionId,
  })

  let manner = PLAIN
  let last = await list('plain', manner)
  let how: McpWay | null = isList(last) ? 'plain' : null
  if (hasTools(last)) return found(how, manner)
  if (refusesAccept(last)) {
    manner = WIDE
    last = await list('event_stream', manner)
    how = isList(last) ? 'event_stream' : null
    if (hasTools(last)) return found(how, manner)
  }
  if (wantsStateless(last) && hasTools(await list('stateless', STATELESS))) {
    return found('stateless', STATELESS)
  }
  // The greeting and the list after it are two more.
  if (!mayWantHandshake(last) || tried.length > MAX_QUESTIONS - 2) return found(how, manner)

  const hello = await send(WIDE, 'initialize', {
    protocolVersion: HANDSHAKE_REVISION,
    capabilities: {},
    clientInfo: { name: 'aisle', version: '1.0' },
  })
  tried.push({ how: 'initialize', seen: hello })
  const agreed = field(field(jsonOf(hello), 'result'), 'protocolVersion')
  if (hello.fetched.kind !== 'answer' || rpcErrorOf(hello) !== null || agreed === undefined) {
    const isNew = isRpc(hello) && !tried.some((each) => each.how === 'stateless')
    return isNew && tried.length < MAX_QUESTIONS && hasTools(await list('stateless', STATELESS))
      ? found('stateless', STATELESS)
      : found(how, manner)
  }
  // Servers without sessions send no such header, and want none back.
  const sessionId = visible(hello.fetched.headers['mcp-session-id'])
  const revision = visible(agreed) ?? HANDSHAKE_REVISION
  const shaken: Manner = {
    headers: {
      accept: BOTH_TYPES,
      'mcp-protocol-version': revision,
      ...(sessionId !== null && { 'mcp-session-id': sessionId }),
    },
  }
  if (sessionId !== null) {
    // A server with sessions refuses everything before this message (MCP, Lifecycle).
    await session.request({
      method: 'POST',
      url,
      headers: shaken.headers,
      json: { jsonrpc: '2.0', method: 'notifications/initialized' },
      maxBytes: BODY_CAPS.manifest,
    })
  }
  return isList(await list('handshake', shaken))
    ? found('handshake', shaken, sessionId)
    : found(how, shaken, sessionId)
}

/** MCP, "Session Management": visible ASCII. Anything else must not go into a header. */
const visible = (text: unknown): string | null =>
  typeof text === 'string' && /^[\x21-\x7e]{1,1024}$/.test(text) ? text : null

const resultOf = (seen: JsonSeen): unknown => field(jsonOf(seen), 'result')
const toolsOf = (seen: JsonSeen): unknown => field(resultOf(seen), 'tools')
const isList = (seen: JsonSeen): boolean => Array.isArray(toolsOf(seen))
/** An empty list may be that of a server that wants to be greeted first. */
const hasTools = (seen: JsonSeen): boolean =>
  isList(seen) && Object.values(toolsOf(seen) ?? {}).length > 0

function nextCursor(seen: JsonSeen): string | null {
  const cursor = field(resultOf(seen), 'nextCursor')
  return typeof cursor === 'string' && cursor !== '' ? cursor : null
}

const statusOf = ({ fetched }: JsonSeen): number | null =>
  fetched.kind === 'answer' ? fetched.status : null

/** The types that we accept are not those that the server wants to send. */
const refusesAccept = (seen: JsonSeen): boolean =>
  [406, 415].includes(statusOf(seen) ?? 0) ||
  /\baccept\b.*event-stream/i.test(beginningOf(rpcErrorOf(seen)?.message ?? ''))

/** What an error says is searched no further: it may have megabytes. */
const beginningOf = (text: string): string => text.slice(0, 2000)

/** The codes of revisions without a handshake, for a request that lacks what they demand. */
const STATELESS_CODES = [-32020, -32021, -32022, -32004]

function wantsStateless(seen: JsonSeen): boolean {
  const error = rpcErrorOf(seen)
  if (error === null) return false
  const said = `${beginningOf(error.message)} ${beginningOf(JSON.stringify(error.data ?? null))}`
  return (
    STATELESS_CODES.includes(error.code ?? 0) ||
    said.includes(STATELESS_REVISION) ||
    said.includes(META)
  )
}

/**
 * Whether a refusal may be one of a server that wants to be greeted: JSON-RPC that says no, or a
 * plain 400. Who is closed to strangers, or fails, is not asked again.
 */
function mayWantHandshake(seen: JsonSeen): boolean {
  const status = statusOf(seen)
  if (status === null || [401, 403, 429].includes(status)) return false
  return isRpc(seen) || status === 400
}
