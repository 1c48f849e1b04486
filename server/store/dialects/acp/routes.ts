import type { Context, Hono } from 'hono'
import { ACP_PATHS } from '../../../../shared/protocols/acp.ts'
import type { CheckoutContext } from '../../checkout/caller.ts'
import { countCheckouts } from '../../checkout/quota.ts'
import type { Reply } from '../../http/reply.ts'
import { type Env, pathParam, readJsonBody, send } from '../../http/routing.ts'
import { cardNumberIn } from '../../psp/card-number.ts'
import { type AcpAnswer, faultAnswer } from './answers.ts'
import { readCaller } from './caller.ts'
import type { AcpContext } from './checkout.ts'
import { acpDiscoveryReply } from './discovery.ts'
import { acpMcpReply } from './mcp.ts'
import { ACP_OPERATIONS, type AcpOperationName } from './operations.ts'
import { ACP_SERVICES } from './paths.ts'
import { bodyFault } from './requests.ts'
import type { AcpSettings } from './settings.ts'

/** Official ACP: its discovery document, and its operations over REST and MCP. */
export function routeAcp(
  app: Hono<Env>,
  deps: CheckoutContext['deps'],
  settings: AcpSettings,
): void {
  const countPlatform = countCheckouts(deps.db, deps.platformQuota)
  const count = (platform: string) => countPlatform(`platform:${platform}`)
  const context: AcpContext = { deps, count, settings }
  const { sessions, mcp } = ACP_SERVICES
  app.get(ACP_PATHS.discovery, (c) => send(acpDiscoveryReply(c.var.request, settings)))
  app.post(sessions, rest(context, 'create_checkout_session'))
  app.get(`${sessions}/:id`, rest(context, 'get_checkout_session'))
  app.post(`${sessions}/:id`, rest(context, 'update_checkout_session'))
  app.post(`${sessions}/:id/complete`, rest(context, 'complete_checkout_session'))
  app.post(`${sessions}/:id/cancel`, rest(context, 'cancel_checkout_session'))
  app.post(mcp, async (c) =>
    send(await acpMcpReply(context, c.var.request.host, c.req.raw, await readJsonBody(c))),
  )
}

const rest = (context: AcpContext, name: AcpOperationName) => async (c: Context<Env>) =>
  send(replyOf(c, await answerRest(context, name, c)))

async function answerRest(
  context: AcpContext,
  name: AcpOperationName,
  c: Context<Env>,
): Promise<AcpAnswer> {
  const { payload, hasId, run } = ACP_OPERATIONS[name]
  const isEmpty = payload === null || (await c.req.text()) === ''
  const body = isEmpty ? undefined : await readJsonBody(c)
  const caller = readCaller(
    {
      authorization: c.req.header('authorization'),
      version: c.req.header('api-version'),
      key: c.req.header('idempotency-key'),
      signature: c.req.header('signature'),
      timestamp: c.req.header('timestamp'),
    },
    bodyFault(body) === null ? body : undefined,
    { needsKey: payload !== null },
    context.settings,
    context.deps.now(),
  )
  if ('fault' in caller) return faultAnswer(caller.fault)
  const fault = !isEmpty && body === undefined ? NO_JSON : bodyFault(body)
  if (fault) return faultAnswer(fault)
  const id = hasId ? pathParam(c, 'id') : ''
  return run(context, { caller, host: c.var.request.host, id, body })
}

const NO_JSON = {
  status: 400,
  code: 'invalid_request',
  message: 'The body is not valid JSON.',
} as const

/** What a client is told again so that it can tell its calls apart, unless it looks like a card. */
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
