import { expect, test } from 'vitest'
import {
  answered,
  answerLookup,
  answerProduct,
  answerSearch,
  type Shelf,
  type UcpListing,
  type UcpListingVariant,
} from './catalog.ts'

const variant = (id: string, amount: number, label: string): UcpListingVariant => ({
  id,
  title: label,
  description: { plain: 'x' },
  url: 'https://shop.example/x',
  price: { amount, currency: 'USD' },
  availability: { available: true, status: 'in_stock' },
  options: [{ name: 'Size', label }],
})
const product = (id: string, ...variants: UcpListingVariant[]): UcpListing => {
  const [first = variant('none', 0, ''), last = first] = variants
  return {
    id,
    title: id,
    description: { plain: 'x' },
    url: 'https://shop.example/x',
    price_range: { min: first.price, max: last.price },
    variants,
  }
}
const products = [
  product('mug', variant('mug-1', 1250, 'One')),
  product('jacket', variant('jacket-s', 17900, 'S'), variant('jacket-l', 18900, 'L')),
  product('tent', variant('tent-2', 40000, 'Two')),
]
const shelf: Shelf = {
  search: async ({ words, start, limit }) => {
    const found = products.filter(({ id }) => id.includes(words))
    return { products: found.slice(start, start + limit), total: found.length }
  },
  find: async (ids) =>
    products.filter(({ id, variants }) =>
      [id, ...variants.map((v) => v.id)].some((x) => ids.includes(x)),
    ),
}
const idsOf = async (request: object) => {
  const { body } = await answerSearch(shelf, request)
  return Object(body).products.map(({ id }: UcpListing) => id)
}

test('pages follow each other by their cursor, to the last', async () => {
  const first = await answerSearch(shelf, { query: '', pagination: { limit: 2 } })
  expect(first.body).toMatchObject({
    products: [{ id: 'mug' }, { id: 'jacket' }],
    pagination: { has_next_page: true, total_count: 3, cursor: '2' },
  })
  const last = await answerSearch(shelf, { query: '', pagination: { limit: 2, cursor: '2' } })
  expect(last.body).toMatchObject({
    products: [{ id: 'tent' }],
    pagination: { has_next_page: false, total_count: 3 },
  })
  expect(Object(last.body).pagination).not.toHaveProperty('cursor')
})

test('prices are a range that a product reaches into', async () => {
  expect(await idsOf({ filters: { price: { min: 18_000, max: 20_000 } } })).toEqual(['jacket'])
  expect(await idsOf({ filters: { price: { max: 1250 } } })).toEqual(['mug'])
  expect(await idsOf({ filters: {} })).toEqual(['mug', 'jacket', 'tent'])
})

test('a product that is looked up brings the variants that were asked for', async () => {
  const { body } = await answerLookup(shelf, { ids: ['jacket-l', 'mug', 'none', 7] })
  expect(body).toMatchObject({
    products: [
      { id: 'mug', variants: [{ id: 'mug-1', inputs: [{ id: 'mug', match: 'featured' }] }] },
      {
        id: 'jacket',
        variants: [{ id: 'jacket-l', inputs: [{ id: 'jacket-l', match: 'exact' }] }],
      },
    ],
  })
})

test('the variant that was chosen comes first', async () => {
  const selected = [{ name: 'Size', label: 'L' }]
  const { body } = await answerProduct(shelf, { id: 'jacket', selected })
  expect(body).toMatchObject({
    product: { variants: [{ id: 'jacket-l' }, { id: 'jacket-s' }], selected },
  })
})

test.each([
  [answerSearch, {}, 400, 'invalid'],
  [answerSearch, null, 400, 'invalid'],
  [answerSearch, { query: ['x'], filters: 'x' }, 400, 'invalid'],
  [answerLookup, {}, 400, 'invalid'],
  [answerLookup, { ids: [{}, null] }, 400, 'invalid'],
  [answerLookup, { ids: Array.from({ length: 51 }, (_, n) => n) }, 400, 'request_too_large'],
  [answerProduct, { id: 'none' }, 200, 'not_found'],
  [answerProduct, 'x', 200, 'not_found'],
])('%o of %j is answered in the words of UCP', async (answer, request, status, code) => {
  expect(await answer(shelf, request)).toMatchObject({ status, body: { messages: [{ code }] } })
})

test('a shop whose own API fails says so', async () => {
  const said = await answered(() => Promise.reject(new Error('a secret of the shop')))
  expect(said).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(JSON.stringify(said)).not.toContain('secret')
})
