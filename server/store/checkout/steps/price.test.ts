import { expect, test } from 'vitest'
import { quoteDelivery } from './price.ts'

test.each([
  [1256, 'US', 100],
  [1257, 'US', 101],
  [1257, 'DE', 0],
])('the tax of %i cents to %s is %i, rounded to the nearest cent', (amount, country, tax) => {
  expect(quoteDelivery(amount, country).tax).toEqual({ amount: tax, currency: 'USD' })
})
