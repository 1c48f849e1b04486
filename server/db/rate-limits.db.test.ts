import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testDatabase } from '../testing/app.ts'
import { rate_limits } from './access/tables.ts'
import { countOnce, uncountOnce } from './rate-limits.ts'

const { db, sql } = await testDatabase()
const count = () => countOnce(db, rate_limits, 'audit:key', 3600)

beforeEach(() => sql`truncate rate_limits`)
afterEach(() => vi.useRealTimers())

test('a window begins with the first count, and the next when it is over', async () => {
  expect(await count()).toEqual({ used: 1, reset: 3600 })
  await sql`update rate_limits set expire = expire - interval '59 minutes'`
  const second = await count()
  expect(second.used).toBe(2)
  expect(second.reset).toBeLessThanOrEqual(60)
  await sql`update rate_limits set expire = now()`
  expect(await count()).toEqual({ used: 1, reset: 3600 })
})

test('at the end of a window, one is told to wait a second and not none', async () => {
  await count()
  await sql`update rate_limits set expire = now() + interval '1 second'`
  expect((await count()).reset).toBe(1)
})

test('a count is taken back in its own window alone', async () => {
  await count()
  await count()
  await uncountOnce(db, rate_limits, 'audit:key')
  expect((await count()).used).toBe(2)
  await sql`update rate_limits set expire = now() - interval '1 second'`
  await uncountOnce(db, rate_limits, 'audit:key')
  await uncountOnce(db, rate_limits, 'audit:nobody')
  expect(await sql`select points from rate_limits`).toMatchObject([{ points: 2 }])
})

test.each([-1, 1])(
  'a clock that is wrong by %i day neither lifts a limit nor prolongs it',
  async (days) => {
    await count()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 })
    const second = await count()
    expect(second.used).toBe(2)
    expect(second.reset).toBeGreaterThan(3500)
    expect(second.reset).toBeLessThanOrEqual(3600)
    const other = await countOnce(db, rate_limits, 'audit:other', 3600)
    expect(other.reset).toBe(3600)
    const [row] = await sql`
    select count(*)::int as ends from rate_limits
    where expire between now() + interval '58 minutes' and now() + interval '61 minutes'`
    expect(row?.ends).toBe(2)
  },
)
