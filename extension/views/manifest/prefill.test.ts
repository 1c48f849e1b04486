import { expect, test } from 'vitest'
import { buildManifest, ManifestRequest } from '../../../shared/manifest/manifest.ts'
import { prefillManifest, specEndpoints } from './prefill.ts'

const REQUEST = {
  domain: 'shop.example',
  catalog_endpoint: 'https://shop.example/catalog',
  checkout_endpoint: 'https://shop.example/checkout',
  shipping_endpoint: 'https://shop.example/shipping',
  orders_endpoint: 'https://shop.example/orders',
  supports_search: true,
  supports_filters: ['category'],
  supported_payment_methods: ['card', 'upi'],
}

test('a manifest gives back the request that it was built from', () => {
  expect(prefillManifest('shop.example', buildManifest(REQUEST, new Date()))).toEqual(REQUEST)
})

test.each([
  undefined,
  null,
  '<html>',
  [],
  { capabilities: null },
  { capabilities: { product_catalog: { endpoint: 'http://127.0.0.1/', supports_filters: [{}] } } },
  { ucp: { version: '2026-08-25' } },
  JSON.parse('{"__proto__":{"capabilities":{"checkout":{"endpoint":"https://evil.example/"}}}}'),
])('%j says nothing but the domain', (document) => {
  expect(prefillManifest('shop.example', document)).toEqual({ domain: 'shop.example' })
})

test('the examples are what the form would accept', () => {
  expect(
    ManifestRequest.safeParse({ domain: 'shop.example', ...specEndpoints('shop.example') }).success,
  ).toBe(true)
})
