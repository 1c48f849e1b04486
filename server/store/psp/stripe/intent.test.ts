import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { resultOf } from './intent.ts'

const NOW = new Date('2026-06-01T12:00:00.000Z')

/**
 * An intent whose confirmation has not come to its end, at a Stripe that answers a cancellation so.
 */
function unconfirmed(afterwards: Partial<Stripe.PaymentIntent>, cancels: boolean) {
  const intent = {
    id: 'pi_1',
    amount: 4200,
    currency: 'usd',
    created: NOW.getTime() / 1000,
    status: 'requires_confirmation',
  } as Stripe.PaymentIntent
  const decided = { ...intent, ...afterwards }
  const paymentIntents = {
    cancel: async () => (cancels ? decided : Promise.reject(new Error('It is being confirmed.'))),
    retrieve: async () => decided,
  }
  return resultOf({ paymentIntents } as unknown as Stripe, intent, NOW)
}

test('an intent that is not confirmed yet is canceled before it counts as declined', async () => {
  const canceled = { status: 'canceled', cancellation_reason: 'abandoned' } as const
  expect(await unconfirmed(canceled, true)).toMatchObject({ status: 'declined', paymentId: 'pi_1' })
})

test('one that is confirmed in the meantime is what that came to', async () => {
  expect(await unconfirmed({ status: 'succeeded' }, false)).toMatchObject({ status: 'succeeded' })
})

test('one that can neither be canceled nor is decided is unknown', async () => {
  await expect(unconfirmed({}, false)).rejects.toThrow('being confirmed')
})
