import { expect, test } from 'vitest'
import { readAddress } from './address.ts'

test.each([
  ['https://shop.example/lamp-p-123.html', 'product'],
  [`https://shop.example/${'lamp-'.repeat(100_000)}p123`, 'product'],
  // A number of a product at each place, and none at the end.
  [`https://shop.example/${'-p000'.repeat(100_000)}!`, 'plain'],
])('%.60s', (url, is) => {
  expect(readAddress(url).is).toBe(is)
})
