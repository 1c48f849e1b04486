import { expect, test } from 'vitest'
import { Domain, normaliseDomain } from './domain.ts'

test.each([
  ['shop.example', 'shop.example'],
  ['SHOP.Example.', 'shop.example'],
  [' www.shop.co.uk ', 'www.shop.co.uk'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
])('%s is %s', (input, domain) => expect(normaliseDomain(input)).toEqual({ domain }))

test.each([
  'https://shop.example',
  'shop.example/path',
  'shop.example:8443',
  'user@shop.example',
  'shop.example?q=1',
  'shop .example',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '127。0。0。1',
  '[::1]',
  '::1',
  'localhost',
  'shop',
  '',
  '.',
  '-shop.example',
  'shop..example',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
  'shop.example\\@evil.example',
  'under_score.example',
])('%j is refused with a sentence', (input) => {
  const read = Domain.safeParse(input)
  expect(read.success).toBe(false)
  expect(read.error?.issues[0]?.message).toMatch(/^[A-Z].+\.$/)
})
