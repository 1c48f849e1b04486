import * as z from 'zod'
import { callerOf } from '../checkout/caller.ts'
import type { StoreDeps } from '../checkout/deps.ts'
import type { Order, SessionItem } from '../db/tables.ts'
import { acpRefusal, ucpRefusal } from '../dialects/refuse.ts'
import { json, type Reply } from '../http/reply.ts'
import { findOrder, ordersOfBuyer } from './orders.ts'

const PRIVATE = { headers: { 'cache-control': 'no-store' } }
const HISTORY = 50

/** An item as both protocols name it; a product without options has no variant. */
export const wireItem = ({ product_id, variant_id, name, quantity, unit_price }: SessionItem) => ({
  product_id,
  ...(variant_id !== null && { variant_id }),
  name,
  quantity,
  unit_price,
})

/** Where the buyer reads the receipt; the token in it is all that opens it. */
export const receiptUrl = ({ host, receipt_token }: Order): string =>
  `https://${host}/receipts/${receipt_token}`

/**
 * The order as agents see it. Unspecified: everything but its identifier, status and tracking. No
 * name, no address: the id alone opens it.
 */
export function orderRecord(order: Order) {
  const { currency, created_at, updated_at } = order
  return {
    order_id: order.id,
    status: order.status,
    confirmation_number: order.confirmation_number,
    items: order.items.map(wireItem),
    subtotal: { amount: order.subtotal, currency },
    shipping: order.shipping,
    tax: { amount: order.tax, currency },
    total: { amount: order.total, currency },
    estimated_delivery: order.estimated_delivery,
    tracking: order.tracking,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

const NONE = 'There is no such order. Check the order_id in the confirmation.'

/** `GET /ucp/orders/:id`. */
export async function ucpOrderReply({ db }: StoreDeps, id: string): Promise<Reply> {
  const order = await findOrder(db, id)
  return order
    ? json(orderRecord(order), PRIVATE)
    : ucpRefusal(404, { code: 'order_not_found', message: NONE })
}

const OrderRequest = z.object({ order_id: z.string().min(1).max(200) })

/**
 * The declared orders endpoint. Unspecified: its bodies. GET takes `order_id` in the query, POST in
 * the body; both answer with the order.
 */
export async function ucpOrdersReply(deps: StoreDeps, given: unknown): Promise<Reply> {
  const request = OrderRequest.safeParse(given)
  if (request.success) return ucpOrderReply(deps, request.data.order_id)
  return ucpRefusal(422, {
    code: 'invalid_request',
    message: 'order_id is missing. Send it in the query of a GET or the body of a POST.',
  })
}

/** `GET /acp/orders/:id`. */
export async function acpOrderReply({ db }: StoreDeps, id: string): Promise<Reply> {
  const order = await findOrder(db, id)
  return order ? json(orderRecord(order), PRIVATE) : acpRefusal(404, 'order_not_found', NONE)
}

/**
 * `GET /acp/orders/history`: the newest fifty. Unspecified: whose. Those placed with the same
 * Authorization header; none without a header, since names and addresses can be guessed.
 */
export async function acpHistoryReply(
  { db }: StoreDeps,
  authorization: string | undefined,
): Promise<Reply> {
  if (authorization === undefined) {
    const refusal = acpRefusal(
      401,
      'unauthorized',
      'Send the Authorization header that the orders were placed with.',
    )
    return { ...refusal, headers: { ...refusal.headers, 'www-authenticate': 'Bearer' } }
  }
  const orders = await ordersOfBuyer(db, callerOf({ authorization }), HISTORY)
  return json({ orders: orders.map(orderRecord) }, PRIVATE)
}
