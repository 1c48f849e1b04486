import { REPORTED_AS } from '../../db/statuses.ts'
import type { CheckoutSession } from '../../db/tables.ts'
import { domainOfHost } from '../../http/store-request.ts'
import type { CheckoutEvent, StoreDeps } from '../deps.ts'

/**
 * Reports the result of a checkout once its transaction is committed, so that nothing is reported
 * and then rolled back. (The merchant's webhooks are written in that transaction, by
 * `deps.enqueue`.)
 */
export function tell(
  { report }: Pick<StoreDeps, 'report'>,
  events: readonly CheckoutEvent[],
): void {
  for (const event of events) report(event)
}

/** The result of a checkout, in addition to the name of its event. */
interface CheckoutEnd {
  /** The order's total. */
  value?: number
  /** The reason for a failure, by an error code of the specification. */
  reason?: CheckoutEvent['properties']['reason']
  /** When its completion began. */
  since?: Date | null
}

/**
 * The event for the hosted API (spec, Attribution event). Its `value` is the total in the
 * currency's smallest unit: the order's, else with the shipping that is confirmed or chosen so far.
 */
export function checkoutEvent(
  event: CheckoutEvent['event'],
  session: CheckoutSession,
  now: Date,
  { value = totalSoFar(session), reason, since = null }: CheckoutEnd = {},
): CheckoutEvent {
  const { id, host, protocol, currency, attribution } = session
  const { ai_surface, ai_surface_sent } = attribution ?? {}
  return {
    event,
    domain: domainOfHost(host),
    session_id: id,
    source: REPORTED_AS[protocol],
    ...(ai_surface !== undefined && { ai_surface }),
    properties: {
      value,
      currency,
      ...(ai_surface_sent !== undefined && { ai_surface_sent }),
      ...(reason !== undefined && { reason }),
      ...(since !== null && { duration_ms: now.getTime() - since.getTime() }),
    },
    timestamp: now.toISOString(),
  }
}

function totalSoFar({ subtotal, tax, shipping_options, ...session }: CheckoutSession): number {
  const find = (id: string | null) => shipping_options.find((option) => option.id === id)
  const shipping = find(session.confirmed_option_id) ?? find(session.shipping_option_id)
  return subtotal + tax + (shipping?.cost.amount ?? 0)
}
