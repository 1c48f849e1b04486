import { expect, test } from 'vitest'
import { originOf } from './store-request.ts'

test.each([
  ['shop.example', 'https://shop.example'],
  ['shop.example:8443', 'https://shop.example:8443'],
  ['localhost.example', 'https://localhost.example'],
  ['10.0.0.1', 'https://10.0.0.1'],
  ['localhost', 'http://localhost'],
  ['127.0.0.1:8788', 'http://127.0.0.1:8788'],
  ['[::1]:8788', 'http://[::1]:8788'],
])('the shop at %s is %s', (host, origin) => {
  expect(originOf(host)).toBe(origin)
})
