import { afterAll, expect } from 'vitest'
import { deliverAll, startReceiver } from '../../../jobs/testing/receiver.ts'
import type { Order } from '../../db/tables.ts'
import { officialMeasure, parsedJson } from '../../testing/official/measure.ts'
import { ADDRESS, NOON } from '../../testing/store.ts'
import { type OutboxDeps, orderOutbox } from '../outbox.ts'

const measure = officialMeasure(process.env.OFFICIAL_SCHEMAS)
const faults: unknown[] = []
afterAll(() => expect(faults).toEqual([]))

/** Delivers all webhooks that are due now. */
export const deliverDue = (deps: OutboxDeps): Promise<void> => deliverAll(orderOutbox(deps))

/** A receiver of webhooks, which are held to the official schemas where these are there. */
export const startMeasured = () =>
  startReceiver(async (body) => {
    await measure?.webhook(parsedJson(body)).catch((fault) => faults.push(String(fault)))
  })

export const anOrder = (change: Partial<Order> = {}): Order => ({
  id: `order_${crypto.randomUUID()}`,
  session_id: `checkout_${crypto.randomUUID()}`,
  psp: 'test',
  payment_id: `pi_${crypto.randomUUID()}`,
  status: 'confirmed',
  disputed: false,
  stock_taken: true,
  confirmation_number: 'AO-7K3M-Q9XT',
  challenge_url: null,
  protocol: 'acp',
  official: null,
  mandate: null,
  receipt_token: crypto.randomUUID(),
  host: 'shop.example',
  buyer: 'a-buyer',
  items: [
    {
      product_id: 'tent',
      variant_id: 'tent-green',
      name: 'Tent, green',
      title: 'Tent, green',
      quantity: 2,
      unit_price: { amount: 4999, currency: 'USD' },
      available_on: null,
    },
  ],
  address: ADDRESS,
  shipping: { id: 'standard', name: 'Standard', cost: { amount: 600, currency: 'USD' } },
  currency: 'USD',
  subtotal: 9998,
  tax: 800,
  total: 11_398,
  estimated_delivery: '2026-06-06',
  tracking: null,
  history: [],
  refunds: [],
  paid_at: NOON,
  created_at: NOON,
  updated_at: NOON,
  ...change,
})
