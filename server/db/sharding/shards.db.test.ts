import { expect, inject, test } from 'vitest'
import { testDatabase } from '../../testing/app.ts'
import { testOnOnePostgres } from '../testing/locks.ts'
import { TENANT_TABLES } from './placement.ts'
import { forShard, type Shards, shardsOf } from './shards.ts'

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

/** So many that every shard has some. */
const DOMAINS = Array.from({ length: 60 }, (_, n) => `shop-${n}.example`)
const NAME = "it's\n"
const KEEP = `
  insert into rollup_names (domain, dimension, month, name)
  select domain, 'landing', '2026-11', $2 from jsonb_array_elements_text($1::jsonb) as given(domain)
  returning domain, name`
const FIND = `
  select kept.domain, kept.name from jsonb_array_elements_text($1::jsonb) as asked(domain)
  join rollup_names kept on kept.domain = asked.domain and kept.name = $2`

/** The rows of a statement for all domains, which is sent to each shard. */
async function everywhere({ among, atNode }: Shards, statement: string) {
  const rows = (await among(DOMAINS)).map(({ domains: [first = '', ...more] }) =>
    atNode([first, ...more])<{ domain: string; name: string }>(statement, [
      JSON.stringify([first, ...more]),
      NAME,
    ]),
  )
  return (await Promise.all(rows)).flat()
}
const ALL = DOMAINS.toSorted().map((domain) => ({ domain, name: NAME }))
const inOrder = (rows: { domain: string }[]) =>
  rows.toSorted((a, b) => (a.domain < b.domain ? -1 : 1))

test('rows of many domains are stored and found, wherever they are', async () => {
  const { sql } = await testDatabase()
  expect(inOrder(await everywhere(shardsOf(sql), KEEP))).toEqual(ALL)
  expect(inOrder(await everywhere(shardsOf(sql), FIND))).toEqual(ALL)
})

test.skipIf(inject('citusUrl') === null)(
  'a shard that has moved is refused once, and found at the next try; domains of several are refused',
  async () => {
    const { sql } = await testDatabase()
    const shards = shardsOf(sql)
    await everywhere(shards, KEEP)
    const { id, node } = await shards.find('shop-0.example')
    const [from] = node.split(':')
    const port = Number(node.split(':')[1])
    const [to] = await sql`
      select nodename as host, nodeport as port from pg_dist_node
      where groupid > 0 and nodeport <> ${port} limit 1`
    // An operator's, so it takes what it takes: seventeen tables and their partitions are made
    // anew.
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`
      await tx`select citus_move_shard_placement(
        ${id}::bigint, ${from ?? ''}, ${port}, ${to?.host}, ${to?.port}, 'block_writes')`
    })
    await expect(everywhere(shards, FIND)).rejects.toMatchObject({ code: '40001' })
    expect(inOrder(await everywhere(shards, FIND))).toEqual(ALL)
    const [first = '', ...more] = DOMAINS
    await expect(
      shards.atNode([first, ...more])(FIND, [JSON.stringify(DOMAINS), NAME]),
    ).rejects.toMatchObject({ code: '55P03' })
  },
)

test('tenant tables of a statement are named for their shard, and the first parameter is by itself', () => {
  const { text, tables } = forShard(`
    with given as (select * from jsonb_to_recordset($1::jsonb) as given(domain text)), gone as (
      delete from event_keys kept where domain = $2 returning *
    ), kept as (
      insert into rollup_daily as kept (domain) select domain from events join given using (domain)
      returning kept.domain
    )
    update audits set domain = $10 where domain in (select domain from kept)`)
  expect(text).toContain('jsonb_to_recordset($1::jsonb)')
  expect(text).toContain('delete from {event_keys} kept where domain = ($2)[1]')
  expect(text).toContain('insert into {rollup_daily} as kept')
  expect(text).toContain('from {events} join given')
  expect(text).toContain('update {audits} set domain = ($2)[9]')
  expect(tables.toSorted()).toEqual(['audits', 'event_keys', 'events', 'rollup_daily'])
})

test('a table is told from one whose name begins alike', () => {
  const statement = TENANT_TABLES.map((name) => `select from ${name}`).join(' union all ')
  const { text, tables } = forShard(statement)
  for (const name of TENANT_TABLES) expect(text).toMatch(new RegExp(`from \\{${name}\\}( |$)`))
  expect(tables.toSorted()).toEqual(TENANT_TABLES.toSorted())
})
