import { expect, test } from 'vitest'
import { declaredRequest } from './declared-request.ts'
import { buildManifest } from './manifest.ts'

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
const { domain: _, ...DECLARED } = REQUEST
const MANIFEST = buildManifest(REQUEST, new Date())

test('a manifest gives back the request that it was built from', () => {
  expect(declaredRequest(MANIFEST, 'shop.example')).toEqual(DECLARED)
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
])('%j says nothing of the shop', (document) => {
  expect(declaredRequest(document, 'shop.example')).toEqual({})
})

test('what a copied manifest says of another shop is left out', () => {
  const copied = buildManifest({ ...REQUEST, domain: 'other.example' }, new Date())
  const elsewhere = JSON.parse(JSON.stringify(copied).replaceAll('//shop.', '//other.'))
  expect(declaredRequest(elsewhere, 'shop.example')).toEqual({})
  // A host that keeps shops, with addresses that are this one's own, is none of it.
  expect(declaredRequest(copied, 'shop.example')).toEqual(DECLARED)
})

test('texts are bounded, and show what they are', () => {
  const { product_catalog } = MANIFEST.capabilities
  const filters = ['a\u200bb', ' ', 7, 'x'.repeat(300), ...Array.from({ length: 99 }, String)]
  const catalog = { ...product_catalog, supports_filters: filters }
  const { supports_filters = [] } = declaredRequest(
    { ...MANIFEST, capabilities: { product_catalog: catalog } },
    'shop.example',
  )
  expect(supports_filters.slice(0, 2)).toEqual(['ab', 'x'.repeat(100)])
  expect(supports_filters).toHaveLength(48)
})
