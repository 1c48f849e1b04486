import * as z from 'zod'
import { isRecord } from '../../../../shared/web/json.ts'
import type { Reply } from '../../http/reply.ts'
import { applyFaults, type JsonObject } from '../../http/store-request.ts'
import { answerMcp, invalidParams, type ToolAnswer, type ToolSet } from '../mcp/transport.ts'
import type { UcpContext } from './checkout.ts'
import { Key, OPERATIONS, type Operation } from './operations.ts'

/** A POST to the profile's MCP endpoint. */
export const mcpReply = (context: UcpContext, raw: Request, body: unknown): Promise<Reply> =>
  answerMcp(toolsOf(context), raw, body)

const TOOLS = Object.entries<Operation>(OPERATIONS).map(([name, { description, input }]) => ({
  name,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input' }),
}))

function toolsOf(context: UcpContext): ToolSet {
  const names = applyFaults(
    context.request,
    'tools',
    TOOLS.map(({ name }) => name),
  )
  return {
    tools: TOOLS.filter(({ name }) => names.includes(name)),
    call: (name, given) =>
      callOperation(OPERATIONS[name as keyof typeof OPERATIONS], context, given),
  }
}

/** Answers with the body that REST has; a body that is a protocol error is a JSON-RPC error here. */
async function callOperation(
  { call, needsKey }: Operation,
  context: UcpContext,
  given: JsonObject,
): Promise<ToolAnswer> {
  const fault = argumentsFault(given, needsKey)
  if (fault !== null) return invalidParams(fault)
  const { body, status } = await call(context, given)
  if (status < 400 || !('code' in body)) return { result: body }
  return invalidParams(String(body.content), { code: body.code, content: body.content })
}

/** What only the MCP binding demands of the arguments; null: nothing is wrong. */
function argumentsFault({ meta, checkout, cart }: JsonObject, needsKey: boolean): string | null {
  if (!isRecord(meta)) {
    return 'Send meta["ucp-agent"].profile: the https URL of your UCP profile.'
  }
  const key = meta['idempotency-key']
  if ((needsKey || key !== undefined) && !Key.safeParse(key).success) {
    return 'Send meta["idempotency-key"]: a new string of 1 to 200 characters for each operation.'
  }
  const holder = isRecord(checkout) && 'id' in checkout ? 'checkout' : 'cart'
  const isInside = [checkout, cart].some((each) => isRecord(each) && 'id' in each)
  return isInside ? `Send id beside ${holder}, not inside it.` : null
}
