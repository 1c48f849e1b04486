import { expect, test } from 'vitest'
import type { FeedItem } from '../commerce/feed.ts'
import { chooseGoods, goodsOf, goodsOfFeed } from './goods.ts'

const item = (change: Partial<FeedItem>): FeedItem => ({
  row: 1,
  id: 'pot',
  title: 'Pot',
  description: null,
  link: null,
  image_link: null,
  availability: 'in_stock',
  price: '15.00 USD',
  sale_price: null,
  brand: null,
  gtin: null,
  mpn: null,
  ...change,
})

test.each([
  ['15.00 USD', { amount: 1500, currency: 'USD' }],
  ['15.00USD', { amount: 1500, currency: 'USD' }],
  ['1.250,00 €', { amount: 125_000, currency: 'EUR' }],
  ['1.259 EUR', null],
  ['S/ 1.500', null],
  ['₡5.000', null],
  ['1500 JPY', { amount: 1500, currency: 'JPY' }],
  ['1500.00 JPY', { amount: 1500, currency: 'JPY' }],
  ['1.500 JPY', { amount: 1500, currency: 'JPY' }],
  ['4.25 KWD', { amount: 4250, currency: 'KWD' }],
  ['4.250 KWD', { amount: 4250, currency: 'KWD' }],
  ['15.00', null],
  ['on request', null],
])('%s of a feed is what a checkout is compared with', (price, money) => {
  expect(goodsOfFeed([item({ price })])[0]?.price).toEqual(money)
})

test('a catalog with currencies in small letters is bought from in these currencies', () => {
  const product = { id: 'pot', name: 'Pot', price: { amount: 1500, currency: 'eur' } }
  expect(goodsOf([{ product }])[0]?.price).toEqual({ amount: 1500, currency: 'EUR' })
})

test.each(['in_stock', 'In Stock', 'instock', 'https://schema.org/InStock', null])(
  '%s of a feed can be bought',
  (availability) => {
    expect(chooseGoods('cheapest', goodsOfFeed([item({ availability })]))).toHaveLength(1)
  },
)

test.each(['preorder', 'pre_order', 'Pre-order'])('%s of a feed is ordered ahead', (word) => {
  const goods = goodsOfFeed([item({ availability: word })])
  expect(chooseGoods('cheapest', goods)).toBeNull()
  expect(chooseGoods('preorder', goods)).toHaveLength(1)
})

test.each(['out of stock', 'sold-out', 'oos'])('%s of a feed is sold out', (word) => {
  expect(chooseGoods('sold_out', goodsOfFeed([item({ availability: word })]))).toHaveLength(1)
})
