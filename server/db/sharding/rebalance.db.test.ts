import { expect, inject, test } from 'vitest'
import { testDatabase } from '../../testing/app.ts'
import {
  chooseSplit,
  listNodes,
  planMoves,
  planSplit,
  readNodeSettings,
  type ShardNode,
  type ShardRange,
  settingsToMake,
  splitStatement,
} from './rebalance.ts'
import { shardsOf } from './shards.ts'

const NODES: ShardNode[] = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, n) => ({
  id: n + 1,
  name: `${name}:5432`,
}))
const HASHES = 2 ** 32

/** Shards of as many hashes each, on these nodes, in order. */
const placed = (...nodes: number[]): ShardRange[] =>
  nodes.map((node, n) => ({
    id: String(102_000 + n),
    node,
    first: -(2 ** 31) + (n * HASHES) / nodes.length,
    last: -(2 ** 31) + ((n + 1) * HASHES) / nodes.length - 1,
  }))

/** What Citus makes of a split. */
const applied = (shards: readonly ShardRange[], { shard, at, to }: NonNullable<Split>) => [
  ...shards.filter(({ id }) => id !== shard.id),
  { id: `${shard.id}1`, node: to[0].id, first: shard.first, last: at },
  { id: `${shard.id}2`, node: to[1].id, first: at + 1, last: shard.last },
]
type Split = ReturnType<typeof chooseSplit>

test('nodes that are even, or within a quarter of it, keep their shards whole', () => {
  for (const [nodes, ...at] of [
    [1, 1, 1, 1, 1],
    [2, 1, 1, 2, 2],
    [3, 1, 1, 1, 2, 2, 2, 3, 3],
    [4, 1, 2, 3, 4],
    [5, 1, 1, 2, 2, 3, 3, 4, 5],
  ]) {
    expect(chooseSplit(NODES.slice(0, nodes), placed(...at)), `${nodes} nodes`).toBeNull()
  }
})

test('two nodes whose third has taken one shard of four give it half of another', () => {
  const shards = placed(1, 1, 2, 3)
  const split = chooseSplit(NODES.slice(0, 3), shards)
  expect(split).toMatchObject({ shard: { id: '102000' }, at: -1_610_612_737 })
  expect(split?.to.map(({ id }) => id)).toEqual([2, 3])
  if (split === null) return
  const after = applied(shards, split)
  expect(chooseSplit(NODES.slice(0, 3), after)).toBeNull()
  expect(splitStatement(split)).toBe(
    "select citus_split_shard_by_split_points(102000, array['-1610612737'], array[2, 3], 'force_logical')",
  )
})

test('a split never leaves a half where it was, nor moves the most to another node', () => {
  // Four shards on four nodes, and two more nodes without any.
  let shards = placed(1, 2, 3, 4)
  let most = HASHES / 4
  let splits = 0
  for (
    let split = chooseSplit(NODES, shards);
    split !== null;
    split = chooseSplit(NODES, shards), splits += 1
  ) {
    for (const { id } of split.to) expect(id).not.toBe(split.shard.node)
    shards = applied(shards, split)
    const loads = NODES.map(({ id }) =>
      shards.filter(({ node }) => node === id).reduce((sum, s) => sum + s.last - s.first + 1, 0),
    )
    expect(loads.reduce((sum, load) => sum + load)).toBe(HASHES)
    expect(Math.max(...loads)).toBeLessThanOrEqual(most)
    most = Math.max(...loads)
    // As Citus moves a whole shard where a node has none.
    const empty = NODES.find((_, n) => loads[n] === 0)
    const [first, second] = shards.filter(({ node }) => node === split.to[0].id)
    if (empty !== undefined && first !== undefined && second !== undefined) first.node = empty.id
    if (splits > 20) throw new Error('it does not end')
  }
  expect(splits).toBeGreaterThan(0)
})

test('where one node has room, both halves go there', () => {
  const split = chooseSplit(NODES.slice(0, 3), [
    { id: '1', node: 1, first: 0, last: 499 },
    { id: '2', node: 2, first: 500, last: 899 },
    { id: '3', node: 3, first: 900, last: 999 },
  ])
  expect(split?.to.map(({ id }) => id)).toEqual([3, 3])
  expect(split?.at).toBe(249)
})

test('a shard of one hash, or no shard, is not split', () => {
  expect(chooseSplit(NODES, [{ id: '1', node: 1, first: 7, last: 7 }])).toBeNull()
  expect(chooseSplit(NODES, [])).toBeNull()
  expect(chooseSplit([], [])).toBeNull()
})

const set = (name: string, walLevel: string, outputPlugins: string | null) => ({
  ...{ name, walLevel, outputPlugins },
})

test('a Postgres that takes any plugin, or names the one of Citus, needs nothing to be split', () => {
  const settings = [
    set('a:5432', 'logical', null),
    set('b:5432', 'logical', 'citus'),
    set('c:5432', 'logical', 'pgoutput, citus, wal2json'),
  ]
  expect(settingsToMake(settings, { toSplit: true })).toEqual([])
})

