import type { Order, OrderMoment } from '../db/tables.ts'

/** The history with one more moment. A tracking number that is known by now is part of it. */
export function withMoment(
  { history, tracking }: Pick<Order, 'history' | 'tracking'>,
  type: OrderMoment['type'],
  now: Date,
): OrderMoment[] {
  return [...history, { type, at: now.toISOString(), ...(tracking && { tracking }) }]
}
