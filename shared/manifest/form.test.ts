import { expect, test } from 'vitest'
import { errorsAt, type ManifestValues, readManifestForm, valuesFrom } from './form.ts'

const VALUES = valuesFrom({
  domain: 'shop.example',
  catalog_endpoint: 'https://shop.example/ucp/products',
  checkout_endpoint: 'https://shop.example/ucp/checkout',
})

test('what was left empty is left out of the request', () => {
  expect(readManifestForm({ ...VALUES, shipping_endpoint: '  ', supports_filters: ' , ' })).toEqual(
    {
      request: {
        domain: 'shop.example',
        catalog_endpoint: 'https://shop.example/ucp/products',
        checkout_endpoint: 'https://shop.example/ucp/checkout',
      },
    },
  )
})

test('a domain may be pasted as an address', () => {
  const read = readManifestForm({ ...VALUES, domain: ' https://Shop.example/products?page=2 ' })
  expect(read).toMatchObject({ request: { domain: 'shop.example' } })
})

test('a form filled from a request gives that request back', () => {
  const request = {
    format: 'ucp' as const,
    domain: 'shop.example',
    catalog_endpoint: 'https://shop.example/c',
    checkout_endpoint: 'https://shop.example/k',
    shipping_endpoint: 'https://shop.example/s',
    orders_endpoint: 'https://shop.example/o',
    supports_search: true,
    supports_filters: ['category', 'price_range'],
    supported_payment_methods: ['card'],
  }
  expect(readManifestForm(valuesFrom(request))).toEqual({ request })
})

test.each<[keyof ManifestValues, Partial<ManifestValues>]>([
  ['domain', { domain: 'https://shop' }],
  ['domain', { domain: '' }],
  ['catalog_endpoint', { catalog_endpoint: '' }],
  ['checkout_endpoint', { checkout_endpoint: 'http://shop.example/ucp' }],
  ['orders_endpoint', { orders_endpoint: '/orders' }],
])('what is wrong with %s is said there and nowhere else', (field, change) => {
  const read = readManifestForm({ ...VALUES, ...change })
  expect('errors' in read && Object.keys(read.errors)).toEqual([field])
})

test("a server's errors find their inputs by path, the first of each", () => {
  expect(
    errorsAt([
      { field: 'supports_filters.1', message: 'first' },
      { field: 'supports_filters.2', message: 'second' },
      { field: '__proto__', message: 'no input' },
      { field: '', message: 'no input' },
    ]),
  ).toEqual({ supports_filters: 'first' })
})
