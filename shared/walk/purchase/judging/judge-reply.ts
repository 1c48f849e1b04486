import { shown } from '../../../web/json/json.ts'
import type { ExpectationId } from '../../expectations.ts'
import { itemOf } from '../../goods.ts'
import type { Hope } from '../../intents.ts'
import { isRefusedFor, type Reason, type Session, type WalkReply } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import type { PurchaseState } from '../state.ts'
import { failOutside, holdRefused } from './judge-refusal.ts'
import { judgeSession, objectionsTo } from './judge-session.ts'
import { isOutside } from './reply-kinds.ts'
import { messageText, refusalWords, replyText, statusOf } from './reply-words.ts'

/** What an answer is judged by. */
interface Judged {
  notes: StepNotes
  hope: Hope
  /** The expectation that the answer shows, besides that a session can be opened or changed. */
  purpose: ExpectationId | null
  isOpening: boolean
  /** What was asked for. */
  of: 'checkout' | 'cart'
}

/** The goods are listed, but cannot be bought. */
const GONE: readonly Reason[] = ['sold_out', 'unknown_item']

/** Judges the answer to an opening or a change by what the buyer hoped for. */
export function judgeReply(
  state: PurchaseState,
  reply: WalkReply,
  {
    notes,
    hope = 'accepted',
    purpose = null,
    isOpening = false,
    of = 'checkout',
  }: Partial<Judged> & Pick<Judged, 'notes'>,
): void {
  const { learnt, dialect } = state.store
  const { fields } = dialect
  if (reply.is === 'session') {
    if (isOpening) learnt.refusal = null
    else learnt.refusedChange = null
    judgeAccepted(state, reply.session, { notes, hope, purpose, isOpening, of })
    return
  }
  if (isOutside(reply)) {
    failOutside(reply, notes)
    return
  }
  if (hope === 'accepted' || purpose === null) {
    failRefused(state, reply, notes, isOpening)
    return
  }
  if (haltIfRefusedAlike(state, reply, notes, isOpening)) return
  if (reply.is === 'refused' && reply.refusal.reason !== 'failed') {
    holdRefused(reply.refusal, purpose, notes, fields.error)
    return
  }
  // Not a wrong acceptance: only the words of the refusal are wrong.
  const unmet = typeof hope === 'object' ? 'errors_explain' : purpose
  notes.fail(unmet, `It failed instead: ${replyText(reply)}`, { field: fields.error })
}

/** A refusal in the words of that of something sound shows nothing, and ends the purchase. */
export function haltIfRefusedAlike(
  state: PurchaseState,
  reply: WalkReply,
  notes: StepNotes,
  isOpening = false,
): boolean {
  const { refusal, refusedChange = null } = state.store.learnt
  const words = reply.is === 'refused' ? refusalWords(reply.refusal) : null
  if (words === null || words !== (isOpening ? refusal : refusedChange)) return false
  const sound = isOpening ? 'A basket of goods in stock' : 'A sound change'
  const why = `${sound} is refused in the same words: ${words}`
  notes.conclude(why)
  state.halt = { outcome: 'not_walked', why }
  return true
}

function judgeAccepted(
  state: PurchaseState,
  session: Session,
  { notes, hope, purpose, isOpening, of }: Judged,
): void {
  const { store, wanted, goods, deps } = state
  const { dialect } = store
  if (hope === 'accepted') {
    const gone = objectionsTo(session, ...GONE).find(({ kind }) => kind === 'error')
    if (gone?.reason === 'unknown_item' && state.goods.some(({ isUnlisted }) => isUnlisted)) {
      haltUnsold(state, messageText(gone), notes)
      return
    }
    if (gone !== undefined) {
      notes.fail('variant_can_be_bought', `${listedAs(state)} ${messageText(gone)}`, {
        field: dialect.fields.messages,
      })
      return
    }
    if (isOpening) {
      notes.hold('variant_can_be_bought')
      notes.hold('session_opens')
    }
  }
  if (purpose !== null) {
    if (typeof hope === 'object' && !isRefusedWithin(state, session, hope.refused)) {
      notes.fail(purpose, `The store accepted it${statusOf(session)}.`, {
        field: dialect.fields.status,
      })
      return
    }
    notes.hold(purpose)
  }
  const now = deps.now().getTime()
  const isLenient = purpose !== null
  const listed = store.goods
  judgeSession(session, { dialect, of, wanted, goods, listed, isOpening, now, isLenient }, notes)
  if (notes.failed === null) judgePhase(state, session, notes)
}

