import { expect, test } from 'vitest'
import { coveredBy, covers, namesDomain } from './covered-domains.ts'

test.each([
  ['shop.example', 'shop.example', true],
  ['shop.example', 'www.shop.example', true],
  ['www.shop.example', 'shop.example', true],
  ['*', 'www.shop.example', true],
  ['blog.shop.example', 'www.blog.shop.example', true],
  ['shop.example', 'blog.shop.example', false],
  ['shop.example', 'www2.shop.example', false],
  ['shop.example', 'www.blog.shop.example', false],
  ['shop.example', 'www.www.shop.example', false],
  ['shop.example', 'www.othershop.example', false],
  ['shop.example', 'wwwshop.example', false],
  ['www.shop.example', 'blog.shop.example', false],
  // Names under a public suffix belong to its customers.
  ['github.io', 'www.github.io', false],
  ['www.github.io', 'github.io', false],
  ['shop.github.io', 'www.shop.github.io', true],
])('a key for %s, asked for %s: %j', (own, asked, is) => {
  expect(covers([own], asked)).toBe(is)
  expect(coveredBy([own]).includes(asked) || own === '*').toBe(is)
  // An operator owns no store by having the key to all.
  expect(namesDomain([own], asked)).toBe(is && own !== '*')
})
