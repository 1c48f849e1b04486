import { expect, test } from 'vitest'
import { siteLabel } from './site-label.ts'

test.each([
  ['shop.example', 'shop'],
  ['www.shop.co.uk', 'shop'],
  ['www.bigshop.com', 'bigshop'],
  ['de.bigshop.com.au', 'bigshop'],
  ['localhost', 'localhost'],
])('%s is labelled %s', (host, label) => {
  expect(siteLabel(host)).toBe(label)
})
