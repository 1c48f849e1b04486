import type { Order, OrderMoment } from '../db/tables.ts'

/** The history with one more moment. A tracking number that is known by now is part of it. */
export function withMoment(
  { history, tracking }: Pick<Order, 'history' | 'tracking'>,
  type: OrderMoment['type'],
  now: Date,
): OrderMoment[] {
  return [...history, { type, at: now.toISOString(), ...(tracking && { tracking }) }]
}

/** A status that an order comes to only by a move of the merchant. */
const MOVES: readonly string[] = [
  'processing',
  'shipped',
  'delivered',
  'canceled',
  'returned',
] satisfies OrderMoment['type'][]

/**
 * What happened to an order, oldest first. Where the last move was not written down, by a build
 * that is older than the history, it is taken to be as old as the order's last change.
 */
export function historyOf(order: Order): readonly OrderMoment[] {
  const { status, history, updated_at } = order
  if (!isMove(status) || history.some(({ type }) => type === status)) return history
  return withMoment(order, status, updated_at)
}

const isMove = (status: string): status is OrderMoment['type'] => MOVES.includes(status)
