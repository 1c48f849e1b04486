import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { sessions } from '../db/tables.ts'
import { sweep } from '../ops/sweeper.ts'
import { createStripePsp } from '../psp/stripe/stripe.ts'
import { startTestPsp } from '../psp/test/server.ts'
import { acpAgent, FOR_CUSTOMERS, NOON, stockOf, testStore } from '../testing/store.ts'
import { LOST_MS } from './sessions.ts'

// A PSP that refuses the key of the shop.

const bank = await startTestPsp({ webhookSecret: 'whsec_test', settleMs: null })
afterAll(() => bank.close())
const connect = (secretKey: string) => createStripePsp({ ...bank.access, secretKey })
const errors: string[] = []
let at = NOON.getTime()
const { send, deps } = await testStore(
  {},
  {
    psp: connect('sk_test_wrong'),
    now: () => new Date(at),
    onError: (error) => errors.push(String(error)),
  },
)
const { open, pay } = acpAgent(send)
const { pieces } = stockOf(deps, 'ao-1101')
const sessionOf = async (id: string) =>
  (await deps.db.select().from(sessions).where(eq(sessions.id, id)))[0]
const chargesOf = (id: string) =>
  bank.charges().filter(({ metadata }) => metadata.session_id === id)

test('a key that is refused leaves the session open and its piece for sale, and the log says why', async () => {
  const before = await pieces()
  const id = await open()
  const refused = await pay(id, 'tok_visa')
  expect([refused.status, refused.said.code]).toEqual([503, 'payment_unknown'])
  expect(refused.said.message).toMatch(FOR_CUSTOMERS)
  expect(refused.said.message).toContain('Nothing was charged')
  expect(refused.headers.get('retry-after')).toBe('60')
  const { status, completing_since, declines } = (await sessionOf(id)) ?? {}
  expect([status, completing_since, declines]).toEqual(['pending_confirmation', null, 0])
  expect(await pieces()).toBe(before)
  expect(errors.splice(0)).toEqual([
    expect.stringMatching(
      `The charge of ${id} has no result: Stripe refuses the key: .*SECRET_KEY`,
    ),
  ])
  // As soon as the key is right, the same checkout can be paid.
  const { psp } = deps
  deps.psp = connect(bank.secretKey)
  expect((await pay(id, 'tok_visa')).said.status).toBe('confirmed')
  expect(chargesOf(id)).toHaveLength(1)
  deps.psp = psp
})

test('a key that is refused says nothing of an earlier try: the session stays as it was', async () => {
  const id = await open()
  const { psp } = deps
  deps.psp = { ...connect(bank.secretKey), charge: () => Promise.reject(new Error('down')) }
  expect((await pay(id, 'tok_visa')).status).toBe(503)
  const before = await sessionOf(id)
  expect(before?.completing_since).not.toBeNull()
  deps.psp = psp
  at += 1000
  const refused = await pay(id, 'tok_visa')
  expect(refused.said.message).toMatch(/charged at most once/)
  expect(await sessionOf(id)).toEqual(before)
  at -= 1000
  errors.splice(0)
})

test('what a sweep leaves open is told, each reason once', async () => {
  const { psp } = deps
  deps.psp = { ...psp, charge: () => Promise.reject(new Error('down')) }
  const ids = [await open(), await open()]
  for (const id of ids) expect((await pay(id, 'tok_visa')).status).toBe(503)
  deps.psp = psp
  expect(errors.splice(0)).toHaveLength(4)
  at += LOST_MS
  expect(await sweep(deps)).toEqual({ resolved: 0, unresolved: 2 })
  expect(errors).toEqual([expect.stringContaining('Invalid API Key')])
})
