import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { testDatabase } from '../../testing/app.ts'
import { countWaiting } from '../testing/locks.ts'
import { addToRollup, DAILY } from './rollup-changes.ts'
import { rollup_daily } from './tables.ts'

test('who adds to the same sums in another order does not wait in a circle', async () => {
  const { db, sql: pool } = await testDatabase()
  const add = (surfaces: string) =>
    db.execute(sql`
      with given as (
        select 'shop.example' as domain, '2026-11-20'::date as day, surface, 'agent' as kind,
          'web' as source, '' as currency, 1 as sessions, 0 as viewed, 0 as initiated,
          0 as completed, 0 as failed, 0 as revenue, 0 as refunds, 0 as refunded
        from string_to_table(${surfaces}, null) as surface
      ) ${addToRollup(DAILY, sql`given`)}`)
  // Both get as far as the row that somebody else holds, and then go on to each other's.
  const other = await pool.reserve()
  await other`begin`
  await other`insert into rollup_daily
    values ('shop.example', '2026-11-20', 'm', 'agent', 'web', '', 0, 0, 0, 0, 0, 0, 0, 0)`
  const added = Promise.allSettled([add('zma'), add('amz')])
  await eventually(() => countWaiting(pool)).toBe(2)
  await other`rollback`
  other.release()
  expect((await added).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect((await db.select().from(rollup_daily)).map(({ sessions }) => sessions)).toEqual([2, 2, 2])
})
