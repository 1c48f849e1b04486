import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Reply } from '../../http/reply.ts'
import { applyFaults } from '../../http/store-request.ts'
import { SHOP_NAME } from '../../shop/settings.ts'
import { answerMcp } from '../mcp/transport.ts'
import type { UcpContext } from './checkout.ts'
import type { UcpResult } from './envelope.ts'
import { OPERATIONS, type Operation } from './operations.ts'

/** A POST to the profile's MCP endpoint. */
export const mcpReply = (context: UcpContext, raw: Request, body: unknown): Promise<Reply> =>
  answerMcp(serverOf(context), raw, body)

function serverOf(context: UcpContext): McpServer {
  const server = new McpServer({ name: SHOP_NAME, version: '1.0.0' })
  const tools = applyFaults(context.request, 'tools', Object.keys(OPERATIONS))
  for (const [name, { description, input, call }] of operationsOf(tools)) {
    server.registerTool(name, { description, inputSchema: input }, async (given) =>
      toResult(await call(context, given)),
    )
  }
  return server
}

const operationsOf = (names: readonly string[]): [string, Operation][] =>
  Object.entries(OPERATIONS).filter(([name]) => names.includes(name))

/** The payload is the structured content; the text repeats it for clients that read no other. */
const toResult = ({ body }: UcpResult) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(body) }],
  structuredContent: body,
})
