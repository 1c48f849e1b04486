import { goesOn } from '../expectations.ts'
import { isOver, type Session, saysEnded, type WalkReply } from '../session.ts'
import { beginStep, type StepNotes } from '../step-notes.ts'
import type { StepName } from '../transcript.ts'
import { differenceOf, lineIdsDiffer, type SessionDifference } from './judging/compare-sessions.ts'
import { isOutside } from './judging/reply-kinds.ts'
import { replyText } from './judging/reply-words.ts'
import { ask, type PurchaseState } from './state.ts'

/** Makes a step of what `work` does, reads back what it changed, and reports it. */
export async function takeStep(
  state: PurchaseState,
  step: StepName,
  title: string,
  work: (notes: StepNotes) => void | Promise<void>,
): Promise<void> {
  const { store, deps, steps, session: before } = state
  const notes = beginStep(store.dialect, { n: steps.length + 1, step, title })
  await work(notes)
  const { failed } = notes
  const isWell = failed === null || goesOn(failed)
  if (state.session !== null && state.session !== before && isWell) {
    await readBack(state, state.session, notes)
  }
  const done = notes.done()
  steps.push(done)
  deps.onStep?.(done)
}

/** How many milliseconds a store may take until all of it shows a change. */
const SETTLE_MS = 1000

/** Reads a session that was just answered: it must be the same one, unless `excuse` has words. */
export async function readBack(
  state: PurchaseState,
  session: Session,
  notes: StepNotes,
  at?: 'cart',
  excuse: (reply: WalkReply) => string | null = () => null,
): Promise<void> {
  const { store, deps } = state
  const { can, fields } = store.dialect
  const { id } = session
  if (!can.read || id === null || deps.isOver()) return
  const read = () => ask(state, { op: 'read', id, ...(at && { at }) }, notes)
  let reply = await read()
  const excused = excuse(reply)
  if (excused !== null) {
    notes.conclude(excused)
    return
  }
  let difference = differenceIn(session, reply, at)
  if (difference !== null) {
    await deps.pause(SETTLE_MS)
    reply = await read()
    const late = difference
    difference = differenceIn(session, reply, at)
    if (difference === null) {
      notes.conclude(`At first it was read otherwise: ${late.found}`, fields[late.fact])
    }
  }
  if (isOutside(reply)) notes.conclude(`It could not be read back: ${replyText(reply)}`)
  else if (difference === null) notes.hold('is_read_as_answered')
  else {
    const { fact, found } = difference
    notes.fail('is_read_as_answered', `Read back: ${found}`, { field: fields[fact] })
  }
}

/** What a store answers otherwise when it is asked for the session that it has just shown. */
function differenceIn(session: Session, reply: WalkReply, at?: 'cart'): SessionDifference | null {
  if (isOutside(reply)) return null
  if (reply.is !== 'session') {
    // A refusal in the form of a session need not be kept.
    const isNone = session.lines?.length === 0 && session.messages.some(isError)
    return isNone && saysEnded(reply) ? null : { fact: 'error', found: replyText(reply) }
  }
  const read = reply.session
  // On its own a session goes forward alone: a payment is settled, a time is over.
  const isBack =
    (isOver(session.phase) && !isOver(read.phase)) ||
    (session.phase === 'ready' && read.phase === 'open')
  if (isBack) return { fact: 'status', found: statusesText(session, read) }
  return differenceOf(session, read, at) ?? lineIdsDiffer(session, read)
}

const isError = ({ kind }: Session['messages'][number]): boolean => kind === 'error'

const statusesText = ({ said }: Session, read: Session): string =>
  `The status was ${said ?? 'not stated'}, and is ${read.said ?? 'not stated'}.`
