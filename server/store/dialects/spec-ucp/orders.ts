import * as z from 'zod'
import type { Db } from '../../../db/connect.ts'
import { ASSISTANT_ERROR, ucpRefusal } from '../../http/refusals.ts'
import { json, type Reply } from '../../http/reply.ts'
import { findOrder } from '../../orders/orders.ts'
import { NO_ORDER, orderRecord } from '../../orders/record.ts'

const PRIVATE = { headers: { 'cache-control': 'no-store' } }

/** `GET /ucp/orders/:id`. */
export async function ucpOrderReply(db: Db, id: string): Promise<Reply> {
  const order = await findOrder(db, id)
  return order ? json(orderRecord(order), PRIVATE) : ucpRefusal(404, NO_ORDER)
}

const OrderRequest = z.object({ order_id: z.string().min(1).max(200) })

/**
 * The declared orders endpoint. Unspecified: at the orders endpoint GET takes `order_id` in the
 * query and POST in the body; both answer with the order.
 */
export async function ucpOrdersReply(db: Db, given: unknown): Promise<Reply> {
  const parsed = OrderRequest.safeParse(given)
  if (parsed.success) return ucpOrderReply(db, parsed.data.order_id)
  return ucpRefusal(422, {
    code: 'invalid_request',
    message: ASSISTANT_ERROR,
    fields: ['order_id'],
    detail: 'order_id is missing. Send it in the query of a GET or the body of a POST.',
  })
}
