import { expect, test } from 'vitest'
import { cacheClock } from '../../testing/cache-clock.ts'
import type { PropertyRow } from '../attribution/properties.ts'
import { rememberFound } from './look-up.ts'

const { pass } = cacheClock()

const ID = 'prop_00000000000000000001'
const property = (origins: string[]): PropertyRow => ({
  id: ID,
  domain: 'shop.example',
  origins,
  currency: null,
  time_zone: null,
  lookback_days: null,
  created_at: new Date('2026-11-20T12:00:00Z'),
})

/** What the database has, and how often it was asked. */
function table(first: PropertyRow | null) {
  const state = { row: first, asked: 0 }
  const find = rememberFound<PropertyRow>(async () => {
    state.asked += 1
    return state.row
  })
  const from = (origin: string) => find(ID, ({ origins }) => origins.includes(origin))
  return { state, from }
}

test('a property is looked up once in five seconds, and ends after them', async () => {
  const { state, from } = table(property(['a']))
  for (let n = 0; n < 5; n += 1) expect(await from('a')).toMatchObject({ id: ID })
  expect(state.asked).toBe(1)
  state.row = null
  await pass(4_999)
  expect(await from('a')).toMatchObject({ id: ID })
  await pass(102)
  expect(await from('a')).toBeNull()
  expect(state.asked).toBe(2)
})

test('an origin that a property gets works at once', async () => {
  const { state, from } = table(property(['a']))
  await from('a')
  state.row = property(['a', 'b'])
  expect(await from('b')).toMatchObject({ origins: ['a', 'b'] })
  await from('b')
  expect(state.asked).toBe(2)
})

test('a property that is found to be gone is forgotten', async () => {
  const { state, from } = table(property(['a']))
  await from('a')
  state.row = null
  expect(await from('b')).toBeNull()
  expect(await from('a')).toBeNull()
})

test('an id that nobody has is looked up each time, so that a new property works at once', async () => {
  const { state, from } = table(null)
  for (let n = 0; n < 3; n += 1) expect(await from('a')).toBeNull()
  expect(state.asked).toBe(3)
})
