import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { StoreEvent } from '../checkout/deps.ts'
import { applyPaymentEvent } from '../checkout/payment-events.ts'
import { orders } from '../db/tables.ts'
import { moveOrder } from '../orders/moves.ts'
import { acpAgent, NOON, testStore } from '../testing/store.ts'
import { reportAgain } from './report-again.ts'

let at = NOON.getTime()
let isDying = false
const { deps, bank, reported, send } = await testStore(
  {},
  {
    now: () => new Date(at),
    onStep: (step) => {
      if (isDying && step === 'committed') throw new Error('died')
    },
  },
)
const { open, pay } = acpAgent(send)

const later = (seconds: number) => {
  at += seconds * 1000
}

const completedOf = (id: string) =>
  reported.filter((event) => event.event === 'ai_checkout_completed' && event.session_id === id)

/** The event without how long its completion took. */
const untimed = ({ properties, ...event }: StoreEvent) => {
  const { duration_ms: _, ...rest } = properties as Record<string, unknown>
  return { ...event, properties: rest }
}

const orderOf = async (id: string) => {
  const [order] = await deps.db.select().from(orders).where(eq(orders.session_id, id))
  return order!
}

/** The bank's word of the session's last payment, by its webhook. */
const hear = (id: string, type: 'payment_intent.succeeded' | 'payment_intent.payment_failed') =>
  applyPaymentEvent(deps, 'scripted', {
    ...{ id: crypto.randomUUID(), type, name: type, sessionId: id, amount: null },
    paymentId: bank.charges.findLast(({ sessionId }) => sessionId === id)?.result.paymentId ?? null,
  })

test('an order that was paid when the store died is reported at the next start', async () => {
  const id = await open({ ai_surface: 'chat_assistant' })
  isDying = true
  await pay(id, 'tok_visa')
  isDying = false
  const { total } = await orderOf(id)
  const paidAt = new Date(at)
  expect(completedOf(id)).toEqual([])
  later(60)
  await reportAgain(deps)
  expect(completedOf(id)).toEqual([
    {
      event: 'ai_checkout_completed',
      domain: 'shop.example',
      session_id: id,
      source: 'acp',
      ai_surface: 'chat_assistant',
      properties: { value: total, currency: 'USD' },
      timestamp: paidAt.toISOString(),
    },
  ])
})

test('a repeat says what the first report did, whatever became of the order since', async () => {
  const atOnce = await open()
  await pay(atOnce, 'tok_visa')
  const byWebhook = await open({ ai_surface: 'chat_assistant' })
  await pay(byWebhook, 'tok_pending')
  later(90)
  await hear(byWebhook, 'payment_intent.succeeded')
  const atSecondTry = await open()
  await pay(atSecondTry, 'tok_pending')
  await hear(atSecondTry, 'payment_intent.payment_failed')
  later(90)
  await pay(atSecondTry, 'tok_visa')
  later(90)
  await moveOrder(deps, (await orderOf(atOnce)).id, 'shipped')
  await moveOrder(deps, (await orderOf(byWebhook)).id, 'canceled')
  await reportAgain(deps)
  for (const id of [atOnce, byWebhook, atSecondTry]) {
    const [first, ...again] = completedOf(id)
    expect(again).toEqual([untimed(first!)])
  }
})

test('what is not paid is not reported', async () => {
  const waiting = await open()
  await pay(waiting, 'tok_pending')
  const failed = await open()
  await pay(failed, 'tok_pending')
  await hear(failed, 'payment_intent.payment_failed')
  await reportAgain(deps)
  expect([completedOf(waiting), completedOf(failed)]).toEqual([[], []])
})

test('orders of a week are reported again, oldest first, and none that are older', async () => {
  const old = await open()
  await pay(old, 'tok_visa')
  later(7 * 86_400)
  const first = await open()
  await pay(first, 'tok_visa')
  later(1)
  const second = await open()
  await pay(second, 'tok_visa')
  const before = reported.length
  await reportAgain(deps)
  expect(reported.slice(before).map(({ session_id }) => session_id)).toEqual([first, second])
})
