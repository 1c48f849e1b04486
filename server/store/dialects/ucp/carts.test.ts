import { expect, test } from 'vitest'
import { type Cart, memoryCarts } from './carts.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })
const cart = (checkout_id: string, expires: number): Cart => ({
  checkout_id,
  lines: [],
  subtotal: usd(100),
  shipping_options: [],
  tax: usd(0),
  expires_at: new Date(expires).toISOString(),
})

test('a cart is found until the moment that it expires', async () => {
  let now = 0
  const carts = memoryCarts(() => new Date(now))
  await carts.keep(cart('a', 1000))
  now = 999
  expect(await carts.find('a')).toMatchObject({ checkout_id: 'a' })
  expect(await carts.find('b')).toBeNull()
  now = 1000
  expect(await carts.find('a')).toBeNull()
})

test('the oldest cart gives way to one too many, and expired ones to any', async () => {
  let now = 0
  const carts = memoryCarts(() => new Date(now), 2)
  for (const id of ['a', 'b', 'c']) await carts.keep(cart(id, 1000))
  const kept = async () => Promise.all(['a', 'b', 'c', 'd'].map((id) => carts.find(id)))
  expect((await kept()).map((found) => found?.checkout_id)).toEqual([
    undefined,
    'b',
    'c',
    undefined,
  ])
  now = 1000
  await carts.keep(cart('d', 2000))
  expect((await kept()).map((found) => found?.checkout_id)).toEqual([
    undefined,
    undefined,
    undefined,
    'd',
  ])
})

test('a cart that is kept again is the newest, and takes no place from another', async () => {
  const carts = memoryCarts(() => new Date(0), 2)
  for (const id of ['a', 'b', 'b']) await carts.keep(cart(id, 1000))
  expect(await carts.find('a')).not.toBeNull()
  await carts.keep(cart('a', 1000))
  await carts.keep(cart('c', 1000))
  expect(await carts.find('a')).not.toBeNull()
  expect(await carts.find('b')).toBeNull()
})
