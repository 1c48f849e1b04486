import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { ACP_PATHS } from '../../../../shared/protocols/spec/acp.ts'
import { UCP_PATHS } from '../../../../shared/protocols/spec/ucp.ts'
import { isRecord, storableText } from '../../../../shared/web/json/json.ts'
import { type AgentCall, agentCall, type CheckoutContext, replyOf } from '../../checkout/caller.ts'
import { cancelCheckout } from '../../checkout/steps/cancel.ts'
import { SPEC_ACP, SPEC_UCP } from '../../db/statuses.ts'
import { type Env, pathParam, readJsonBody, send } from '../../http/routing.ts'
import { CALL_FAILURES, type Reply } from '../../http/store-request.ts'
import { withInventory } from '../../shop/inventory.ts'
import { SHIPPING_PATH } from '../../shop/settings.ts'
import { refuseEmptyCredential } from '../failure.ts'
import { mount, type ReadCall } from '../mount.ts'
import { refuse } from '../refuse.ts'
import { completeSpecAcp, createSpecAcp, updateSpecAcp } from './acp-checkout.ts'
import { catalogReply, searchReply } from './catalog.ts'
import { historyReply, orderReply, ordersReply } from './orders.ts'
import { cartReply, confirmReply, shippingReply } from './ucp-checkout.ts'

/**
 * The endpoints of the specification's UCP and ACP; the manifest that declares them is routed by
 * the store.
 */
export function routeSpec(app: Hono<Env>, context: CheckoutContext): void {
  const { deps } = context
  const { db } = deps
  for (const path of [`${UCP_PATHS.checkout}/*`, SHIPPING_PATH, '/acp/checkout/*']) {
    app.use(path, refuseEmptyCredential)
  }
  const cancel = async (protocol: typeof SPEC_UCP | typeof SPEC_ACP, id: string) =>
    replyOf(await cancelCheckout(deps, { protocol, id, keyed: null }))
  app.get(UCP_PATHS.catalog, async (c) =>
    send(catalogReply(await withInventory(c.var.request, db), c.req.query())),
  )
  app.post(UCP_PATHS.checkout, async (c) =>
    send(await cartReply(c.var.request, context, await agentCall(c))),
  )
  mount(app, db, {
    place: 'specUcpCall',
    rest: { [`${UCP_PATHS.checkout}/:id/confirm`]: { POST: 'confirm' } },
    read: (c) => readCall(c, (call, id) => confirmReply(context, id, call)),
    reply: (_, answer) => answer,
  })
  app.post(`${UCP_PATHS.checkout}/:id/cancel`, async (c) =>
    send(await cancel(SPEC_UCP, pathParam(c, 'id'))),
  )
  app.post(SHIPPING_PATH, async (c) =>
    send(await shippingReply(c.var.request, context, await agentCall(c))),
  )
  app.get(UCP_PATHS.orders, async (c) =>
    send(await ordersReply(db, { order_id: storableText(c.req.query('order_id') ?? '') })),
  )
  app.post(UCP_PATHS.orders, async (c) => send(await ordersReply(db, await readJsonBody(c))))
  app.get(`${UCP_PATHS.orders}/:id`, async (c) =>
    send(await orderReply(db, SPEC_UCP, pathParam(c, 'id'))),
  )

  app.get(ACP_PATHS.search, async (c) =>
    send(searchReply(await withInventory(c.var.request, db), c.req.query())),
  )
  mount(app, db, {
    place: 'specAcpCall',
    rest: {
      [ACP_PATHS.create]: { POST: 'create' },
      [ACP_PATHS.update]: { PATCH: 'update' },
      [ACP_PATHS.complete]: { POST: 'complete' },
      [ACP_PATHS.cancel]: { POST: 'cancel' },
    },
    read: (c, name) =>
      readCall(c, async (call, id) => {
        if (name === 'create') return replyOf(await createSpecAcp(c.var.request, context, call))
        if (name === 'cancel') return cancel(SPEC_ACP, id)
        const run = name === 'update' ? updateSpecAcp : completeSpecAcp
        return replyOf(await run(context, id, call.body))
      }),
    reply: (_, answer) => answer,
  })
  app.get(ACP_PATHS.history, async (c) =>
    send(await historyReply(db, c.req.header('authorization'))),
  )
  app.get(ACP_PATHS.order, async (c) => send(await orderReply(db, SPEC_ACP, pathParam(c, 'id'))))
}

/** A call that `run` answers, with another key where a fault does not let it count once. */
async function readCall(
  c: Context<Env>,
  run: (call: AgentCall, id: string) => Promise<Reply>,
): Promise<ReadCall<Reply>> {
  const call = await agentCall(c)
  const { body } = call
  return {
    id: pathParam(c, 'id'),
    given: isRecord(body) ? body : {},
    isKeyed: true,
    run: ({ id, given, isKeyed }) => {
      const asked = { ...call, body: isRecord(body) ? given : body }
      if (isKeyed) return run(asked, id)
      // The key of UCP is in a header and optional; that of ACP is in the body.
      const isInBody = 'idempotency_key' in given
      const renewed = isInBody ? { ...given, idempotency_key: randomUUID() } : asked.body
      return run({ ...asked, idempotencyKey: undefined, body: renewed }, id)
    },
    fail: (failure) => {
      const { status, message } = CALL_FAILURES[failure]
      return refuse(c.var.request, status, failure, message)
    },
  }
}
