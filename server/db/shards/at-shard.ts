import { ANCHOR, TENANT_TABLES } from './placement.ts'

// Citus does not route a statement whose parts insert into several tables, although all of its rows are
// on one node: it carries every part over the coordinator
// (src/backend/distributed/planner/multi_router_planner.c, ErrorIfQueryHasUnroutableModifyingCTE).
// A call of a distributed function is routed, by one of its arguments. So a statement of ours is sent
// to such a function, which runs it on the tables of the one shard: there it is plain Postgres.

/** The function that runs a statement on one shard. */
export const AT_SHARD = 'aisle_at_shard'

/** SQLSTATE of a statement whose domains are in several shards: each has to go by itself. */
const SPLIT_SHARD = '55P03'

/**
 * Its definition. Statements name tenant tables in braces, and have one parameter, an array of texts; rows come back as JSON. It keeps the shard from being moved meanwhile, as a write through Citus
 * does, and refuses with 40001 (serialization_failure) where the shard has just been moved.
 */
export const AT_SHARD_FUNCTION = `create or replace function ${AT_SHARD}(
  route text, domains text[], statement text, tables text[], parameters text[]
) returns setof jsonb language plpgsql as $function$
declare
  name text;
  shard bigint;
  shards bigint[] := '{}';
  plan text;
  found record;
begin
  foreach name in array tables loop
    shard := get_shard_id_for_distribution_column(name::regclass, route);
    shards := shards || shard;
    statement := replace(statement, '{' || name || '}', shard_name(name::regclass, shard));
  end loop;
  -- 5 is the share lock, which the exclusive one of a move has to wait for.
  perform lock_shard_metadata(5, shards);
  if exists (
    select from unnest(shards) as held(id) where not exists (
      select from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = id
    )
  ) then
    raise exception 'the shard of % is on another node', route using errcode = '40001';
  end if;
  if exists (
    select from unnest(domains || route) as asked(domain)
    where get_shard_id_for_distribution_column(tables[1]::regclass, domain) <> shards[1]
  ) then
    raise exception 'the domains are in several shards' using errcode = '${SPLIT_SHARD}';
  end if;
  -- Planning takes longer than storing a few events, so each shard's plan is kept with the connection.
  plan := 'aisle_' || md5(statement);
  if not exists (select from pg_prepared_statements as kept where kept.name = plan) then
    execute format('prepare %I(text[]) as %s', plan, statement);
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for found in execute format('execute %I(%L)', plan, parameters) loop
    return next to_jsonb(found);
  end loop;
end $function$`

/** What makes Citus route its calls, once for a database; it has to have the anchor's colocation. */
export const DISTRIBUTE_AT_SHARD = `select create_distributed_function(
  '${AT_SHARD}(text, text[], text, text[], text[])', 'route',
  colocate_with => '${ANCHOR}', force_delegation => true)`

/** A statement as the function takes it. */
export interface ShardStatement {
  text: string
  tables: string[]
}

const NAMES = TENANT_TABLES.join('|')
/** Where a statement names a table, or its name as a value: `'events'::regclass`. */
const TABLE = new RegExp(
  `\\b((?:from|join|into|update|using)\\s+)(${NAMES})\\b|'(${NAMES})'(?=::regclass)`,
  'gi',
)
/** A column of a table that is not called by its own name there. */
const BY_TABLE = new RegExp(`\\b(${NAMES})\\.`, 'i')

/** Whether a statement is one that goes to a shard by this function. */
export const runsAtShard = (statement: string): boolean => known.has(statement)

/** Statements are few, and the same ones again and again. */
const known = new Map<string, ShardStatement>()

/** A statement of plain Postgres in the form that the function takes. */
export function forShard(statement: string): ShardStatement {
  const before = known.get(statement)
  if (before !== undefined) return before
  const [, named] = BY_TABLE.exec(statement) ?? []
  if (named !== undefined) throw new Error(`${named} has another name in a shard: give it an alias`)
  const tables = new Set<string>([ANCHOR])
  const text = statement
    .replaceAll(TABLE, (_, word: string | undefined, name: string, value: string) => {
      tables.add(name ?? value)
      return word === undefined ? `'{${value}}'` : `${word}{${name}}`
    })
    .replaceAll(/\$(\d+)/g, (_, n: string) => `($1)[${n}]`)
  const made = { text, tables: [...tables] }
  known.set(statement, made)
  return made
}
