import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { json, type Reply } from '../reply.ts'
import { SHOP_NAME } from '../shop.ts'
import { say } from '../visit.ts'
import type { Shop } from './checkout.ts'
import type { Answer } from './envelope.ts'
import { OPERATIONS, type Operation } from './operations.ts'

/** A POST to the MCP endpoint: streamable HTTP without sessions, each answer one JSON document. */
export async function mcpReply(shop: Shop, request: Request, body: unknown): Promise<Reply> {
  // A batch could cancel one of its own requests, whose answer the transport would await forever.
  if (Array.isArray(body)) return refuseBatch()
  const server = serverOf(shop)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const response = await transport.handleRequest(request, { parsedBody: body ?? null })
    const { status, headers } = response
    return { status, headers: Object.fromEntries(headers), body: await response.text() }
  } finally {
    await server.close()
  }
}

function serverOf(shop: Shop): McpServer {
  const server = new McpServer({ name: SHOP_NAME, version: '1.0.0' })
  const tools = say(shop.visit, 'tools', Object.keys(OPERATIONS))
  for (const [name, { description, input, call }] of operationsOf(tools)) {
    server.registerTool(name, { description, inputSchema: input }, async (given) =>
      toResult(await call(shop, given)),
    )
  }
  return server
}

const operationsOf = (names: readonly string[]): [string, Operation][] =>
  Object.entries(OPERATIONS).filter(([name]) => names.includes(name))

/** The payload is the structured content; the text repeats it for clients that read no other. */
const toResult = ({ body }: Answer) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(body) }],
  structuredContent: body,
})

const refuseBatch = (): Reply =>
  json(
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'Send one message in each request, not a batch.' },
    },
    { status: 400 },
  )
