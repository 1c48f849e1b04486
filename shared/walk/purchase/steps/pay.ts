import type { MoveOf, TokenWanted } from '../../intents.ts'
import type { Completing } from '../../operation.ts'
import { isRefusedFor, type WalkReply } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { agreedIn, judgeCharge } from '../judging/judge-charge.ts'
import { JUDGE_PAYMENT, judgeAfterDecline } from '../judging/judge-payment.ts'
import { failOutside } from '../judging/judge-refusal.ts'
import { isAnswered, isInFlight, isOutside } from '../judging/reply-kinds.ts'
import { replyText } from '../judging/reply-words.ts'
import { ask, type PurchaseState, rememberOrder, rememberSession } from '../state.ts'
import { takeStep } from '../take-step.ts'

/** How often a payment in progress is read, and the milliseconds in between. */
const POLLS = 5
const POLL_MS = 1000

const TITLES: Readonly<Record<TokenWanted, string>> = {
  good: 'Pays with the test token',
  declined: 'Pays with a card that is declined',
  challenged: 'Pays with a card that the bank wants to confirm',
}

/** Pays with one of the tokens of a sandbox; look mode has none. */
export async function pay(
  state: PurchaseState,
  { with: which, lost: isLost = false }: MoveOf<'pay'>,
): Promise<void> {
  const { session, store, deps, wanted } = state
  const token = deps.tokens?.[which]
  const id = session?.id
  if (token === undefined || session === null || typeof id !== 'string') return
  const handler = session.handlers?.[0] ?? store.dialect.handlers?.[0] ?? null
  const payment = { token, handler }
  const key = deps.newKey()
  const operation: Completing = { op: 'complete', id, last: session, wanted, payment, key }
  state.payment = operation
  const title = isLost ? `${TITLES[which]}, and loses the connection` : TITLES[which]
  await takeStep(state, 'pay', title, async (notes) => {
    const reply = await ask(state, operation, notes, { lose: isLost })
    if (isLost) {
      notes.conclude('Whether it was paid is not known: the answer was lost.')
      return
    }
    const settled = await waitUntilSettled(state, reply, id, notes)
    rememberSession(state, settled)
    rememberOrder(state, settled)
    if (isOutside(settled)) failOutside(settled, notes)
    else JUDGE_PAYMENT[which](state, settled, notes)
    if (which !== 'declined' || settled.is !== 'refused' || notes.failed !== null) return
    if (!store.dialect.can.read) return
    const after = await ask(state, { op: 'read', id }, notes)
    judgeAfterDecline(state, await waitUntilSettled(state, after, id, notes), notes)
  })
}

/** Reads the session again while its payment is in progress. */
async function waitUntilSettled(
  state: PurchaseState,
  reply: WalkReply,
  id: string,
  notes: StepNotes,
): Promise<WalkReply> {
  const { store, deps } = state
  let last = reply
  for (let poll = 0; poll < POLLS; poll += 1) {
    if (last.is !== 'session' || last.session.phase !== 'paying') return last
    if (!store.dialect.can.read || deps.isOver()) return last
    await deps.pause(POLL_MS)
    last = await ask(state, { op: 'read', id }, notes)
  }
  return last
}

/** Sends the payment once more: it must not be charged again. */
export async function repeatPayment(state: PurchaseState, { key }: MoveOf<'repay'>): Promise<void> {
  const { payment, orders, deps } = state
  if (payment === null) return
  const operation = key === 'same' ? payment : { ...payment, key: deps.newKey() }
  const title =
    key === 'same' ? 'Pays once more, under the same key' : 'Pays once more, under a new key'
  await takeStep(state, 'repeat', title, async (notes) => {
    const known = orders.length
    const reply = await payAgain(state, operation, notes)
    rememberSession(state, reply)
    rememberOrder(state, reply)
    const { fields } = state.store.dialect
    if (isOutside(reply)) failOutside(reply, notes)
    else if (orders.length > Math.max(1, known)) {
      const ids = orders.map(({ id }) => id)
      notes.fail('one_order', `There are ${ids.length} orders now: ${ids.join(', ')}.`, {
        field: fields.order,
      })
    } else if (key === 'same' && orders.length === 0) {
      notes.fail('takes_payment', replyText(reply), { field: fields.order })
    } else if (isAnswered(reply)) {
      notes.hold('one_order')
      notes.conclude('There is one order.', fields.order)
      if (reply.is === 'session' && reply.session.phase === 'completed') {
        const agreed = agreedIn(payment.last, payment.wanted.option)
        judgeCharge(agreed, reply.session, state.store.dialect, notes)
      }
    } else {
      notes.fail('one_order', `It failed instead: ${replyText(reply)}`, { field: fields.error })
    }
  })
}

/** Waits for a first call in progress, and reads the order if a refusal does not name one. */
async function payAgain(
  state: PurchaseState,
  operation: Completing,
  notes: StepNotes,
): Promise<WalkReply> {
  let reply = await ask(state, operation, notes)
  for (let poll = 0; poll < POLLS && isInFlight(reply); poll += 1) {
    await state.deps.pause(POLL_MS)
    reply = await ask(state, operation, notes)
  }
  const isPaidAlready = isRefusedFor(reply, 'ended', 'conflict')
  if (isPaidAlready && state.orders.length === 0 && state.store.dialect.can.read) {
    reply = await ask(state, { op: 'read', id: operation.id }, notes)
  }
  return waitUntilSettled(state, reply, operation.id, notes)
}
