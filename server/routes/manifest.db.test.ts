import { beforeAll, expect, test } from 'vitest'
import type { ManifestValidation } from '../../shared/manifest/validation.ts'
import { readWarnings } from '../../shared/manifest/warnings-header.ts'
import { validateDocument } from '../audit/validate-manifest.ts'
import { testApp } from '../testing/app.ts'

let ask: (path: string, body: unknown, key?: string) => Response | Promise<Response>
const asked: string[] = []
let createTestKey: Awaited<ReturnType<typeof testApp>>['createTestKey']

beforeAll(async () => {
  const made = await testApp({
    now: () => new Date('2026-11-20T10:00:00Z'),
    validateManifest: async (url) => {
      asked.push(url)
      return validateDocument({})
    },
  })
  createTestKey = made.createTestKey
  ask = (path, body, key = made.key) => made.ask(path, { key, body })
})

const REQUEST = {
  domain: 'shop.example',
  catalog_endpoint: 'https://shop.example/ucp/products',
  checkout_endpoint: 'https://shop.example/ucp/checkout',
}

/** Spec, Manifest: nothing else is in the body. */
const FIELDS = ['version', 'generated_at', 'domain', 'capabilities']

test('the smallest request gives the manifest of the specification', async () => {
  const response = await ask('/api/manifest', REQUEST)
  expect(response.status).toBe(200)
  expect(response.headers.has('Aisle-Warnings')).toBe(false)
  expect(await response.json()).toEqual({
    version: '1.0',
    generated_at: '2026-11-20T10:00:00.000Z',
    domain: 'shop.example',
    capabilities: {
      product_catalog: {
        endpoint: 'https://shop.example/ucp/products',
        format: 'json',
        version: '1.0',
      },
      checkout: {
        endpoint: 'https://shop.example/ucp/checkout',
        supported_methods: ['POST'],
        requires_authentication: false,
        version: '1.0',
      },
    },
  })
})

test('null for an optional field is the same as no field', async () => {
  const optional = [
    'format',
    'shipping_endpoint',
    'orders_endpoint',
    'supports_search',
    'supports_filters',
    'supported_payment_methods',
  ]
  const nulls = Object.fromEntries(optional.map((name) => [name, null]))
  const response = await ask('/api/manifest', { ...REQUEST, ...nulls })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(await (await ask('/api/manifest', REQUEST)).json())
  expect((await ask('/api/manifest', { ...REQUEST, catalog_endpoint: null })).status).toBe(422)
  const document = { url: null, manifest: { version: '1.0' } }
  expect((await ask('/api/manifest/validate', document)).status).toBe(200)
})

test('the fullest request gives every field', async () => {
  const response = await ask('/api/manifest', {
    ...REQUEST,
    shipping_endpoint: 'https://shop.example/ucp/shipping',
    orders_endpoint: 'https://shop.example/ucp/orders',
    supports_search: true,
    supports_filters: ['category', 'price_range'],
    supported_payment_methods: ['card', 'upi'],
  })
  expect(await response.json()).toMatchObject({
    capabilities: {
      product_catalog: { supports_search: true, supports_filters: ['category', 'price_range'] },
      checkout: { supported_payment_methods: ['card', 'upi'] },
      shipping: { endpoint: 'https://shop.example/ucp/shipping', supported_methods: ['POST'] },
      orders: { endpoint: 'https://shop.example/ucp/orders', supported_methods: ['GET', 'POST'] },
    },
  })
})

test.each([
  { catalog_endpoint: 'https://shop.example/a\u0000' },
  { supports_filters: ['a\ud800'] },
  { supported_payment_methods: ['a\u0000'] },
])('what no file can hold is refused: %j', async (change) => {
  const answer = await ask('/api/manifest', { ...REQUEST, ...change })
  expect(answer.status).toBe(422)
  expect(JSON.stringify(await answer.json())).toContain('Leave out U+0000')
})

