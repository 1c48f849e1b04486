import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyPath } from '../testing/any-text.ts'
import { foreignEndpoints, inspectManifest } from './inspect.ts'
import { buildManifest, ManifestRequest } from './manifest.ts'

const url = fc
  .tuple(anyPath(), fc.constantFrom('shop.example', 'api.shop.example', 'host.example'))
  .map(([path, host]) => `https://${host}${path}`)
const names = fc.array(fc.stringMatching(/^[a-z_]{1,12}$/), { maxLength: 4 })
const request = fc.record(
  {
    domain: fc.constantFrom('shop.example', 'www.shop.example'),
    catalog_endpoint: url,
    checkout_endpoint: url,
    shipping_endpoint: url,
    orders_endpoint: url,
    supports_search: fc.boolean(),
    supports_filters: names,
    supported_payment_methods: names,
  },
  { requiredKeys: ['domain', 'catalog_endpoint', 'checkout_endpoint'] },
)

test('what is built is valid', () => {
  fc.assert(
    fc.property(request, (input) => {
      const manifest = buildManifest(ManifestRequest.parse(input), new Date(0))
      expect(inspectManifest(manifest, manifest.domain).errors).toEqual([])
      expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest)
    }),
  )
})

const full = () =>
  buildManifest(
    ManifestRequest.parse({
      domain: 'shop.example',
      catalog_endpoint: 'https://shop.example/ucp/products',
      checkout_endpoint: 'https://shop.example/ucp/checkout',
      shipping_endpoint: 'https://shop.example/ucp/shipping',
      orders_endpoint: 'https://shop.example/ucp/orders',
      supports_search: true,
      supports_filters: ['category'],
      supported_payment_methods: ['card'],
    }),
    new Date(0),
  )

/** The manifest with one field set, or taken out when the value is undefined. */
function mutated(path: string, value: unknown): unknown {
  const manifest: unknown = structuredClone(full())
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  // biome-ignore lint/suspicious/noExplicitAny: a test walks what it built
  const parent = keys.reduce<any>((found, key) => found[key], manifest)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return manifest
}

test.each([
  ['version', undefined, 'required'],
  ['version', '1.1', 'invalid_version'],
  ['version', 1, 'invalid_version'],
  ['domain', undefined, 'required'],
  ['domain', 7, 'invalid_type'],
  ['domain', 'https://shop.example', 'invalid_value'],
  ['domain', 'other.example', 'domain_mismatch'],
  ['capabilities', undefined, 'required'],
  ['capabilities', [], 'invalid_type'],
  ['capabilities.product_catalog', undefined, 'required'],
  ['capabilities.product_catalog', 'yes', 'invalid_type'],
  ['capabilities.product_catalog.endpoint', undefined, 'required'],
  ['capabilities.product_catalog.endpoint', '/ucp/products', 'invalid_url'],
  ['capabilities.product_catalog.endpoint', 'http://shop.example/', 'not_https'],
  ['capabilities.product_catalog.endpoint', {}, 'invalid_type'],
  ['capabilities.product_catalog.format', 'xml', 'invalid_value'],
  ['capabilities.product_catalog.version', '2', 'invalid_version'],
  ['capabilities.product_catalog.supports_search', 'yes', 'invalid_type'],
  ['capabilities.product_catalog.supports_filters', 'category', 'invalid_type'],
  ['capabilities.checkout', undefined, 'required'],
  ['capabilities.checkout.endpoint', 'https://u:p@shop.example/', 'invalid_url'],
  ['capabilities.checkout.supported_methods', ['GET'], 'invalid_value'],
  ['capabilities.checkout.supported_methods', ['POST', 'GET'], 'invalid_value'],
  ['capabilities.checkout.supported_methods', undefined, 'required'],
  ['capabilities.checkout.requires_authentication', 'no', 'invalid_type'],
  ['capabilities.checkout.supported_payment_methods', [1], 'invalid_type'],
  ['capabilities.shipping.endpoint', 'ftp://shop.example/', 'not_https'],
  ['capabilities.shipping.supported_methods', ['GET'], 'invalid_value'],
  ['capabilities.orders.supported_methods', ['GET'], 'invalid_value'],
])('%s set to %j is exactly one error, %s', (path, value, code) => {
  const { errors } = inspectManifest(mutated(path, value), 'shop.example')
  expect(errors.map(({ field, code: found }) => [field, found])).toEqual([[path, code]])
})

test('www. and the bare name are one store', () => {
  expect(inspectManifest(full(), 'www.shop.example').errors).toEqual([])
})

test.each([
  ['https://shop.example/c', 0],
  ['https://api.shop.example/c', 0],
  ['https://example/c', 1],
  ['https://host.example/c', 1],
])('an endpoint at %s warns of another domain: %i', (endpoint, warnings) => {
  const manifest = { domain: 'shop.example', capabilities: { checkout: { endpoint } } }
  expect(foreignEndpoints(manifest)).toHaveLength(warnings)
})

test('optional parts that are missing are warnings that say what agents will not do', () => {
  const { errors, warnings } = inspectManifest(
    buildManifest(
      ManifestRequest.parse({
        domain: 'shop.example',
        catalog_endpoint: 'https://shop.example/p',
        checkout_endpoint: 'https://shop.example/c',
      }),
      new Date(0),
    ),
  )
  expect(errors).toEqual([])
  for (const word of ['generated_at', 'Search', 'Filters', 'Payment', 'Shipping', 'Orders']) {
    expect(warnings.some((warning) => warning.startsWith(word))).toBe(true)
  }
})

test('search that is declared as not supported is not called undeclared', () => {
  const manifest = full()
  const { product_catalog } = manifest.capabilities
  const saysNo = { ...product_catalog, supports_search: false }
  const capabilities = { ...manifest.capabilities, product_catalog: saysNo }
  const { warnings } = inspectManifest({ ...manifest, capabilities })
  expect(warnings.filter((text) => text.startsWith('Search'))).toEqual([
    'Search is declared as not supported: agents will browse the catalog, not search it.',
  ])
})

test('any JSON gets an answer', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(inspectManifest(value).errors.length).toBeGreaterThan(0)
    }),
  )
  const hostile = JSON.parse('{"__proto__":{"version":"1.0"},"capabilities":{"__proto__":{}}}')
  expect(inspectManifest(hostile).errors.map(({ field }) => field)).toContain('version')
})
