import { expect, test } from 'vitest'
import { storeDomain, withDomain } from './store-domain.ts'

test.each([
  [null, { is: 'none' }],
  ['Shop.example', { is: 'public', domain: 'shop.example' }],
  ['localhost', { is: 'private', host: 'localhost' }],
  ['192.168.0.7', { is: 'private', host: '192.168.0.7' }],
  ['[::1]', { is: 'private', host: '[::1]' }],
])('%s', (host, domain) => {
  expect(storeDomain(host)).toEqual(domain)
})

test('the shops that were looked at are kept, the latest last and five at most', () => {
  const one = withDomain([], 'a.example')
  expect(one).toEqual(['a.example'])
  expect(withDomain(one, 'a.example')).toBe(one)
  expect(withDomain(one, null)).toBe(one)
  expect(withDomain(['a.example', 'b.example'], 'a.example')).toEqual(['b.example', 'a.example'])
  expect(withDomain(['a', 'b', 'c', 'd', 'e'], 'f')).toEqual(['b', 'c', 'd', 'e', 'f'])
})
