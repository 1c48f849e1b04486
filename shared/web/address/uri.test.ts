import { expect, test } from 'vitest'
import { isUri, withoutEndSlashes } from './uri.ts'

test.each([
  ['https://shop.example', true],
  ['https://user@shop.example:8443/a/b%20c?q=1&r[]', false],
  ['https://user@shop.example:8443/a/b%20c?q=1#top', true],
  ['HTTP://[2001:db8::1]/', true],
  ['urn:isbn:9780000000002', true],
  ['mailto:a@shop.example', true],
  ['', false],
  ['shop.example/a', false],
  ['/a', false],
  ['//shop.example/a', false],
  ['https:', false],
  ['{{ENDPOINT}}', false],
  ['https://shop.example/{id}', false],
  ['https://shop.example/a b', false],
  ['https://shöp.example/', false],
  ['https://shop.example/%zz', false],
  ['https://shop.example/#a#b', false],
  [`https://shop.example/${'a'.repeat(10_000_000)}`, false],
])('%.60s', (text, expected) => {
  expect(isUri(text)).toBe(expected)
})

test.each([
  ['https://shop.example/acp//', 'https://shop.example/acp'],
  ['/a//b', '/a//b'],
  ['//', ''],
])('%s without the slashes at its end', (path, expected) => {
  expect(withoutEndSlashes(path)).toBe(expected)
})
