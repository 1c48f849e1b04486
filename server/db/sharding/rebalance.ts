import type { Sql } from 'postgres'
import { ANCHOR } from './placement.ts'

/** A move of shards, each with all that is placed like it, that would even out the nodes. */
interface ShardMove {
  shards: number
  bytes: number
  from: string
  to: string
}

/** What moving shards to the nodes that have fewer would move, nothing where they are even. */
export async function planMoves(sql: Sql): Promise<ShardMove[]> {
  // The plan has a row for each table, and no sizes.
  const rows = await sql<
    { shards: string; bytes: string | null; source: string; target: string }[]
  >`
    select count(*) filter (where planned.table_name = ${ANCHOR}::regclass) as shards,
      sum(held.shard_size) as bytes,
      sourcename || ':' || sourceport as source, targetname || ':' || targetport as target
    from get_rebalance_table_shards_plan(${ANCHOR}::regclass) as planned
    left join citus_shards held using (shardid)
    group by sourcename, sourceport, targetname, targetport order by source, target`
  return rows.map(({ shards, bytes, source, target }) => ({
    shards: Number(shards),
    bytes: Number(bytes ?? 0),
    from: source,
    to: target,
  }))
}

/** A node of a cluster that holds shards, or could. */
export interface ShardNode {
  id: number
  /** `host:port`. */
  name: string
}

/**
 * A shard of the anchor, with which all others of its domains are placed: the hashes from `first`
 * to `last`.
 */
export interface ShardRange {
  id: string
  node: number
  first: number
  last: number
}

/** A shard of a node that has too many domains, and where its halves would go. */
interface ShardSplit {
  shard: ShardRange
  /** The last hash of the first half. */
  at: number
  from: ShardNode
  to: [ShardNode, ShardNode]
}

/**
 * A node may have a quarter more of the domains than its share: whole shards are seldom exactly
 * even.
 */
const UNEVEN_FROM = 1.25

/**
 * The split that helps the node with the most domains, where moving whole shards no longer does:
 * null where the nodes are even. The halves go to other nodes, never where the shard is. There
 * Citus 13.2 would copy them as well, but without end while rows are changed: it decodes changes
 * for tables that got their keys later (src/backend/distributed/operations/shard_split.c,
 * NonBlockingShardSplit).
 */
export function chooseSplit(
  nodes: readonly ShardNode[],
  shards: readonly ShardRange[],
): ShardSplit | null {
  const loads = nodes
    .map((node) => {
      const own = shards.filter((shard) => shard.node === node.id)
      return { node, own, hashes: own.reduce((sum, shard) => sum + sizeOf(shard), 0) }
    })
    .toSorted((one, other) => one.hashes - other.hashes)
  const all = loads.reduce((sum, { hashes }) => sum + hashes, 0)
  const busiest = loads.at(-1)
  const [first, second] = loads
  if (busiest === undefined || first === undefined || second === undefined) return null
  if (busiest.hashes <= (UNEVEN_FROM * all) / nodes.length) return null
  const [shard] = busiest.own.toSorted((one, other) => sizeOf(other) - sizeOf(one))
  if (shard === undefined || sizeOf(shard) < 2) return null
  const half = sizeOf(shard) / 2
  if (first.hashes + half >= busiest.hashes) return null
  const both = second !== busiest && second.hashes + half < busiest.hashes
  return {
    shard,
    at: shard.first + Math.floor(half) - 1,
    from: busiest.node,
    // Where only one node has room, both go there, and one of them can then be moved back.
    to: [first.node, both ? second.node : first.node],
  }
}

const sizeOf = ({ first, last }: ShardRange): number => last - first + 1

/** A split, and the bytes that it would copy. */
interface PlannedSplit extends ShardSplit {
  bytes: number
}

/** `chooseSplit` of a cluster as it is. */
export async function planSplit(sql: Sql): Promise<PlannedSplit | null> {
  const shards = await sql<ShardRange[]>`
    select shardid::text as id, nodeid as node, shardminvalue::float8 as first, shardmaxvalue::float8 as last
    from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
    where logicalrelid = ${ANCHOR}::regclass and noderole = 'primary' order by shardid`
  const split = chooseSplit(await listNodes(sql), shards)
  if (split === null) return null
  const [row] = await sql<{ bytes: string | null }[]>`
    select sum(shard_size) as bytes from citus_shards
    where shardid = any(get_colocated_shard_array(${split.shard.id}))`
  return { ...split, bytes: Number(row?.bytes ?? 0) }
}

/** The statement that makes a split, on the coordinator. */
export const splitStatement = ({ shard, at, to }: Omit<ShardSplit, 'from'>): string =>
  `select citus_split_shard_by_split_points(${shard.id}, array['${at}'], array[${to.map(({ id }) => id).join(', ')}], 'force_logical')`

/** The nodes that hold shards, or could. */
export async function listNodes(sql: Sql): Promise<ShardNode[]> {
  return sql<ShardNode[]>`
    select nodeid as id, nodename || ':' || nodeport as name from pg_dist_node
    where shouldhaveshards and isactive and noderole = 'primary' order by nodeid`
}

/** How a node is set, as far as Citus needs it to copy shards while they are written. */
interface NodeSettings {
  /** `host:port`. */
  name: string
  walLevel: string
  /** Null: its Postgres has no such setting, and takes any plugin. */
  outputPlugins: string | null
}

/** The settings of all nodes that answer. */
export const readNodeSettings = (sql: Sql): Promise<NodeSettings[]> =>
  sql<NodeSettings[]>`
    select nodename || ':' || nodeport as name,
      result::jsonb ->> 'wal' as "walLevel", result::jsonb ->> 'plugins' as "outputPlugins"
    from run_command_on_all_nodes(
      $$select jsonb_build_object('wal', current_setting('wal_level'),
        'plugins', current_setting('output_plugin_libraries', true))::text$$
    ) join pg_dist_node using (nodeid) where success order by nodeid`

/** Statements for a superuser, and the nodes that need them. */
interface SettingsToMake {
  nodes: string[]
  statements: string[]
  /** Whether Postgres reads them at its start alone. */
  restart: boolean
}

/**
 * What nodes must be set to before their shards are copied while they are written; `toSplit` for
 * splitting, whose changes Citus decodes by itself (`citus`), where a move has Postgres do it
 * (`pgoutput`). Postgres takes only the plugins that `output_plugin_libraries` names since its
 * releases of November 2026 (15.19 and its siblings).
 */
export function settingsToMake(
  settings: readonly NodeSettings[],
  { toSplit }: { toSplit: boolean },
): SettingsToMake[] {
  const without = settings.filter(({ walLevel }) => walLevel !== 'logical')
  const byPlugins = Map.groupBy(
    settings.filter(({ outputPlugins }) => toSplit && !isNamed('citus', outputPlugins)),
    ({ outputPlugins }) => outputPlugins,
  )
  return [
    ...(without.length > 0
      ? [
          {
            nodes: namesOf(without),
            statements: ['alter system set wal_level = logical'],
            restart: true,
          },
        ]
      : []),
    ...[...byPlugins].map(([plugins, nodes]) => ({
      nodes: namesOf(nodes),
      statements: [
        `alter system set output_plugin_libraries = ${[plugins, 'citus'].filter(Boolean).join(', ')}`,
        'select pg_reload_conf()',
      ],
      restart: false,
    })),
  ]
}

const namesOf = (nodes: readonly NodeSettings[]): string[] => nodes.map(({ name }) => name)

const isNamed = (plugin: string, plugins: string | null): boolean =>
  plugins === null || plugins.split(',').some((each) => each.trim() === plugin)
