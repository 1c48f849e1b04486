import { expect, test } from 'vitest'
import { isSameHost, isSameSite } from './same-site.ts'

test.each([
  ['shop.example', 'shop.example', true],
  ['shop.example', 'www.shop.example', true],
  ['shop.example', 'checkout.shop.example', true],
  ['www.shop.example', 'checkout.shop.example', true],
  ['shop.example', 'workshop.example', false],
  ['shop.example', 'shop.example.evil.example', false],
])('%s and %s are of one shop: %s', (a, b, is) => {
  expect([isSameSite(a, b), isSameSite(b, a)]).toEqual([is, is])
})

test.each([
  ['https://shop.example/a', 'https://www.shop.example/b', true],
  ['https://shop.example', 'https://shop.example/b', true],
  ['https://shop.example', 'https://shop.example:8443/', false],
  ['https://shop.example', 'https://blog.shop.example/', false],
  ['not a URL', 'not a URL', false],
])('%s and %s are of one host: %s', (a, b, is) => {
  expect([isSameHost(a, b), isSameHost(b, a)]).toEqual([is, is])
})
