import { expect, test } from 'vitest'
import { validateDocument } from '../audit/validate-manifest.ts'
import { type ManifestFlags, manifestCommand } from './manifest.ts'
import { readTerminal } from './testing/read-terminal.ts'

const FLAGS = {
  catalog: 'https://shop.example/ucp/products',
  checkout: 'https://shop.example/ucp/checkout',
}

function run(domain: string, flags: ManifestFlags) {
  const { terminal, read, remarks } = readTerminal()
  manifestCommand(domain, flags, terminal)
  return { file: read(), remarks: remarks() }
}

test('the file alone, as it is published', () => {
  const { file, remarks } = run('shop.example', {
    ...FLAGS,
    shipping: 'https://shop.example/ucp/shipping',
    search: true,
    filters: 'category, min_price',
    paymentMethods: 'card',
  })
  expect(remarks).toEqual([])
  expect(JSON.parse(file)).toEqual({
    version: '1.0',
    domain: 'shop.example',
    capabilities: {
      product_catalog: {
        endpoint: FLAGS.catalog,
        format: 'json',
        version: '1.0',
        supports_search: true,
        supports_filters: ['category', 'min_price'],
      },
      checkout: {
        endpoint: FLAGS.checkout,
        supported_methods: ['POST'],
        requires_authentication: false,
        version: '1.0',
        supported_payment_methods: ['card'],
      },
      shipping: { endpoint: 'https://shop.example/ucp/shipping', supported_methods: ['POST'] },
    },
  })
  expect(validateDocument(JSON.parse(file)).valid).toBe(true)
})

test('what to look at stands beside the file', () => {
  const { file, remarks } = run('shop.example', {
    ...FLAGS,
    checkout: 'https://pay.example/checkout',
  })
  expect(file).not.toContain('warning')
  expect(remarks).toEqual([expect.stringMatching(/^warning .*pay\.example/)])
  expect(run('shop.example', { ...FLAGS, format: 'ucp' }).remarks.length).toBeGreaterThan(0)
})

test.each([
  ['shop.example:8080', {}, /^<domain>: .*without a port/],
  ['shop.example', { catalog: 'http://shop.example/' }, /^--catalog: .*https/],
  ['shop.example', { format: '2.0' }, /^--format: /],
])('%s %j is refused by its flag', (domain, change, message) => {
  expect(() => run(domain, { ...FLAGS, ...change })).toThrow(message)
})
