import { setTimeout as sleep } from 'node:timers/promises'
import { formatMoney, toMajor, toMinor } from '../../../shared/commerce/product.ts'
import { printable, printableJson } from '../../../shared/web/text/printable.ts'
import type { Db } from '../../db/connect.ts'
import type { Refund } from '../../store/db/tables.ts'
import { findOrder } from '../../store/orders/orders.ts'
import { findRefund, requestRefund } from '../../store/orders/refunds.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface RefundFlags {
  amount?: string
  reason?: string
  key?: string
  json?: boolean
}

/** A running store looks for refunds every second. */
const WAIT_MS = 20_000
const POLL_MS = 200

/**
 * Refunds an order, or a part of it. A store that runs on the same database asks the PSP: this
 * waits for it, for a while.
 */
export async function refundOrderCommand(
  id: string,
  flags: RefundFlags,
  db: Db,
  terminal: Terminal,
  waitMs = WAIT_MS,
): Promise<void> {
  const wanted = { key: readKey(flags.key), ...(await readAmount(id, flags.amount, db)) }
  const reason = flags.reason?.trim()
  const requested = await requestRefund({ db, now: () => new Date() }, id, {
    ...wanted,
    ...(reason && { reason: reason.slice(0, MAX_REASON_CHARS) }),
  })
  if ('refused' in requested) {
    throw new CommandError(printable`${requested.message} See aisle store orders.`)
  }
  const refund = await settledOf(db, requested.refund, waitMs)
  if (refund.status === 'failed') {
    throw new CommandError(
      printable`The refund failed: ${refund.message ?? ''} To try again, give it another --key, or none.`,
    )
  }
  terminal.print(
    flags.json ? printableJson(listedRefund(refund)) : printable`${describeRefund(refund)}`,
  )
}

const MAX_REASON_CHARS = 500

function readKey(key: string = crypto.randomUUID()): string {
  if (/^[\w.:-]{1,200}$/.test(key)) return key
  throw new CommandError(printable`--key takes up to 200 letters, digits and - _ . : only.`)
}

async function readAmount(id: string, text: string | undefined, db: Db) {
  if (text === undefined) return {}
  const order = await findOrder(db, id)
  if (order === undefined) return {}
  const amount = toMinor(text, order.currency)
  if (amount !== null && amount > 0) return { amount }
  const { total: most, currency } = order
  const example = toMajor({ amount: most, currency })
  throw new CommandError(
    printable`--amount takes an amount in ${currency}, such as ${example} for all of it, not "${text}".`,
  )
}

async function settledOf(db: Db, refund: Refund, waitMs: number): Promise<Refund> {
  const until = performance.now() + waitMs
  let found = refund
  while (found.status === 'pending' && performance.now() < until) {
    await sleep(POLL_MS)
    found = (await findRefund(db, refund.id)) ?? found
  }
  return found
}

/** A refund as the terminal shows it. */
export const listedRefund = (refund: Refund) => ({
  refund_id: refund.id,
  order_id: refund.order_id,
  amount: { amount: refund.amount, currency: refund.currency },
  reason: refund.reason,
  status: refund.status,
  key: refund.key,
})

export function describeRefund(refund: Refund): string {
  const money = formatMoney(refund)
  return refund.status === 'pending'
    ? `${refund.id}  ${money}  pending: a running store asks the PSP for it until it is made`
    : `${refund.id}  ${money}  refunded`
}
