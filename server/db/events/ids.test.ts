import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { newEventId } from './ids.ts'

test('ids are UUIDs of version 7, each another, and sort in the order in which they were made', () => {
  const ids = Array.from({ length: 5000 }, newEventId)
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
})

test('they begin with the time at which they were made', () => {
  const before = Date.now()
  const made = Number.parseInt(newEventId().replace('-', '').slice(0, 12), 16)
  expect(made).toBeGreaterThanOrEqual(before)
  expect(made).toBeLessThanOrEqual(Date.now())
})

test('what is random in them is of its own in each', () => {
  const tails = Array.from({ length: 1000 }, () => newEventId().slice(-10))
  expect(new Set(tails).size).toBe(tails.length)
})
