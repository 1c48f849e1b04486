import { ACP, type AcpVersion } from '../../../../shared/protocols/acp/versions.ts'
import type { OrderStatus } from '../../db/statuses.ts'
import type { Order, SessionItem } from '../../db/tables.ts'
import { originOf } from '../../http/store-request.ts'
import { receiptUrl } from '../../orders/orders.ts'
import { findArticle, imagePath, pagePath } from '../../shop/assortment.ts'
import { adjustmentsOf } from '../order-history.ts'
import { toAcpAddress } from './session/address.ts'
import { goodsTotals, itemIdOf, lineIdOf, orderTotals } from './session/items.ts'
import { acpState, keptVersion } from './session/state.ts'

type Shown = Record<string, unknown>

// Unspecified: ACP leaves the states of an order open. A delivered one is `completed`, and so is a
// returned one, whose return and refund are in its adjustments; one that was never paid is
// `canceled`.
const STATUSES: Readonly<Record<OrderStatus, string>> = {
  awaiting_payment: 'created',
  confirmed: 'confirmed',
  processing: 'processing',
  shipped: 'shipped',
  delivered: 'completed',
  returned: 'completed',
  canceled: 'canceled',
  payment_failed: 'canceled',
}

/** A brief order has these four and no others. */
const OLD_STATUSES: readonly OrderStatus[] = ['confirmed', 'processing', 'shipped', 'delivered']

const PARCELS: Readonly<Record<OrderStatus, string>> = {
  awaiting_payment: 'pending',
  confirmed: 'pending',
  processing: 'processing',
  shipped: 'shipped',
  delivered: 'delivered',
  returned: 'delivered',
  canceled: 'canceled',
  payment_failed: 'canceled',
}

/** Its webhooks have these six (openapi.agentic_checkout_webhook.yaml of 2026-01-30). */
const OLD_WEBHOOK_STATUSES: Readonly<Record<OrderStatus, string>> = {
  awaiting_payment: 'created',
  confirmed: 'confirmed',
  processing: 'confirmed',
  shipped: 'shipped',
  delivered: 'fulfilled',
  returned: 'fulfilled',
  canceled: 'canceled',
  payment_failed: 'canceled',
}

/**
 * The order in webhooks of official ACP, in the version that it was bought in: a brief one is
 * closed, has no id, and only knows refunds.
 */
export function acpWebhookOrder(order: Order): Shown {
  const version = keptVersion(order.official?.version)
  if (ACP.of(version).orders === 'whole') return acpOrder(order, version)
  return {
    type: 'order',
    checkout_session_id: order.session_id,
    permalink_url: receiptUrl(order),
    status: OLD_WEBHOOK_STATUSES[order.status],
    refunds: order.refunds.map(({ amount }) => ({ type: 'original_payment', amount })),
  }
}

/** The order in a completed session and, where it is whole, in webhooks (ACP, Orders). */
export function acpOrder(order: Order, version: AcpVersion): Shown {
  const { id, session_id, confirmation_number, status } = order
  const { order_notes } = acpState(order)
  const confirmation = {
    confirmation_number,
    confirmation_email_sent: false,
    receipt_url: receiptUrl(order),
  }
  const shown = {
    id,
    checkout_session_id: session_id,
    permalink_url: receiptUrl(order),
    order_number: confirmation_number,
    estimated_delivery: deliveryOf(order),
  }
  if (ACP.of(version).orders === 'brief') {
    const known = OLD_STATUSES.find((each) => each === status)
    return { ...shown, ...(known && { status: known }), confirmation }
  }
  return {
    type: 'order',
    ...shown,
    status: STATUSES[status],
    confirmation: { ...confirmation, ...(order_notes !== undefined && { order_notes }) },
    line_items: order.items.map((item) => lineOf(order, item)),
    fulfillments: [parcelOf(order)],
    adjustments: adjustmentsOf(order, linesOf(order), (amount) => ({
      amount,
      currency: order.currency.toLowerCase(),
    })),
    totals: orderTotals(order),
  }
}

/** The store knows the latest day of delivery. */
const deliveryOf = ({ created_at, estimated_delivery }: Order): Shown => ({
  earliest: created_at.toISOString(),
  latest: `${estimated_delivery}T23:59:59.000Z`,
})

/** Canceled or returned items have a current quantity of zero. */
const GONE: readonly OrderStatus[] = ['canceled', 'returned', 'payment_failed']
const SENT: readonly OrderStatus[] = ['shipped', 'delivered']

function lineOf({ status, host }: Order, item: SessionItem): Shown {
  const { title, product_id, quantity, unit_price } = item
  const current = GONE.includes(status) ? 0 : quantity
  const fulfilled = SENT.includes(status) ? quantity : 0
  const article = findArticle(product_id)
  const subtotal = unit_price.amount * quantity
  return {
    id: lineIdOf(itemIdOf(item)),
    title,
    product_id: itemIdOf(item),
    ...(article && {
      image_url: `${originOf(host)}${imagePath(article)}`,
      url: `${originOf(host)}${pagePath(article)}`,
    }),
    quantity: { ordered: quantity, current, fulfilled },
    unit_price: unit_price.amount,
    subtotal,
    totals: goodsTotals(subtotal),
    status: lineStatus(current, fulfilled),
  }
}

/** ACP, Orders: derived from the quantities. */
function lineStatus(current: number, fulfilled: number): string {
  if (current === 0) return 'removed'
  return fulfilled === current ? 'fulfilled' : 'processing'
}

/** All lines, with their quantities. */
const linesOf = ({ items }: Order) =>
  items.map((item) => ({ id: lineIdOf(itemIdOf(item)), quantity: item.quantity }))

/** Everything is in one parcel. */
function parcelOf(order: Order): Shown {
  const { id, status, tracking, address, shipping } = order
  const destination = toAcpAddress(address, acpState(order).details?.company)
  return {
    id: `parcel_${id}`,
    type: 'shipping',
    status: PARCELS[status],
    description: shipping.name,
    line_items: linesOf(order),
    ...(tracking?.carrier !== undefined && { carrier: tracking.carrier }),
    ...(tracking && { tracking_number: tracking.number }),
    ...(tracking?.url !== undefined && { tracking_url: tracking.url }),
    ...(destination && { destination }),
    estimated_delivery: deliveryOf(order),
  }
}
