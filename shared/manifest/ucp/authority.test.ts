import { expect, test } from 'vitest'
import { authorityFault } from './authority.ts'

test.each([
  ['dev.ucp.shopping.checkout', 'https://ucp.dev/a.json', true],
  ['dev.ucp.shopping.checkout', 'https://shopping.ucp.dev./a.json', true],
  ['com.google.pay', 'https://pay.google.com/a.json', true],
  ['com.google.pay', 'https://google.com:8443/a.json', true],
  ['com.google.pay', 'https://cdn.google.com/a.json', false],
  ['com.googlecorp.pay', 'https://google.com/a.json', false],
  ['dev.ucp.shopping.checkout', 'https://ucp.dev@evil.example/a.json', false],
  ['dev.ucp.shopping.checkout', 'https://me@ucp.dev/a.json', false],
  ['dev.ucp.shopping.checkout', 'http://ucp.dev/a.json', false],
  ['dev.ucp.shopping.checkout', 'https://dev/a.json', false],
  ['1.0.0.127.a', 'https://127.0.0.1/a.json', false],
  ['1.a', 'https://[::1]/a.json', false],
  ['dev.ucp.shopping.checkout', '/a.json', false],
])('%s by %s', (name, schema, owned) => {
  expect(authorityFault(name, schema) === null).toBe(owned)
})
