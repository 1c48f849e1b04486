import { expect, test } from 'vitest'
import { isTrackingParameter } from './tracking.ts'

const FOLLOWING = [
  ...['utm_source', 'gclid', 'gad_source', '_pos', 'ref', 'Srsltid'],
  ...['ttclid', 'twclid', 'oppref', 'olref'],
]

test.each(FOLLOWING)('%s follows a visit', (name) => {
  expect(isTrackingParameter(name)).toBe(true)
})

// Where one script shows all products, such a parameter chooses one.
test.each(['reference', 'refid', '_posts', '_gallery', 'gclid2', 'variant', 'utm'])(
  '%s may choose what a page shows',
  (name) => {
    expect(isTrackingParameter(name)).toBe(false)
  },
)
