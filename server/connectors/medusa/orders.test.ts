import { expect, test } from 'vitest'
import { reasonOf } from './failed-checkout.ts'
import { medusaOrder } from './orders.ts'
import { medusaListing, type StoreProduct } from './shelf.ts'

test('an order is read as Medusa 2.21 answered it', () => {
  const row = {
    id: 'order_01M8QSTGY18CTHRFW3PGP81GAB',
    created_at: '2026-12-01T03:19:25.378Z',
    canceled_at: '2026-12-01T03:19:26.952Z',
    currency_code: 'usd',
    metadata: { other: 1, aisle_visit: 'visit-0123456789' },
    summary: { original_order_total: 12.5, paid_total: 12.5 },
    cart: { id: 'cart_01M8QSTF8PB8W47PE2M7QZCV8H' },
    payment_collections: [
      null,
      {
        payments: [
          { refunds: [{ id: 'ref_1', amount: 12.5, created_at: '2026-12-01T03:19:26.500Z' }] },
        ],
      },
    ],
  }
  expect(medusaOrder(row)).toEqual({
    id: row.id,
    cart: row.cart.id,
    visit: 'visit-0123456789',
    total: 12.5,
    paid: 12.5,
    currency: 'usd',
    placed: new Date(row.created_at),
    cancelled: new Date(row.canceled_at),
    refunds: [{ id: 'ref_1', total: 12.5, made: new Date('2026-12-01T03:19:26.500Z') }],
  })
  const bare = { ...row, metadata: null, canceled_at: null, cart: null, payment_collections: null }
  expect(medusaOrder(bare)).toMatchObject({
    cart: row.id,
    visit: undefined,
    cancelled: null,
    refunds: [],
  })
})

test.each([
  [{ type: 'cart', error: { type: 'payment_authorization_error' } }, 'payment_declined'],
  [{ type: 'invalid_data', code: 'insufficient_inventory' }, 'out_of_stock'],
  [
    { type: 'not_allowed', message: 'Not enough stock available for item i at location s' },
    'out_of_stock',
  ],
  [{ type: 'cart', error: { type: 'payment_requires_more_error' } }, null],
  [{ type: 'order', order: { id: 'order_1' } }, null],
  [{ type: 'conflict', message: 'Cart is already being completed' }, null],
  [undefined, null],
])('the answer %j to a checkout says why it failed: %s', (body, reason) => {
  expect(reasonOf(body)).toBe(reason)
})

const product: StoreProduct = {
  id: 'prod_1',
  title: 'Rain Jacket',
  handle: 'rain-jacket',
  description: null,
  variants: [
    {
      id: 'variant_1',
      title: 'S',
      sku: null,
      manage_inventory: true,
      allow_backorder: false,
      inventory_quantity: 0,
      calculated_price: { calculated_amount: 179, currency_code: 'usd' },
      options: [{ value: 'S', option: { title: 'Size' } }],
    },
  ],
}
const URL_OF = 'https://shop.example/us/products/{handle}'

test('a product that nobody can buy here is not listed', () => {
  const variants = product.variants?.map((each) => ({ ...each, calculated_price: null })) ?? []
  expect(medusaListing({ ...product, variants }, URL_OF)).toBeNull()
  expect(medusaListing({ ...product, variants: null }, URL_OF)).toBeNull()
})

test.each([
  [{}, 'out_of_stock', false],
  [{ inventory_quantity: 3 }, 'in_stock', true],
  [{ allow_backorder: true }, 'backorder', true],
  [{ manage_inventory: false }, 'in_stock', true],
  [{ inventory_quantity: null }, 'out_of_stock', false],
])('with %j a variant is %s', (change, status, available) => {
  const variants = product.variants?.map((each) => ({ ...each, ...change })) ?? []
  const listed = medusaListing({ ...product, variants }, URL_OF)
  expect(listed?.variants[0]).toMatchObject({
    title: 'Rain Jacket - S',
    price: { amount: 17900, currency: 'USD' },
    availability: { status, available },
    options: [{ name: 'Size', label: 'S' }],
  })
  expect(listed?.url).toBe('https://shop.example/us/products/rain-jacket')
  expect(listed?.description.plain).toBe('Rain Jacket')
})
