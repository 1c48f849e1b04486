import { expect, test } from 'vitest'
import { isLoopback } from './loopback.ts'

test.each([
  ['http://127.0.0.1:8787', true],
  ['http://127.9.9.9', true],
  ['http://localhost:8787/x', true],
  ['http://aisle.localhost', true],
  ['http://[::1]:8787', true],
  ['https://aisle.example', false],
  ['https://127.0.0.1.example', false],
  ['https://localhost.example', false],
  ['nothing', false],
])('%s: %s', (address, is) => {
  expect(isLoopback(address)).toBe(is)
})
