import { formatMoney } from '../../../shared/commerce/product.ts'
import { printable, printableJson, printableLines } from '../../../shared/web/text/printable.ts'
import type { Db } from '../../db/connect.ts'
import type { Order, Refund, Tracking } from '../../store/db/tables.ts'
import { enqueue } from '../../store/dialects/order-webhooks.ts'
import { type MerchantMove, moveOrder } from '../../store/orders/moves.ts'
import { newestOrders, refundedOf } from '../../store/orders/orders.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { describeRefund, listedRefund } from './refund.ts'

interface MoveFlags {
  tracking?: string
  carrier?: string
  trackingUrl?: string
  json?: boolean
}

const LISTED = 50

export async function listOrdersCommand(
  flags: { json?: boolean; disputed?: boolean },
  db: Db,
  terminal: Terminal,
): Promise<void> {
  const orders = await newestOrders(db, LISTED, flags.disputed ? 'disputed' : undefined)
  if (flags.json) return terminal.print(printableJson(orders.map((order) => listed(order))))
  terminal.print(
    orders.length === 0
      ? flags.disputed
        ? printable`No order is disputed.`
        : printable`No orders yet.`
      : printableLines(orders.map(describe)),
  )
}

/** Changes an order's status. A store that runs on the same database delivers the webhooks. */
export async function moveOrderCommand(
  id: string,
  to: MerchantMove,
  flags: MoveFlags,
  db: Db,
  terminal: Terminal,
): Promise<void> {
  const deps = { db, enqueue, now: () => new Date() }
  const moved = await moveOrder(deps, id, to, readTracking(flags))
  if ('refused' in moved)
    throw new CommandError(printable`${moved.message} See aisle store orders.`)
  const { order, refund } = moved
  if (flags.json) return terminal.print(printableJson(listed(order, refund)))
  terminal.print(printable`${describe(order)}`)
  if (refund !== undefined) terminal.print(printable`${describeRefund(refund)}`)
}

function readTracking({ tracking, carrier, trackingUrl }: MoveFlags): Tracking | undefined {
  if (tracking === undefined) {
    if (carrier === undefined && trackingUrl === undefined) return undefined
    throw new CommandError(printable`Give the tracking number as well, with --tracking.`)
  }
  if (trackingUrl !== undefined && URL.parse(trackingUrl)?.protocol !== 'https:') {
    throw new CommandError(printable`--tracking-url takes an https URL, not "${trackingUrl}".`)
  }
  return {
    number: tracking,
    ...(carrier !== undefined && { carrier }),
    ...(trackingUrl !== undefined && { url: trackingUrl }),
  }
}

const totalOf = ({ total, currency }: Order) => ({ amount: total, currency })

/** An order for the terminal: without the buyer's name, the address and the receipt. */
const listed = (order: Order, refund?: Refund) => ({
  order_id: order.id,
  status: order.status,
  disputed: order.disputed,
  confirmation_number: order.confirmation_number,
  total: totalOf(order),
  ...(order.refunds.length > 0 && {
    refunded: { amount: refundedOf(order), currency: order.currency },
  }),
  ...(refund && { refund: listedRefund(refund) }),
  tracking: order.tracking,
  created_at: order.created_at.toISOString(),
})

function describe(order: Order): string {
  const at = order.created_at.toISOString().slice(0, 16).replace('T', ' ')
  const state = order.disputed ? `${order.status}, disputed` : order.status
  const parcel = order.tracking ? `; parcel ${order.tracking.number}` : ''
  const { currency } = order
  const back =
    order.refunds.length > 0
      ? `; ${formatMoney({ amount: refundedOf(order), currency })} refunded`
      : ''
  return `${order.id}  ${at}  ${formatMoney(totalOf(order))}  ${state}${parcel}${back}`
}
