import { expect, test } from 'vitest'
import { isTrackingParameter, linkKey, pageAddress, plainAddress } from './link-key.ts'

const BASE = 'https://shop.example/feeds/google.xml'

test.each([
  'https://shop.example/p/1',
  'https://shop.example/p/1/',
  'http://www.shop.example/p/1#reviews',
  'https://shop.example/p/1?utm_source=feed&utm_medium=cpc&gclid=x',
  'https://shop.example/p/1?variant=3&srsltid=abc',
  'https://shop.example/p/1?ref=mail&_pos=3',
  '/p/1',
])('%s leads to the product', (link) => {
  expect(linkKey(link, BASE)).toBe(linkKey('https://shop.example/p/1', BASE))
})

test.each([
  'https://shop.example/p/2',
  'https://shop.example/p/1?color=red',
  'https://shop.example/p/1?reference=AB-1',
  'https://other.example/p/1',
  'https://shop.example/P/1',
])('%s leads elsewhere', (link) => {
  expect(linkKey(link, BASE)).not.toBe(linkKey('https://shop.example/p/1', BASE))
})

test('the order of a query does not matter, and what is no link has no key', () => {
  expect(linkKey('/p?b=2&a=1', BASE)).toBe(linkKey('/p?a=1&b=2&utm_id=3', BASE))
  expect(linkKey('https://[', BASE)).toBeNull()
})

test('the address of a page keeps the variant, and loses what changes nothing of the page', () => {
  const link = 'http://Shop.example/p/1?variant=3&utm_source=feed#red'
  expect(pageAddress(link)).toBe('https://shop.example/p/1?variant=3')
  expect(pageAddress('/p/1?variant=3', BASE)).toBe('https://shop.example/p/1?variant=3')
  expect(pageAddress('https://[', BASE)).toBeNull()
})

const FOLLOWING = [
  ...['utm_source', 'gclid', 'gad_source', '_pos', 'ref', 'Srsltid'],
  ...['ttclid', 'twclid', 'oppref', 'olref'],
]

test.each(FOLLOWING)('%s follows a visit', (name) => {
  expect(isTrackingParameter(name)).toBe(true)
})

// Here one script shows all products, and such a parameter chooses one.
test.each(['reference', 'refid', '_posts', '_gallery', 'gclid2', 'variant', 'utm'])(
  '%s may choose what a page shows',
  (name) => {
    expect(isTrackingParameter(name)).toBe(false)
  },
)

test('an address loses its fragment and what follows a visit, and nothing else', () => {
  const address = new URL('https://shop.example/p/1?b=2&utm_source=x&a=1&gclid=y#red')
  expect(plainAddress(address)).toBe('https://shop.example/p/1?b=2&a=1')
  expect(address.hash).toBe('#red')
})
