import { isTransactionConflict } from '../../db/connection/failures.ts'
import { type EventRow, findEventKeys, findOrders, ledgerKeysOf } from '../../db/events/events.ts'
import { refundKey, waitingKey } from '../../db/events/ids.ts'
import {
  awaitOrders,
  countWaiting,
  type FoundRefund,
  findWaiting,
  type WaitingRefund,
} from '../../db/events/waiting.ts'
import type { AtShard } from '../../db/sharding/shards.ts'
import { pairOf } from './event.ts'
import { unknownOrder } from './notes.ts'
import { contradictionsOf, orderKeysOf, orderOf, placeBeside } from './refunds.ts'

/** For one that another transaction was in the way of. */
const TRIES = 3

/** Rows of a batch that are stored. */
interface Arrived {
  /** Orders for which refunds wait. */
  orders: readonly EventRow[]
  /** Refunds whose order is not known. */
  refunds: readonly EventRow[]
}

/**
 * Lets refunds wait for their orders, and counts those whose order is there: it came now, or while
 * the refund was stored. Doing so again changes nothing, and after a kill before it, the sender's
 * repeat of the event does it. A batch without either does none of this.
 */
export async function settleRefunds(at: AtShard, { orders, refunds }: Arrived): Promise<void> {
  const waits = refunds.flatMap((refund) =>
    orderKeysOf(asRefund(refund)).map((each) => ({ ...each, event_id: refund.id })),
  )
  const [first] = refunds
  if (first !== undefined) await awaitOrders(at, waits, first.received_at)
  const keys = orders.flatMap((row) =>
    ledgerKeysOf(row).map((key) => ({ domain: row.domain, key })),
  )
  if (waits.length + keys.length > 0) await countFound(at, [...waits, ...keys], TRIES)
}

const asRefund = ({ domain, session_id, properties, value = null, currency = null }: EventRow) => ({
  ...{ domain, session_id, properties, value, currency },
})

/** Counts the refunds that wait under these keys and whose order is stored. */
async function countFound(
  at: AtShard,
  keys: readonly { domain: string; key: string }[],
  tries: number,
): Promise<void> {
  const waiting = await findWaiting(at, keys)
  if (waiting.length === 0) return
  try {
    const found = await findOrdersOf(at, waiting)
    if (found.length > 0) await countWaiting(at, found)
  } catch (error) {
    if (tries === 1 || !isTransactionConflict(error)) throw error
    await countFound(at, keys, tries - 1)
  }
}

/** The refunds whose order is stored and not erased, each as it counts with that order. */
async function findOrdersOf(
  at: AtShard,
  waiting: readonly WaitingRefund[],
): Promise<FoundRefund[]> {
  const ownKeyOf = ({ domain, properties }: WaitingRefund) => ({
    domain,
    key: waitingKey(refundKey(properties.refund_id)),
  })
  const [stored, known] = await Promise.all([
    findOrders(at, waiting.flatMap(orderKeysOf)),
    findEventKeys(at, waiting.map(ownKeyOf)),
  ])
  const orders = new Map(stored.map((each) => [pairOf(each.domain, each.key), each]))
  const kept = new Map(known.map((each) => [each.event_id, each]))
  return waiting.flatMap((refund): FoundRefund[] => {
    const order = orderOf(refund, orders)
    const first = kept.get(refund.id)
    if (order === null || order.is_erased || first === undefined) return []
    const waited = unknownOrder(refund.session_id, refund.domain)
    const notes = first.notes.filter((note) => note !== waited)
    return [
      {
        ...refund,
        ...placeBeside(refund, order),
        key: refundKey(refund.properties.refund_id),
        order_keys: orderKeysOf(refund).map(({ key }) => key),
        fingerprint: first.fingerprint,
        notes: [...notes, ...contradictionsOf(refund, order)],
      },
    ]
  })
}
