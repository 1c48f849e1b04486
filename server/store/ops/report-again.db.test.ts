import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import type { Db } from '../../db/connect.ts'
import type { StoreEvent } from '../checkout/deps.ts'
import { applyPaymentEvent } from '../checkout/payment-events.ts'
import { orders, refunds, sessions } from '../db/tables.ts'
import { moveOrder } from '../orders/moves.ts'
import { anOrder } from '../outbox/testing/receiver.ts'
import { acpAgent, NOON, testDeps, testStore, waitingForLocks } from '../testing/store.ts'
import { createRepeats } from './report-again.ts'
import { sessionOf } from './testing/rows.ts'

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

/** A session whose order is paid when the process dies: nothing is reported of it. */
async function payUnreported() {
  const id = await open()
  isDying = true
  await pay(id, 'tok_visa')
  isDying = false
  return id
}

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
  await createRepeats(deps).reportAgain()
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
  await createRepeats(deps).reportAgain()
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
  await createRepeats(deps).reportAgain()
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
  await createRepeats(deps).reportAgain()
  expect(reported.slice(before).map(({ session_id }) => session_id)).toEqual([first, second])
})

test('what is missed after the start is reported the next time, and what was reported is not', async () => {
  const repeats = createRepeats(deps)
  await repeats.reportAgain()
  const told = await open()
  await pay(told, 'tok_visa')
  later(8 * 86_400)
  await repeats.reportAgain()
  const missed = await payUnreported()
  later(3600)
  const before = reported.length
  await repeats.reportAgain()
  expect(reported.slice(before).map(({ session_id }) => session_id)).toEqual([missed])
})

test('where a read is killed, the next time makes up for it', async () => {
  const repeats = createRepeats(deps)
  await repeats.reportAgain()
  const missed = await payUnreported()
  later(3600)
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${orders} in access exclusive mode`)
    const killed = expect(repeats.reportAgain()).rejects.toThrow()
    await eventually(() => waitingForLocks(deps.db)).toBe(1)
    await tx.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    await killed
  })
  later(3600)
  expect(completedOf(missed)).toEqual([])
  await repeats.reportAgain()
  expect(completedOf(missed)).toHaveLength(1)
})

test('an order whose event was dropped is reported again, but no checkout that is not paid', async () => {
  const id = await open()
  await pay(id, 'tok_visa')
  later(8 * 86_400)
  const repeats = createRepeats(deps)
  const [event] = completedOf(id)
  const opened = reported.find((each) => each.session_id === id)
  const times = async () => {
    later(3600)
    await repeats.reportAgain()
    return completedOf(id).length
  }
  repeats.noteDropped(opened!)
  expect([opened?.event, await times()]).toEqual(['ai_checkout_initiated', 1])
  repeats.noteDropped(event!)
  expect([await times(), await times()]).toEqual([2, 2])
})

/** Orders that were paid one after the other, so many a second, until then. */
async function payOften(db: Db, perSecond: number, seconds: number, until: Date) {
  const paid = Array.from({ length: perSecond * seconds }, (_, index) =>
    anOrder({ paid_at: new Date(until.getTime() - (index * 1000) / perSecond) }),
  ).reverse()
  await db.insert(sessions).values(paid.map(sessionOf))
  await db.insert(orders).values(paid)
  return paid.map(({ session_id }) => session_id)
}

test('a store that sells much in the last minutes comes to the end of them', async () => {
  const { deps, reported } = await testDeps()
  const ids = await payOften(deps.db, 2, 10 * 60, NOON)
  const repeats = createRepeats(deps)
  const told: string[] = []
  while (told.at(-1) !== 'all' && told.length < 10) told.push(await repeats.reportAgain())
  expect(told).toEqual(['more', 'more', 'all'])
  expect([...new Set(reported.map(({ session_id }) => session_id))]).toEqual(ids)
})

test('what is committed before the end of a part that was told is reported the time after', async () => {
  let now = NOON
  const { deps, reported } = await testDeps({ now: () => now })
  await payOften(deps.db, 2, 5 * 60, NOON)
  const repeats = createRepeats(deps)
  expect(await repeats.reportAgain()).toBe('more')
  const late = anOrder({ paid_at: new Date(NOON.getTime() - 240_000) })
  await deps.db.insert(sessions).values(sessionOf(late))
  await deps.db.insert(orders).values(late)
  now = new Date(NOON.getTime() + 600_000)
  expect(await repeats.reportAgain()).toBe('all')
  const isTold = () => reported.some(({ session_id }) => session_id === late.session_id)
  expect(isTold()).toBe(false)
  await repeats.reportAgain()
  expect(isTold()).toBe(true)
})

test('what is too much for the queue is reported in parts, and all of it', async () => {
  const { deps, reported } = await testDeps()
  const { db } = deps
  const since = (seconds: number) => new Date(NOON.getTime() - DAY_MS + seconds * 1000)
  const paid = Array.from({ length: 1200 }, (_, second) => anOrder({ paid_at: since(second) }))
  await db.insert(sessions).values(paid.map(sessionOf))
  await db.insert(orders).values(paid)
  const refunded = Array.from({ length: 600 }, (_, second) => ({
    ...{ id: `refund_${second}`, order_id: paid[0]!.id, key: `${second}`, amount: 1 },
    ...{ currency: 'USD', status: 'succeeded' as const },
    ...{ created_at: NOON, settled_at: since(3600 + second) },
  }))
  await db.insert(refunds).values(refunded)
  const repeats = createRepeats(deps)
  const toldOf = (event: StoreEvent['event']) => [
    ...new Set(
      reported.flatMap((each) => (each.event === event ? JSON.stringify(untimed(each)) : [])),
    ),
  ]
  const perTime: number[] = []
  let told: 'more' | 'all' = 'more'
  while (told === 'more' && perTime.length < 10) {
    const before = reported.length
    told = await repeats.reportAgain()
    perTime.push(reported.length - before)
  }
  expect(told).toBe('all')
  // The queue holds a thousand.
  expect(Math.max(...perTime)).toBe(750)
  expect(toldOf('ai_checkout_completed').map((text) => JSON.parse(text).session_id)).toEqual(
    paid.map(({ session_id }) => session_id),
  )
  expect(toldOf('ai_order_refunded')).toHaveLength(600)
  // Nothing is missing now: the next time repeats the last minutes alone.
  const before = reported.length
  expect(await repeats.reportAgain()).toBe('all')
  expect(reported).toHaveLength(before)
  repeats.noteDropped(reported[0]!)
  expect(await repeats.reportAgain()).toBe('more')
})
