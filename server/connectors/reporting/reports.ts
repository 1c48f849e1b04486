import type { AisleEvent } from '../../../aisle-node/index.d.ts'
import { inSmallestUnit } from '../../../aisle-node/money.ts'
import { visitIdOf } from '../../../aisle-node/visit.ts'

/** What a shop has to say of one of its orders. It waits in the shop until Aisle has it. */
export interface ShopReport {
  /** One per thing that happened, so that noticing it twice adds nothing. */
  id: string
  event: AisleEvent
}

/** An order as both platforms have it. */
export interface ShopOrder {
  id: string
  /** What it was before it was an order, and stays when a payment fails. */
  cart: string
  /** As the storefront wrote it. */
  visit: unknown
  /** What it came to when it was placed, in units such as dollars. */
  total: string | number
  /** What of it was paid by now, or ever: a refund takes nothing away. */
  paid: string | number
  currency: string
  placed: Date
  /** Null: it was not cancelled. */
  cancelled: Date | null
  refunds: readonly { id: string; total: string | number; made: Date }[]
}

/** Events that happened earlier are refused by Aisle. */
const OLDEST_MS = 2 * 24 * 3_600_000

/**
 * Everything that Aisle counts of an order: that it was placed, each of its refunds, and that it
 * was cancelled. None, if AI brought no visit. What is too old to count is left out.
 */
export function orderReports(order: ShopOrder, now: number): ShopReport[] {
  const visit_id = visitIdOf({ aisle_visit: order.visit })
  if (visit_id === undefined) return []
  const currency = order.currency.toUpperCase()
  const worth = (total: string | number) => inSmallestUnit(total, currency)
  const about = { session_id: order.cart, source: 'web' } as const
  const refund = (refund_id: string, value: number, made: Date): ShopReport => ({
    id: `refund_${refund_id}`,
    event: {
      ...about,
      event: 'ai_order_refunded',
      timestamp: made.toISOString(),
      properties: { order_id: order.id, refund_id, value, currency },
    },
  })
  const value = worth(order.total)
  const placed: ShopReport = {
    id: `order_${order.id}`,
    event: {
      ...about,
      event: 'ai_checkout_completed',
      timestamp: order.placed.toISOString(),
      properties: { visit_id, order_id: order.id, value, currency },
    },
  }
  const refunds = order.refunds.map((each) => refund(each.id, worth(each.total), each.made))
  // Unspecified: an order counts when it is placed, paid or not, so what was not paid of one that
  // is cancelled is a refund. What was paid comes back by a refund of the platform's own.
  const unpaid = value - worth(order.paid)
  const rest =
    order.cancelled && unpaid > 0 ? [refund(`cancelled_${order.id}`, unpaid, order.cancelled)] : []
  return [placed, ...refunds, ...rest].filter(
    ({ event }) => Date.parse(event.timestamp ?? '') > now - OLDEST_MS,
  )
}

/** A checkout that came to nothing. Null, if AI brought no visit. */
export function failedReport(
  { cart, visit, reason }: { cart: string; visit: unknown; reason: string },
  now: number,
): ShopReport | null {
  const visit_id = visitIdOf({ aisle_visit: visit })
  if (visit_id === undefined) return null
  return {
    id: `failed_${cart}`,
    event: {
      event: 'ai_checkout_failed',
      session_id: cart,
      source: 'web',
      timestamp: new Date(now).toISOString(),
      properties: { visit_id, reason },
    },
  }
}
