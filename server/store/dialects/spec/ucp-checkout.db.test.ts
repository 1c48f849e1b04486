import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { UcpCart, UcpError } from '../../../../shared/protocols/spec/ucp.ts'
import { sessions } from '../../db/tables.ts'
import { ADDRESS, FOR_CUSTOMERS, testStore } from '../../testing/store.ts'

const { send, order, deps } = await testStore()

const TENT = { product_id: 'ao-1101', quantity: 1 }
const TOO_MANY = {
  code: 'too_many_items',
  message: 'An order can have at most 100 different items, and 99 of each.',
}
const JACKET = { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }

const usd = (amount: number) => ({ amount, currency: 'USD' })
const costs = (cart: UcpCart) => cart.shipping_options.map(({ id, cost }) => [id, cost.amount])

test('a cart is priced from the catalog and lives twenty minutes', async () => {
  const { status, headers, body } = await order([JACKET, { ...TENT, quantity: 2 }])
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  const cart = UcpCart.strict().parse(JSON.parse(body))
  expect(cart).toMatchObject({
    subtotal: usd(17_900 + 2 * 28_900),
    tax: usd(6056),
    expires_at: '2026-06-01T12:20:00.000Z',
  })
})

test('standard shipping is free from 100 dollars on, and abroad there is one way', async () => {
  const spoon = { product_id: 'ao-1412', quantity: 1 }
  const cartOf = async (items: object[], change = {}) =>
    UcpCart.parse(JSON.parse((await order(items, change)).body))
  expect(costs(await cartOf([spoon]))).toEqual([
    ['standard', 600],
    ['express', 1800],
  ])
  const windscreens = { product_id: 'ao-1419', quantity: 4 }
  expect(costs(await cartOf([windscreens]))).toEqual([
    ['standard', 0],
    ['express', 1800],
  ])
  const abroad = { ...ADDRESS, zip: '10115', country: 'DE' }
  const cart = await cartOf([spoon], { shipping_address: abroad })
  expect(costs(cart)).toEqual([['international', 2900]])
  expect(cart.tax.amount).toBe(0)
})

describe('a cart is kept, unless it is a dry run', () => {
  test.each([
    [{ dry_run: true }, 0],
    [{ dry_run: false }, 1],
    [{}, 1],
  ])('%o', async (change, kept) => {
    const before = await deps.db.$count(sessions)
    const body = { items: [TENT], shipping_address: ADDRESS, ...change }
    const { checkout_id } = JSON.parse((await send('POST', '/ucp/checkout', body)).body)
    expect((await deps.db.$count(sessions)) - before).toBe(kept)
    const [session] = await deps.db.select().from(sessions).where(eq(sessions.id, checkout_id))
    expect(session?.items[0]?.product_id).toBe(kept ? 'ao-1101' : undefined)
  })
})

describe('what cannot be a cart is refused in the words of the specification', () => {
  const address = (change: object) => ({ shipping_address: { ...ADDRESS, ...change } })
  test.each<[string, object[], object, number, object]>([
    ['no items', [], {}, 422, { code: 'invalid_request' }],
    ['quantity 0', [{ ...TENT, quantity: 0 }], {}, 422, { code: 'invalid_request' }],
    ['quantity 1.5', [{ ...TENT, quantity: 1.5 }], {}, 422, { code: 'invalid_request' }],
    ['quantity 100', [{ ...TENT, quantity: 100 }], {}, 422, TOO_MANY],
    ['101 items', Array(101).fill(TENT), {}, 422, TOO_MANY],
    ['dry_run "yes"', [TENT], { dry_run: 'yes' }, 422, { code: 'invalid_request' }],
    ['unknown product', [{ ...TENT, product_id: 'x' }], {}, 422, { code: 'unknown_product' }],
    ['no variant', [{ ...JACKET, variant_id: undefined }], {}, 422, { code: 'variant_required' }],
    ['unknown variant', [{ ...JACKET, variant_id: 'x' }], {}, 422, { code: 'unknown_variant' }],
    [
      "another's variant",
      [{ ...TENT, variant_id: JACKET.variant_id }],
      {},
      422,
      { code: 'unknown_variant' },
    ],
    [
      'the product as its variant',
      [{ ...JACKET, variant_id: 'ao-1001' }],
      {},
      422,
      { code: 'unknown_variant' },
    ],
    [
      'sold out',
      [{ product_id: 'ao-1120', quantity: 1 }],
      {},
      409,
      { code: 'out_of_stock', items: ['ao-1120'], retryable: false },
    ],
    [
      'a variant sold out',
      [JACKET, { product_id: 'ao-1003', variant_id: 'ao-1003-l-ink', quantity: 1 }],
      {},
      409,
      { code: 'out_of_stock', items: ['ao-1003-l-ink'] },
    ],
    [
      'no address',
      [TENT],
      { shipping_address: undefined },
      422,
      { code: 'invalid_address', fields: ['shipping_address'] },
    ],
    [
      'no street, country ZZ',
      [TENT],
      address({ street: '', country: 'ZZ' }),
      422,
      { code: 'invalid_address', fields: ['street', 'country'], retryable: true },
    ],
    [
      'a foreign zip',
      [TENT],
      address({ zip: 'K1A 0A9' }),
      422,
      { code: 'invalid_address', fields: ['zip'] },
    ],
    [
      'an endless name',
      [TENT],
      address({ name: 'x'.repeat(500) }),
      422,
      { code: 'invalid_address', fields: ['name'] },
    ],
    [
      'a number for a city',
      [TENT],
      address({ city: 7 }),
      422,
      { code: 'invalid_address', fields: ['city'] },
    ],
  ])('%s', async (_, items, change, status, error) => {
    const answer = await order(items, change)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json')
    const body = UcpError.parse(JSON.parse(answer.body))
    expect(body.error).toMatchObject(error)
    expect(body.error.message).toMatch(FOR_CUSTOMERS)
  })

  test.each(['', '{', 'null', '[]', '7', '"x"', '{"items":{}}', '{"__proto__":{}}'])(
    'the body %s',
    async (body) => {
      const answer = await send('POST', '/ucp/checkout', body)
      expect(answer.status).toBe(422)
      expect(UcpError.parse(JSON.parse(answer.body)).error.code).toBe('invalid_request')
    },
  )
})
