import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckoutSession, SessionItem, Tx } from '../../db/tables.ts'
import { orderOfSession, totalWith } from '../../orders/orders.ts'
import type { Charge } from '../../psp/psp.ts'
import { repriced } from '../../shop/prices.ts'
import { reserve } from '../../shop/stock.ts'
import {
  type CheckoutAnswer,
  type CheckoutRefusal,
  confirmationOf,
  refusalAnswer,
} from '../answers.ts'
import { withDeadline } from '../deadline.ts'
import type { CheckoutEvent, StoreDeps } from '../deps.ts'
import {
  claimKey,
  type EarlierAnswer,
  findAnswer,
  type IdempotentCall,
  saveAnswer,
} from '../idempotency.ts'
import { changeSession, chargeKey, isLost, lockSession } from '../sessions.ts'
import { closedRefusal, IN_FLIGHT, knownAnswer, NO_SESSION, unknownOption } from './open.ts'
import { checkoutEvent, settle, settleLost } from './settle.ts'

// Unspecified: how long a call waits for another one on the same session. Two seconds.
const POLLS = 20
const POLL_MS = 100

/** The buyer's word: pay this session so. */
export interface Completion {
  protocol: CheckoutSession['protocol']
  id: string
  /** Null where the agent sends no key: the session itself still makes one order at most. */
  keyed: IdempotentCall | null
  shippingOptionId: string | undefined
  payment: { type: string; token: string }
}

/**
 * Pays a session: the spec's confirmation, or why there is none. However many calls come at once,
 * with one key or with many, and wherever a process dies, there is one order and one charge: the
 * session's row lock lets one call reserve and charge, and its state tells the others so.
 */
export async function completeSession(
  deps: StoreDeps,
  completion: Completion,
): Promise<CheckoutAnswer> {
  const started = performance.now()
  let status = 500
  try {
    // What goes on after this goes on in the background: the next same request hears of it.
    const answer = await withDeadline(deps.answerMs, completeInTurn(deps, completion), () =>
      refusalAnswer(completion.protocol, { ...SLOW, retryAfter: 2 }),
    )
    status = answer.status
    return answer
  } finally {
    deps.observeCompletion?.((performance.now() - started) / 1000, status)
  }
}

/** Waits for its turn at the session, for so many polls. */
async function completeInTurn(deps: StoreDeps, completion: Completion): Promise<CheckoutAnswer> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const begun = await begin(deps, completion)
    if ('answer' in begun) return begun.answer
    if ('charge' in begun) return await pay(deps, begun.session, begun.charge)
    if ('lost' in begun) {
      const settled = await settleLost(deps, begun.lost).catch(() => null)
      if (settled === null)
        return refusalAnswer(completion.protocol, { ...IN_DOUBT, retryAfter: 2 })
    } else await sleep(POLL_MS)
  }
  return refusalAnswer(completion.protocol, { ...IN_FLIGHT, retryAfter: 1 })
}

/** An answer, a charge that is to be made, or the session that someone else is paying. */
type Begun =
  | { answer: CheckoutAnswer; told?: CheckoutEvent }
  | { session: CheckoutSession; charge: Charge }
  | { lost: CheckoutSession }
  | { busy: true }

async function begin(deps: StoreDeps, completion: Completion): Promise<Begun> {
  const begun = await deps.db.transaction((tx) => beginLocked(tx, deps, completion))
  if ('answer' in begun && begun.told) deps.report(begun.told)
  if ('charge' in begun) await deps.onStep?.('reserved')
  return begun
}

async function beginLocked(tx: Tx, deps: StoreDeps, completion: Completion): Promise<Begun> {
  const { protocol, id, keyed } = completion
  const session = await lockSession(tx, id)
  if (session?.protocol !== protocol) return { answer: refusalAnswer(protocol, NO_SESSION) }
  await deps.onStep?.('locked')
  // Not before: the lock may have been waited for.
  const now = deps.now()
  const known = keyed && (await findAnswer(tx, keyed, now))
  if (known && (known.is === 'conflict' || (known.is === 'known' && known.answer))) {
    return { answer: await answerAgain(tx, session, known) }
  }
  const faulty = faultOf(deps, session, completion)
  if (faulty) return { answer: refusalAnswer(protocol, faulty) }
  if (session.status === 'completing') {
    return isLost(session, now) ? { lost: session } : { busy: true }
  }
  const begun = await reserveOrConclude(tx, session, completion, now)
  if (keyed && (begun.isKept || 'charge' in begun)) await claimKey(tx, keyed, now)
  if (keyed && begun.isKept && 'answer' in begun) await saveAnswer(tx, keyed, begun.answer)
  return begun
}

/** The answer that the key has. One of a payment under way is given as the order stands by now. */
async function answerAgain(
  tx: Tx,
  session: CheckoutSession,
  known: EarlierAnswer,
): Promise<CheckoutAnswer> {
  const { protocol } = session
  const kept = knownAnswer(protocol, known)
  const order = kept.status === 202 ? await orderOfSession(tx, session.id) : undefined
  if (order === undefined || order.status === 'awaiting_payment') return kept
  return order.status === 'payment_failed'
    ? refusalAnswer(protocol, FAILED_LATER)
    : confirmationOf(protocol, order)
}

