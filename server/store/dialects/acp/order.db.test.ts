import { expect, test } from 'vitest'
import type { Order, OrderMoment } from '../../db/tables.ts'
import { ADDRESS, NOON } from '../../testing/store.ts'
import { acpOrder, acpWebhookOrder } from './order.ts'

const ORDER: Order = {
  id: 'order_1',
  session_id: 'checkout_1',
  psp: 'scripted',
  payment_id: 'pay_1',
  status: 'confirmed',
  disputed: false,
  stock_taken: true,
  confirmation_number: 'AO-7K3M-Q9XT',
  history: [],
  receipt_token: 'token',
  host: 'shop.example',
  buyer: 'hash',
  items: [
    {
      product_id: 'ao-1001',
      variant_id: 'ao-1001-s-pine',
      name: 'Skarn Rain Jacket',
      title: 'Skarn Rain Jacket, S, Pine',
      quantity: 2,
      unit_price: { amount: 17_900, currency: 'USD' },
      available_on: null,
    },
  ],
  address: { ...ADDRESS, line_two: 'Loft' },
  shipping: { id: 'express', name: 'Express', cost: { amount: 1800, currency: 'USD' } },
  currency: 'USD',
  subtotal: 35_800,
  tax: 2864,
  total: 40_464,
  estimated_delivery: '2026-06-02',
  challenge_url: null,
  protocol: 'acp_official',
  official: {
    version: '2026-04-17',
    platform: 'hash',
    webhook_url: null,
    shown: { order_notes: 'Ring.' },
  },
  mandate: null,
  tracking: null,
  refunds: [],
  paid_at: NOON,
  created_at: NOON,
  updated_at: NOON,
}
const REFUND = { refund_id: 'refund_1', amount: 500, refunded_at: '2026-06-03T08:00:00.000Z' }

test('an order, shipped and refunded in part', () => {
  const tracking = { number: '1Z', carrier: 'UPS', url: 'https://ups.example/1Z' }
  expect(
    acpOrder({ ...ORDER, status: 'shipped', tracking, refunds: [REFUND] }, '2026-04-17'),
  ).toEqual({
    type: 'order',
    id: 'order_1',
    checkout_session_id: 'checkout_1',
    permalink_url: 'https://shop.example/receipts/token',
    order_number: 'AO-7K3M-Q9XT',
    status: 'shipped',
    estimated_delivery: {
      earliest: '2026-06-01T12:00:00.000Z',
      latest: '2026-06-02T23:59:59.000Z',
    },
    confirmation: {
      confirmation_number: 'AO-7K3M-Q9XT',
      confirmation_email_sent: false,
      receipt_url: 'https://shop.example/receipts/token',
      order_notes: 'Ring.',
    },
    line_items: [
      {
        id: 'li_ao-1001-s-pine',
        title: 'Skarn Rain Jacket, S, Pine',
        product_id: 'ao-1001-s-pine',
        image_url: 'https://shop.example/images/ao-1001.svg',
        url: 'https://shop.example/products/ao-1001',
        quantity: { ordered: 2, current: 2, fulfilled: 2 },
        unit_price: 17_900,
        subtotal: 35_800,
        totals: [
          { type: 'items_base_amount', display_text: 'Items', amount: 35_800 },
          { type: 'subtotal', display_text: 'Subtotal', amount: 35_800 },
          { type: 'total', display_text: 'Total', amount: 35_800 },
        ],
        status: 'fulfilled',
      },
    ],
    fulfillments: [
      {
        id: 'parcel_order_1',
        type: 'shipping',
        status: 'shipped',
        description: 'Express',
        line_items: [{ id: 'li_ao-1001-s-pine', quantity: 2 }],
        carrier: 'UPS',
        tracking_number: '1Z',
        tracking_url: 'https://ups.example/1Z',
        destination: {
          name: 'Ada Byron',
          line_one: '1 Analytical Way',
          line_two: 'Loft',
          city: 'Albany',
          state: 'NY',
          country: 'US',
          postal_code: '12207',
        },
        estimated_delivery: {
          earliest: '2026-06-01T12:00:00.000Z',
          latest: '2026-06-02T23:59:59.000Z',
        },
      },
    ],
    adjustments: [
      {
        id: 'refund_1',
        type: 'refund',
        occurred_at: '2026-06-03T08:00:00.000Z',
        status: 'completed',
        amount: 500,
        currency: 'usd',
      },
    ],
    totals: [
      { type: 'items_base_amount', display_text: 'Items', amount: 35_800 },
      { type: 'subtotal', display_text: 'Subtotal', amount: 35_800 },
      { type: 'fulfillment', display_text: 'Express', amount: 1800 },
      { type: 'tax', display_text: 'Tax', amount: 2864 },
      { type: 'total', display_text: 'Total', amount: 40_464 },
      { type: 'amount_refunded', display_text: 'Refunded', amount: 500 },
    ],
  })
})

