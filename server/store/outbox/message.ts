import { MAX_PAYLOAD_BYTES } from '../../audit/probe/fetch/webhook.ts'
import type { Order } from '../db/tables.ts'
import { originOf } from '../http/store-request.ts'
import { orderRecord } from '../orders/orders.ts'
import type { OrderEvent } from '../orders/states.ts'

/**
 * `webhook-id`. Each event of an order and each refund happens once, so the id is made from these
 * and receivers can recognize repeats by it. It has no full stop, which separates the signed fields
 * (Standard Webhooks).
 */
export function messageIdOf(event: OrderEvent, { id, refunds }: Order): string {
  const refund = event === 'order.refunded' ? `_${refunds.at(-1)?.refund_id}` : ''
  return `msg_${id}_${event}${refund}`.replaceAll('.', '_')
}

/**
 * The text that is signed and sent. Unspecified: the payload of a fulfillment webhook has Standard
 * Webhooks' three fields, with the order as agents read it; items that do not fit are left to
 * `order_url`.
 */
export function payloadOf(event: OrderEvent, order: Order, now: Date): string {
  const { items, ...rest } = orderRecord(order)
  const order_url = `${originOf(order.host)}/ucp/orders/${encodeURIComponent(order.id)}`
  const data = { checkout_id: order.session_id, ...rest, order_url }
  const toText = (content: object) =>
    JSON.stringify({ type: event, timestamp: now.toISOString(), data: content })
  const whole = toText({ ...data, items })
  return Buffer.byteLength(whole) < MAX_PAYLOAD_BYTES ? whole : toText(data)
}
