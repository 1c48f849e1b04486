import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { program } from '../../testing/program.ts'
import {
  idempotency_keys,
  orders,
  sessions,
  webhook_deliveries,
  webhook_endpoints,
} from '../db/tables.ts'
import { sweep } from '../ops/sweeper.ts'
import { createStripePsp } from '../psp/stripe/stripe.ts'
import { startTestPsp } from '../psp/test/server.ts'
import { BUYERS, DIALECTS, type Dialect } from '../testing/buyers.ts'
import { AGENT_PROFILE, stockOf, testStore } from '../testing/store.ts'
import type { CompletionStep } from './deps.ts'
import { LOST_MS } from './sessions.ts'

const STORE = await program('test-store')
const bank = await startTestPsp({ webhookSecret: 'whsec_test' })
afterAll(() => bank.close())

const { access } = bank
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

const newKey = () => crypto.randomUUID()

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

/** What a call with a new key may be told of a session that is paid: official UCP ends it (409). */
const afterwards = (dialect: Dialect) =>
  dialect.startsWith('official UCP') ? ['paid', 'over'] : ['paid']

describe.each(DIALECTS)('%s', (dialect) => {
  const { create, open, complete } = BUYERS[dialect](send)

  test('fifty completes with one key at once: one order, one charge, one event', async () => {
    await stockOf(deps, 'ao-1101').setPieces(10)
    const id = await open('ao-1101')
    const answers = await Promise.all(Array.from({ length: 50 }, () => complete(id, 'the-key')))
    expect(new Set(answers.map(({ reads }) => reads))).toEqual(new Set(['paid']))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await traces(id)).toEqual(ONE)
    expect(await stockOf(deps, 'ao-1101').pieces()).toBe(9)
  })

  test('fifty completes with fifty keys at once: the same', async () => {
    await stockOf(deps, 'ao-1101').setPieces(10)
    const id = await open('ao-1101')
    const answers = await Promise.all(Array.from({ length: 50 }, () => complete(id, newKey())))
    for (const { reads } of answers) expect(afterwards(dialect)).toContain(reads)
    expect(new Set(answers.flatMap(({ order }) => order ?? [])).size).toBe(1)
    expect(await traces(id)).toEqual(ONE)
    expect(await stockOf(deps, 'ao-1101').pieces()).toBe(9)
  })

  test('fifty creates with one key at once: one session', async () => {
    const before = await db.$count(sessions)
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(key)))
    expect(new Set(answers).size).toBe(1)
    expect(await db.$count(sessions)).toBe(before + 1)
  })
})

/** One session of each dialect, ready to be paid, with the key to pay it with. */
const openInAll = (product: string, times = 1) =>
  Promise.all(
    DIALECTS.flatMap((dialect) =>
      Array.from({ length: times }, async () => ({
        dialect,
        id: await BUYERS[dialect](send).open(product),
        key: newKey(),
      })),
    ),
  )
type Opened = Awaited<ReturnType<typeof openInAll>>[number]
const pay = ({ dialect, id, key }: Opened) => BUYERS[dialect](send).complete(id, key)

test('fifty sessions of all dialects for the last three pieces: three orders, none left', async () => {
  await stockOf(deps, 'ao-1102').setPieces(3)
  const opened = await openInAll('ao-1102', 10)
  const charged = bank.charges().length
  const answers = await Promise.all(opened.map(pay))
  const times = Object.groupBy(answers, ({ reads }) => reads)
  expect(times.paid).toHaveLength(3)
  expect(times['sold out']).toHaveLength(opened.length - 3)
  const all = await Promise.all(opened.map(({ id }) => traces(id)))
  expect(all.filter(({ orders: made }) => made === 1)).toEqual([ONE, ONE, ONE])
  expect(bank.charges().length - charged).toBe(3)
  expect(await stockOf(deps, 'ao-1102').pieces()).toBe(0)
})

