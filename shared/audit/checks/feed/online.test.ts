import { expect, test } from 'vitest'
import type { FeedItem } from '../../../commerce/feed.ts'
import type { Fetched, JsonSeen } from '../../../web/http/fetched.ts'
import type { CatalogSeen } from '../../evidence.ts'
import { compareOnline, shopOf } from './online.ts'
import { emptySample, sampleRow, spreadSample } from './sample.ts'

const item = (row: number, more: Partial<FeedItem> = {}): FeedItem => ({
  ...{ row, id: `T-${row}`, title: 'Fjell Tent', description: 'Dry in a storm.' },
  ...{ link: `https://shop.example/p/${row}`, image_link: 'https://shop.example/1.jpg' },
  ...{ availability: 'in_stock', price: '249.00 EUR', sale_price: null },
  ...{ brand: null, gtin: null, mpn: null, ...more },
})

const NONE: Fetched = { kind: 'not_asked', reason: 'it is not needed here' }
const nothing: JsonSeen = { fetched: NONE, json: null }
const catalogOf = (...products: object[]): CatalogSeen => {
  const url = 'https://shop.example/ucp/products'
  const fetched: Fetched = {
    ...{ kind: 'answer', method: 'GET', url, final_url: url, redirects: [], status: 200 },
    ...{ headers: {}, body: '', truncated: false, ms: 1 },
  }
  return {
    ...{ dialect: 'spec', endpoint: null, again: nothing, next: [] },
    ...{ search: null, filters: null, official: null },
    first: { fetched, json: { ok: true, value: { products } } },
  }
}
const listed = (more: object = {}) => ({
  ...{ id: 'T-1', name: 'Tent', url: 'https://shop.example/p/1', availability: 'in_stock' },
  price: { amount: 24900, currency: 'EUR' },
  ...more,
})
const skipped = { skipped: 'it was not asked for' }

test.each<[string, object, string[]]>([
  ['the same', {}, []],
  ['price', { price: { amount: 19900, currency: 'EUR' } }, ['price']],
  ['currency', { price: { amount: 24900, currency: 'USD' } }, ['currency']],
  ['availability', { availability: 'out_of_stock' }, ['availability']],
  ['title', { name: 'Gas stove' }, ['title']],
  ['a title in other words', { name: "Fjell's dome tent, grey" }, []],
])('a catalog with %s', (_name, more, expected) => {
  const seen = compareOnline(item(1), { page: skipped, catalog: catalogOf(listed(more)) })
  expect(seen.compared).toEqual(['catalog'])
  expect(seen.differences.map(({ what }) => what)).toEqual(expected)
  expect(seen.differences.every(({ where }) => where === 'catalog')).toBe(true)
})

test('what the catalog does not list, as far as it was read, is not compared', () => {
  const catalog = catalogOf(listed({ id: 'T-9', price: { amount: 1, currency: 'EUR' } }))
  expect(compareOnline(item(1), { page: skipped, catalog })).toMatchObject({
    ...{ compared: [], differences: [], unread: 'it was not asked for' },
  })
})

test('a sample is of all of a feed, the same each time, and no larger than it was asked for', () => {
  const sampleOf = (rows: number, most: number) => {
    const sample = emptySample(most)
    for (let row = 1; row <= rows; row += 1) sampleRow(sample, row, () => item(row))
    expect(sample.items.length).toBeLessThanOrEqual(2 * most)
    return spreadSample(sample).map(({ row }) => row)
  }
  expect(sampleOf(3, 10)).toEqual([1, 2, 3])
  expect(sampleOf(5, 0)).toEqual([])
  for (const rows of [10, 11, 19, 20, 21, 99_999]) {
    const rowsSeen = sampleOf(rows, 10)
    expect(new Set(rowsSeen).size).toBe(10)
    expect(rowsSeen[0]).toBe(1)
    expect(rowsSeen.at(-1)).toBeGreaterThan(rows * 0.7)
    expect(sampleOf(rows, 10)).toEqual(rowsSeen)
  }
})

test('the shop is the host that most products lead to, on the site of the feed', () => {
  const items = [item(1), item(2), item(3, { link: 'https://ads.example/click?to=3' })]
  const isOfSite = (one: string, other: string) => one.endsWith(other)
  const shop = (from: string | null, asked?: string) => shopOf(items, { from, asked }, isOfSite)
  expect(shop(null).shop).toBe('shop.example')
  expect(shop('https://feeds.shop.example/all.xml').shop).toBe('shop.example')
  expect(shop('https://feeds.example/all.xml')).toMatchObject({
    shop: null,
    notes: [expect.stringContaining('add --shop shop.example')],
  })
  expect(shop('https://feeds.example/all.xml', 'ads.example').shop).toBe('ads.example')
  expect(shopOf([item(1, { link: null })], { from: null }, isOfSite).shop).toBeNull()
})
