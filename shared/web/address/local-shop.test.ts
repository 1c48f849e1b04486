import { expect, test } from 'vitest'
import { localShopDomain, localShopPort, withLocalAddresses } from './local-shop.ts'

test.each([
  ['localhost:3000', 3000],
  [' http://localhost:3000/products?a=b ', 3000],
  ['HTTP://LOCALHOST', 80],
  ['127.0.0.1:8080', 8080],
  ['http://[::1]:8080/', 8080],
  ['shop.localhost:3000', 3000],
  ['localhost-3000.test', 3000],
  ['https://localhost-3000.test/products', 3000],
])('%j is a shop on this machine, at port %i', (typed, port) =>
  expect(localShopPort(typed)).toBe(port),
)

test.each([
  'shop.example',
  'https://localhost:3000',
  'localhost.example:3000',
  'http://localhost@shop.example:3000',
  '192.168.0.10:3000',
  'localhost:99999',
  'localhost-99999.test',
  'localhost-0.test',
  'xlocalhost-3000.test',
  'localhost:3000 x',
  '',
])('%j is none', (typed) => expect(localShopPort(typed)).toBeNull())

test('pages show what a browser opens, and nothing else is changed', () => {
  const own = 'https://localhost-3000.test/a and https://localhost-3000.test'
  expect(withLocalAddresses(own)).toBe('http://localhost:3000/a and http://localhost:3000')
  for (const other of ['localhost-3000.test', 'https://localhost-3000.tests', 'https://a.test']) {
    expect(withLocalAddresses(other)).toBe(other)
  }
})

test('its name leads back to its port', () =>
  expect(localShopPort(localShopDomain(8080))).toBe(8080))
