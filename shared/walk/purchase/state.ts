import { Money } from '../../commerce/product.ts'
import { shown } from '../../web/json/json.ts'
import type { WalkDialect } from '../dialect.ts'
import { goesOn } from '../expectations.ts'
import type { Good } from '../goods.ts'
import type { BuyerIntent, IntentId } from '../intents.ts'
import type { BuyerOperation, Completing, Opening, Wanted } from '../operation.ts'
import { isOver, type Session, type WalkReply } from '../session.ts'
import type { StepNotes } from '../step-notes.ts'
import type { PlacedOrder, Purchase, Unmet, WalkStep } from '../transcript.ts'
import type { PurchaseDeps, Storefront } from './deps.ts'

/** A purchase in progress: its steps so far, and what the next one starts from. */
export interface PurchaseState {
  readonly intent: BuyerIntent & { id: IntentId }
  readonly store: Storefront
  readonly deps: PurchaseDeps
  readonly steps: WalkStep[]
  readonly orders: PlacedOrder[]
  /** The order, by the checkout that it was paid in. */
  readonly paid: Map<string, PlacedOrder>
  readonly leftOpen: Purchase['left_open']
  /** Ids of the sessions to cancel at the end. */
  readonly openSessions: Map<string, OpenSession>
  goods: readonly Good[]
  wanted: Wanted
  /** What the session holds, as far as the store accepted it. */
  accepted: Wanted
  session: Session | null
  /** The cart that is filled, as the store last showed it. */
  cart: Session | null
  /** The last total that an open session or an order stated. */
  charge: Money | null
  /** The last opening and the last payment that were sent: they may be sent once more. */
  opening: Opening | null
  payment: Completing | null
  halt: Halt | null
}

interface OpenSession {
  /** When the session ends by itself. */
  until: string | null
  /** The store was asked to keep nothing. */
  isDryRun: boolean
  /** Its payment is in progress: with the bank, or until the buyer confirms it. */
  isPaying: boolean
}

/** Why a purchase stops without a failed step. */
interface Halt {
  outcome: 'handed_over' | 'not_walked'
  why: string
}

/** A purchase of these goods before its first step. */
export function beginPurchase(
  intent: PurchaseState['intent'],
  { store, deps, goods }: Pick<PurchaseState, 'store' | 'deps' | 'goods'>,
): PurchaseState {
  const nothing = { lines: [], address: null, option: null, coupon: null }
  const wanted = { ...nothing, currency: currencyOf({ store, goods }) }
  return {
    intent,
    store,
    deps,
    steps: [],
    orders: [],
    paid: new Map(),
    leftOpen: [],
    openSessions: new Map(),
    goods,
    wanted,
    accepted: wanted,
    session: null,
    cart: null,
    charge: null,
    opening: null,
    payment: null,
    halt: null,
  }
}

/** The currency of a purchase. */
export const currencyOf = ({ store, goods }: Pick<PurchaseState, 'store' | 'goods'>): string =>
  goods[0]?.price?.currency ?? store.currency

/** The first unmet expectation; null while all were met. */
export const firstUnmet = ({ steps }: Pick<PurchaseState, 'steps'>): Unmet | null =>
  steps.find((step) => step.failed !== null)?.failed ?? null

/** Whether an unmet expectation ends the purchase. */
export const isStopped = ({ steps }: Pick<PurchaseState, 'steps'>): boolean =>
  steps.some(({ failed }) => failed !== null && !goesOn(failed))

/** Performs an operation as a part of the step of `notes`. */
export async function ask(
  { deps, store }: PurchaseState,
  operation: BuyerOperation,
  notes: StepNotes,
  how?: { lose?: boolean },
): Promise<WalkReply> {
  const { exchanges, reply, echo = null, signature } = await deps.perform(operation, how)
  notes.exchanged(exchanges)
  if (reply.is === 'session') judgeAnswer(operation, reply.session, echo, store.dialect, notes)
  if (signature === 'valid') notes.hold('terms_are_signed')
  // What is cancelled binds no one: only its opening is told.
  else if (signature !== undefined && operation.op !== 'cancel') {
    notes.fail('terms_are_signed', UNSIGNED[signature], { field: 'ap2.merchant_authorization' })
  }
  return reply
}

const UNSIGNED = {
  missing: 'Mandates were agreed on, and the checkout is not signed.',
  invalid: 'No key of the store’s profile verifies the signature of this checkout.',
}

/** What every answer with a session has to keep. */
function judgeAnswer(
  operation: BuyerOperation,
  { id }: Session,
  echo: string | null,
  { fields }: WalkDialect,
  notes: StepNotes,
): void {
  if (echo !== null) {
    const found = 'The answer repeats the token that the payment was made with.'
    notes.fail('credential_is_kept', found, { field: echo })
  } else if (operation.op === 'complete') notes.hold('credential_is_kept')
  if ('id' in operation && id !== null && id !== operation.id) {
    const found = `The checkout ${shown(operation.id)} was asked for, and ${shown(id)} was answered.`
    notes.fail('is_read_as_answered', found, { field: fields.id })
  }
}

/** Goes on with the session of an answer; it has to be ended later. */
export function rememberSession(state: PurchaseState, reply: WalkReply, isDryRun = false): void {
  if (reply.is !== 'session') return
  const { session } = reply
  const { openSessions } = state
  state.session = session
  const { total, currency, phase } = session
  const charge = Money.safeParse({ amount: total, currency: currency?.toUpperCase() })
  if (charge.success && phase !== 'canceled' && phase !== 'expired') state.charge = charge.data
  const { id } = session
  if (id === null) return
  if (isOver(session.phase)) openSessions.delete(id)
  else {
    openSessions.set(id, {
      until: session.expires_at,
      isDryRun: isDryRun || openSessions.get(id)?.isDryRun === true,
      isPaying: session.phase === 'paying' || session.phase === 'challenge',
    })
  }
}

/** Remembers the order of an answer: it is read later, and its owner has to refund it. */
export function rememberOrder({ orders, paid }: PurchaseState, reply: WalkReply): void {
  if (reply.is !== 'session' || reply.session.order === null) return
  const { id: session, order } = reply.session
  const known = orders.find(({ id }) => id === order.id)
  const placed = known ?? { ...order, cancelled: false }
  if (known === undefined) orders.push(placed)
  if (session !== null) paid.set(session, placed)
}
