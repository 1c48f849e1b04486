import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { cardNumberIn } from '../../../../shared/commerce/card-number.ts'
import { ACP_DISCOVERY } from '../../../../shared/protocols/acp/discovery.ts'
import { ACP } from '../../../../shared/protocols/acp/versions.ts'
import { isRecord, storableText } from '../../../../shared/web/json/json.ts'
import type { CheckoutContext } from '../../checkout/caller.ts'
import { countCheckouts } from '../../checkout/quota.ts'
import { type Env, NOT_JSON, pathParam, readJsonBody, send } from '../../http/routing.ts'
import {
  applyFaults,
  CALL_FAILURES,
  type JsonObject,
  type Reply,
  type StoreRequest,
} from '../../http/store-request.ts'
import { invalidParams } from '../mcp/transport.ts'
import { type MountedDialect, mount, type ReadCall } from '../mount.ts'
import { type AcpAnswer, faultAnswer } from './answers.ts'
import { type AcpCaller, type AcpContext, readAcpCaller } from './caller.ts'
import { acpDiscoveryReply } from './discovery.ts'
import {
  ACP_OPERATIONS,
  type AcpOperation,
  type AcpOperationName,
  WITH_CARTS,
} from './operations.ts'
import { ACP_SERVICES } from './paths.ts'
import { bodyFault } from './requests.ts'
import { HANDLER_ID } from './session/capabilities.ts'
import type { AcpSettings } from './settings.ts'

const { sessions, carts, mcp } = ACP_SERVICES

/** Official ACP: its discovery document, and its operations over REST and MCP. */
export function routeAcp(
  app: Hono<Env>,
  deps: CheckoutContext['deps'],
  settings: AcpSettings,
): void {
  const countPlatform = countCheckouts(deps.db, deps.platformQuota)
  const count = (platform: string) => countPlatform(`platform:${platform}`)
  const context: AcpContext = { deps, count, settings }
  app.get(ACP_DISCOVERY, (c) => send(acpDiscoveryReply(c.var.request, settings)))
  mount(app, deps.db, acp(context))
}

const acp = (context: AcpContext): MountedDialect<AcpOperationName, AcpAnswer> => ({
  place: 'acpCall',
  rest: {
    [sessions]: { POST: 'create_checkout_session' },
    [`${sessions}/:id`]: { GET: 'get_checkout_session', POST: 'update_checkout_session' },
    [`${sessions}/:id/complete`]: { POST: 'complete_checkout_session' },
    [`${sessions}/:id/cancel`]: { POST: 'cancel_checkout_session' },
    [carts]: { POST: 'create_cart' },
    [`${carts}/:id`]: { GET: 'get_cart', PUT: 'update_cart' },
    [`${carts}/:id/cancel`]: { POST: 'cancel_cart' },
  },
  read: (c, name) => readRest(c, context, ACP_OPERATIONS[name]),
  reply: replyOf,
  change: (request, operation, answer) => {
    if (!request.faults.some(({ acpAnswer }) => acpAnswer)) return answer
    const said = applyFaults(request, 'acpAnswer', { operation, body: JSON.parse(answer.text) })
    return { ...answer, text: JSON.stringify(said.body) }
  },
  mcp: {
    path: mcp,
    tools: TOOLS,
    read: async (c, name, given) => readTool(c, context, ACP_OPERATIONS[name], given),
    // Unspecified: the binding's results are not valid in MCP. The session is the structured
    // content, and an error is one that the tool reports.
    toTool: (_, { status, text, retryAfter }) => ({
      result: { ...Object(JSON.parse(text)) },
      isError: status >= 400,
      retryAfter,
    }),
  },
})

/** A call of a known caller. */
function callOf(
  context: AcpContext,
  { run }: AcpOperation,
  request: StoreRequest,
  { caller, id, body }: { caller: AcpCaller; id: string; body: unknown },
): ReadCall<AcpAnswer> {
  const { host } = request
  return {
    id,
    given: isRecord(body) ? body : {},
    isKeyed: caller.key !== null,
    run: ({ id: about, given, isKeyed }) =>
      run(withHandlers(context, request), {
        host,
        id: about,
        caller: isKeyed ? caller : { ...caller, key: null },
        body: isRecord(body) ? given : body,
      }),
    fail: (failure) => faultAnswer({ ...CALL_FAILURES[failure], code: failure }),
  }
}

