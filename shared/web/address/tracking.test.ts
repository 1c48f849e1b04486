import { expect, test } from 'vitest'
import { isTrackingParameter, plainAddress } from './tracking.ts'

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
