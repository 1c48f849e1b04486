import { expect, test } from 'vitest'
import { failedReport, orderReports, type ShopOrder } from './reports.ts'

const NOW = Date.parse('2026-12-01T12:00:00Z')
const ago = (hours: number) => new Date(NOW - hours * 3_600_000)
const order: ShopOrder = {
  id: 'order_1',
  cart: 'cart_1',
  visit: 'visit-0123456789',
  total: '12.5',
  paid: 0,
  currency: 'usd',
  placed: ago(1),
  cancelled: null,
  refunds: [],
}
const told = (change: Partial<ShopOrder>) =>
  orderReports({ ...order, ...change }, NOW).map(
    ({ id, event }) => `${id} ${event.properties?.value}`,
  )

test('an order that AI brought is reported under its cart and its own id', () => {
  expect(orderReports(order, NOW)).toEqual([
    {
      id: 'order_order_1',
      event: {
        event: 'ai_checkout_completed',
        source: 'web',
        session_id: 'cart_1',
        timestamp: '2026-12-01T11:00:00.000Z',
        properties: {
          visit_id: 'visit-0123456789',
          order_id: 'order_1',
          value: 1250,
          currency: 'USD',
        },
      },
    },
  ])
})

test.each([undefined, null, '', 'x', 7, 'visit 0123456789', { id: 'visit-0123456789' }])(
  'an order with the visit %j is nobody else’s business',
  (visit) => {
    expect(told({ visit, cancelled: ago(0) })).toEqual([])
    expect(failedReport({ cart: 'cart_1', visit, reason: 'out_of_stock' }, NOW)).toBeNull()
  },
)

test('a cancellation takes back what was not paid, and refunds what was', () => {
  const refunds = [{ id: 'r1', total: 5, made: ago(0.5) }]
  expect(told({ cancelled: ago(0) })).toEqual([
    'order_order_1 1250',
    'refund_cancelled_order_1 1250',
  ])
  expect(told({ cancelled: ago(0), paid: 12.5 })).toEqual(['order_order_1 1250'])
  expect(told({ cancelled: ago(0), paid: 5, refunds })).toEqual([
    'order_order_1 1250',
    'refund_r1 500',
    'refund_cancelled_order_1 750',
  ])
  expect(told({ paid: 12.5, refunds })).toEqual(['order_order_1 1250', 'refund_r1 500'])
})

test('what Aisle would refuse as too old is left out, and a late refund is not', () => {
  const refunds = [{ id: 'r1', total: 5, made: ago(47) }]
  expect(told({ placed: ago(49), refunds })).toEqual(['refund_r1 500'])
})

test('the decimals are those of the currency', () => {
  expect(told({ currency: 'JPY', total: 1250 })).toEqual(['order_order_1 1250'])
})

test('a checkout that fails is reported under its cart, once', () => {
  const visit = 'visit-0123456789'
  expect(failedReport({ cart: 'cart_1', visit, reason: 'out_of_stock' }, NOW)).toMatchObject({
    id: 'failed_cart_1',
    event: {
      event: 'ai_checkout_failed',
      session_id: 'cart_1',
      properties: { visit_id: visit, reason: 'out_of_stock' },
    },
  })
})
