import type { Db } from '../../db/connect.ts'
import type { OrderStatus } from '../db/statuses.ts'
import type { Order, Tracking } from '../db/tables.ts'
import { release } from '../shop/stock.ts'
import type { Enqueue, OrderEvent } from './events.ts'
import { changeOrder, findOrder, lockOrderOf } from './orders.ts'
import { nextOrder, type OrderTrigger } from './states.ts'

/** What a merchant does with an order. */
export type MerchantMove = Extract<
  OrderStatus,
  'processing' | 'shipped' | 'delivered' | 'canceled' | 'returned'
>

export type Moved = { order: Order } | { refused: 'not_found' | 'illegal_move'; message: string }

const MOVES: Readonly<Record<MerchantMove, { event: OrderTrigger; tells?: OrderEvent }>> = {
  processing: { event: 'process' },
  shipped: { event: 'ship', tells: 'order.shipped' },
  delivered: { event: 'deliver', tells: 'order.delivered' },
  canceled: { event: 'cancel', tells: 'order.canceled' },
  returned: { event: 'return' },
}

/**
 * Moves an order, and tells the outbox of it. `tracking` replaces what was known. What is canceled
 * goes back on the shelf; what is returned does not, before someone has looked at it.
 */
export async function moveOrder(
  deps: { db: Db; now: () => Date; enqueue: Enqueue },
  id: string,
  to: MerchantMove,
  tracking?: Tracking,
): Promise<Moved> {
  const { event, tells } = MOVES[to]
  const now = deps.now()
  const found = await findOrder(deps.db, id)
  return deps.db.transaction(async (tx) => {
    const order = found && (await lockOrderOf(tx, found.session_id))
    if (order === undefined) {
      return { refused: 'not_found', message: `There is no order ${id}.` }
    }
    const status = nextOrder(order.status, event)
    if (status === null) {
      return {
        refused: 'illegal_move',
        message: `The order ${id} is ${order.status} and cannot become ${to}.`,
      }
    }
    const moved = await changeOrder(tx, order, {
      status,
      updated_at: now,
      ...(tracking && { tracking }),
    })
    if (to === 'canceled') await release(tx, order.items)
    if (tells) await deps.enqueue(tx, tells, moved, now)
    return { order: moved }
  })
}
