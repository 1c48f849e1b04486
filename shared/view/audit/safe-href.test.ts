import { expect, test } from 'vitest'
import { safeHref } from './safe-href.ts'

test.each([
  'https://aisle.example/gaps/x',
  'http://localhost:8787/tools/schema?id=1#a',
  '/tools/manifest',
  '?metric=orders',
  '#gaps',
])('%s may be followed', (href) => {
  expect(safeHref(href)).toBe(href)
})

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'javascript://shop.example/%0Aalert(1)',
  'data:text/html,x',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'https://',
  'https://a b',
  'tools',
  '',
  null,
  undefined,
])('%j may not', (href) => {
  expect(safeHref(href)).toBeNull()
})
