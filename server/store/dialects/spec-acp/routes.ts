import type { Context, Hono } from 'hono'
import { ACP_PATHS } from '../../../../shared/protocols/spec/acp.ts'
import type { CheckoutAnswer } from '../../checkout/answers.ts'
import { type AgentCall, type CheckoutContext, replyOf } from '../../checkout/caller.ts'
import { cancelCheckout } from '../../checkout/steps/cancel.ts'
import { SPEC_ACP } from '../../db/statuses.ts'
import { type Env, pathParam, send } from '../../http/routing.ts'
import { withInventory } from '../../shop/inventory.ts'
import { performSpec } from '../perform-spec.ts'
import { completeSpecAcp, createSpecAcp, updateSpecAcp } from './checkout.ts'
import { acpHistoryReply, acpOrderReply } from './orders.ts'
import { searchReply } from './search.ts'

/** The specification's ACP endpoints. */
export function routeSpecAcp(app: Hono<Env>, context: CheckoutContext): void {
  const { db } = context.deps
  app.get(ACP_PATHS.search, async (c) =>
    send(searchReply(await withInventory(c.var.request, db), c.req.query())),
  )
  const perform = (
    c: Context<Env>,
    operation: string,
    run: (call: AgentCall, id: string) => Promise<CheckoutAnswer>,
  ) =>
    performSpec(c, context.deps, { protocol: SPEC_ACP, operation }, async (call, id) =>
      replyOf(await run(call, id)),
    )
  app.post(ACP_PATHS.create, (c) =>
    perform(c, 'create', (call) => createSpecAcp(c.var.request, context, call)),
  )
  app.patch(ACP_PATHS.update, (c) =>
    perform(c, 'update', ({ body }, id) => updateSpecAcp(context, id, body)),
  )
  app.post(ACP_PATHS.complete, (c) =>
    perform(c, 'complete', ({ body }, id) => completeSpecAcp(context, id, body)),
  )
  app.post(ACP_PATHS.cancel, (c) =>
    perform(c, 'cancel', (_, id) =>
      cancelCheckout(context.deps, { protocol: SPEC_ACP, id, keyed: null }),
    ),
  )
  app.get(ACP_PATHS.history, async (c) =>
    send(await acpHistoryReply(db, c.req.header('authorization'))),
  )
  app.get(ACP_PATHS.order, async (c) => send(await acpOrderReply(db, pathParam(c, 'id'))))
}
