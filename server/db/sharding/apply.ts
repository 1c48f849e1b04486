import type { Sql } from 'postgres'
import { ANCHOR, SHARD_KEY, TENANT_TABLES } from './placement.ts'
import { listNodes } from './rebalance.ts'
import { AT_SHARD, detectCitus, detectShards } from './shards.ts'

// Citus does not route a statement whose parts insert into several tables, although all of its rows
// are on one node: it carries every part over the coordinator
// (src/backend/distributed/planner/multi_router_planner.c, ErrorIfQueryHasUnroutableModifyingCTE).
// A call of a distributed function is routed, by one of its arguments. So a statement of ours is
// sent to such a function, which runs it on the tables of the one shard: there it is plain
// Postgres.

/** SQLSTATE of a statement whose domains are in several shards: each has to go by itself. */
const SPLIT_SHARD = '55P03'

/**
 * The function that runs a statement at a shard. Statements name tenant tables in braces and have
 * two parameters, a text and an array of texts; rows come back as JSON. `domains`, with spaces
 * between them, have to be of the shard of `route`. A text is written and read several times on its
 * way, and in an array each of its quotes would be escaped, so `first` is by itself. The function
 * keeps the shard from being moved meanwhile, as a write through Citus does (tables that are placed
 * alike move together), and refuses with 40001 (serialization_failure) where it is on another node.
 */
const FUNCTION = `create or replace function ${AT_SHARD}(
  route text, domains text, statement text, tables text[], first text, others text[]
) returns setof jsonb language plpgsql as $function$
declare
  anchor bigint := get_shard_id_for_distribution_column('${ANCHOR}'::regclass, route);
  -- Enough to tell a few statements apart. An MD5 of one takes some 20 µs.
  plan text := 'aisle_' || anchor || '_' || to_hex(hashtextextended(statement, 0));
  name text;
  named text := statement;
  found record;
begin
  -- 5 is the share lock, which the exclusive one of a move has to wait for.
  perform lock_shard_metadata(5, array[anchor]);
  if not exists (
    select from pg_dist_placement
    where shardid = anchor and groupid = (select groupid from pg_dist_local_group)
  ) then
    raise exception 'the shard of % is on another node', route using errcode = '40001';
  end if;
  foreach name in array string_to_array(domains, ' ') loop
    if get_shard_id_for_distribution_column('${ANCHOR}'::regclass, name) <> anchor then
      raise exception 'the domains are in several shards' using errcode = '${SPLIT_SHARD}';
    end if;
  end loop;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  -- Planning takes longer than storing a few events, so each shard's plan is kept with the connection,
  -- which also keeps in a setting that it has it: to list all plans copies their texts.
  if current_setting('aisle.' || plan, true) is distinct from 'kept' then
    if not exists (select from pg_prepared_statements as kept where kept.name = plan) then
      foreach name in array tables loop
        named := replace(named, '{' || name || '}', shard_name(name::regclass,
          get_shard_id_for_distribution_column(name::regclass, route)));
      end loop;
      execute format('prepare %I(text, text[]) as %s', plan, named);
    end if;
    perform set_config('aisle.' || plan, 'kept', false);
  end if;
  for found in execute format('execute %I(%L, %L)', plan, first, others) loop
    return next to_jsonb(found);
  end loop;
end $function$`

/**
 * What makes Citus route its calls, once for a database; it has to have the anchor's colocation.
 */
const ROUTED = `select create_distributed_function(
  '${AT_SHARD}(text, text, text, text[], text, text[])', 'route',
  colocate_with => '${ANCHOR}', force_delegation => true)`

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
      FUNCTION,
      ROUTED,
    ]
  }
  const placed = await sql<{ name: string }[]>`
    select logicalrelid::text as name from pg_dist_partition`
  // What is between its quotes, as Postgres keeps it.
  const [function_] = await sql<{ source: string; routed: boolean }[]>`
    select prosrc as source, exists (
      select from pg_dist_object where objid = pg_proc.oid and distribution_argument_index is not null
    ) as routed
    from pg_proc where proname = ${AT_SHARD} and pronamespace = 'public'::regnamespace`
  const isCurrent = function_ !== undefined && FUNCTION.includes(function_.source)
  return [
    ...placing(new Set(placed.map(({ name }) => name)), await countShards(sql)),
    ...(isCurrent ? [] : [FUNCTION]),
    ...(function_?.routed ? [] : [ROUTED]),
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
