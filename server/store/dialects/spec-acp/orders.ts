import type { Db } from '../../../db/connect.ts'
import { callerOf } from '../../checkout/caller.ts'
import { acpRefusal } from '../../http/refusals.ts'
import { json, type Reply } from '../../http/reply.ts'
import { findOrder, ordersOfBuyer } from '../../orders/orders.ts'
import { NO_ORDER, orderRecord } from '../../orders/record.ts'

const PRIVATE = { headers: { 'cache-control': 'no-store' } }
const HISTORY = 50

/** `GET /acp/orders/:id`. */
export async function acpOrderReply(db: Db, id: string): Promise<Reply> {
  const order = await findOrder(db, id)
  return order ? json(orderRecord(order), PRIVATE) : acpRefusal(404, NO_ORDER)
}

/**
 * `GET /acp/orders/history`: the newest fifty. Unspecified: the history holds orders placed with
 * the same Authorization header; it is empty without a header, because names and addresses can be
 * guessed.
 */
export async function acpHistoryReply(db: Db, authorization: string | undefined): Promise<Reply> {
  if (authorization === undefined) {
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
