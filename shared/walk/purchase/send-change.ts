import type { Wanted } from '../operation.ts'
import { isOver, type WalkReply } from '../session.ts'
import type { StepNotes } from '../step-notes.ts'
import { wantsDeliveryNamed } from './judging/reply-kinds.ts'
import { ask, type PurchaseState, rememberSession } from './state.ts'

/**
 * Changes the session to what is wanted from now on, and goes on with the session in the answer. A
 * store may need a second call, which belongs to the same step.
 */
export async function sendChange(
  state: PurchaseState,
  change: Partial<Wanted>,
  notes: StepNotes,
): Promise<WalkReply> {
  const { session, deps, accepted } = state
  const id = session?.id
  if (session === null || typeof id !== 'string') {
    return { is: 'silent', why: 'there is no checkout to change' }
  }
  const { learnt, dialect } = state.store
  const wanted = {
    ...state.wanted,
    ...change,
    ...(learnt.namesDelivery && { namesDelivery: true }),
  }
  state.wanted = wanted
  const reply = await ask(
    state,
    { op: 'change', id, last: session, wanted, accepted, key: deps.newKey() },
    notes,
  )
  if (wantsDeliveryNamed(reply) && !learnt.namesDelivery) {
    learnt.namesDelivery = true
    notes.conclude('The store wants an id for a delivery that it has not named yet: it gets one.')
    return sendChange(state, {}, notes)
  }
  rememberSession(state, reply)
  if (reply.is !== 'session') return reply
  state.accepted = wanted
  const isChoiceLeft =
    dialect.can.changeLines === 'alone' && wanted.option !== null && wanted.lines !== accepted.lines
  return isChoiceLeft && !isOver(reply.session.phase) ? sendChange(state, {}, notes) : reply
}