/** A session in which the store refuses its subject, or leaves it out. */
function isRefusedWithin(
  { wanted }: PurchaseState,
  session: Session,
  reasons: readonly Reason[],
): boolean {
  if (objectionsTo(session, ...reasons).length > 0) return true
  const { lines, messages } = session
  const asked = wanted.lines[0]
  const hasLess =
    lines !== null &&
    asked !== undefined &&
    !lines.some(({ item, quantity }) => item === itemOf(asked) && quantity === asked.quantity)
  // Errors about missing information object to nothing.
  return hasLess && messages.some(({ kind, reason }) => kind !== 'error' || reason !== null)
}

/** Judges what every session shows about its next steps. */
export function judgePhase(
  state: PurchaseState,
  { phase, continue_url, said }: Session,
  notes: StepNotes,
): void {
  const { fields } = state.store.dialect
  if (phase !== 'buyer') return
  if (continue_url === null) {
    notes.fail('leads_the_buyer_on', `The checkout is ${shown(said)}, without a continue_url.`, {
      field: fields.continue_url,
    })
    return
  }
  notes.hold('leads_the_buyer_on')
  notes.conclude(`The buyer goes on at ${continue_url}.`, fields.continue_url)
  state.halt = {
    outcome: 'handed_over',
    why: 'The store leads the buyer to its own pages, as the protocol has it.',
  }
}

/** The store should have accepted this, and did not. */
function failRefused(
  state: PurchaseState,
  reply: WalkReply,
  notes: StepNotes,
  isOpening: boolean,
): void {
  const { dialect, learnt } = state.store
  const more = { field: dialect.fields.error }
  const text = replyText(reply)
  if (reply.is === 'refused') {
    learnt[isOpening ? 'refusal' : 'refusedChange'] = refusalWords(reply.refusal)
  }
  if (isOpening && isUnknownHere(state, reply)) haltUnsold(state, text, notes)
  else if (isOpening && isRefusedFor(reply, 'invalid') && dialect.assumed !== undefined) {
    // Unspecified: if a store does not state its version, a refusal to read our request is not its
    // fault.
    const why = `${dialect.assumed} It refuses that form: ${text}`
    notes.conclude(why)
    state.halt = { outcome: 'not_walked', why }
  } else if (isRefusedFor(reply, ...GONE)) {
    notes.fail('variant_can_be_bought', `${listedAs(state)} ${text}`, more)
  } else if (isRefusedFor(reply, 'address', 'shipping')) {
    // A store decides where it ships to; our sample address is not its customer.
    notes.conclude(`The store does not ship to our sample address: ${text}`)
    state.halt = {
      outcome: 'not_walked',
      why: `The store does not take our sample address: ${text}`,
    }
  } else notes.fail(isOpening ? 'session_opens' : 'changes_count', text, more)
}

/** A store need not sell what was typed in: the refusal is of that, or names it. */
const isUnknownHere = ({ goods }: PurchaseState, reply: WalkReply): boolean =>
  reply.is === 'refused' &&
  reply.refusal.reason !== 'failed' &&
  goods.some(
    (good) =>
      good.isUnlisted === true &&
      (reply.refusal.reason === 'unknown_item' || reply.refusal.text?.includes(itemOf(good))),
  )

function haltUnsold(state: PurchaseState, text: string, notes: StepNotes): void {
  const why = `The store does not sell ${state.goods[0]?.name}, which nothing that was read lists: ${text}`
  notes.conclude(why)
  state.halt = { outcome: 'not_walked', why }
}

function listedAs({ goods: [good] }: PurchaseState): string {
  const availability = good?.availability ?? null
  const as = availability === null ? '' : ` as ${availability}`
  return `The catalog lists ${good?.name ?? 'it'}${as}, and the store says:`
}
