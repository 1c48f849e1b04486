import { expect, test } from 'vitest'
import { testStore } from '../testing/store.ts'
import { changedBasket, keepBasket, readBasket } from './basket.ts'

const JACKET = 'ao-1001-s-pine'
const MAT = 'ao-1313-std'

const form = (fields: Record<string, string>) => new URLSearchParams(fields)

test('a basket is changed by forms', () => {
  const empty = readBasket(undefined)
  const one = changedBasket(empty, form({ item: JACKET, quantity: '1' }))
  expect([...one]).toEqual([[JACKET, 1]])
  const three = changedBasket(one, form({ item: JACKET, quantity: '2' }))
  expect([...three]).toEqual([[JACKET, 3]])
  expect([...changedBasket(three, form({ item: JACKET, quantity: '5', do: 'set' }))]).toEqual([
    [JACKET, 5],
  ])
  expect([...changedBasket(three, form({ item: JACKET, do: 'remove' }))]).toEqual([])
  expect([...changedBasket(three, form({ item: MAT }))]).toEqual([
    [JACKET, 3],
    [MAT, 1],
  ])
})

test.each([
  ['no number', { quantity: 'many' }, 1],
  ['a number below nothing', { quantity: '-3' }, 1],
  ['more than there is room for', { quantity: '999' }, 99],
])('%s as quantity', (_, fields, quantity) => {
  const basket = changedBasket(new Map(), form({ item: JACKET, ...fields }))
  expect(basket.get(JACKET)).toBe(quantity)
})

test('no more than 20 things go in, and nothing that is no id', () => {
  const full = new Map(Array.from({ length: 20 }, (_, n) => [`thing-${n}`, 1] as const))
  expect(changedBasket(full, form({ item: JACKET })).size).toBe(20)
  expect(changedBasket(full, form({ item: 'thing-3' })).get('thing-3')).toBe(2)
  expect(changedBasket(new Map(), form({ item: '<script>; Path=/' })).size).toBe(0)
})

test('the browser keeps it in a cookie that scripts cannot read, and gives it back', () => {
  const { status, headers } = keepBasket(new Map([[JACKET, 2]]))
  expect([status, headers.location]).toEqual([303, '/basket'])
  expect(headers['set-cookie']).toBe(
    `basket=${JACKET}:2; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax`,
  )
  expect([...readBasket(`${JACKET}:2`)]).toEqual([[JACKET, 2]])
  expect(keepBasket(new Map()).headers['set-cookie']).toContain('Max-Age=0')
  expect([...readBasket('nonsense,,:')]).toEqual([])
})

test('the page shows what is in it, and leads to the checkout with the same things', async () => {
  const { store } = await testStore({ official: true })
  const open = async (cookie: string) => {
    const headers = { host: 'shop.example', cookie }
    return (await store.request('https://shop.example/basket', { headers })).text()
  }
  expect(await open('')).toContain('Your basket is empty')
  const page = await open(`basket=${JACKET}:2`)
  expect(page).toContain('Skarn Rain Jacket')
  expect(page).toContain('358.00 USD')
  expect(page).toMatch(/<a href="[^"]*ao-1001-s-pine[^"]*" class="button" rel="nofollow">Checkout/)
  // What the store does not sell is left out.
  expect(await open('basket=no-such-thing:1')).toContain('Your basket is empty')
})
