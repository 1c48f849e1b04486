import { isEnded, isOver, isStillOpen, saysEnded, type WalkReply } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import type { PlacedOrder } from '../../transcript.ts'
import { failOutside } from '../judging/judge-refusal.ts'
import { isAnswered, isCrash, isOutside } from '../judging/reply-kinds.ts'
import { replyText, statusOf } from '../judging/reply-words.ts'
import { ask, type PurchaseState } from '../state.ts'
import { takeStep } from '../take-step.ts'

/** How many milliseconds after a failed cancel it is sent once more. */
const RETRY_MS = 1000

/** Cancels the session, as a buyer who no longer wants it. */
export async function cancelSession(state: PurchaseState): Promise<void> {
  const id = state.session?.id
  if (typeof id !== 'string') return
  await takeStep(state, 'cancel', 'Cancels the checkout', (notes) => cancel(state, id, notes))
  // Without a cancel, there is nothing to check after it.
  if (state.leftOpen.length > 0) {
    state.halt = {
      outcome: 'not_walked',
      why: `${state.store.dialect.label} has no way to cancel a checkout: it ends by itself.`,
    }
  }
}

/** Cancels all open sessions at the end of a purchase. */
export async function cancelAll(state: PurchaseState): Promise<void> {
  for (const [id, { isDryRun }] of state.openSessions) {
    if (isDryRun) continue
    await takeStep(state, 'cancel', 'Cancels what is still open', (notes) =>
      cancel(state, id, notes),
    )
  }
}

async function cancel(state: PurchaseState, id: string, notes: StepNotes): Promise<void> {
  const { store, deps, openSessions, leftOpen } = state
  const { can, fields } = store.dialect
  const { until = null, isPaying = false } = openSessions.get(id) ?? {}
  const cancelling = { op: 'cancel', id, key: deps.newKey() } as const
  let reply = await ask(state, cancelling, notes)
  if (isCrash(reply)) {
    await deps.pause(RETRY_MS)
    reply = await ask(state, cancelling, notes)
  }
  openSessions.delete(id)
  const seen = await readAfter(state, reply, id, notes)
  if (reply.is === 'session' && isOver(reply.session.phase) && !isStillOpen(seen)) {
    notes.hold('can_be_cancelled')
    notes.conclude('The checkout is cancelled.', fields.status)
    return
  }
  // It had already ended, or was never kept.
  if (saysEnded(reply) && !isStillOpen(seen) && can.cancel === 'yes') {
    notes.conclude('The checkout has ended already.', fields.error)
    return
  }
  const why = isStillOpen(seen)
    ? `It is still open${statusOf(seen.session)}. The answer to the cancel was: ${replyText(reply)}`
    : reply.is === 'session'
      ? `The store answered, and it is still open${statusOf(reply.session)}.`
      : replyText(reply)
  leftOpen.push({ id, until, why })
  if (can.cancel === 'advised') {
    notes.conclude('This protocol has no way to cancel a checkout: it ends by itself.')
  } else if (isPaying && isAnswered(reply)) {
    // Unspecified: whether a payment that waits for the bank can be cancelled; few stores can do
    // that.
    notes.conclude('The payment waits for the bank, and ends there.', fields.status)
  } else if (isOutside(reply)) failOutside(reply, notes)
  else notes.fail('can_be_cancelled', why, { field: fields.status })
}

/**
 * The session after a cancel: an answer may say more than the store did, and a missing endpoint
 * answers as a missing session does. Null if it cannot be read, or is open by the answer itself.
 */
async function readAfter(
  state: PurchaseState,
  reply: WalkReply,
  id: string,
  notes: StepNotes,
): Promise<WalkReply | null> {
  if (!isEnded(reply) || !state.store.dialect.can.read) return null
  return ask(state, { op: 'read', id }, notes)
}

/**
 * Asks the store to take back a sandbox payment. No protocol has a refund, and most stores do not
 * cancel a completed checkout, so the result is reported but not judged.
 */
export async function cancelPaid(state: PurchaseState): Promise<void> {
  for (const [id, order] of state.paid) {
    await takeStep(state, 'cancel', `Asks the store to cancel the order ${order.id}`, (notes) =>
      takeBack(state, id, order, notes),
    )
  }
}

async function takeBack(
  state: PurchaseState,
  id: string,
  order: PlacedOrder,
  notes: StepNotes,
): Promise<void> {
  const { can, fields } = state.store.dialect
  const reply = await ask(state, { op: 'cancel', id, key: state.deps.newKey() }, notes)
  if (reply.is !== 'session' || reply.session.phase !== 'canceled') {
    const said = reply.is === 'session' ? `It stays as it is${statusOf(reply.session)}.` : null
    notes.conclude(
      `The store does not take it back, which the protocol leaves to it. ${said ?? replyText(reply)}`,
      reply.is === 'session' ? fields.status : fields.error,
    )
    return
  }
  order.cancelled = true
  notes.conclude('The store cancelled the checkout that was paid.', fields.status)
  if (can.order === false) return
  const now = await ask(state, { op: 'order', id: order.id }, notes)
  const status = now.is === 'order' ? now.order.status : null
  if (status !== null) notes.conclude(`The order is ${status}.`, fields.order)
}
