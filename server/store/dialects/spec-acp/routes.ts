import type { Hono } from 'hono'
import { ACP_PATHS } from '../../../../shared/protocols/acp.ts'
import { agentCall, type CheckoutContext, replyOf } from '../../checkout/caller.ts'
import { cancelCheckout } from '../../checkout/steps/cancel.ts'
import { type Env, pathParam, readJsonBody, send } from '../../http/routing.ts'
import { withInventory } from '../../shop/inventory.ts'
import { completeAcp, createAcp, updateAcp } from './checkout.ts'
import { acpHistoryReply, acpOrderReply } from './orders.ts'
import { searchReply } from './search.ts'

/** The specification's ACP endpoints. */
export function routeSpecAcp(app: Hono<Env>, context: CheckoutContext): void {
  const { db } = context.deps
  app.get(ACP_PATHS.search, async (c) =>
    send(searchReply(await withInventory(c.var.request, db), c.req.query())),
  )
  app.post(ACP_PATHS.create, async (c) =>
    send(replyOf(await createAcp(c.var.request, context, await agentCall(c)))),
  )
  app.patch(ACP_PATHS.update, async (c) =>
    send(replyOf(await updateAcp(context, pathParam(c, 'id'), await readJsonBody(c)))),
  )
  app.post(ACP_PATHS.complete, async (c) =>
    send(replyOf(await completeAcp(context, pathParam(c, 'id'), await readJsonBody(c)))),
  )
  app.post(ACP_PATHS.cancel, async (c) => {
    const id = pathParam(c, 'id')
    return send(replyOf(await cancelCheckout(context.deps, { protocol: 'acp', id, keyed: null })))
  })
  app.get(ACP_PATHS.history, async (c) =>
    send(await acpHistoryReply(db, c.req.header('authorization'))),
  )
  app.get(ACP_PATHS.order, async (c) => send(await acpOrderReply(db, pathParam(c, 'id'))))
}
