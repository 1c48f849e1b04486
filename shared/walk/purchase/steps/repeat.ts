import { shown } from '../../../web/json/json.ts'
import { lineOf } from '../../goods.ts'
import type { MoveOf } from '../../intents.ts'
import { isOver, type Session, type WalkReply } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { failOutside, holdRefused } from '../judging/judge-refusal.ts'
import { haltIfRefusedAlike, judgeReply } from '../judging/judge-reply.ts'
import { isAnswered, isOutside } from '../judging/reply-kinds.ts'
import { replyText, statusOf } from '../judging/reply-words.ts'
import { ask, type PurchaseState, rememberSession } from '../state.ts'
import { takeStep } from '../take-step.ts'

/**
 * Repeats the opening. Under its key the purchase goes on with the session that it opened first,
 * even if the store opens another; under a new key, with the new one.
 */
export async function repeatOpening(
  state: PurchaseState,
  { key, body }: MoveOf<'reopen'>,
): Promise<void> {
  const { opening, session, goods, deps } = state
  if (opening === null) return
  const [, other] = goods
  const wanted =
    body === 'same' || other === undefined
      ? opening.wanted
      : { ...opening.wanted, lines: [lineOf(other, 1)] }
  const operation = { ...opening, wanted, key: key === 'same' ? opening.key : deps.newKey() }
  const title =
    body === 'other'
      ? 'Sends another basket under the same key'
      : key === 'same'
        ? 'Sends the same call once more, under its key'
        : 'Sends the same call again, under a new key'
  await takeStep(state, 'repeat', title, async (notes) => {
    const reply = await ask(state, operation, notes)
    if (isOutside(reply)) {
      failOutside(reply, notes)
      return
    }
    rememberSession(state, reply)
    if (key === 'other') {
      judgeReply(state, reply, { notes, isOpening: true })
      return
    }
    const { can, fields } = state.store.dialect
    // If the dialect has no place for the key, a second checkout is not a fault: it is cancelled
    // too.
    if (can.keys === 'advised' && reply.is === 'session' && reply.session.id !== session?.id) {
      notes.conclude('The key counts for nothing where a checkout is opened.', fields.id)
    } else if (body === 'same') judgeSame(reply, session, notes, fields.id)
    else judgeConflict(reply, notes, fields.error)
    state.session = session
  })
}

/** The same call under the same key must return the session that it opened. */
function judgeSame(reply: WalkReply, first: Session | null, notes: StepNotes, field: string): void {
  if (reply.is !== 'session') {
    notes.fail('repeats_are_one', `The repeated call was answered: ${replyText(reply)}`, { field })
  } else if (reply.session.id === first?.id) notes.hold('repeats_are_one')
  else {
    notes.fail(
      'repeats_are_one',
      `The first call opened ${shown(first?.id)}, and the same call again ${shown(reply.session.id)}.`,
      { field },
    )
  }
}

/** Another call under a used key must be refused. */
function judgeConflict(reply: WalkReply, notes: StepNotes, field: string): void {
  if (reply.is === 'refused' && reply.refusal.reason !== 'failed') {
    holdRefused(reply.refusal, 'repeats_are_one', notes, field)
  } else {
    notes.fail(
      'repeats_are_one',
      reply.is === 'session'
        ? `Another basket under the same key was answered with the checkout ${shown(reply.session.id)}.`
        : `It failed instead: ${replyText(reply)}`,
      { field },
    )
  }
}

/** Changes a session after it was cancelled: it must stay cancelled. */
export async function reviveSession(state: PurchaseState): Promise<void> {
  const { session, store, goods, deps, accepted } = state
  const { can, fields } = store.dialect
  const id = session?.id
  const [good] = goods
  if (session === null || typeof id !== 'string' || good === undefined) return
  const option = session.shipping[0]?.id ?? state.wanted.option
  const wanted = can.changeLines
    ? { ...state.wanted, lines: [lineOf(good, 2)] }
    : { ...state.wanted, option }
  await takeStep(state, 'return', 'Comes back to the cancelled checkout', async (notes) => {
    const reply = await ask(
      state,
      { op: 'change', id, last: session, wanted, accepted, key: deps.newKey() },
      notes,
    )
    if (isOutside(reply)) failOutside(reply, notes)
    else if (reply.is === 'session' && !isOver(reply.session.phase)) {
      rememberSession(state, reply)
      notes.fail('stays_ended', `The store changed it${statusOf(reply.session)}.`, {
        field: fields.status,
      })
    } else if (haltIfRefusedAlike(state, reply, notes)) return
    else if (reply.is === 'refused' && isAnswered(reply)) {
      holdRefused(reply.refusal, 'stays_ended', notes, fields.error)
    } else if (isAnswered(reply)) notes.hold('stays_ended')
    else {
      notes.fail('stays_ended', `It failed instead: ${replyText(reply)}`, { field: fields.error })
    }
  })
}
