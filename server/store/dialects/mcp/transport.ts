import {
  type CallToolResult,
  createMcpHandler,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { field, isRecord } from '../../../../shared/web/json.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { JsonObject } from '../../http/store-request.ts'
import { SHOP_NAME } from '../../shop/settings.ts'

/** The first revision without a handshake: every request says in its headers what it is. */
const STATELESS_REVISION = '2026-07-28'

/** A call that is refused as JSON-RPC has it. The status is that of the same refusal over REST. */
export interface McpRefusal {
  status: number
  code: number
  message: string
  data?: JsonObject
  headers?: Record<string, string>
}

/** What a tool says: its payload, or why the call was refused. */
export type ToolAnswer = { result: JsonObject; isError?: boolean } | { refusal: McpRefusal }

export interface McpTool {
  name: string
  description: string
  /** JSON Schema of its arguments. */
  inputSchema: object
  annotations?: object
}

/** The tools of an endpoint, whichever revision of MCP they are asked for in. */
export interface ToolSet {
  tools: McpTool[]
  call(name: string, given: JsonObject): Promise<ToolAnswer>
}

export const INVALID_PARAMS = -32602
const PARSE_ERROR = -32700
const METHOD_NOT_FOUND = -32601
const INVALID_REQUEST = -32600

/**
 * A POST to an MCP endpoint, without sessions, each answer one JSON document regardless of `Accept`.
 * Most agents send `tools/list` and `tools/call` and nothing before: those we answer ourselves,
 * since the SDK gives a refusal neither its HTTP status nor its code. All else is the SDK's.
 */
export async function answerMcp(toolSet: ToolSet, raw: Request, body: unknown): Promise<Reply> {
  const id = idOf(body)
  const malformed = messageFault(raw, body)
  if (malformed !== null) return refused(id, malformed)
  const revision = raw.headers.get('mcp-protocol-version')
  const method = field(body, 'method')
  // The SDK answers it by a stream that never ends.
  if (method === 'subscriptions/listen') {
    const message = 'This endpoint has no subscriptions: its tools do not change.'
    return refused(id, { status: 404, code: METHOD_NOT_FOUND, message })
  }
  if (isStateless(raw, revision, body)) return bySdk(toolSet, raw, body, answerStateless)
  if (revision !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) {
    return refused(id, {
      status: 400,
      code: INVALID_REQUEST,
      message: `Send one of these values in MCP-Protocol-Version: ${STATELESS_REVISION}, ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
    })
  }
  if (id !== null && method === 'tools/list') return result(id, { tools: toolSet.tools })
  if (id !== null && method === 'tools/call') {
    const answer = await callTool(toolSet, field(body, 'params'))
    return 'refusal' in answer ? refused(id, answer.refusal) : result(id, toResult(answer))
  }
  return bySdk(toolSet, raw, body, answerInitialized)
}

type Id = string | number | null

/** The id of the call that an answer is for. Null: it has none that JSON-RPC allows (JSON-RPC 2.0, 5). */
export function idOf(body: unknown): Id {
  const id = isRecord(body) ? body.id : null
  return typeof id === 'string' || Number.isFinite(id) ? (id as Id) : null
}

function messageFault(raw: Request, body: unknown): McpRefusal | null {
  const type = raw.headers.get('content-type')
  if (type !== null && !/^application\/json\s*(;|$)/i.test(type)) {
    return { status: 415, code: INVALID_REQUEST, message: 'Send Content-Type: application/json.' }
  }
  if (body === undefined) {
    return { status: 400, code: PARSE_ERROR, message: 'The body is not valid JSON.' }
  }
  if (Array.isArray(body)) {
    // A batch could cancel one of its own requests, whose answer would be awaited forever.
    const message = 'Send one message in each request, not a batch.'
    return { status: 400, code: INVALID_REQUEST, message }
  }
  const isMessage =
    isRecord(body) && body.jsonrpc === '2.0' && Object.hasOwn(body, 'method')
      ? typeof body.method === 'string' && (body.id === undefined || idOf(body) !== null)
      : false
  if (isMessage) return null
  return {
    status: 400,
    code: INVALID_REQUEST,
    message: 'Send a JSON-RPC 2.0 request: jsonrpc "2.0", a method, and a string or number as id.',
  }
}

/** Some clients send Mcp-Method in every revision: to those that shake hands it means nothing. */
const isStateless = (raw: Request, revision: string | null, body: unknown): boolean =>
  revision === STATELESS_REVISION ||
  (raw.headers.has('mcp-method') && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision ?? '')) ||
  field(field(field(body, 'params'), '_meta'), PROTOCOL_VERSION_META_KEY) !== undefined

function callTool(toolSet: ToolSet, params: unknown): Promise<ToolAnswer> | ToolAnswer {
  const name = field(params, 'name')
  const given = field(params, 'arguments') ?? {}
  if (typeof name !== 'string' || !toolSet.tools.some((tool) => tool.name === name)) {
    const known = toolSet.tools.map((tool) => tool.name).join(', ')
    return invalidParams(`There is no tool of this name. Use one of: ${known}.`)
  }
  if (!isRecord(given)) return invalidParams('Send the arguments of the tool as an object.')
  return toolSet.call(name, given)
}

export const invalidParams = (message: string, data?: JsonObject): { refusal: McpRefusal } => ({
  refusal: { status: 400, code: INVALID_PARAMS, message, ...(data && { data }) },
})

/** The payload is the structured content; the text repeats it for clients that read no other. */
const toResult = ({ result, isError }: { result: JsonObject; isError?: boolean }) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(result) }],
  structuredContent: result,
  ...(isError !== undefined && { isError }),
})

const NOT_STORED = { 'cache-control': 'no-store' }

const result = (id: Id, value: object): Reply =>
  json({ jsonrpc: '2.0', id, result: value }, { headers: NOT_STORED })

/** A refusal as JSON-RPC's error. */
export const refused = (id: Id, { status, code, message, data, headers }: McpRefusal): Reply =>
  json(
    { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } },
    { status, headers: { ...NOT_STORED, ...headers } },
  )

type ServeRequest = (server: Server, request: Request, body: unknown) => Promise<Response>

/** The SDK's answer; what a tool refuses keeps the status that it has everywhere. */
async function bySdk(
  toolSet: ToolSet,
  raw: Request,
  body: unknown,
  serveRequest: ServeRequest,
): Promise<Reply> {
  let refusal: McpRefusal | undefined
  const server = new Server({ name: SHOP_NAME, version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: toolSet.tools as Tool[] }))
  server.setRequestHandler('tools/call', async ({ params }): Promise<CallToolResult> => {
    const answer = await callTool(toolSet, params)
    if (!('refusal' in answer)) return toResult(answer)
    refusal = answer.refusal
    throw new ProtocolError(refusal.code, refusal.message, refusal.data)
  })
  // The SDK refuses clients that do not also accept event streams, which it never sends here.
  const headers = new Headers(raw.headers)
  headers.set('accept', 'application/json, text/event-stream')
  headers.set('content-type', 'application/json')
  const response = await serveRequest(
    server,
    new Request(raw.url, { method: 'POST', headers }),
    body,
  )
  return {
    status: refusal?.status ?? response.status,
    headers: { ...Object.fromEntries(response.headers), ...NOT_STORED, ...refusal?.headers },
    body: await response.text(),
  }
}

const answerStateless: ServeRequest = (server, request, parsedBody) =>
  createMcpHandler(() => server, { legacy: 'reject' }).fetch(request, {
    parsedBody,
  })

const answerInitialized: ServeRequest = async (server, request, parsedBody) => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await server.close()
  }
}