test('an endpoint on another domain is allowed and reported', async () => {
  const response = await ask('/api/manifest', {
    ...REQUEST,
    checkout_endpoint: 'https://platform.example/checkout',
  })
  expect(response.status).toBe(200)
  expect(Object.keys(await response.json())).toEqual(FIELDS)
  const header = response.headers.get('Aisle-Warnings')
  expect(readWarnings(header)).toEqual([expect.stringContaining('platform.example')])
  expect(response.headers.get('Access-Control-Expose-Headers')).toContain('Aisle-Warnings')
})

test('an official profile names what the request cannot give', async () => {
  const response = await ask('/api/manifest', { ...REQUEST, format: 'ucp' })
  const profile = await response.json()
  expect(Object.keys(profile)).toEqual(['ucp'])
  expect(profile).toMatchObject({ ucp: { version: '2026-08-25' } })
  expect(readWarnings(response.headers.get('Aisle-Warnings')).length).toBeGreaterThan(0)
  expect(validateDocument(profile)).toMatchObject({ valid: true, dialect: '2026-08-25' })
})

test.each([
  ['no domain', { ...REQUEST, domain: undefined }, 'domain'],
  ['a URL as domain', { ...REQUEST, domain: 'https://shop.example' }, 'domain'],
  ['no catalog', { ...REQUEST, catalog_endpoint: undefined }, 'catalog_endpoint'],
  ['a path', { ...REQUEST, checkout_endpoint: '/ucp/checkout' }, 'checkout_endpoint'],
  ['http', { ...REQUEST, checkout_endpoint: 'http://shop.example/c' }, 'checkout_endpoint'],
  ['a number', { ...REQUEST, orders_endpoint: 7 }, 'orders_endpoint'],
  ['a word for a flag', { ...REQUEST, supports_search: 'yes' }, 'supports_search'],
  ['a text for a list', { ...REQUEST, supports_filters: 'category' }, 'supports_filters'],
  ['an unknown format', { ...REQUEST, format: '2.0' }, 'format'],
])('%s is refused by its field', async (_, body, field) => {
  const response = await ask('/api/manifest', body)
  expect(response.status).toBe(422)
  const { error } = (await response.json()) as {
    error: { code: string; details: { field: string }[] }
  }
  expect(error.code).toBe('invalid_request')
  expect(error.details.map((detail) => detail.field)).toEqual([field])
})

test('an object is judged without any request', async () => {
  const response = await ask('/api/manifest/validate', { manifest: { version: '1.0' } })
  const answer = (await response.json()) as ManifestValidation
  expect(answer).toMatchObject({ valid: false, dialect: '1.0' })
  expect(answer.errors.map(({ field, code }) => [field, code])).toEqual([
    ['domain', 'required'],
    ['capabilities', 'required'],
  ])
  expect(answer.reachability).toEqual({ manifest_url: 'not_checked' })
  expect(asked).toEqual([])
})

test('a URL is fetched', async () => {
  await ask('/api/manifest/validate', { url: 'https://shop.example/.well-known/ucp' })
  expect(asked).toEqual(['https://shop.example/.well-known/ucp'])
})

test.each([
  ['neither', {}],
  ['both', { url: 'https://shop.example/.well-known/ucp', manifest: {} }],
  ['no URL', { url: 'shop.example' }],
  ['another scheme', { url: 'file:///etc/passwd' }],
  ['an unknown field', { url: 'https://shop.example/', deep: true }],
])('%s: 422', async (_, body) => {
  const response = await ask('/api/manifest/validate', body)
  expect(response.status).toBe(422)
})

test('a manifest that is no object, too deep or hostile is an invalid manifest', async () => {
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
  for (const manifest of ['7', '"x"', '[]', deep, '{"__proto__":{"version":"1.0"}}']) {
    const response = await ask('/api/manifest/validate', `{"manifest":${manifest}}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ valid: false })
  }
})

test('a manifest of 10 MB is refused before it is read', async () => {
  const response = await ask('/api/manifest/validate', {
    manifest: { domain: 'x'.repeat(10_000_000) },
  })
  expect(response.status).toBe(413)
})

test('both need the scope manifest', async () => {
  const { key } = await createTestKey({ scopes: ['audit'] })
  for (const path of ['/api/manifest', '/api/manifest/validate']) {
    const response = await ask(path, REQUEST, key)
    expect(response.status).toBe(403)
  }
})
