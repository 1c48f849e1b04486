import { expect, test } from 'vitest'
import { firstPlaceOf, hashOf, known, MAX_PLACE } from './known-texts.ts'

const MANY = 200_000
const idOf = (n: number) => `SKU-${n}`

test('each text is found at its first place, and no other is taken for one of them', () => {
  const table = known()
  for (let n = 1; n <= MANY; n += 1) {
    expect(firstPlaceOf(table, hashOf(idOf(n)), n, MANY)).toBe(null)
  }
  for (let n = 1; n <= MANY; n += 1) {
    expect(firstPlaceOf(table, hashOf(idOf(n)), MANY + n, MANY)).toBe(n)
  }
  const bytes = table.tables.reduce((sum, { byteLength }) => sum + byteLength, 0)
  expect(bytes / MANY).toBeLessThan(14)
})

test('no more than so many are noted, and none at a place that has no room', () => {
  const table = known()
  for (let n = 1; n <= 20; n += 1) firstPlaceOf(table, hashOf(idOf(n)), n, 10)
  expect(table.size).toBe(10)
  expect(firstPlaceOf(table, hashOf(idOf(10)), 30, 10)).toBe(10)
  expect(firstPlaceOf(table, hashOf(idOf(11)), 31, 10)).toBe(null)
  firstPlaceOf(table, hashOf('last'), MAX_PLACE, 100)
  firstPlaceOf(table, hashOf('later'), MAX_PLACE + 1, 100)
  expect(firstPlaceOf(table, hashOf('last'), MAX_PLACE + 2, 100)).toBe(MAX_PLACE)
  expect(firstPlaceOf(table, hashOf('later'), 1, 100)).toBe(null)
  expect(table.size).toBe(12)
})
