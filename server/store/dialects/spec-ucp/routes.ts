import type { Hono } from 'hono'
import { UCP_PATHS } from '../../../../shared/protocols/spec/ucp.ts'
import { storableText } from '../../../../shared/web/json/storable.ts'
import { agentCall, type CheckoutContext, replyOf } from '../../checkout/caller.ts'
import { cancelCheckout } from '../../checkout/steps/cancel.ts'
import { SPEC_UCP } from '../../db/statuses.ts'
import { type Env, pathParam, readJsonBody, send } from '../../http/routing.ts'
import { withInventory } from '../../shop/inventory.ts'
import { SHIPPING_PATH } from '../../shop/settings.ts'
import { performSpec } from '../perform-spec.ts'
import { cartReply, confirmReply, shippingReply } from './checkout.ts'
import { catalogReply } from './discovery.ts'
import { ucpOrderReply, ucpOrdersReply } from './orders.ts'

/** The specification's UCP endpoints; the manifest that declares them is routed by the store. */
export function routeSpecUcp(app: Hono<Env>, context: CheckoutContext): void {
  const { db } = context.deps
  app.get(UCP_PATHS.catalog, async (c) =>
    send(catalogReply(await withInventory(c.var.request, db), c.req.query())),
  )
  app.post(UCP_PATHS.checkout, async (c) =>
    send(await cartReply(c.var.request, context, await agentCall(c))),
  )
  app.post(`${UCP_PATHS.checkout}/:id/confirm`, (c) =>
    performSpec(c, context.deps, { protocol: SPEC_UCP, operation: 'confirm' }, (call, id) =>
      confirmReply(context, id, call),
    ),
  )
  app.post(`${UCP_PATHS.checkout}/:id/cancel`, async (c) => {
    const id = pathParam(c, 'id')
    return send(
      replyOf(await cancelCheckout(context.deps, { protocol: SPEC_UCP, id, keyed: null })),
    )
  })
  app.post(SHIPPING_PATH, async (c) =>
    send(await shippingReply(c.var.request, context, await agentCall(c))),
  )
  app.get(UCP_PATHS.orders, async (c) =>
    send(await ucpOrdersReply(db, { order_id: storableText(c.req.query('order_id') ?? '') })),
  )
  app.post(UCP_PATHS.orders, async (c) => send(await ucpOrdersReply(db, await readJsonBody(c))))
  app.get(`${UCP_PATHS.orders}/:id`, async (c) => send(await ucpOrderReply(db, pathParam(c, 'id'))))
}
