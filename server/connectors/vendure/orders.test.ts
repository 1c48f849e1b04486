import type { Order } from '@vendure/core'
import { expect, test } from 'vitest'
import { vendureOrder } from './orders.ts'
import { vendureListing } from './shelf.ts'

const at = new Date('2026-12-01T03:40:53Z')
const order = {
  id: 1,
  code: 'HBPM5YF8MCV6XDAJ',
  state: 'PaymentSettled',
  currencyCode: 'USD',
  totalWithTax: 1250,
  orderPlacedAt: at,
  updatedAt: at,
  customFields: { aisleVisit: 'visit-0123456789' },
}
const payment = (state: string, refunds: object[] = []) => ({ id: 1, state, amount: 1250, refunds })
const read = (change: object, precision = 2) => {
  const changed = { ...order, payments: [payment('Settled')], ...change }
  return vendureOrder(changed as unknown as Order, precision)
}

test('a cart is no order yet', () => {
  expect(read({ orderPlacedAt: null })).toBeNull()
})

test('amounts have the decimals of the shop', () => {
  expect(read({})).toMatchObject({ total: '12.50', paid: '12.50', currency: 'USD' })
  expect(read({ totalWithTax: 12_500 }, 3)?.total).toBe('12.500')
})

test('a cancelled order came to what was promised for it, paid or not', () => {
  const cancelled = { state: 'Cancelled', totalWithTax: 0 }
  expect(
    read({ ...cancelled, payments: [payment('Declined'), payment('Cancelled')] }),
  ).toMatchObject({ total: '12.50', paid: '0.00', cancelled: at })
  expect(read({ ...cancelled, payments: [payment('Settled')] })).toMatchObject({
    total: '12.50',
    paid: '12.50',
  })
})

test('a refund counts once it is settled', () => {
  const refunds = [
    { id: 1, state: 'Pending', total: 300, updatedAt: at },
    { id: 2, state: 'Settled', total: 500, updatedAt: at },
  ]
  const payments = [payment('Settled', refunds), { id: 2, state: 'Error', amount: 1 }]
  expect(read({ payments })?.refunds).toEqual([{ id: '2', total: '5.00', made: at }])
})

test.each([
  ['IN_STOCK', true],
  ['OUT_OF_STOCK', false],
  ['7', true],
  ['0', false],
])('a variant with the stock level %s is available: %s', (stockLevel, available) => {
  const variants = [
    {
      id: '3',
      name: 'Rain Jacket L',
      sku: 'L',
      priceWithTax: 17900,
      currencyCode: 'USD',
      stockLevel,
      options: [],
    },
  ]
  const product = {
    id: '2',
    name: 'Rain Jacket',
    slug: 'rain-jacket',
    description: '<p>Keeps out&nbsp;<b>rain</b>.</p>',
    featuredAsset: null,
    collections: [],
  }
  const listed = vendureListing({ ...product, variants }, 'https://shop.example/p/{slug}', 2)
  expect(listed).toMatchObject({
    url: 'https://shop.example/p/rain-jacket',
    variants: [{ id: '2.3', price: { amount: 17900 }, availability: { available } }],
  })
  expect(listed?.variants[0]).not.toHaveProperty('options')
  expect(vendureListing({ ...product, variants: [] }, '', 2)).toBeNull()
})
