import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eventually } from '../../../../shared/testing/wait.ts'
import { sessions } from '../../db/tables.ts'
import { acpAgent, NOON, testStore } from '../../testing/store.ts'

// A create that is sent again under its key: the session as it stands.

let at = NOON.getTime()
const { send, deps, bank } = await testStore({}, { now: () => new Date(at) })
const { db } = deps
const { newKey, create, update, pay, complete } = acpAgent(send)

/** A session, and the same call again. */
async function begin() {
  const idempotency_key = newKey()
  const first = await create({ idempotency_key })
  const opened = JSON.parse(first.body)
  const repeat = async (change: object = {}) => {
    const { status, headers, body } = await create({ idempotency_key, ...change })
    return { status, replayed: headers.get('idempotent-replayed'), body, said: JSON.parse(body) }
  }
  return { id: opened.checkout_id as string, first, opened, repeat }
}

test('unchanged: the same answer to the byte, and no other session', async () => {
  const before = await db.$count(sessions)
  const { first, repeat } = await begin()
  expect(await repeat()).toMatchObject({ status: 200, replayed: 'true', body: first.body })
  expect((await repeat({ items: [{ product_id: 'ao-1412', quantity: 1 }] })).said.code).toBe(
    'idempotency_conflict',
  )
  expect(await db.$count(sessions)).toBe(before + 1)
})

test('with another address since: its options and tax', async () => {
  const { id, opened, repeat } = await begin()
  await update(id, { shipping_address: { country: 'DE', zip: '10115' } })
  expect((await repeat()).said).toEqual({
    ...opened,
    shipping_options: [
      {
        id: 'international',
        name: 'International (7 to 14 days)',
        cost: { amount: 2900, currency: 'USD' },
      },
    ],
    tax_estimate: { amount: 0, currency: 'USD' },
  })
})

test('while it is being paid, and after: its status says so', async () => {
  const { id, opened, repeat } = await begin()
  const paying = pay(id, 'tok_held')
  await eventually(() => bank.calls.at(-1)?.sessionId).toBe(id)
  expect(await repeat()).toMatchObject({ status: 200, said: { ...opened, status: 'completing' } })
  bank.releaseHeld()
  await paying
  at += 60 * 60_000
  expect(await repeat()).toMatchObject({ status: 200, said: { ...opened, status: 'completed' } })
  at = NOON.getTime()
})

test('expired, from the moment of expires_at on', async () => {
  const { id, opened, repeat } = await begin()
  at += 15 * 60_000 - 1
  expect((await repeat()).said).toEqual(opened)
  at += 1
  expect((await repeat()).said).toEqual({ ...opened, status: 'expired' })
  expect((await complete(id)).status).toBe(410)
  at = NOON.getTime()
})

test('forgotten: there is no session to pay, and none is made in its place', async () => {
  const { id, repeat } = await begin()
  await db.delete(sessions).where(eq(sessions.id, id))
  const before = await db.$count(sessions)
  expect(await repeat()).toMatchObject({ status: 404, said: { code: 'session_not_found' } })
  expect(await db.$count(sessions)).toBe(before)
})
