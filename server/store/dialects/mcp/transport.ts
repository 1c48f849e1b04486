import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { json, type Reply } from '../../http/reply.ts'

/** A POST to an MCP endpoint: streamable HTTP without sessions, each answer one JSON document. */
export async function answerMcp(server: McpServer, raw: Request, body: unknown): Promise<Reply> {
  // A batch could cancel one of its own requests, whose answer the transport would await forever.
  if (Array.isArray(body)) return refuseBatch()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const response = await transport.handleRequest(raw, { parsedBody: body ?? null })
    const { status, headers } = response
    return { status, headers: Object.fromEntries(headers), body: await response.text() }
  } finally {
    await server.close()
  }
}

const refuseBatch = (): Reply =>
  json(
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'Send one message in each request, not a batch.' },
    },
    { status: 400 },
  )
