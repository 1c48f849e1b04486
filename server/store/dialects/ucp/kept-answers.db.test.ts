import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { MOST_KEPT } from '../../checkout/idempotency.ts'
import { applyPaymentEvent } from '../../checkout/payment-events.ts'
import { orders, sessions, store_rate_limits } from '../../db/tables.ts'
import { fillKeys } from '../../ops/testing/rows.ts'
import { NOON, stockOf, testStore } from '../../testing/store.ts'
import { payBy, READY, READY_AGAIN, type Said, TRANSPORTS, ucpAgent } from './testing/agent.ts'

// UCP, Idempotency: a key has one answer, whatever it says, and serves one call.

let at = NOON.getTime()
const store = await testStore({}, { now: () => new Date(at) })
const { send, deps, bank } = store
const { db } = deps
const stock = stockOf(deps, 'ao-1101')
const TENT = { item: { id: 'ao-1101' }, quantity: 1 }
const TENTS = { item: { id: 'ao-1101' }, quantity: 2 }

beforeEach(async () => {
  at = NOON.getTime()
  await stock.setPieces(100)
})

const statusOf = async (id: string) =>
  (await db.select().from(sessions).where(eq(sessions.id, id)))[0]?.status
const opened = async () => (await db.select().from(sessions)).length
const chargesOf = (id: string) => bank.calls.filter(({ sessionId }) => sessionId === id).length

