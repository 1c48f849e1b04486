import * as z from 'zod'
import type { Db } from '../../../db/connect.ts'
import { callerOf, isEmptyCredential } from '../../checkout/caller.ts'
import { type SPEC_ACP, SPEC_UCP } from '../../db/statuses.ts'
import { ASSISTANT_ERROR, acpRefusal, ucpRefusal } from '../../http/refusals.ts'
import { json, type Reply } from '../../http/store-request.ts'
import { findOrder, NO_ORDER, orderRecord, ordersOfBuyer } from '../../orders/orders.ts'

const PRIVATE = { headers: { 'cache-control': 'no-store' } }

/** `GET /ucp/orders/:id`, and `GET /acp/orders/:id`. */
export async function orderReply(
  db: Db,
  protocol: typeof SPEC_UCP | typeof SPEC_ACP,
  id: string,
): Promise<Reply> {
  const order = await findOrder(db, id)
  if (order) return json(orderRecord(order), PRIVATE)
  return protocol === SPEC_UCP ? ucpRefusal(404, NO_ORDER) : acpRefusal(404, NO_ORDER)
}

const OrderRequest = z.object({ order_id: z.string().min(1).max(200) })

/**
 * The declared orders endpoint. Unspecified: at the orders endpoint GET takes `order_id` in the
 * query and POST in the body; both answer with the order.
 */
export async function ordersReply(db: Db, given: unknown): Promise<Reply> {
  const parsed = OrderRequest.safeParse(given)
  if (parsed.success) return orderReply(db, SPEC_UCP, parsed.data.order_id)
  return ucpRefusal(422, {
    code: 'invalid_request',
    message: ASSISTANT_ERROR,
    fields: ['order_id'],
    detail: 'order_id is missing. Send it in the query of a GET or the body of a POST.',
  })
}

const HISTORY = 50

/**
 * `GET /acp/orders/history`: the newest fifty. Unspecified: the history holds orders placed with
 * the same credential; without one nothing is shown, because names and addresses can be
 * guessed.
 */
export async function historyReply(db: Db, authorization: string | undefined): Promise<Reply> {
  if (authorization === undefined || isEmptyCredential(authorization)) {
    const refusal = acpRefusal(401, {
      code: 'unauthorized',
      message:
        'We can show your orders only to the assistant that placed them, once it is signed in.',
      detail: 'Send the Authorization header that the orders were placed with.',
    })
    return { ...refusal, headers: { ...refusal.headers, 'www-authenticate': 'Bearer' } }
  }
  const orders = await ordersOfBuyer(db, callerOf({ authorization }), HISTORY)
  return json({ orders: orders.map(orderRecord) }, PRIVATE)
}
