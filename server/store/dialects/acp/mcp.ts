import * as z from 'zod'
import { ACP } from '../../../../shared/protocols/acp/versions.ts'
import { isRecord } from '../../../../shared/web/json/json.ts'
import { storableText } from '../../../../shared/web/json/storable.ts'
import type { Reply } from '../../http/reply.ts'
import { applyFaults, type JsonObject, type StoreRequest } from '../../http/store-request.ts'
import { answerMcp, invalidParams, type ToolAnswer, type ToolSet } from '../mcp/transport.ts'
import { type AcpAnswer, faultAnswer } from './answers.ts'
import { readAcpCaller } from './caller.ts'
import type { AcpContext } from './checkout.ts'
import { ACP_OPERATIONS, type AcpOperation, type AcpOperationName } from './operations.ts'
import { performAcp } from './perform.ts'
import { bodyFault } from './requests.ts'
import { WITH_CARTS } from './versions.ts'

const Header = z.string().optional()

/** REST's headers. Credentials are in the headers of the MCP request itself (ACP, MCP binding). */
const Meta = z.looseObject({
  api_version: z.string().describe(`The version of ACP: ${ACP.newest}`),
  idempotency_key: Header.describe('A new key for each operation; reuse it when you retry'),
  request_id: Header,
  user_agent: Header,
  accept_language: Header,
  signature: Header,
  timestamp: Header,
})
const SessionId = z.string().min(1).max(255)

const TOOLS = Object.entries<AcpOperation>(ACP_OPERATIONS).map(([name, operation]) => ({
  name,
  description: operation.description,
  inputSchema: inputOf(operation),
}))

function inputOf({ payload, isPayloadOptional, hasId }: AcpOperation): object {
  const input = z.object({
    meta: Meta,
    ...(hasId && { id: SessionId }),
    ...(payload && { payload: isPayloadOptional ? payload.optional() : payload }),
  })
  return z.toJSONSchema(input, { io: 'input' })
}

/** A POST to the MCP endpoint: the five operations as tools (ACP, MCP binding). */
export function acpMcpReply(
  context: AcpContext,
  request: StoreRequest,
  raw: Request,
  body: unknown,
): Promise<Reply> {
  const names = applyFaults(
    request,
    'tools',
    TOOLS.map(({ name }) => name),
  )
  const toolSet: ToolSet = {
    tools: TOOLS.filter(({ name }) => names.includes(name)),
    call: async (name, given) => {
      // The transport only calls these.
      return callTool(context, name as AcpOperationName, { request, given, raw })
    },
  }
  return answerMcp(toolSet, raw, body)
}

async function callTool(
  context: AcpContext,
  name: AcpOperationName,
  { request, given, raw }: { request: StoreRequest; given: JsonObject; raw: Request },
): Promise<ToolAnswer> {
  const operation: AcpOperation = ACP_OPERATIONS[name]
  const meta = Meta.safeParse(given.meta)
  if (!meta.success) {
    return invalidParams(
      `Send meta with api_version "${ACP.newest}"; all of its fields are strings.`,
    )
  }
  const id = operation.hasId ? SessionId.safeParse(given.id) : null
  if (id?.success === false) return invalidParams('Send id: that of the checkout session.')
  const payload = operation.payload === null ? undefined : given.payload
  const isMissing = operation.payload !== null && !operation.isPayloadOptional
  if (payload === undefined ? isMissing : !isRecord(payload)) {
    return invalidParams('Send payload: an object, the body that the same call has over REST.')
  }
  const { api_version: version, idempotency_key: key, signature, timestamp } = meta.data
  const fault = bodyFault(payload)
  if (fault) return toToolAnswer(faultAnswer(fault))
  const caller = readAcpCaller(
    {
      authorization: raw.headers.get('authorization') ?? undefined,
      version,
      key,
      signature,
      timestamp,
    },
    payload,
    { transport: 'mcp', needsKey: false, versions: WITH_CARTS },
    context.settings,
    context.deps.now(),
  )
  if ('fault' in caller) return toToolAnswer(faultAnswer(caller.fault))
  const { host } = request
  const call = { request, caller, host, id: storableText(id?.data ?? ''), body: payload }
  return toToolAnswer(await performAcp(name, operation.run, context, call))
}

// Unspecified: the binding's results are not valid in MCP. The session is the structured content,
// and an error is one that the tool reports.
const toToolAnswer = ({ status, text }: AcpAnswer): ToolAnswer => ({
  result: { ...Object(JSON.parse(text)) },
  isError: status >= 400,
})
