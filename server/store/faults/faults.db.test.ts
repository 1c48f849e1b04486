import { expect, test } from 'vitest'
import { testStore } from '../testing/store.ts'
import { FAULTS } from './faults.ts'

const { ask, order } = await testStore()

const JACKET = { product_id: 'ao-1001', variant_id: 'ao-1001-s-pine', quantity: 1 }

test('names are unique, and the gap in kebab-case', () => {
  expect(new Set(FAULTS.map(({ fault }) => fault)).size).toBe(FAULTS.length)
  for (const { fault, gap, needsWalk, needsBrowser, shows } of FAULTS) {
    expect(fault).toMatch(/^[a-z]+(-[a-z0-9]+)+$/)
    // Named after what is wrong: another fault has the name of its gap.
    if (gap === null || shows !== undefined || needsBrowser) continue
    // In a store that speaks official UCP, a gap that others can have too.
    const names = [gap, `ucp_${gap}`]
    // Of a purchase in an official dialect.
    const short = gap.replace(/^(?:checkout|acp)_/, '')
    if (needsWalk) {
      names.push(`acp_${gap}`, `ucp_${short}`, `acp_${short}`, `spec_acp_${short}`)
    }
    expect(names).toContain(fault.replaceAll('-', '_'))
  }
})

test('a store that speaks official UCP everywhere keeps the faults of the other manifest', async () => {
  const store = await testStore({ official: true })
  const declares = async (host: string) =>
    'ucp' in JSON.parse((await store.ask('/.well-known/ucp', host)).body)
  expect(await declares('shop.example')).toBe(true)
  expect(await declares('ucp-parts-dropped.example')).toBe(true)
  expect(await declares('well-known-invalid.example')).toBe(false)
})

test('www. has the fault as well, but for the one of the subdomain', async () => {
  const empty = await ask('/ucp/products', 'www.catalog-empty.example')
  expect(JSON.parse(empty.body).products).toEqual([])
  const only = 'well-known-only-on-subdomain.example'
  expect((await ask('/.well-known/ucp', only)).status).toBe(404)
  expect((await ask('/.well-known/ucp', `www.${only}`)).status).toBe(200)
})

test('faults of every host add up', async () => {
  const store = await testStore({ faults: ['catalog-empty', 'catalog-cached-too-long'] })
  const { headers, body } = await store.ask('/ucp/products')
  expect(JSON.parse(body).pagination.total).toBe(0)
  expect(headers.get('cache-control')).toBe('public, max-age=86400')
  const { body: home } = await store.ask('/', 'dark-traffic-untracked.example')
  expect(home).not.toContain('attribution.js')
})

test('a redirected manifest is right where it leads', async () => {
  const host = 'well-known-redirected.example'
  const { status, headers } = await ask('/.well-known/ucp', host)
  expect([status, headers.get('location')]).toEqual([302, '/ucp-manifest.json'])
  const { body } = await ask('/ucp-manifest.json', host)
  expect(JSON.parse(body).domain).toBe(host)
  expect((await ask('/ucp-manifest.json')).status).toBe(404)
})

test('ids that change are accepted by the checkout, and differ each time', async () => {
  const host = 'catalog-ids-unstable.example'
  const ids = async () =>
    JSON.parse((await ask('/ucp/products', host)).body).products.map(
      (product: { id: string }) => product.id,
    )
  const [first, again] = [await ids(), await ids()]
  expect(first[0]).not.toBe(again[0])
  expect((await order([{ ...JACKET, product_id: first[0] }], {}, host)).status).toBe(200)
})

test('prices in major units agree over catalog, filters and checkout, and not with the page', async () => {
  const host = 'catalog-price-major-units.example'
  const { body } = await ask('/ucp/products?min_price=179&max_price=179', host)
  expect(JSON.parse(body).products[0]).toMatchObject({
    id: 'ao-1001',
    price: { amount: 179, currency: 'USD' },
  })
  expect(JSON.parse((await order([JACKET], {}, host)).body).subtotal.amount).toBe(179)
  expect((await ask('/products/ao-1001', host)).body).toContain('"price": "179.00"')
})

test('a cart is slow, a refusal is not', async () => {
  const host = 'checkout-slow.example'
  expect((await order([JACKET], {}, host)).waited).toEqual([3200])
  expect((await order([], {}, host)).waited).toEqual([])
})
