import { formatMoney } from '../../../shared/commerce/product.ts'
import { printable, printableJson, printableLines } from '../../../shared/web/text/printable.ts'
import type { Db } from '../../db/connect.ts'
import type { ReviewCause } from '../../store/db/statuses.ts'
import { markReviewed, openReviews } from '../../store/orders/reviews.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'

const LISTED = 200

const WORDS: Readonly<Record<ReviewCause, string>> = {
  amount: 'another amount than the total: it paid for nothing, refund it',
  second_payment: 'a second payment of the order: refund it',
  stock: 'its pieces were sold to others by then',
  canceled: 'the checkout was canceled by then',
  delivery: 'the chosen delivery was not offered any more',
  dispute: 'the buyer disputes it at the bank',
}

type Open = Awaited<ReturnType<typeof openReviews>>[number]

/** Lists the payments that a person must review. */
export async function listReviewsCommand(
  flags: { json?: boolean },
  db: Db,
  terminal: Terminal,
): Promise<void> {
  const open = await openReviews(db, LISTED)
  if (flags.json) return terminal.print(printableJson(open.map(listed)))
  terminal.print(
    open.length === 0 ? printable`Nothing to review.` : printableLines(open.map(describe)),
  )
}

/** Closes the open reviews of a payment or an order. */
export async function reviewedCommand(
  id: string,
  { db, now }: { db: Db; now: () => Date },
  terminal: Terminal,
): Promise<void> {
  if (!(await markReviewed(db, id, now()))) {
    throw new CommandError(printable`Nothing of ${id} is to be reviewed. See aisle store reviews.`)
  }
  terminal.print(printable`Closed.`)
}

const listed = ({ review, orderId }: Open) => ({
  payment_id: review.payment_id,
  psp: review.psp,
  cause: review.cause,
  amount: review.amount,
  order_id: orderId,
  checkout_id: review.session_id,
  noted_at: review.noted_at.toISOString(),
})

function describe({ review, orderId }: Open): string {
  const at = review.noted_at.toISOString().slice(0, 16).replace('T', ' ')
  const amount = review.amount ? `${formatMoney(review.amount)}  ` : ''
  const of = orderId ?? `no order, checkout ${review.session_id}`
  return `${review.payment_id}  ${at}  ${amount}${of}  ${WORDS[review.cause]}`
}