test('a dispute, a cancellation and a return are seen, with the refunds between them', () => {
  const adjustmentsOf = (change: Partial<Order>) =>
    acpOrder({ ...ORDER, ...change }, '2026-04-17').adjustments
  const at = (day: number) => `2026-06-0${day}T09:00:00.000Z`
  const lines = [{ id: 'li_ao-1001-s-pine', quantity: 2 }]
  const refund = { id: 'refund_1', type: 'refund', occurred_at: REFUND.refunded_at }
  const moments = (...types: OrderMoment['type'][]): OrderMoment[] =>
    types.map((type, index) => ({ type, at: at(index + 1) }))
  expect(
    adjustmentsOf({
      ...{ status: 'returned', refunds: [REFUND] },
      history: moments('shipped', 'disputed', 'delivered', 'returned'),
    }),
  ).toEqual([
    { id: 'adjustment_2', type: 'dispute', occurred_at: at(2), status: 'pending' },
    { ...refund, status: 'completed', amount: 500, currency: 'usd' },
    {
      ...{ id: 'adjustment_4', type: 'return', occurred_at: at(4) },
      ...{ status: 'completed', line_items: lines },
    },
  ])
  expect(adjustmentsOf({ status: 'canceled', history: moments('canceled') })).toMatchObject([
    { type: 'cancellation', status: 'completed', line_items: lines },
  ])
})

test.each<[Order['status'], string, string, string, string | undefined, string]>([
  ['awaiting_payment', 'created', 'processing', 'pending', undefined, 'created'],
  ['confirmed', 'confirmed', 'processing', 'pending', 'confirmed', 'confirmed'],
  ['processing', 'processing', 'processing', 'processing', 'processing', 'confirmed'],
  ['shipped', 'shipped', 'fulfilled', 'shipped', 'shipped', 'shipped'],
  ['delivered', 'completed', 'fulfilled', 'delivered', 'delivered', 'fulfilled'],
  ['canceled', 'canceled', 'removed', 'canceled', undefined, 'canceled'],
  ['returned', 'completed', 'removed', 'delivered', undefined, 'fulfilled'],
  ['payment_failed', 'canceled', 'removed', 'canceled', undefined, 'canceled'],
])('%s', (status, said, line, parcel, before, told) => {
  expect(acpOrder({ ...ORDER, status }, '2026-04-17')).toMatchObject({
    status: said,
    line_items: [{ status: line }],
    fulfillments: [{ status: parcel }],
  })
  const old = acpOrder({ ...ORDER, status, refunds: [REFUND] }, '2026-01-30')
  expect(old.status).toBe(before)
  expect(Object.keys(old)).not.toContain('adjustments')
  const official = { version: '2026-01-30', platform: '', webhook_url: null, shown: {} }
  expect(acpWebhookOrder({ ...ORDER, status, official }).status).toBe(told)
})
