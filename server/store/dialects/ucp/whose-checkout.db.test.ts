import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { orders } from '../../db/tables.ts'
import { AGENT_PROFILE, testStore } from '../../testing/store.ts'
import { READY_AGAIN, ucpAgent } from './testing/agent.ts'

const { send, deps, bank } = await testStore()
const own = ucpAgent(send, 'rest')
const TENT = { line_items: [{ item: { id: 'ao-1101' }, quantity: 1 }] }

describe('at another host of the store', () => {
  const elsewhere = ucpAgent(send, 'rest', 'ucp-other.example')

  test('a checkout is not there', async () => {
    const id = await own.open()
    const before = (await own.get(id)).text
    for (const answer of [
      await elsewhere.get(id),
      await elsewhere.update(id, { ...TENT, ...READY_AGAIN }),
      await elsewhere.pay(id),
      await elsewhere.cancel(id),
    ]) {
      expect(answer.said.messages).toMatchObject([{ code: 'not_found' }])
      expect(answer.said).not.toHaveProperty('id')
    }
    expect((await own.get(id)).text).toBe(before)
    expect(bank.calls.filter(({ sessionId }) => sessionId === id)).toEqual([])
  })

  test('a cart is not there', async () => {
    const { id } = (await own.createCart(TENT)).said
    for (const answer of [
      await elsewhere.getCart(id),
      await elsewhere.updateCart(id, TENT),
      await elsewhere.cancelCart(id),
      await elsewhere.create({ cart_id: id }),
    ]) {
      expect(answer.said.messages).toMatchObject([{ code: 'not_found' }])
    }
    expect((await own.getCart(id)).said.id).toBe(id)
  })
})

test('an update by another platform does not make the order its own', async () => {
  const id = await own.open()
  const profile = 'profile="https://other.example/ucp.json"'
  const path = `/ucp/v1/checkout-sessions/${id}`
  const body = { ...TENT, ...READY_AGAIN, buyer: { first_name: 'Bo' } }
  const { status } = await send('PUT', path, body, 'ucp.example', { 'ucp-agent': profile })
  expect(status).toBe(200)
  expect((await own.pay(id)).said.status).toBe('completed')
  const [order] = await deps.db.select().from(orders).where(eq(orders.session_id, id))
  expect(order?.official).toMatchObject({
    platform: AGENT_PROFILE,
    shown: { buyer: { first_name: 'Bo' } },
  })
})

test('one key of two platforms opens something for each', async () => {
  const other = ucpAgent(send, 'rest', 'ucp.example', 'https://other.example/ucp.json')
  const key = own.newKey()
  for (const open of [
    (agent: typeof own) => agent.create(TENT, key),
    (agent: typeof own) => agent.createCart(TENT, key),
  ]) {
    const [first, second] = [await open(own), await open(other)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.said.id).not.toBe(first.said.id)
    expect((await open(own)).text).toBe(first.text)
  }
})
