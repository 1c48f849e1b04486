import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/app.ts'
import { testOnOnePostgres } from '../testing/locks.ts'
import { forShard } from './at-shard.ts'
import { TENANT_TABLES } from './placement.ts'
import { shardsOf } from './shards.ts'

testOnOnePostgres(
  'a Postgres without Citus is one shard, and runs statements as they are',
  async () => {
    const { sql } = await testDatabase()
    const shards = shardsOf(sql)
    expect(await shards.areMany()).toBe(false)
    expect(shards.of('one.example')).toEqual(shards.of('two.example'))
    const at = shards.at(['one.example'])
    expect(await at('select $1::int + 1 as n, $2::text as t', [41, null])).toEqual([
      { n: 42, t: null },
    ])
  },
)

test('tenant tables of a statement are named for their shard, and parameters are of one array', () => {
  const { text, tables } = forShard(`
    with given as (select * from jsonb_to_recordset($1::jsonb) as given(domain text)), gone as (
      delete from event_keys kept where domain = $2 returning *
    ), kept as (
      insert into rollup_daily as kept (domain) select domain from events join given using (domain)
      returning kept.domain
    )
    update audits set domain = $10 where domain in (select domain from kept)`)
  expect(text).toContain('jsonb_to_recordset(($1)[1]::jsonb)')
  expect(text).toContain('delete from {event_keys} kept where domain = ($1)[2]')
  expect(text).toContain('insert into {rollup_daily} as kept')
  expect(text).toContain('from {events} join given')
  expect(text).toContain('update {audits} set domain = ($1)[10]')
  expect(tables.toSorted()).toEqual(['audits', 'event_keys', 'events', 'rollup_daily'])
})

test('a table is told from one whose name begins alike', () => {
  const statement = TENANT_TABLES.map((name) => `select from ${name}`).join(' union all ')
  const { text, tables } = forShard(statement)
  for (const name of TENANT_TABLES) expect(text).toMatch(new RegExp(`from \\{${name}\\}( |$)`))
  expect(tables.toSorted()).toEqual(TENANT_TABLES.toSorted())
})
