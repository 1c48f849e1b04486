import { describe, expect, test } from 'vitest'
import { AVAILABILITIES, CatalogPage, type Product } from '../../../shared/commerce/product.ts'
import { UcpError } from '../../../shared/protocols/spec/ucp.ts'
import { FOR_CUSTOMERS, stockOf, testStore } from '../testing/store.ts'
import { findArticle } from './assortment.ts'

const { ask, deps } = await testStore()

async function list(query: string) {
  const { status, headers, body } = await ask(`/ucp/products?${query}`)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('public, max-age=60')
  return CatalogPage.parse(JSON.parse(body))
}

test.each([
  ['q=merino', 4],
  ['q=MERINO%20base', 1],
  ['q=AO-CK-01', 1],
  ['q=merino&category=footwear', 2],
  ['q=no+such+thing', 0],
  ['q=', 120],
  ['category=Tents+%26+Shelters', 20],
  ['min_price=80000', 1],
  ['max_price=1200', 1],
  ['min_price=32900&max_price=32900', 2],
  ['availability=preorder', 2],
  ['availability=backorder', 2],
  ['colour=red', 120],
])('%s finds %i', async (query, total) => {
  const { products, pagination } = await list(query)
  expect(pagination?.total).toBe(total)
  expect(products).toHaveLength(Math.min(total, 100))
})

test('a product passes by a variant that passes the price', async () => {
  // Ember Sleeping Bag: 199.00, the long one 219.00.
  const named = async (query: string) => (await list(`q=ember+sleeping&${query}`)).products.length
  expect(await named('min_price=21900&max_price=21900')).toBe(1)
  expect(await named('min_price=20000&max_price=21800')).toBe(0)
})

/** Every product of a query, over all of its pages. */
async function listAll(path: string): Promise<Product[]> {
  const { body } = await ask(path)
  const { products, pagination } = CatalogPage.parse(JSON.parse(body))
  const next = pagination?.next
  return [...products, ...(next ? await listAll(next.replace('https://shop.example', '')) : [])]
}

test.each(['/ucp/products', '/acp/products/search'])(
  '%s: a product is listed under the availability that it shows, and no other',
  async (path) => {
    // One variant of the first is gone, all of the second are, and one sold out is back.
    const [jacket, parka] = ['ao-1001', 'ao-1002'].map((id) => findArticle(id))
    for (const { id } of [...(jacket?.variants.slice(0, 1) ?? []), ...(parka?.variants ?? [])]) {
      await stockOf(deps, id).setPieces(0)
    }
    await stockOf(deps, 'ao-1120').setPieces(5)
    const all = await listAll(path)
    expect(all).toHaveLength(120)
    for (const availability of AVAILABILITIES) {
      const shown = all.filter((product) => product.availability === availability)
      expect(shown.length, availability).toBeGreaterThan(0)
      expect(await listAll(`${path}?availability=${availability}`)).toEqual(shown)
    }
  },
)

test('next keeps the filters and is null at the end', async () => {
  const first = await list('min_price=2000&max_price=90000')
  expect(first.pagination?.next).toBe(
    'https://shop.example/ucp/products?min_price=2000&max_price=90000&page=2',
  )
  const second = await list('min_price=2000&max_price=90000&page=2')
  expect(second.products).toHaveLength((first.pagination?.total ?? 0) - 100)
  expect(second.pagination).toMatchObject({ page: 2, next: null })
  expect((await list('page=9')).products).toEqual([])
  // A page that is exactly full has none after it.
  expect((await list('max_price=22900')).pagination).toMatchObject({ total: 100, next: null })
})

describe('a wrong parameter is refused by its name', () => {
  test.each([
    ['min_price=ten', 'min_price'],
    ['max_price=-1', 'max_price'],
    ['min_price=1.5', 'min_price'],
    ['availability=InStock', 'availability'],
    ['page=0', 'page'],
    ['page=9999999999999', 'page: must be at most 999999999999'],
    [`min_price=${'9'.repeat(400)}`, 'min_price: must be at most 999999999999'],
    [`q=${'x'.repeat(201)}`, 'q'],
  ])('%s', async (query, said) => {
    const [name] = said.split(':')
    const { status, headers, body } = await ask(`/ucp/products?${query}`)
    expect(status).toBe(400)
    expect(headers.get('content-type')).toBe('application/json')
    const { error } = UcpError.parse(JSON.parse(body))
    expect(error).toMatchObject({ code: 'invalid_parameter', retryable: false, fields: [name] })
    expect(error.message).toMatch(FOR_CUSTOMERS)
    expect(JSON.parse(body).error.detail).toContain(said)
  })
})