test('what a split needs is told for each way in which nodes are set, and keeps what they have', () => {
  const settings = [
    set('a:5432', 'logical', 'pgoutput, test_decoding'),
    set('b:5432', 'replica', 'pgoutput, test_decoding'),
    set('c:5432', 'logical', ''),
    set('d:5432', 'logical', 'citus_other'),
  ]
  const reload = 'select pg_reload_conf()'
  const named = (plugins: string) => [
    `alter system set output_plugin_libraries = ${plugins}`,
    reload,
  ]
  const wal = {
    nodes: ['b:5432'],
    statements: ['alter system set wal_level = logical'],
    restart: true,
  }
  expect(settingsToMake(settings, { toSplit: true })).toEqual([
    wal,
    {
      nodes: ['a:5432', 'b:5432'],
      statements: named('pgoutput, test_decoding, citus'),
      restart: false,
    },
    { nodes: ['c:5432'], statements: named('citus'), restart: false },
    { nodes: ['d:5432'], statements: named('citus_other, citus'), restart: false },
  ])
  expect(settingsToMake(settings, { toSplit: false })).toEqual([wal])
})

test.skipIf(inject('citusUrl') === null)('the settings of each node are read', async () => {
  const { sql } = await testDatabase()
  const settings = await readNodeSettings(sql)
  expect(settings.length).toBeGreaterThan(await listNodes(sql).then(({ length }) => length))
  // As CONTRIBUTING asks of a cluster for tests.
  expect(settingsToMake(settings, { toSplit: true })).toEqual([])
})

test.skipIf(inject('citusUrl') === null)(
  'a node that holds more than another has the plan of a move, of as many shards as go',
  async () => {
    const { sql } = await testDatabase()
    expect(await planMoves(sql)).toEqual([])
    const [one, other] = await listNodes(sql)
    if (one === undefined || other === undefined) throw new Error('a cluster of two nodes at least')
    const [host = '', port] = one.name.split(':')
    const [otherHost = '', otherPort] = other.name.split(':')
    const shards = await sql<{ id: string }[]>`
      select shardid::text as id from pg_dist_shard join pg_dist_placement using (shardid)
      join pg_dist_node using (groupid)
      where logicalrelid = 'event_keys'::regclass and nodeid = ${one.id}`
    for (const { id } of shards) {
      await sql.begin(async (tx) => {
        await tx`set local statement_timeout = 0`
        await tx`select citus_move_shard_placement(
          ${id}::bigint, ${host}, ${Number(port)}, ${otherHost}, ${Number(otherPort)}, 'block_writes')`
      })
    }
    const [move, ...others] = await planMoves(sql)
    expect(others).toEqual([])
    expect(move).toMatchObject({ shards: shards.length, from: other.name, to: one.name })
    // Tables without a row have the first page of each index.
    expect(move?.bytes).toBeGreaterThan(0)
  },
)

/** So many that every shard has some. */
const DOMAINS = Array.from({ length: 60 }, (_, n) => `shop-${n}.example`)

test.skipIf(inject('citusUrl') === null)(
  'a shard that is split while rows are written is found in its halves, with all of them',
  async () => {
    const { sql } = await testDatabase()
    expect(await planMoves(sql)).toEqual([])
    expect(await planSplit(sql)).toBeNull()
    const { atNode, among, find } = shardsOf(sql)
    const write = async () => {
      const written = (await among(DOMAINS)).map(({ domains: [first = '', ...more] }) =>
        atNode([first, ...more])<{ domain: string }>(
          `insert into rollup_names as kept (domain, dimension, month, name)
          select domain, 'landing', '2026-11', '/'
          from jsonb_array_elements_text($1::jsonb) as given(domain) order by domain
          on conflict (domain, dimension, month, name) do update set chosen_at = now()
          returning kept.domain`,
          [JSON.stringify([first, ...more])],
        ),
      )
      return (await Promise.all(written)).flat()
    }
    expect(await write()).toHaveLength(DOMAINS.length)
    const { id, node } = await find('shop-0.example')
    const nodes = await listNodes(sql)
    const other = nodes.find(({ name }) => name !== node)
    const [shard] = await sql<ShardRange[]>`
      select shardid::text as id, 0 as node, shardminvalue::float8 as first, shardmaxvalue::float8 as last
      from pg_dist_shard where shardid = ${id}::bigint`
    if (other === undefined || shard === undefined)
      throw new Error('a cluster of two nodes at least')
    const at = Math.floor((shard.first + shard.last) / 2)
    let isOver = false
    // An operator's, so it takes what it takes.
    const session = await sql.reserve()
    await session`set statement_timeout = 0`
    const splitting = session
      .unsafe(splitStatement({ shard, at, to: [other, other] }))
      .finally(async () => {
        isOver = true
        await session`reset statement_timeout`
        session.release()
      })
    let written = 0
    while (!isOver) {
      // Refused for a moment where the shard was split.
      written += await write().then(
        (rows) => rows.length,
        () => 0,
      )
    }
    await splitting
    expect(written).toBeGreaterThan(0)
    const [count] = await sql<{ shards: number }[]>`
      select count(*)::int as shards from pg_dist_shard
      where logicalrelid = 'event_keys'::regclass and shardmaxvalue::int8 between ${shard.first}::int8 and ${shard.last}::int8`
    expect(count?.shards).toBe(2)
    expect(await write()).toHaveLength(DOMAINS.length)
  },
)