const FAILED_LATER = {
  code: 'declined',
  message: 'The payment failed. Pay with another token and a new idempotency key.',
} as const

/** Reserves what is bought and makes the charge, or says why not; `isKept` for the same key. */
async function reserveOrConclude(
  tx: Tx,
  session: CheckoutSession,
  { protocol, shippingOptionId, payment }: Completion,
  now: Date,
): Promise<Exclude<Begun, { lost: CheckoutSession } | { busy: true }> & { isKept: boolean }> {
  const order = session.status === 'completed' ? await orderOfSession(tx, session.id) : undefined
  // Whoever asks again, even with another key or none, is told of the order that there is.
  if (order) return { answer: confirmationOf(protocol, order), isKept: true }
  const closed = await closedRefusal(tx, session, now)
  if (closed) return { answer: refusalAnswer(protocol, closed), isKept: true }

  if (session.declines >= MAX_DECLINES) {
    const retryAfter = Math.ceil((session.expires_at.getTime() - now.getTime()) / 1000)
    return { answer: refusalAnswer(protocol, { ...TOO_MANY_DECLINES, retryAfter }), isKept: false }
  }

  // Spec: ACP's option is "applied if not set in an earlier update". UCP has no update.
  const optionId = session.shipping_option_id ?? shippingOptionId
  const option = session.shipping_options.find((each) => each.id === optionId)
  if (option === undefined) {
    return { answer: refusalAnswer(protocol, unknownOption(session)), isKept: false }
  }
  const changed = await repriced(tx, session.items)
  if (changed.length > 0) {
    await changeSession(tx, session, 'expire')
    return { answer: refusalAnswer(protocol, pricesChanged(changed)), isKept: true }
  }
  const short = await reserve(tx, session.items)
  if (short.length > 0) {
    const told = checkoutEvent('ai_checkout_failed', session, now)
    return { answer: refusalAnswer(protocol, outOfStock(session, short)), told, isKept: true }
  }
  const amount = totalWith(session, option)
  const charge: Charge = {
    ...payment,
    amount: { amount, currency: session.currency },
    idempotencyKey: chargeKey(session),
    sessionId: session.id,
  }
  const change = { completing_since: now, confirmed_option_id: option.id }
  return { session: await changeSession(tx, session, 'charge', change), charge, isKept: false }
}

// Unspecified: how many tries one session has. Ten: who tries more is testing stolen cards.
const MAX_DECLINES = 10

const TOO_MANY_DECLINES = {
  code: 'rate_limited',
  message: 'Too many payments were declined for this checkout. Create a new one.',
} as const

/** What is wrong with the call itself, whatever the session's state. */
function faultOf(
  deps: StoreDeps,
  session: CheckoutSession,
  completion: Completion,
): CheckoutRefusal | null {
  const { keyed, payment } = completion
  if (keyed && keyed.key === session.create_key) {
    return {
      code: 'invalid',
      message: 'The idempotency key must differ from the one used to create the checkout.',
    }
  }
  const { methods } = deps.psp
  return methods.includes(payment.type)
    ? null
    : { code: 'invalid', message: `Set payment_method.type to one of ${methods.join(', ')}.` }
}

function outOfStock(session: CheckoutSession, short: readonly string[]): CheckoutRefusal {
  const names = session.items
    .filter(({ product_id, variant_id }) => short.includes(variant_id ?? product_id))
    .map(({ name }) => name)
  return {
    code: 'out_of_stock',
    message: `Sold out in the meantime: ${names.join(', ')}. Nothing was charged.`,
    items: [...short],
  }
}

// Unspecified: a price that changed since the session was created. The total that the buyer saw is
// no longer true, and no other may be charged unseen: the session ends as if its time were over.
const pricesChanged = (items: readonly SessionItem[]): CheckoutRefusal => ({
  code: 'session_expired',
  message:
    `The price of ${items.map(({ name }) => name).join(', ')} has changed since this checkout was ` +
    'opened, and nothing was charged. Create a new one, and show the buyer its total.',
})

/**
 * Charges outside of any transaction. A PSP that leaves us in doubt is asked what became of the
 * charge.
 */
async function pay(
  deps: StoreDeps,
  session: CheckoutSession,
  charge: Charge,
): Promise<CheckoutAnswer> {
  const result = await deps.psp.charge(charge).catch(() => null)
  await deps.onStep?.('charged')
  const settled = result ? settle(deps, session, result) : settleLost(deps, session)
  return settled.catch(() => refusalAnswer(session.protocol, { ...IN_DOUBT, retryAfter: 2 }))
}

const IN_DOUBT = {
  code: 'payment_unknown',
  message: 'We cannot tell yet whether the payment went through. Send the same request again.',
} as const

const SLOW = {
  code: 'idempotency_in_flight',
  message:
    'The payment is taking longer than usual. Send the same request again to get its result.',
} as const
