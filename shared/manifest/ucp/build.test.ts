import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ManifestRequest } from '../manifest.ts'
import { buildProfile } from './build.ts'
import { inspectProfile } from './profile.ts'

const LEAST = {
  domain: 'shop.example',
  catalog_endpoint: 'https://shop.example/ucp/products',
  checkout_endpoint: 'https://shop.example/ucp/checkout',
}
const MOST = {
  ...LEAST,
  shipping_endpoint: 'https://shop.example/ucp/shipping',
  orders_endpoint: 'https://shop.example/ucp/orders',
  supports_search: true,
  supports_filters: ['category'],
  supported_payment_methods: ['card'],
}

test('a full request gives every capability that it states, and no more', () => {
  const { profile, warnings } = buildProfile(MOST)
  const { schema, ...checkout } = profile.ucp.capabilities['dev.ucp.shopping.checkout']![0]!
  expect(checkout).toEqual({ version: '2026-08-25' })
  expect(schema).toBe('https://ucp.dev/2026-08-25/schemas/shopping/checkout.json')
  expect(Object.keys(profile.ucp.capabilities)).toEqual([
    'dev.ucp.shopping.catalog.search',
    'dev.ucp.shopping.checkout',
    'dev.ucp.shopping.fulfillment',
    'dev.ucp.shopping.order',
  ])
  expect(profile.ucp.payment_handlers).toEqual({})
  expect(profile).not.toHaveProperty('keys')
  for (const name of ['payment_handlers', 'keys', 'supports_filters', 'supported_payment']) {
    expect(warnings.join('\n')).toContain(name)
  }
  expect(inspectProfile(profile, { domain: 'shop.example' })).toMatchObject({
    dialect: '2026-08-25',
    errors: [],
    shoppable: true,
    services: [
      { service: 'dev.ucp.shopping', transport: 'rest', endpoint: 'https://shop.example/ucp' },
    ],
  })
})

test('a least request leaves the rest out and says so', () => {
  const { profile, warnings } = buildProfile(LEAST)
  expect(Object.keys(profile.ucp.capabilities)).toEqual(['dev.ucp.shopping.checkout'])
  expect(warnings.join('\n')).toContain('The catalog is omitted')
  expect(warnings.join('\n')).not.toContain('supports_filters')
})

describe('the base URL', () => {
  const base = (changes: Partial<ManifestRequest>) =>
    buildProfile({ ...MOST, ...changes }).profile.ucp.services['dev.ucp.shopping']?.[0]?.endpoint

  test.each([
    ['https://shop.example/products', 'https://shop.example/checkout', 'https://shop.example'],
    [
      'https://shop.example/a/catalog/search?q=',
      'https://shop.example/a/checkout-sessions',
      'https://shop.example/a',
    ],
    [
      'https://SHOP.example:443/a/catalog',
      'https://shop.example/a/checkout/',
      'https://shop.example/a',
    ],
    ['https://shop.example/a/catalog', 'https://shop.example/b/checkout', undefined],
    ['https://cdn.example/a/catalog', 'https://shop.example/a/checkout', undefined],
    ['https://shop.example/a/list', 'https://shop.example/a/checkout', undefined],
    ['https://shop.example/a/catalog', 'https://shop.example/a/buy', undefined],
    ['https://shop.example/a//catalog', 'https://shop.example/a//checkout', undefined],
    ['https://shop.example/a|b/catalog', 'https://shop.example/a|b/checkout', undefined],
  ])('of %s and %s is %s', (catalog_endpoint, checkout_endpoint, expected) => {
    const { orders_endpoint, ...request } = { ...MOST, catalog_endpoint, checkout_endpoint }
    const { profile, warnings } = buildProfile(request)
    expect(profile.ucp.services['dev.ucp.shopping']?.[0]?.endpoint).toBe(expected)
    expect(warnings[0]).toContain(expected ?? 'services is empty')
  })

  test('is none when the orders lie elsewhere', () => {
    expect(base({})).toBe('https://shop.example/ucp')
    expect(base({ orders_endpoint: 'https://shop.example/v2/orders' })).toBeUndefined()
  })
})

const url = fc
  .tuple(
    fc.constantFrom('https://shop.example', 'https://api.shop.example:8443', 'https://[::1]'),
    fc.array(
      fc.oneof(
        fc.constantFrom('ucp', 'products', 'catalog', 'checkout', 'orders', '..', '', 'a|b', '%zz'),
        fc.string({ unit: 'grapheme', maxLength: 5 }),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([origin, path]) => `${origin}/${path.join('/')}`)

const request = fc.record(
  {
    domain: fc.domain().filter((domain) => ManifestRequest.shape.domain.safeParse(domain).success),
    catalog_endpoint: url,
    checkout_endpoint: url,
    shipping_endpoint: url,
    orders_endpoint: url,
    supports_search: fc.boolean(),
    supports_filters: fc.array(fc.string({ minLength: 1 })),
    supported_payment_methods: fc.array(fc.string({ minLength: 1 })),
  },
  { requiredKeys: ['domain', 'catalog_endpoint', 'checkout_endpoint'] },
)

test('whatever the request, the profile is whole, and shoppable when a base was found', () =>
  fc.assert(
    fc.property(request, (given) => {
      const { profile, warnings } = buildProfile(ManifestRequest.parse(given))
      const found = inspectProfile(JSON.parse(JSON.stringify(profile)))
      expect(found.errors).toEqual([])
      expect(found.shoppable).toBe(profile.ucp.services['dev.ucp.shopping'] !== undefined)
      expect(warnings.length).toBeGreaterThanOrEqual(3)
    }),
  ))