describe('a process killed in the middle, then the same call again', () => {
  /** A store of its own on the same database, which dies when all of these are at this step. */
  async function dieAt(step: CompletionStep, opened: readonly Opened[]) {
    const config = { databaseUrl: url, psp: access, dieAt: step, completions: opened.length }
    const child = spawn(process.execPath, [STORE, JSON.stringify(config)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    const [said] = await once(child.stdout, 'data')
    const sendThere: typeof send = async (
      method,
      path,
      body,
      shop = 'shop.example',
      given = {},
    ) => {
      const named = { 'ucp-agent': `profile="${AGENT_PROFILE}"`, 'x-forwarded-host': shop }
      const headers = { ...named, ...given }
      const sent = typeof body === 'string' ? body : JSON.stringify(body)
      const at = `http://127.0.0.1:${Number(said)}${path}`
      const { status, headers: back } = await fetch(at, { method, headers, body: sent })
      return { status, headers: back, body: '', waited: [] }
    }
    await Promise.all(
      opened.map(({ dialect, id, key }) =>
        expect(BUYERS[dialect](sendThere).complete(id, key)).rejects.toThrow('fetch failed'),
      ),
    )
    expect((await exited)[1]).toBe('SIGKILL')
  }

  test.each<[CompletionStep, 'paid' | 'in progress']>([
    ['locked', 'paid'],
    ['reserved', 'in progress'],
    ['charged', 'in progress'],
    ['ordered', 'in progress'],
    ['committed', 'paid'],
  ])('%s', async (step, meanwhile) => {
    late = 0
    await stockOf(deps, 'ao-1103').setPieces(10)
    const opened = await openInAll('ao-1103')
    await dieAt(step, opened)
    // The dead may be only slow: for half a minute nobody takes its place.
    if (meanwhile === 'in progress') deps.answerMs = 2000
    const early = await Promise.all(opened.map(pay))
    deps.answerMs = PATIENCE_MS
    expect(early.map(({ reads }) => reads)).toEqual(opened.map(() => meanwhile))
    late = LOST_MS
    for (const each of opened) {
      const { dialect, id, key } = each
      const again = await pay(each)
      expect([dialect, again.reads]).toEqual([dialect, 'paid'])
      expect((await pay(each)).text).toBe(again.text)
      const other = await pay({ ...each, key: newKey() })
      expect(afterwards(dialect)).toContain(other.reads)
      expect(other.order ?? again.order).toBe(again.order)
      expect(await traces(id)).toEqual(ONE)
      // The bytes that died with the process are there from now on.
      const { key: column, sent } = idempotency_keys
      const isKept = and(eq(column, hash('sha256', key)), isNotNull(sent))
      expect(await db.$count(idempotency_keys, isKept)).toBe(dialect.startsWith('official') ? 1 : 0)
    }
    expect(await stockOf(deps, 'ao-1103').pieces()).toBe(10 - opened.length)
  })

  test.each<[CompletionStep, string, boolean]>([
    ['reserved', 'pending_confirmation', false],
    ['charged', 'completed', true],
    ['ordered', 'completed', true],
  ])('%s, and the sweeper comes first', async (step, status, isPaid) => {
    late = 0
    await stockOf(deps, 'ao-1104').setPieces(10)
    const opened = await openInAll('ao-1104')
    await dieAt(step, opened)
    await sweep(deps)
    const statuses = async () => {
      const ids = opened.map(({ id }) => id)
      const found = await db.select().from(sessions).where(inArray(sessions.id, ids))
      return new Set(found.map((session) => session.status))
    }
    expect(await statuses()).toEqual(new Set(['completing']))
    late = LOST_MS
    await Promise.all([sweep(deps), sweep(deps), sweep(deps)])
    expect(await statuses()).toEqual(new Set([status]))
    const left = 10 - opened.length
    expect(await stockOf(deps, 'ao-1104').pieces()).toBe(isPaid ? left : 10)
    const answers = await Promise.all(opened.map(pay))
    expect(answers.map(({ reads }) => reads)).toEqual(opened.map(() => 'paid'))
    for (const { id } of opened) expect(await traces(id)).toEqual(ONE)
    expect(await stockOf(deps, 'ao-1104').pieces()).toBe(left)
  })
})
