import type { Context, Hono } from 'hono'
import { ACP_PATHS } from '../../../shared/protocols/acp.ts'
import { UCP_PATHS } from '../../../shared/protocols/ucp.ts'
import { type AgentCall, type CheckoutContext, replyOf } from '../checkout/caller.ts'
import type { StoreDeps } from '../checkout/deps.ts'
import { applyPaymentEvent } from '../checkout/payment-events.ts'
import { countCheckouts } from '../checkout/quota.ts'
import { type Env, type Routing, readJson, storable } from '../http/routing.ts'
import { findReceipt } from '../orders/orders.ts'
import { receiptReply } from '../orders/receipt-page.ts'
import { acpHistoryReply, acpOrderReply, ucpOrderReply, ucpOrdersReply } from '../orders/record.ts'
import { pspWebhookReply } from '../psp/webhook.ts'
import { ORDERS_PATH, SHIPPING_PATH } from '../shop/settings.ts'
import { agentToolsReply } from './mcp/agent-tools.ts'
import { ucpRefusal } from './refuse.ts'
import { completeAcp, createAcp, updateAcp } from './spec-acp/checkout.ts'
import { cartReply, confirmReply } from './spec-ucp/checkout.ts'
import { shippingReply } from './spec-ucp/shipping.ts'

/** Where a PSP delivers its events. Its signature is over the bytes, which it reads itself. */
export function routePayments(app: Hono<Env>, { answer }: Routing, deps: StoreDeps): void {
  const { psp, now } = deps
  const apply = applyPaymentEvent.bind(null, deps, psp.name)
  app.post(
    '/webhooks/psp',
    answer((_, c) => pspWebhookReply({ psp, apply, now }, c.req.raw)),
  )
}

/** The checkout over UCP, over ACP and as agent tools, with its orders and receipts. */
export function routeCheckout(app: Hono<Env>, { answer, show }: Routing, deps: StoreDeps): void {
  const till: CheckoutContext = { deps, count: countCheckouts(deps.db, deps.quota) }
  const id = (c: Context<Env>) => storable(c.req.param('id') ?? '')

  app.post(
    UCP_PATHS.checkout,
    answer(async (visit, c) => cartReply(visit, till, await askedOf(c))),
  )
  app.post(
    `${UCP_PATHS.checkout}/:id/confirm`,
    answer(async (_, c) => confirmReply(till, id(c), await askedOf(c))),
  )
  app.post(
    SHIPPING_PATH,
    answer(async (visit, c) => shippingReply(visit, till, await askedOf(c))),
  )
  app.get(
    ORDERS_PATH,
    answer((_, c) => ucpOrdersReply(deps, { order_id: storable(c.req.query('order_id') ?? '') })),
  )
  app.post(
    ORDERS_PATH,
    answer(async (_, c) => ucpOrdersReply(deps, await readJson(c))),
  )
  app.get(
    `${ORDERS_PATH}/:id`,
    answer((_, c) => ucpOrderReply(deps, id(c))),
  )

  app.post(
    ACP_PATHS.create,
    answer(async (visit, c) => replyOf(await createAcp(visit, till, await askedOf(c)))),
  )
  app.patch(
    ACP_PATHS.update,
    answer(async (_, c) => replyOf(await updateAcp(till, id(c), await readJson(c)))),
  )
  app.post(
    ACP_PATHS.complete,
    answer(async (_, c) => replyOf(await completeAcp(till, id(c), await readJson(c)))),
  )
  app.get(
    ACP_PATHS.history,
    answer(async (_, c) => acpHistoryReply(deps, c.req.header('authorization'))),
  )
  app.get(
    ACP_PATHS.order,
    answer((_, c) => acpOrderReply(deps, id(c))),
  )

  app.post(
    AGENT_TOOLS_PATH,
    show(async (visit, c) => agentToolsReply(visit, till, await askedOf(c), c.req.raw)),
  )
  app.all(
    AGENT_TOOLS_PATH,
    answer(() => onlyPost()),
  )
  app.get(
    '/receipts/:token',
    answer(async (visit, c) =>
      receiptReply(
        visit,
        (await findReceipt(deps.db, storable(c.req.param('token') ?? ''))) ?? null,
      ),
    ),
  )
}

const AGENT_TOOLS_PATH = '/mcp'

const askedOf = async (c: Context<Env>): Promise<AgentCall> => ({
  body: await readJson(c),
  idempotencyKey: c.req.header('idempotency-key'),
  authorization: c.req.header('authorization'),
})

const onlyPost = () => {
  const refusal = ucpRefusal(405, { code: 'method_not_allowed', message: 'Use POST.' })
  return { ...refusal, headers: { ...refusal.headers, allow: 'POST' } }
}
