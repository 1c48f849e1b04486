import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { orders, sessions } from '../../db/tables.ts'
import { ADDRESS, FOR_CUSTOMERS, NOON, stockOf, testStore } from '../../testing/store.ts'

// The specification cannot give a session up, and the store can, in both of its dialects.

let now = NOON
const { ask, send, deps, bank } = await testStore({}, { now: () => now })
const tents = stockOf(deps, 'ao-1101')

const ITEMS = [{ product_id: 'ao-1101', quantity: 1 }]
const PAID = {
  shipping_option_id: 'standard',
  payment_method: { type: 'card', token: 'tok_visa' },
}

/** The two dialects, by where each has its steps, and how it writes an error. */
const DIALECTS = [
  {
    protocol: 'ucp',
    create: '/ucp/checkout',
    pay: (id: string) => `/ucp/checkout/${id}/confirm`,
    codeOf: (body: string) => JSON.parse(body).error.code,
    said: (body: string) => JSON.parse(body).error.message,
  },
  {
    protocol: 'acp',
    create: '/acp/checkout/create',
    pay: (id: string) => `/acp/checkout/${id}/complete`,
    codeOf: (body: string) => JSON.parse(body).code,
    said: (body: string) => JSON.parse(body).message,
  },
] as const

describe.each(DIALECTS)('$protocol', ({ protocol, create, pay, codeOf, said }) => {
  const open = async (): Promise<string> => {
    const body = { items: ITEMS, shipping_address: ADDRESS, idempotency_key: crypto.randomUUID() }
    return JSON.parse((await send('POST', create, body)).body).checkout_id
  }
  const cancel = (id: string) =>
    ask(`/${protocol}/checkout/${id}/cancel`, undefined, { method: 'POST' })
  const payFor = (id: string, token = 'tok_visa') =>
    send('POST', pay(id), {
      ...PAID,
      payment_method: { type: 'card', token },
      idempotency_key: crypto.randomUUID(),
    })
  const statusOf = async (id: string) =>
    (await deps.db.select().from(sessions).where(eq(sessions.id, id)))[0]?.status

  test('an open session is canceled, and says so however often it is asked', async () => {
    const id = await open()
    const first = await cancel(id)
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(JSON.parse(first.body)).toEqual({ checkout_id: id, status: 'canceled' })
    expect((await cancel(id)).body).toBe(first.body)
    expect(await statusOf(id)).toBe('canceled')
  })

  test('afterwards nothing can be paid or changed, and nothing is held', async () => {
    const [charges, pieces] = [bank.charges.length, await tents.pieces()]
    const id = await open()
    await cancel(id)
    const paid = await payFor(id)
    expect([paid.status, codeOf(paid.body)]).toEqual([409, 'session_closed'])
    expect(said(paid.body)).toMatch(FOR_CUSTOMERS)
    if (protocol === 'acp') {
      const path = `/acp/checkout/${id}/update`
      const changed = await send('PATCH', path, { shipping_option_id: 'express' })
      expect([changed.status, codeOf(changed.body)]).toEqual([409, 'session_closed'])
    }
    expect(await statusOf(id)).toBe('canceled')
    const placed = eq(orders.session_id, id)
    expect(await deps.db.select().from(orders).where(placed)).toEqual([])
    expect([bank.charges.length, await tents.pieces()]).toEqual([charges, pieces])
  })

  test('what is paid stays paid', async () => {
    const id = await open()
    expect((await payFor(id)).status).toBe(200)
    const refused = await cancel(id)
    expect([refused.status, codeOf(refused.body)]).toEqual([409, 'session_closed'])
    expect(said(refused.body)).toMatch(FOR_CUSTOMERS)
    expect(await statusOf(id)).toBe('completed')
  })

  test('a declined payment can be given up', async () => {
    const id = await open()
    expect((await payFor(id, 'tok_declined')).status).toBe(402)
    expect((await cancel(id)).status).toBe(200)
  })

  test('a session whose time is over has expired', async () => {
    const id = await open()
    now = new Date(NOON.getTime() + 60 * 60_000)
    const late = await cancel(id)
    now = NOON
    expect([late.status, codeOf(late.body)]).toEqual([410, 'session_expired'])
  })

  test('there is nothing to cancel where there is no session of this dialect', async () => {
    const unknown = await cancel('checkout_nothing')
    expect([unknown.status, codeOf(unknown.body)]).toEqual([404, 'session_not_found'])
    const other = protocol === 'acp' ? 'ucp' : 'acp'
    const id = await open()
    const foreign = await ask(`/${other}/checkout/${id}/cancel`, undefined, { method: 'POST' })
    expect(foreign.status).toBe(404)
    expect(await statusOf(id)).toBe('pending_confirmation')
  })

  test('another method is not allowed', async () => {
    const answer = await ask(`/${protocol}/checkout/x/cancel`)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })
})
