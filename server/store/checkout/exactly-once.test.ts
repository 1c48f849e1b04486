import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { program } from '../../testing/program.ts'
import { orders, sessions, webhook_deliveries, webhook_endpoints } from '../db/tables.ts'
import { sweep } from '../ops/sweeper.ts'
import { createStripePsp } from '../psp/stripe/stripe.ts'
import { startTestPsp } from '../psp/test/server.ts'
import { acpAgent, stockOf, testStore } from '../testing/store.ts'
import type { CompletionStep } from './deps.ts'
import { LOST_MS } from './sessions.ts'

const STORE = await program('test-store')
const webhookSecret = 'whsec_test'
const bank = await startTestPsp({ webhookSecret })
afterAll(() => bank.close())

const { host, port, secretKey } = bank
const access = { secretKey, webhookSecrets: [webhookSecret], host, port, protocol: 'http' as const }
let late = 0
const { deps, send, url } = await testStore(
  {},
  { psp: createStripePsp(access), now: () => new Date(Date.now() + late) },
)
const { db } = deps
await db.insert(webhook_endpoints).values({
  id: 'listener',
  url: 'https://listener.example/',
  secret: 'whsec_bGlzdGVuZXI=',
  events: ['order.confirmed'],
  created_at: deps.now(),
})

const { newKey, create, open, complete } = acpAgent(send)
const of = (product_id: string) => ({ items: [{ product_id, quantity: 1 }] })

/** What there is of a session: orders, charges, and rows of the outbox. */
const traces = async (id: string) => {
  const made = await db.select().from(orders).where(eq(orders.session_id, id))
  const told = await db.select().from(webhook_deliveries)
  return {
    orders: made.length,
    charges: bank.charges().filter(({ metadata }) => metadata.session_id === id).length,
    told: told.filter(({ payload }) => made.some((order) => payload.includes(order.id))).length,
  }
}
const ONE = { orders: 1, charges: 1, told: 1 }

describe('fifty completes of one session at once: one order, one charge, one event', () => {
  test.each([
    ['with one key', () => 'the-key'],
    ['with fifty keys', newKey],
  ])('%s', async (_, keyOf) => {
    await stockOf(deps, 'ao-1101').setPieces(10)
    const id = await open(of('ao-1101'))
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => complete(id, { idempotency_key: keyOf() })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await traces(id)).toEqual(ONE)
    expect(await stockOf(deps, 'ao-1101').pieces()).toBe(9)
  })
})

test('fifty creates with one key at once: one session', async () => {
  const before = await db.$count(sessions)
  const idempotency_key = newKey()
  const answers = await Promise.all(Array.from({ length: 50 }, () => create({ idempotency_key })))
  expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
  expect(await db.$count(sessions)).toBe(before + 1)
})

test('fifty sessions for the last three pieces: three orders, three charges, none left', async () => {
  await stockOf(deps, 'ao-1102').setPieces(3)
  const ids = await Promise.all(Array.from({ length: 50 }, () => open(of('ao-1102'))))
  const charged = bank.charges().length
  const answers = await Promise.all(ids.map((id) => complete(id, { idempotency_key: newKey() })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(47)
  const all = await Promise.all(ids.map(traces))
  expect(all.filter(({ orders: made }) => made === 1)).toEqual([ONE, ONE, ONE])
  expect(bank.charges().length - charged).toBe(3)
  expect(await stockOf(deps, 'ao-1102').pieces()).toBe(0)
})

describe('a process killed in the middle, then the same call again', () => {
  /** A store of its own on the same database, which dies at this step. */
  async function dieAt(step: CompletionStep, id: string, key: string) {
    const config = { databaseUrl: url, psp: access, dieAt: step }
    const child = spawn(process.execPath, [STORE, JSON.stringify(config)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    const [said] = await once(child.stdout, 'data')
    await expect(
      fetch(`http://127.0.0.1:${Number(said)}/acp/checkout/${id}/complete`, {
        method: 'POST',
        body: JSON.stringify({
          payment_method: { type: 'card', token: 'tok_visa' },
          shipping_option_id: 'standard',
          idempotency_key: key,
        }),
      }),
    ).rejects.toThrow()
    expect((await exited)[1]).toBe('SIGKILL')
  }

  test.each<[CompletionStep, number]>([
    ['locked', 200],
    ['reserved', 409],
    ['charged', 409],
    ['ordered', 409],
    ['committed', 200],
  ])('%s', async (step, meanwhile) => {
    late = 0
    await stockOf(deps, 'ao-1103').setPieces(5)
    const id = await open(of('ao-1103'))
    const key = newKey()
    await dieAt(step, id, key)
    // The dead may be only slow: for half a minute nobody takes its place.
    const early = await complete(id, { idempotency_key: key })
    expect(early.status).toBe(meanwhile)
    if (meanwhile === 409) {
      expect(JSON.parse(early.body).code).toBe('idempotency_in_flight')
      expect(early.headers.get('retry-after')).toBe('1')
    }
    late = LOST_MS
    const again = await complete(id, { idempotency_key: key })
    expect(again.status).toBe(200)
    expect((await complete(id, { idempotency_key: newKey() })).body).toBe(again.body)
    expect(await traces(id)).toEqual(ONE)
    expect(await stockOf(deps, 'ao-1103').pieces()).toBe(4)
  })

  test.each<[CompletionStep, string, number]>([
    ['reserved', 'pending_confirmation', 5],
    ['charged', 'completed', 4],
    ['ordered', 'completed', 4],
  ])('%s, and the sweeper comes first', async (step, status, left) => {
    late = 0
    await stockOf(deps, 'ao-1104').setPieces(5)
    const id = await open(of('ao-1104'))
    const key = newKey()
    await dieAt(step, id, key)
    await sweep(deps)
    const find = async () => (await db.select().from(sessions).where(eq(sessions.id, id)))[0]
    expect((await find())?.status).toBe('completing')
    late = LOST_MS
    await Promise.all([sweep(deps), sweep(deps), sweep(deps)])
    expect((await find())?.status).toBe(status)
    expect(await stockOf(deps, 'ao-1104').pieces()).toBe(left)
    expect((await complete(id, { idempotency_key: key })).status).toBe(200)
    expect(await traces(id)).toEqual(ONE)
    expect(await stockOf(deps, 'ao-1104').pieces()).toBe(4)
  })
})
