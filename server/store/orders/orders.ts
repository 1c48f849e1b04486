import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import type { Money } from '../../../shared/commerce/product.ts'
import type { ShippingOption } from '../../../shared/protocols/spec/ucp.ts'
import { DAY_MS, dayOf } from '../../../shared/web/moment.ts'
import type { Db } from '../../db/connect.ts'
import {
  type CheckoutSession,
  type Order,
  orders,
  type SessionItem,
  sessions,
  type Tx,
} from '../db/tables.ts'
import { originOf } from '../http/store-request.ts'
import { SHIPPING_DAYS } from '../shop/settings.ts'

/** Letters and digits, without those that look alike. */
const LEGIBLE = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A payment that the PSP took or is working on. */
export interface OrderPayment {
  psp: string
  paymentId: string
  status: 'succeeded' | 'pending'
  /** Null if the PSP does not state it. */
  amount: Money | null
  /** The address of the bank's challenge. */
  challengeUrl?: string
}

/** The total of a session with this shipping, in the currency's smallest unit. */
export const totalWith = ({ subtotal, tax }: CheckoutSession, shipping: ShippingOption): number =>
  subtotal + tax + shipping.cost.amount

/** The part of an order that depends on its address and shipping. */
export const shippedBy = (session: CheckoutSession, shipping: ShippingOption, now: Date) => ({
  address: session.address,
  shipping,
  tax: session.tax,
  total: totalWith(session, shipping),
  estimated_delivery: deliveryDay(session, shipping.id, now),
})

/** The part of an order that depends on its session's items. */
export const boughtIn = ({ items, currency, subtotal, official, mandate }: CheckoutSession) => ({
  items,
  currency,
  subtotal,
  official,
  mandate,
})

/** Writes the only order of a session. */
export async function insertOrder(
  tx: Tx,
  session: CheckoutSession,
  payment: OrderPayment,
  {
    shipping,
    now,
    disputed,
    stock_taken,
  }: { shipping: ShippingOption; now: Date } & Pick<Order, 'disputed' | 'stock_taken'>,
): Promise<Order> {
  const { id, host, buyer, protocol } = session
  const [order] = await tx
    .insert(orders)
    .values({
      id: `order_${randomUUID()}`,
      session_id: id,
      psp: payment.psp,
      payment_id: payment.paymentId,
      status: payment.status === 'succeeded' ? 'confirmed' : 'awaiting_payment',
      disputed,
      stock_taken,
      confirmation_number: confirmationNumber(),
      receipt_token: randomBytes(32).toString('base64url'),
      host,
      buyer,
      challenge_url: payment.challengeUrl ?? null,
      protocol,
      ...boughtIn(session),
      ...shippedBy(session, shipping, now),
      paid_at: payment.status === 'succeeded' ? now : null,
      created_at: now,
      updated_at: now,
    })
    .returning()
  if (order === undefined) throw new Error(`The order of the session ${id} was not stored.`)
  return order
}

/** Changes an order whose session is locked, and returns the new order. */
export async function changeOrder(tx: Tx, order: Order, change: Partial<Order>): Promise<Order> {
  await tx.update(orders).set(change).where(eq(orders.id, order.id))
  return { ...order, ...change }
}

/**
 * The order of a session, which cannot change until the transaction ends: an order is only changed
 * while the row of its session is locked.
 */
export async function lockOrderOf(tx: Tx, sessionId: string): Promise<Order | undefined> {
  const { id } = sessions
  await tx.select({ id }).from(sessions).where(eq(id, sessionId)).for('update')
  return orderOfSession(tx, sessionId)
}

/** The order of a session. Lock its session before changing it. */
export async function orderOfSession(db: Db | Tx, sessionId: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.session_id, sessionId))
  return order
}

/** The order that a PSP's payment paid for. */
export async function orderOfPayment(
  db: Db | Tx,
  psp: string,
  paymentId: string,
): Promise<Order | undefined> {
  const ofPayment = and(eq(orders.psp, psp), eq(orders.payment_id, paymentId))
  const [order] = await db.select().from(orders).where(ofPayment)
  return order
}

/** An order by the id that agents know. The id is not secret, so it opens no name or address. */
export async function findOrder(db: Db | Tx, id: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.id, id))
  return order
}

/** An order by its receipt's token, which works like a password. */
export async function findReceipt(db: Db, token: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.receipt_token, token))
  return order
}

/** A buyer's orders, newest first. */
export const ordersOfBuyer = (db: Db, buyer: string, most: number): Promise<Order[]> =>
  db
    .select()
    .from(orders)
    .where(eq(orders.buyer, buyer))
    .orderBy(desc(orders.created_at))
    .limit(most)

/** Whether there is any order of a buyer. */
export async function hasOrders(db: Db, buyer: string): Promise<boolean> {
  const found = await db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.buyer, buyer))
    .limit(1)
  return found.length > 0
}

/** The newest orders of all buyers, or only the flagged ones: for the merchant. */
export const newestOrders = (db: Db, most: number, only?: 'disputed'): Promise<Order[]> =>
  db
    .select()
    .from(orders)
    .where(only && eq(orders.disputed, true))
    .orderBy(desc(orders.created_at))
    .limit(most)

/** Such as `AO-7K3M-Q9XT`: easy to read out. */
function confirmationNumber(): string {
  const four = () => Array.from({ length: 4 }, () => LEGIBLE[randomInt(LEGIBLE.length)]).join('')
  return `AO-${four()}-${four()}`
}

/**
 * Unspecified: delivery is estimated by the option's longest time, from the day when all items can
 * ship.
 */
function deliveryDay({ items }: CheckoutSession, shippingId: string, now: Date): string {
  const ready = items.map((item) => Date.parse(item.available_on ?? '') || 0)
  const leaves = Math.max(now.getTime(), ...ready)
  const days = SHIPPING_DAYS[shippingId] ?? 14
  return dayOf(leaves + days * DAY_MS)
}

/** An item as both protocols name it. `variant_id` is null for a product without options. */
export const wireItem = ({ product_id, variant_id, name, quantity, unit_price }: SessionItem) => ({
  product_id,
  variant_id,
  name,
  quantity,
  unit_price,
})

/** The buyer's receipt; it needs only the token in its address. */
export const receiptUrl = ({ host, receipt_token }: Order): string =>
  `${originOf(host)}/receipts/${receipt_token}`

/** The sum of all refunds, in the currency's smallest unit. */
export const refundedOf = ({ refunds }: Pick<Order, 'refunds'>): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0)

// Unspecified: an order with refunds has `refunded`, the sum, and `refunds`; its status stays, even
// if everything was refunded. Only the merchant sees a refund's reason.
function refundFields(order: Order) {
  const { currency, refunds } = order
  if (refunds.length === 0) return {}
  return {
    refunded: { amount: refundedOf(order), currency },
    refunds: refunds.map(({ amount, ...refund }) => ({ ...refund, amount: { amount, currency } })),
  }
}

/**
 * The order as agents see it. Unspecified: an order shows its items, amounts and dates as well as
 * identifier, status and tracking, but no name or address, because the id alone opens it.
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
    ...refundFields(order),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

/** The error of a 404 for an order. */
export const NO_ORDER = {
  code: 'order_not_found',
  message: 'We could not find this order. Please check your confirmation.',
  detail: 'No order has this id. The order_id is in the confirmation.',
} as const

/** The id of an item by its position, the same in a checkout of official UCP and in its order. */
export const lineId = (index: number): string => `li_${index + 1}`
