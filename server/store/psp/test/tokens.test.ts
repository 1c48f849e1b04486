import { expect, test } from 'vitest'
import { cardNumberIn } from '../../../../shared/commerce/card-number.ts'
import { behaviourOf, TEST_CARDS, TEST_TOKENS } from './tokens.ts'

test('each test token stands once, with what becomes of it', () => {
  expect(new Set(TEST_TOKENS.map(({ token }) => token)).size).toBe(TEST_TOKENS.length)
  for (const { effect } of TEST_TOKENS) expect(effect).toMatch(/^[A-Z].*\.$/)
})

test.each(TEST_CARDS)('$number is a card number, and behaves like $token', ({ number, token }) => {
  expect(cardNumberIn(number)).toBe(true)
  expect(behaviourOf(token)).toBeDefined()
})

test('no token is taken for a card number', () => {
  expect(cardNumberIn(TEST_TOKENS.map(({ token }) => token))).toBe(false)
})
