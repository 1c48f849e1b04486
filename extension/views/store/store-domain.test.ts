import { expect, test } from 'vitest'
import { storeDomain } from './store-domain.ts'

test.each([
  [null, { is: 'none' }],
  ['Shop.example', { is: 'public', domain: 'shop.example' }],
  ['localhost', { is: 'private', host: 'localhost' }],
  ['192.168.0.7', { is: 'private', host: '192.168.0.7' }],
  ['[::1]', { is: 'private', host: '[::1]' }],
])('%s', (host, domain) => {
  expect(storeDomain(host)).toEqual(domain)
})
