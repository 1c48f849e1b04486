import type { Context, Hono } from 'hono'
import { cardNumberIn } from '../../../../shared/commerce/card-number.ts'
import { ACP_DISCOVERY } from '../../../../shared/protocols/acp/discovery.ts'
import { SERVED_ACP } from '../../../../shared/protocols/acp/versions.ts'
import type { CheckoutContext } from '../../checkout/caller.ts'
import { countCheckouts } from '../../checkout/quota.ts'
import type { Reply } from '../../http/reply.ts'
import { type Env, NOT_JSON, pathParam, readJsonBody, send } from '../../http/routing.ts'
import { type AcpAnswer, faultAnswer } from './answers.ts'
import { type Demands, readAcpCaller } from './caller.ts'
import { cancelAcpCart, createAcpCart, getAcpCart, updateAcpCart } from './carts.ts'
import type { AcpContext } from './checkout.ts'
import { acpDiscoveryReply } from './discovery.ts'
import { acpMcpReply } from './mcp.ts'
import { ACP_OPERATIONS, type AcpOperation, type AcpOperationName } from './operations.ts'
import { ACP_SERVICES } from './paths.ts'
import { performAcp } from './perform.ts'
import { bodyFault } from './requests.ts'
import type { AcpSettings } from './settings.ts'
import { WITH_CARTS } from './versions.ts'

/** Official ACP: its discovery document, and its operations over REST and MCP. */
export function routeAcp(
  app: Hono<Env>,
  deps: CheckoutContext['deps'],
  settings: AcpSettings,
): void {
  const countPlatform = countCheckouts(deps.db, deps.platformQuota)
  const count = (platform: string) => countPlatform(`platform:${platform}`)
  const context: AcpContext = { deps, count, settings }
  const { sessions, carts, mcp } = ACP_SERVICES
  const checkout = { hasId: true, needsKey: true }
  app.get(ACP_DISCOVERY, (c) => send(acpDiscoveryReply(c.var.request, settings)))
  const ofCheckout = (name: AcpOperationName, hasBody = true) =>
    rest(context, { ...checkout, ...ACP_OPERATIONS[name], name, hasBody })
  app.post(sessions, ofCheckout('create_checkout_session'))
  app.get(`${sessions}/:id`, ofCheckout('get_checkout_session', false))
  app.post(`${sessions}/:id`, ofCheckout('update_checkout_session'))
  app.post(`${sessions}/:id/complete`, ofCheckout('complete_checkout_session'))
  app.post(`${sessions}/:id/cancel`, ofCheckout('cancel_checkout_session'))
  const cart = { hasId: true, needsKey: true, versions: WITH_CARTS }
  app.post(carts, rest(context, { ...cart, name: 'create_cart', hasId: false, run: createAcpCart }))
  app.get(
    `${carts}/:id`,
    rest(context, { ...cart, name: 'get_cart', hasBody: false, run: getAcpCart }),
  )
  // Unspecified: the cart's own document demands a key for a PUT as well, but its text only for a
  // POST.
  app.put(
    `${carts}/:id`,
    rest(context, { ...cart, name: 'update_cart', needsKey: false, run: updateAcpCart }),
  )
  app.post(
    `${carts}/:id/cancel`,
    rest(context, { ...cart, name: 'cancel_cart', run: cancelAcpCart }),
  )
  app.post(mcp, async (c) =>
    send(await acpMcpReply(context, c.var.request, c.req.raw, await readJsonBody(c))),
  )
}

/** An operation as REST has it. */
interface RestOperation extends Pick<AcpOperation, 'hasId' | 'run'>, Omit<Demands, 'transport'> {
  name: string
  /** False: a GET. */
  hasBody?: boolean
}

const rest = (context: AcpContext, operation: RestOperation) => async (c: Context<Env>) =>
  send(replyOf(c, await answerRest(context, operation, c)))

async function answerRest(
  context: AcpContext,
  { name, hasId, hasBody = true, needsKey, run, versions = SERVED_ACP }: RestOperation,
  c: Context<Env>,
): Promise<AcpAnswer> {
  const isEmpty = !hasBody || (await c.req.text()) === ''
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
    { transport: 'rest', needsKey: hasBody && needsKey, versions },
    context.settings,
    context.deps.now(),
  )
  if ('fault' in caller) return faultAnswer(caller.fault)
  const fault = !isEmpty && body === undefined ? NO_JSON : bodyFault(body)
  if (fault) return faultAnswer(fault)
  const id = hasId ? pathParam(c, 'id') : ''
  const { request } = c.var
  return performAcp(name, run, context, { request, caller, host: request.host, id, body })
}

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
