import { expect, test } from 'vitest'
import { isSameSite } from './same-site.ts'

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
