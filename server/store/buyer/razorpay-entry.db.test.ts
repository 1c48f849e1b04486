import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { testStore } from '../testing/store.ts'
import { razorpayEntry } from './card-entry.ts'
import { fieldsOn, openOfficial } from './testing/session.ts'

const { ask, deps, bank } = await testStore({ card: razorpayEntry('rzp_test_1') })

const show = (id: string) => ask(`/checkout/${id}`)
const pay = async (id: string, page: string, change: Record<string, string>) =>
  ask(`/checkout/${id}`, undefined, {
    method: 'POST',
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ ...fieldsOn(page), do: 'pay', ...change }).toString(),
  })
const approvedOn = (page: string) => /data-approved="([^"]*)"/.exec(page)?.[1]

test('the payment names its session, and nothing is approved yet', async () => {
  const id = await openOfficial(deps)
  const { body } = await show(id)
  expect(body).toContain(`data-session="${id}"`)
  expect(approvedOn(body)).toBe('')
  const { body: script } = await ask('/scripts/card.js')
  expect(() => new Script(script)).not.toThrow()
  expect(script).toContain('notes: { session_id: session }')
})

test('a payment that is approved before the address is right is kept, and pays then', async () => {
  const id = await openOfficial(deps)
  const wrong = await pay(id, (await show(id)).body, { name: '', token: 'tok_visa' })
  expect(wrong.status).toBe(422)
  expect(approvedOn(wrong.body)).toBe('tok_visa')
  expect(wrong.body).toContain('You have approved this payment already')
  const paid = await pay(id, wrong.body, { name: 'Ada Byron', token: 'tok_visa' })
  expect(paid.status).toBe(303)
  expect(bank.paid()).toMatchObject([{ sessionId: id, token: 'tok_visa' }])
})

test('one that was declined, or is of another total, is not sent again', async () => {
  const id = await openOfficial(deps)
  const declined = await pay(id, (await show(id)).body, { token: 'tok_declined' })
  expect([declined.status, approvedOn(declined.body)]).toEqual([402, ''])
  const change = { shipping_option: 'express', token: 'tok_visa' }
  const other = await pay(id, declined.body, change)
  expect([other.status, approvedOn(other.body)]).toEqual([409, ''])
})

test('one that may still be charged is kept', async () => {
  const id = await openOfficial(deps)
  const doubtful = await pay(id, (await show(id)).body, { token: 'tok_unreachable' })
  expect([doubtful.status, approvedOn(doubtful.body)]).toEqual([503, 'tok_unreachable'])
})
