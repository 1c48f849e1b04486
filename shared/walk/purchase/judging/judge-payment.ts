import { shown } from '../../../web/json/json.ts'
import type { TokenWanted } from '../../intents.ts'
import { isOver, isRefusedFor, type Session, type WalkReply } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import type { PurchaseState } from '../state.ts'
import { agreedIn, judgeCharge } from './judge-charge.ts'
import { judgeWords } from './judge-refusal.ts'
import { judgePhase } from './judge-reply.ts'
import { objectionsTo } from './judge-session.ts'
import { refusalWords, replyText, statusOf } from './reply-words.ts'

type JudgePayment = (state: PurchaseState, reply: WalkReply, notes: StepNotes) => void

/** Judge the result of a payment, by the token that it was made with. */
export const JUDGE_PAYMENT: Readonly<Record<TokenWanted, JudgePayment>> = {
  good: judgePaid,
  declined: judgeDeclined,
  challenged: judgeChallenged,
}

function judgePaid(state: PurchaseState, reply: WalkReply, notes: StepNotes): void {
  const { fields } = state.store.dialect
  if (reply.is === 'session') {
    const { id, phase, order } = reply.session
    if (phase === 'completed' && order !== null) {
      notes.conclude(`The order is ${order.id}.`, fields.order)
      notes.hold('takes_payment')
      if ([...state.paid].some(([paid, placed]) => paid !== id && placed.id === order.id)) {
        const found = `The order of another checkout is ${order.id} as well.`
        notes.fail('one_order', found, { field: fields.order })
        return
      }
      if (state.payment !== null) {
        const { last, wanted } = state.payment
        judgeCharge(agreedIn(last, wanted.option), reply.session, state.store.dialect, notes)
      }
    } else if (phase === 'completed') {
      notes.fail('takes_payment', 'It is completed, and names no order.', { field: fields.order })
    } else judgeUnpaid(state, reply.session, notes)
    return
  }
  notes.fail('takes_payment', replyText(reply), {
    field: fields.error,
    // A token that this PSP does not accept is for its owner to change.
    ...(isRefusedFor(reply, 'payment') && { party: 'agent' as const }),
  })
}

function judgeUnpaid(state: PurchaseState, session: Session, notes: StepNotes): void {
  const { fields } = state.store.dialect
  judgePhase(state, session, notes)
  if (notes.failed !== null || state.halt !== null) return
  const { phase, said } = session
  if (phase === 'challenge') {
    state.halt = { outcome: 'handed_over', why: 'The bank asks the buyer to confirm.' }
    return
  }
  const [declined] = objectionsTo(session, 'payment')
  notes.fail(
    'takes_payment',
    declined === undefined
      ? `After the payment the checkout is ${shown(said)}.`
      : `The store says: ${declined.text}`,
    {
      field: declined === undefined ? fields.status : fields.messages,
      ...(declined !== undefined && { party: 'agent' as const }),
    },
  )
}

function judgeDeclined(state: PurchaseState, reply: WalkReply, notes: StepNotes): void {
  const { fields } = state.store.dialect
  if (reply.is === 'refused' && reply.refusal.reason !== 'failed') {
    notes.conclude(`The store says: ${refusalWords(reply.refusal)}`, fields.error)
    notes.hold('decline_is_said')
    judgeWords(reply.refusal, notes, fields.error)
  } else if (reply.is === 'session' && reply.session.order === null) {
    const { phase } = reply.session
    const isSaid = objectionsTo(reply.session, 'payment').length > 0
    if (isSaid || phase === 'buyer' || phase === 'challenge') notes.hold('decline_is_said')
    else {
      notes.fail('decline_is_said', `No message says so${statusOf(reply.session)}.`, {
        field: fields.messages,
      })
    }
  } else if (reply.is === 'session') {
    // The token does not behave as its owner stated.
    notes.fail('decline_is_said', 'The payment was accepted.', { party: 'agent' })
  } else {
    notes.fail('decline_is_said', `It failed instead: ${replyText(reply)}`, {
      field: fields.error,
    })
  }
}

/** Judges the checkout after its payment was refused: another card may still pay it. */
export function judgeAfterDecline(state: PurchaseState, after: WalkReply, notes: StepNotes): void {
  if (after.is !== 'session') return
  const { phase, said } = after.session
  if (phase !== 'paying' && !isOver(phase)) return
  notes.fail('decline_is_said', `After the refusal the checkout is ${shown(said)}.`, {
    field: state.store.dialect.fields.status,
  })
}

function judgeChallenged(state: PurchaseState, reply: WalkReply, notes: StepNotes): void {
  const { fields } = state.store.dialect
  const phase = reply.is === 'session' ? reply.session.phase : null
  if (reply.is === 'session' && (phase === 'challenge' || phase === 'buyer')) {
    const { continue_url, said } = reply.session
    if (continue_url === null) {
      const found = `The checkout is ${shown(said)}, and does not say where the buyer goes on.`
      notes.fail('challenge_leads_on', found, { field: fields.continue_url })
      return
    }
    notes.hold('challenge_leads_on')
    notes.conclude(`The buyer goes on at ${continue_url}.`, fields.continue_url)
    return
  }
  if (isRefusedFor(reply, 'challenge', 'payment')) {
    notes.conclude(`The store says: ${replyText(reply)}`, fields.error)
    notes.hold('challenge_leads_on')
    return
  }
  const isPaid = reply.is === 'session' && reply.session.order !== null
  notes.fail(
    'challenge_leads_on',
    isPaid ? 'The payment was accepted without a challenge.' : replyText(reply),
    { field: fields.status, ...(isPaid && { party: 'agent' as const }) },
  )
}
