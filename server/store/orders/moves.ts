import type { Db } from '../../db/connect.ts'
import type { OrderStatus } from '../db/statuses.ts'
import type { Order, Refund, Tracking } from '../db/tables.ts'
import { release } from '../shop/inventory.ts'
import { changeOrder, findOrder, lockOrderOf } from './orders.ts'
import { addRefund } from './refunds.ts'
import {
  type Enqueue,
  nextOrder,
  type OrderChange,
  type OrderTrigger,
  withMoment,
} from './states.ts'

/** What a merchant does with an order. */
export type MerchantMove = Extract<
  OrderStatus,
  'processing' | 'shipped' | 'delivered' | 'canceled' | 'returned'
>

export type Moved =
  | { order: Order; refund?: Refund }
  | { refused: 'not_found' | 'illegal_move'; message: string }

const MOVES: Readonly<Record<MerchantMove, { event: OrderTrigger; tells: OrderChange }>> = {
  processing: { event: 'process', tells: 'order.processing' },
  shipped: { event: 'ship', tells: 'order.shipped' },
  delivered: { event: 'deliver', tells: 'order.delivered' },
  canceled: { event: 'cancel', tells: 'order.canceled' },
  returned: { event: 'return', tells: 'order.returned' },
}

/** The key of a cancellation's refund, which `--key` does not accept, because it has a space. */
const CANCELLATION = 'the cancellation'

/**
 * Moves an order, and writes that to the outbox. `tracking` replaces the known number. A
 * cancellation restocks the items and refunds the buyer; a return does neither, because someone has
 * to inspect the goods first.
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
    const known = tracking ?? order.tracking
    const moved = await changeOrder(tx, order, {
      status,
      tracking: known,
      history: withMoment({ ...order, tracking: known }, to, now),
      updated_at: now,
    })
    if (to === 'canceled' && order.stock_taken) await release(tx, order.items)
    await deps.enqueue(tx, tells, moved, now)
    if (to !== 'canceled') return { order: moved }
    // Refused if everything was refunded before.
    const requested = await addRefund(tx, moved, { key: CANCELLATION, reason: 'Canceled' }, now)
    return { order: moved, ...('refund' in requested && { refund: requested.refund }) }
  })
}
