import canonicalize from 'canonicalize'
import * as z from 'zod'
import { field, isRecord } from '../../../../shared/web/json/json.ts'
import type { McpRefusal } from '../../../http/mcp-post.ts'
import { OpaqueId } from '../../checkout/caller.ts'
import { CANONICAL_FORM, hasCanonicalForm } from '../../http/canonical-form.ts'
import type { Reply } from '../../http/reply.ts'
import { applyFaults, type JsonObject, type StoreRequest } from '../../http/store-request.ts'
import { answerMcp, invalidParams, type ToolAnswer, type ToolSet } from '../mcp/transport.ts'
import { agreeWith, type KeyedCall, keyedCall, type UcpCaller } from './caller.ts'
import { faultData } from './envelope.ts'
import type { NegotiationRefusal } from './negotiation/refusals.ts'
import { readAgent } from './negotiation/ucp-agent.ts'
import { OPERATIONS, type Operation, type OperationName } from './operations.ts'
import { perform } from './perform.ts'

/** A POST to the profile's MCP endpoint. */
export const mcpReply = (call: UcpCaller, raw: Request, body: unknown): Promise<Reply> =>
  answerMcp(toolsOf(call), raw, body)

const TOOLS = Object.entries<Operation>(OPERATIONS).map(([name, { description, input }]) => ({
  name,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input' }),
}))

function toolsOf(caller: UcpCaller): ToolSet {
  const names = applyFaults(
    caller.request,
    'tools',
    TOOLS.map(({ name }) => name),
  )
  return {
    tools: TOOLS.filter(({ name }) => names.includes(name)),
    call: (name, given) => callOperation(name as OperationName, caller, given),
  }
}

/** Answers with REST's body; a protocol error is a JSON-RPC error here. */
async function callOperation(
  name: OperationName,
  caller: UcpCaller,
  given: JsonObject,
): Promise<ToolAnswer> {
  const { request } = caller
  const complaint = argumentsFault(given, OPERATIONS[name].needsKey)
  if (complaint !== null) {
    return invalidParams(
      complaint,
      faultData(request, { code: 'invalid_request', content: complaint }),
    )
  }
  const read = readAgent(field(field(given.meta, 'ucp-agent'), 'profile'))
  const outcome = await agreeWith(caller, read, keyOf(name, given))
  if ('refusal' in outcome) return { refusal: toRpc(request, outcome.refusal) }
  const answer = await perform(name, outcome.context, given)
  if (answer.fault === undefined) return { result: answer.body }
  const { status, fault } = answer
  return fault.rpcCode === undefined
    ? invalidParams(fault.content, faultData(request, fault))
    : { refusal: toRpc(request, { ...fault, status, rpcCode: fault.rpcCode }) }
}

/** A retry has another JSON-RPC id and other meta, so only the tool and its arguments count. */
function keyOf(name: string, { meta, ...given }: JsonObject): KeyedCall | null {
  const key = field(meta, 'idempotency-key')
  return typeof key === 'string' ? keyedCall(key, canonicalize({ name, given }) ?? '') : null
}

/** A refusal as a JSON-RPC error, with the HTTP status that it has over REST. */
export type RpcRefusal = Pick<
  NegotiationRefusal,
  'status' | 'rpcCode' | 'content' | 'retryAfter'
> & {
  code: string
}

/** A refusal as an error of JSON-RPC. */
export const toRpc = (request: StoreRequest, refusal: RpcRefusal): McpRefusal => {
  const { status, rpcCode, content, retryAfter } = refusal
  const more = retryAfter === undefined ? {} : { retry_after: retryAfter }
  return {
    status,
    code: rpcCode,
    message: content,
    data: { ...faultData(request, refusal), ...more },
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  }
}

/** What only the MCP binding demands of the arguments; null: nothing is wrong. */
function argumentsFault(given: JsonObject, needsKey: boolean): string | null {
  const { meta, checkout, cart } = given
  if (!hasCanonicalForm(given)) return CANONICAL_FORM
  if (!isRecord(meta)) {
    return 'Send meta["ucp-agent"].profile: the https URL of your UCP profile.'
  }
  const key = meta['idempotency-key']
  if ((needsKey || key !== undefined) && !OpaqueId.safeParse(key).success) {
    return 'Send meta["idempotency-key"]: a new string of 1 to 255 characters for each operation.'
  }
  const holder = isRecord(checkout) && 'id' in checkout ? 'checkout' : 'cart'
  const isInside = [checkout, cart].some((each) => isRecord(each) && 'id' in each)
  return isInside ? `Send id next to ${holder}, not inside it.` : null
}
