import type { Sql } from 'postgres'
import { AT_SHARDS, AT_SHARDS_FUNCTION, DISTRIBUTE_AT_SHARDS } from './at-shard.ts'
import { ANCHOR, SHARD_KEY, TENANT_TABLES } from './placement.ts'
import { listNodes } from './rebalance.ts'
import { detectCitus, detectShards } from './shards.ts'

/**
 * The statements that spread a migrated database over a Citus cluster, in the order to run them,
 * with those left out that have been run: empty where nothing is left. The tenant tables are placed
 * alike, so that a domain's rows share a node.
 */
export async function pendingShardStatements(sql: Sql): Promise<string[]> {
  if (!(await detectCitus(sql))) {
    return [
      'create extension if not exists citus',
      ...placing(new Set(), SHARDS_PER_NODE * FEW_NODES),
      AT_SHARDS_FUNCTION,
      DISTRIBUTE_AT_SHARDS,
    ]
  }
  const placed = await sql<{ name: string }[]>`
    select logicalrelid::text as name from pg_dist_partition`
  // What is between its quotes, as Postgres keeps it.
  const [function_] = await sql<{ source: string; routed: boolean }[]>`
    select prosrc as source, exists (
      select from pg_dist_object where objid = pg_proc.oid and distribution_argument_index is not null
    ) as routed
    from pg_proc where proname = ${AT_SHARDS} and pronamespace = 'public'::regnamespace`
  const isCurrent = function_ !== undefined && AT_SHARDS_FUNCTION.includes(function_.source)
  return [
    ...placing(new Set(placed.map(({ name }) => name)), await countShards(sql)),
    ...(isCurrent ? [] : [AT_SHARDS_FUNCTION]),
    ...(function_?.routed ? [] : [DISTRIBUTE_AT_SHARDS]),
  ]
}

const placing = (placed: ReadonlySet<string>, shards: number): string[] =>
  TENANT_TABLES.filter((name) => !placed.has(name)).map((name) => {
    const how = name === ANCHOR ? `shard_count => ${shards}` : `colocate_with => '${ANCHOR}'`
    return `select create_distributed_table('${name}', '${SHARD_KEY}', ${how})`
  })

// Unspecified: a cluster has two shards for each of its nodes, four at least, unless the operator
// has set `citus.shard_count`: a batch of events is one statement for each shard that it touches,
// so that with the 32 of Citus two nodes store half as many events. Where nodes are added, shards
// are split: `rebalance.ts`.
const SHARDS_PER_NODE = 2
const FEW_NODES = 2

async function countShards(sql: Sql): Promise<number> {
  const [set] = await sql<{ shards: number; source: string }[]>`
    select setting::int as shards, source from pg_settings where name = 'citus.shard_count'`
  if (set !== undefined && set.source !== 'default') return set.shards
  return SHARDS_PER_NODE * Math.max(FEW_NODES, (await listNodes(sql)).length)
}

/** Whether Citus is installed where the coordinator is. */
export async function hasCitus(sql: Sql): Promise<boolean> {
  const found = await sql`select from pg_available_extensions where name = 'citus'`
  return found.length > 0
}

/** Runs what `pendingShardStatements` lists, each by itself, and resolves to it. */
export async function applyShards(sql: Sql): Promise<string[]> {
  const statements = await pendingShardStatements(sql)
  for (const statement of statements) {
    await sql.begin(async (tx) => {
      // A table that holds rows is copied to the nodes, which takes as long as it takes.
      await tx`set local statement_timeout = 0`
      await tx.unsafe(statement)
    })
  }
  return statements
}

/** On a cluster, places the tables that a migration has just made; on one Postgres nothing. */
export async function placeNewTables(sql: Sql): Promise<void> {
  if (await detectShards(sql)) await applyShards(sql)
}