describe.each(TRANSPORTS)('over %s', (transport) => {
  const agent = ucpAgent(send, transport)
  const isRepeated = (again: Said, first: Said) => {
    expect([again.status, again.text]).toEqual([first.status, first.text])
    if (transport === 'rest') expect(again.headers.get('idempotent-replayed')).toBe('true')
  }
  const isConflict = ({ status, said }: Said) =>
    expect([status, said.code]).toEqual([409, 'idempotency_conflict'])

  test('a payment that was refused stays so under its key, also once it could be made', async () => {
    const { said } = await agent.create({ line_items: [TENT] })
    const key = agent.newKey()
    const refused = await agent.pay(said.id, 'tok_visa', key)
    expect([refused.status, refused.said.status]).toEqual([200, 'incomplete'])
    expect((await agent.update(said.id, { line_items: [TENT], ...READY_AGAIN })).said.status).toBe(
      'ready_for_complete',
    )
    isRepeated(await agent.pay(said.id, 'tok_visa', key), refused)
    isConflict(await agent.pay(said.id, 'tok_mastercard', key))
    expect(chargesOf(said.id)).toBe(0)
    expect((await agent.pay(said.id)).said.status).toBe('completed')
    expect(chargesOf(said.id)).toBe(1)
    isRepeated(await agent.pay(said.id, 'tok_visa', key), refused)
  })

  test('so does one with an instrument that is not taken', async () => {
    const id = await agent.open()
    const key = agent.newKey()
    const wrong = payBy('tok_visa', { handler_id: 'another' })
    const refused = await agent.complete(id, wrong, key)
    expect(refused.said.messages).toMatchObject([{ code: 'payment_failed' }])
    isConflict(await agent.pay(id, 'tok_visa', key))
    expect(chargesOf(id)).toBe(0)
    await agent.cancel(id)
    isRepeated(await agent.complete(id, wrong, key), refused)
  })

  test('a payment of which nobody knows is not its answer: the same call is told how it ended', async () => {
    const id = await agent.open()
    const key = agent.newKey()
    const { find } = deps.psp
    deps.psp.find = () => Promise.reject(new Error('down'))
    expect((await agent.pay(id, 'tok_lost', key)).said.status).toBe('complete_in_progress')
    deps.psp.find = find
    at += 60_000
    const ended = await agent.pay(id, 'tok_lost', key)
    expect(ended.said.status).toBe('completed')
    expect(chargesOf(id)).toBe(1)
    isRepeated(await agent.pay(id, 'tok_lost', key), ended)
  })

  test('nor is one that did not reach the PSP: the same call can still pay', async () => {
    const id = await agent.open()
    const key = agent.newKey()
    const { charge } = deps.psp
    deps.psp.charge = () => Promise.reject(new Error('down'))
    const lost = await agent.pay(id, 'tok_visa', key)
    expect([lost.status, lost.said.status]).toEqual([200, 'ready_for_complete'])
    deps.psp.charge = charge
    expect((await agent.pay(id, 'tok_visa', key)).said.status).toBe('completed')
    expect(chargesOf(id)).toBe(1)
  })

  test('where nothing could be opened, nothing is under the same key', async () => {
    const key = agent.newKey()
    const before = await opened()
    await stock.setPieces(0)
    const refused = await agent.create({ line_items: [TENT], ...READY }, key)
    expect(refused.said.messages).toMatchObject([{ code: 'out_of_stock' }])
    await stock.setPieces(100)
    isRepeated(await agent.create({ line_items: [TENT], ...READY }, key), refused)
    isConflict(await agent.create({ line_items: [TENTS], ...READY }, key))
    isConflict(await agent.create({ cart_id: 'cart_unknown' }, key))
    expect(await opened()).toBe(before)
    const cartKey = agent.newKey()
    await stock.setPieces(0)
    const noCart = await agent.createCart({ line_items: [TENT] }, cartKey)
    await stock.setPieces(100)
    isRepeated(await agent.createCart({ line_items: [TENT] }, cartKey), noCart)
    isConflict(await agent.createCart({ line_items: [TENTS] }, cartKey))
  })

  test('a cart that has a checkout: the call that is shown it has that answer', async () => {
    const cart = (await agent.createCart({ line_items: [TENT] })).said.id
    await agent.create({ cart_id: cart, line_items: [], ...READY })
    const key = agent.newKey()
    const first = await agent.create({ cart_id: cart, line_items: [] }, key)
    await agent.update(first.said.id, { line_items: [TENTS], ...READY_AGAIN })
    isRepeated(await agent.create({ cart_id: cart, line_items: [] }, key), first)
    isConflict(await agent.create({ line_items: [TENT] }, key))
  })

  test('an update that changed nothing changes nothing later', async () => {
    const id = await agent.open()
    const key = agent.newKey()
    await stock.setPieces(1)
    const refused = await agent.update(id, { line_items: [TENTS], ...READY_AGAIN }, key)
    expect(refused.said.messages).toMatchObject([{ code: 'out_of_stock' }])
    await stock.setPieces(100)
    isRepeated(await agent.update(id, { line_items: [TENTS], ...READY_AGAIN }, key), refused)
    isConflict(await agent.update(id, { line_items: [TENT], ...READY_AGAIN }, key))
    expect((await agent.get(id)).said.line_items).toMatchObject([{ quantity: 1 }])
  })

  test('a cancellation that came too early cancels nothing later', async () => {
    const id = await agent.open()
    await agent.pay(id, 'tok_pending')
    const key = agent.newKey()
    const refused = await agent.cancel(id, key)
    expect(refused.said.messages).toMatchObject([{ code: 'in_progress' }])
    const [order] = await db.select().from(orders).where(eq(orders.session_id, id))
    await applyPaymentEvent(deps, 'scripted', {
      id: agent.newKey(),
      type: 'payment_intent.payment_failed',
      name: 'payment_intent.payment_failed',
      paymentId: order?.payment_id ?? '',
      sessionId: id,
      amount: null,
    })
    isRepeated(await agent.cancel(id, key), refused)
    expect(await statusOf(id)).toBe('pending_confirmation')
    expect((await agent.cancel(id)).said.status).toBe('canceled')
  })

  test('two refusals at once with one key: one answer, and for another body a conflict', async () => {
    const { said } = await agent.create({ line_items: [TENT] })
    const key = agent.newKey()
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => agent.pay(said.id, 'tok_visa', key)),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const next = agent.newKey()
    const both = await Promise.all([
      agent.pay(said.id, 'tok_visa', next),
      agent.pay(said.id, 'tok_mastercard', next),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('so many changes of one checkout are kept in a day; those of others go on', async () => {
    const id = await agent.open()
    const other = await agent.open()
    const cart = (await agent.createCart({ line_items: [TENT] })).said.id
    const key = agent.newKey()
    const calls: [(key: string) => Promise<Said>, string][] = [
      [(key) => agent.update(id, { line_items: [TENT], ...READY_AGAIN }, key), `update:${id}`],
      [(key) => agent.complete(id, payBy('tok_visa', { handler_id: 'x' }), key), `complete:${id}`],
      [(key) => agent.updateCart(cart, { line_items: [TENT] }, key), `update_cart:${cart}`],
    ]
    for (const [call, scope] of calls) {
      const first = await call(key)
      expect(first.status).toBe(200)
      at += 3_600_000
      await fillKeys(db, `ucp_official:${scope}`, MOST_KEPT - 2, new Date(at))
      const last = await call(agent.newKey())
      expect(last.status).toBe(200)
      const refused = await call(agent.newKey())
      expect([refused.status, refused.said.code]).toEqual([429, 'rate_limited'])
      expect(refused.headers.get('retry-after')).toBe(String(23 * 3600))
      isRepeated(await call(key), first)
      at -= 3_600_000
    }
    expect((await agent.update(other, { line_items: [TENT], ...READY_AGAIN })).status).toBe(200)
    at += 24 * 3_600_000
    expect((await agent.updateCart(cart, { line_items: [TENT] })).said.id).toBe(cart)
  })

  test('after a day the key is new', async () => {
    const key = agent.newKey()
    await stock.setPieces(0)
    await agent.create({ line_items: [TENT], ...READY }, key)
    await stock.setPieces(100)
    at += 24 * 3_600_000
    const made = await agent.create({ line_items: [TENTS], ...READY }, key)
    expect(made.said.status).toBe('ready_for_complete')
  })

  test('what is refused for being too often is not kept, and refusals count', async () => {
    const few = await testStore({}, { platformQuota: { requests: 2, seconds: 60 } })
    const other = ucpAgent(few.send, transport)
    const unknown = { line_items: [{ item: { id: 'unknown' }, quantity: 1 }] }
    const first = other.newKey()
    for (const [status, key] of [[200, first], [200], [429]] as const) {
      expect((await other.create(unknown, key)).status).toBe(status)
    }
    expect((await other.create(unknown, first)).status).toBe(200)
    isConflict(await other.create({ cart_id: 'cart_unknown' }, first))
    const key = other.newKey()
    const refused = await other.create({ line_items: [TENT] }, key)
    expect([refused.status, refused.said.code]).toEqual([429, 'rate_limited'])
    await few.deps.db.delete(store_rate_limits)
    const made = await other.create({ line_items: [TENT] }, key)
    expect([made.status, made.said.status]).toEqual([
      transport === 'rest' ? 201 : 200,
      'incomplete',
    ])
  })
})
