import type { Sql } from 'postgres'
import { expect, test } from 'vitest'
import { beacon_days } from '../../db/attribution/tables.ts'
import { testOnOnePostgres } from '../../db/testing/locks.ts'
import { createLog } from '../../process/log.ts'
import { testDatabase } from '../../testing/app.ts'
import { createBeaconDays } from './days.ts'

const SHOP = { id: 'prop_a', domain: 'shop.example' }

/** Counts of a database that can go away, on a clock of the test's. */
async function countedDays() {
  const { db, sql } = await testDatabase()
  const state = { away: false, at: Date.parse('2026-11-21T23:59:59Z'), statements: 0 }
  const lines: string[] = []
  const reach = <Answer>(ask: () => Answer): Answer => {
    state.statements += 1
    if (state.away) return Promise.reject(new Error('the database is away')) as Answer
    return ask()
  }
  // One Postgres is asked by a text, a cluster by a template; lists are made by calls as well.
  const pool = new Proxy(sql, {
    get(target, name) {
      if (name !== 'unsafe') return Reflect.get(target, name)
      return (...args: Parameters<Sql['unsafe']>) => reach(() => sql.unsafe(...args))
    },
    apply(target, self, args: unknown[]) {
      const call = () => Reflect.apply(target, self, args)
      return Array.isArray(args[0]) && 'raw' in args[0] ? reach(call) : call()
    },
  }) as Sql
  const log = createLog({ write: (line) => lines.push(line) })
  const days = createBeaconDays({ sql: pool, now: () => new Date(state.at), log })
  const stored = async () => {
    const rows = await db.select().from(beacon_days).orderBy(beacon_days.day)
    return rows.map(({ day, admitted, over_address }) => [day, admitted, over_address])
  }
  return { days, state, lines, stored }
}

test('counts wait while the database is away, and none is lost or counted twice', async () => {
  const { days, state, lines, stored } = await countedDays()
  expect(await days.admit(SHOP)).toBe(true)
  state.away = true
  for (let n = 0; n < 10; n += 1) days.setAside(SHOP, 'address')
  await days.flush()
  expect(await days.admit(SHOP)).toBe(true)
  expect(lines.join()).toContain('not written yet')
  state.away = false
  await Promise.all([days.flush(), days.flush()])
  expect(await stored()).toEqual([['2026-11-21', 2, 10]])
})

test('what nobody has counted yet is not let through while the database is away', async () => {
  const { days, state } = await countedDays()
  state.away = true
  await expect(days.admit(SHOP)).rejects.toThrow('away')
})

testOnOnePostgres(
  'a second of many takes one statement, and a day that ended is written as that day',
  async () => {
    const { days, state, stored } = await countedDays()
    await days.admit(SHOP)
    const before = state.statements
    for (let n = 0; n < 5000; n += 1) days.setAside(SHOP, 'address')
    state.at += 2000
    days.setAside(SHOP, 'address')
    await days.flush()
    expect(state.statements - before).toBe(1)
    await days.flush()
    expect(state.statements - before).toBe(1)
    expect(await stored()).toEqual([
      ['2026-11-21', 1, 5000],
      ['2026-11-22', 0, 1],
    ])
  },
)
