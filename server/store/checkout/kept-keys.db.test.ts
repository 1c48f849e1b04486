import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { idempotency_keys } from '../db/tables.ts'
import { officialAcpAgent } from '../dialects/acp/testing/agent.ts'
import { fillKeys } from '../ops/testing/rows.ts'
import { acpAgent, FOR_CUSTOMERS, NOON, stockOf, testStore } from '../testing/store.ts'
import { MOST_KEPT } from './idempotency.ts'

// How many keys are kept of each operation on one checkout or cart, whoever calls.

const MINUTE_MS = 60_000
let at = NOON.getTime()
const { send, deps, bank } = await testStore({}, { now: () => new Date(at) })
const { db } = deps
const spec = acpAgent(send)
const official = officialAcpAgent(send)
const { setPieces } = stockOf(deps, 'ao-1101')

beforeEach(async () => {
  at = NOON.getTime()
  await setPieces(100)
})

interface Said {
  status: number
  headers: Headers
  body: string
  said: { code?: string; message?: string }
}

/** A call that keeps its key is made until no more are kept: the next is refused. */
async function expectBounded(call: (key: string) => Promise<Said>, status = 200) {
  const before = await db.select().from(idempotency_keys)
  const key = spec.newKey()
  const first = await call(key)
  expect(first.status).toBe(status)
  const known = new Set(before.map((row) => row.key))
  const [kept] = (await db.select().from(idempotency_keys)).filter((row) => !known.has(row.key))
  const { scope } = kept!
  const count = () => db.$count(idempotency_keys, eq(idempotency_keys.scope, scope))
  at += MINUTE_MS
  await fillKeys(db, scope, MOST_KEPT - 1 - (await count()), new Date(at))
  expect((await call(spec.newKey())).status).toBe(status)
  const refused = await call(spec.newKey())
  expect([refused.status, refused.said.code]).toEqual([429, 'rate_limited'])
  expect(refused.headers.get('retry-after')).toBe(String(24 * 3600 - 60))
  expect(await count()).toBe(MOST_KEPT)
  const again = await call(key)
  expect([again.status, again.body]).toEqual([first.status, first.body])
  return refused
}

const paidFor = (id: string) => bank.paid().filter(({ sessionId }) => sessionId === id)

test('payments of a checkout that is paid', async () => {
  const id = await spec.open()
  await spec.pay(id, 'tok_visa')
  const refused = await expectBounded((key) => spec.pay(id, 'tok_visa', key))
  expect(refused.said.message).toMatch(FOR_CUSTOMERS)
  at += 24 * 60 * MINUTE_MS
  expect((await spec.pay(id, 'tok_visa')).status).toBe(200)
  expect(paidFor(id)).toHaveLength(1)
})

test('payments of one that is sold out', async () => {
  const id = await spec.open()
  await setPieces(0)
  await expectBounded((key) => spec.pay(id, 'tok_visa', key), 409)
})

test('payments over official ACP', async () => {
  const id = await official.ready()
  await official.pay(id, 'tok_visa')
  await expectBounded((key) => official.pay(id, 'tok_visa', { 'idempotency-key': key }))
  at += 24 * 60 * MINUTE_MS
  expect((await official.pay(id, 'tok_visa')).said.status).toBe('completed')
  expect(paidFor(id)).toHaveLength(1)
})

test('a payment over official ACP that has no room leaves its session as it was', async () => {
  const id = await official.ready()
  await official.pay(id, 'tok_3ds')
  const before = (await official.read(id)).said
  expect(before.status).toBe('requires_escalation')
  await fillKeys(db, `acp_official:complete:${id}`, MOST_KEPT, new Date(at))
  const said = { buyer: { email: 'eve@example.com' }, order_notes: 'Ring twice' }
  expect((await official.complete(id, said)).status).toBe(429)
  expect((await official.read(id)).said).toEqual(before)
})

test('changes of a cart of official ACP', async () => {
  const items = { line_items: [{ id: 'ao-1101' }] }
  const { id } = (await official.call('POST', '/acp/carts', items)).said
  const put = (key: string) =>
    official.call('PUT', `/acp/carts/${id}`, items, { 'idempotency-key': key })
  await expectBounded(put)
})