/** A shop without a handler takes no token, as if its PSP charged none. */
function withHandlers(context: AcpContext, request: StoreRequest): AcpContext {
  if (applyFaults(request, 'paymentHandlers', [HANDLER_ID]).includes(HANDLER_ID)) return context
  const { deps } = context
  return { ...context, deps: { ...deps, acceptance: { ...deps.acceptance, kind: 'none' } } }
}

async function readRest(c: Context<Env>, context: AcpContext, operation: AcpOperation) {
  const { hasId, needsKey = false, versions } = operation
  const isEmpty = !needsBody(c) || (await c.req.text()) === ''
  const body = isEmpty ? undefined : await readJsonBody(c)
  const caller = readAcpCaller(
    {
      authorization: c.req.header('authorization'),
      version: c.req.header('api-version'),
      key: c.req.header('idempotency-key'),
      signature: c.req.header('signature'),
      timestamp: c.req.header('timestamp'),
    },
    bodyFault(body) === null ? body : undefined,
    { transport: 'rest', needsKey, ...(versions && { versions }) },
    context.settings,
    context.deps.now(),
  )
  if ('fault' in caller) return { answer: faultAnswer(caller.fault) }
  const fault = !isEmpty && body === undefined ? NO_JSON : bodyFault(body)
  if (fault) return { answer: faultAnswer(fault) }
  const id = hasId ? pathParam(c, 'id') : ''
  return callOf(context, operation, c.var.request, { caller, id, body })
}

const needsBody = ({ req }: Context<Env>) => req.method !== 'GET' && req.method !== 'HEAD'

const NO_JSON = {
  status: 400,
  code: 'invalid_request',
  message: NOT_JSON,
} as const

/** A client's own id for a call is repeated in the answer, unless it looks like a card number. */
const ECHOED = ['request-id', 'idempotency-key'] as const

function replyOf(c: Context<Env>, answer: AcpAnswer): Reply {
  const { status, text, replayed, retryAfter, headers } = answer
  const echoed = ECHOED.flatMap((name) => {
    const value = c.req.header(name)
    const isFit = value !== undefined && /^[\x20-\x7e]{1,255}$/.test(value) && !cardNumberIn(value)
    return isFit ? [[name, value] as const] : []
  })
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...Object.fromEntries(echoed),
      ...(replayed && { 'idempotent-replayed': 'true' }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
    body: text,
  }
}

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

const TOOLS = Object.entries<AcpOperation>(ACP_OPERATIONS).flatMap(([name, { tool, hasId }]) => {
  if (tool === undefined) return []
  const { description, payload, isOptional } = tool
  const input = z.object({
    meta: Meta,
    ...(hasId && { id: SessionId }),
    ...(payload && { payload: isOptional ? payload.optional() : payload }),
  })
  // `Object.entries` forgets the names.
  return [{ name: name as AcpOperationName, description, input }]
})

function readTool(
  c: Context<Env>,
  context: AcpContext,
  operation: AcpOperation,
  given: JsonObject,
) {
  const { hasId, tool } = operation
  const meta = Meta.safeParse(given.meta)
  if (!meta.success) {
    return invalidParams(
      `Send meta with api_version "${ACP.newest}"; all of its fields are strings.`,
    )
  }
  const id = hasId ? SessionId.safeParse(given.id) : null
  if (id?.success === false) return invalidParams('Send id: that of the checkout session.')
  const body = tool?.payload ? given.payload : undefined
  const isMissing = tool?.payload !== undefined && !tool.isOptional
  if (body === undefined ? isMissing : !isRecord(body)) {
    return invalidParams('Send payload: an object, the body that the same call has over REST.')
  }
  const { api_version: version, idempotency_key: key, signature, timestamp } = meta.data
  const fault = bodyFault(body)
  if (fault) return { answer: faultAnswer(fault) }
  const authorization = c.req.header('authorization')
  const caller = readAcpCaller(
    { authorization, version, key, signature, timestamp },
    body,
    { transport: 'mcp', needsKey: false, versions: WITH_CARTS },
    context.settings,
    context.deps.now(),
  )
  if ('fault' in caller) return { answer: faultAnswer(caller.fault) }
  const about = storableText(id?.data ?? '')
  return callOf(context, operation, c.var.request, { caller, id: about, body })
}
