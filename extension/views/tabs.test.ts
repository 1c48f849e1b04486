import { expect, test } from 'vitest'
import { tabAfter } from './Tabs.tsx'

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowRight', 4, 0],
  ['ArrowLeft', 0, 4],
  ['ArrowLeft', 3, 2],
  ['Home', 3, 0],
  ['End', 1, 4],
  ['Tab', 1, null],
  ['a', 1, null],
])('%s on tab %i of five leads to %s', (key, index, next) => {
  expect(tabAfter(key, index, 5)).toBe(next)
})
