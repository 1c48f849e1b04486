import { expect, test } from 'vitest'
import { answerFrom } from '../../../web/testing/answer-from.ts'
import { createWholeTally, type PageTally, tallyPage } from './whole-tally.ts'

const URL_OF_PAGE = 'https://shop.example/ucp/products'

const page = (products: readonly object[]) => ({
  fetched: answerFrom(URL_OF_PAGE),
  json: { ok: true as const, value: { products } },
})

const wrong = (n: number) => ({ id: `p-${n}`, name: `Tent ${n}`, price: { amount: 19.99 } })
const pageOf = (number: number): PageTally =>
  tallyPage('spec', page(Array.from({ length: 100 }, (_, n) => wrong(number * 100 + n))), number)

test('what is kept does not grow with what is wrong, and ids are kept to their bound', () => {
  const tally = createWholeTally(4_096)
  for (let number = 1; number <= 41; number += 1) tally.add(pageOf(number))
  const held = tally.held
  for (let number = 42; number <= 400; number += 1) tally.add(pageOf(number))
  expect(tally.products).toBe(40_000)
  expect(tally.held).toBe(held)
  expect(tally.findings().price).toMatchObject({ count: 40_000 })
  expect(tally.findings().price?.examples).toHaveLength(3)
})

test('what one page gives is small, whatever it lists', () => {
  const long = 'x'.repeat(100_000)
  const parts = Array.from({ length: 2_000 }, (_, n) => ({
    ...wrong(n),
    id: `${long}${n}`,
    name: long,
  }))
  const tallied = tallyPage('spec', page(parts), 1)
  expect(tallied).toMatchObject({ products: 1_000, isTooLong: true })
  expect(JSON.stringify(tallied).length).toBeLessThan(500_000)
})

test.each([
  ['the same product on two pages moved', [wrong(1)], [wrong(1)], 0],
  ['another product with its id is a fault', [wrong(1)], [{ ...wrong(2), id: 'p-1' }], 1],
  ['twice on one page is a fault', [wrong(1), wrong(1)], [], 1],
])('%s', (_, one, two, count) => {
  const tally = createWholeTally(100)
  tally.add(tallyPage('spec', page(one), 1))
  tally.add(tallyPage('spec', page(two), 2))
  expect(tally.findings().ids_duplicate?.count ?? 0).toBe(count)
})
