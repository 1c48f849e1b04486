import { type CallToolResult, ProtocolError, Server, type Tool } from '@modelcontextprotocol/server'
import { field, isRecord } from '../../../../shared/web/json/json.ts'
import {
  answerBySdk,
  INVALID_PARAMS,
  idOf,
  isStateless,
  type McpRefusal,
  postFault,
  type RpcId,
} from '../../../http/mcp-post.ts'
import { type JsonObject, json, type Reply } from '../../http/store-request.ts'
import { SHOP_NAME } from '../../shop/settings.ts'
import { NOT_STORED, refused } from './refused.ts'

/** The result of a tool: its payload, or why the call was refused. */
export type ToolAnswer = ToolResult | { refusal: McpRefusal }

interface ToolResult {
  result: JsonObject
  isError?: boolean
  /** Seconds, for the header of that name. */
  retryAfter?: number | undefined
}

interface McpTool {
  name: string
  description: string
  /** JSON Schema of its arguments. */
  inputSchema: object
  annotations?: object
}

/** The tools of an endpoint, for any revision of MCP. */
export interface ToolSet {
  tools: McpTool[]
  call(name: string, given: JsonObject): Promise<ToolAnswer>
}

/**
 * A POST to an MCP endpoint, without sessions. Each answer is one JSON document, for any `Accept`.
 * Most agents send only `tools/list` and `tools/call`: these are answered here, because the SDK
 * gives a refusal neither its HTTP status nor its code. The SDK answers everything else.
 */
export async function answerMcp(toolSet: ToolSet, raw: Request, body: unknown): Promise<Reply> {
  const id = idOf(body)
  const fault = postFault(raw, body)
  if (fault !== null) return refused(id, fault)
  const method = field(body, 'method')
  if (isStateless(raw, body)) return bySdk(toolSet, raw, body)
  if (id !== null && method === 'tools/list') return resultReply(id, { tools: toolSet.tools })
  if (id !== null && method === 'tools/call') {
    const answer = await callTool(toolSet, field(body, 'params'))
    return 'refusal' in answer
      ? refused(id, answer.refusal)
      : resultReply(id, toResult(answer), retryHeader(answer))
  }
  return bySdk(toolSet, raw, body)
}

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

/** The refusal of a call whose arguments are wrong. */
export const invalidParams = (message: string, data?: JsonObject): { refusal: McpRefusal } => ({
  refusal: { status: 400, code: INVALID_PARAMS, message, ...(data && { data }) },
})

/** The payload is the structured content; the text repeats it for clients that only read text. */
const toResult = ({ result, isError }: ToolResult) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(result) }],
  structuredContent: result,
  ...(isError !== undefined && { isError }),
})

const retryHeader = ({ retryAfter }: ToolResult): Record<string, string> =>
  retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }

const resultReply = (id: RpcId, value: object, headers = {}): Reply =>
  json({ jsonrpc: '2.0', id, result: value }, { headers: { ...NOT_STORED, ...headers } })

/**
 * The SDK's answer; a tool's refusal keeps its usual status. Rethrows errors of a tool, because the
 * SDK would show them to the client and nowhere else.
 */
async function bySdk(toolSet: ToolSet, raw: Request, body: unknown): Promise<Reply> {
  let refusal: McpRefusal | undefined
  let failure: { error: unknown } | undefined
  let retry: Record<string, string> = {}
  const server = new Server({ name: SHOP_NAME, version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: toolSet.tools as Tool[] }))
  server.setRequestHandler('tools/call', async ({ params }): Promise<CallToolResult> => {
    const answer = await Promise.resolve(callTool(toolSet, params)).catch((error: unknown) => {
      failure = { error }
      throw error
    })
    if (!('refusal' in answer)) {
      retry = retryHeader(answer)
      return toResult(answer)
    }
    refusal = answer.refusal
    throw new ProtocolError(refusal.code, refusal.message, refusal.data)
  })
  const response = await answerBySdk(server, raw, body, { streams: false })
  if (failure) throw failure.error
  return {
    status: refusal?.status ?? response.status,
    headers: {
      ...Object.fromEntries(response.headers),
      ...NOT_STORED,
      ...retry,
      ...refusal?.headers,
    },
    body: await response.text(),
  }
}
