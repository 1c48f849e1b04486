import { ANCHOR, TENANT_TABLES } from './placement.ts'

// Citus does not route a statement whose parts insert into several tables, although all of its rows
// are on one node: it carries every part over the coordinator
// (src/backend/distributed/planner/multi_router_planner.c, ErrorIfQueryHasUnroutableModifyingCTE).
// A call of a distributed function is routed, by one of its arguments. So a statement of ours is
// sent to such a function, which runs it on the tables of the one shard: there it is plain
// Postgres.

/** The function that runs a statement on shards of one node. */
export const AT_SHARDS = 'aisle_at_shards'

/** SQLSTATE of a statement whose domains are in several shards: each has to go by itself. */
const SPLIT_SHARD = '55P03'

/**
 * Its definition. Statements name tenant tables in braces and have two parameters, a text and an
 * array of texts; rows come back as JSON. It runs the statement for each line of `domains`, which
 * are those of one shard with spaces between them, with that line of `first`. In one line, `first`
 * may have any. A text is written and read several times on its way, and in an array each of its
 * quotes would be escaped. The function keeps shards from being moved meanwhile, as a write through
 * Citus does (tables that are placed alike move together), and refuses with 40001
 * (serialization_failure) where one is on another node than that of `route`.
 */
export const AT_SHARDS_FUNCTION = `create or replace function ${AT_SHARDS}(
  route text, domains text, statement text, tables text[], first text, others text[]
) returns setof jsonb language plpgsql as $function$
declare
  lines text[] := string_to_array(domains, E'\\n');
  firsts text[] := case cardinality(lines) when 1 then array[first]
    else string_to_array(first, E'\\n') end;
  anchors bigint[] := array(
    select get_shard_id_for_distribution_column('${ANCHOR}'::regclass, split_part(line, ' ', 1))
    from unnest(lines) with ordinality as listed(line, n) order by n
  );
  -- Enough to tell a few statements apart. An MD5 of one for each shard takes some 20 µs.
  hashed text := to_hex(hashtextextended(statement, 0));
  anchor bigint;
  name text;
  named text;
  plan text;
  found record;
begin
  -- 5 is the share lock, which the exclusive one of a move has to wait for.
  perform lock_shard_metadata(5, anchors);
  if (
    select count(*) from pg_dist_placement
    where shardid = any(anchors) and groupid = (select groupid from pg_dist_local_group)
  ) < cardinality(anchors) then
    raise exception 'a shard is on another node than that of %', route using errcode = '40001';
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for n in 1 .. cardinality(lines) loop
    anchor := anchors[n];
    foreach name in array string_to_array(lines[n], ' ') loop
      if get_shard_id_for_distribution_column('${ANCHOR}'::regclass, name) <> anchor then
        raise exception 'the domains are in several shards' using errcode = '${SPLIT_SHARD}';
      end if;
    end loop;
    -- Planning takes longer than storing a few events, so each shard's plan is kept with the connection,
    -- which also keeps in a setting that it has it: to list all plans copies their texts.
    plan := 'aisle_' || anchor || '_' || hashed;
    if current_setting('aisle.' || plan, true) is distinct from 'kept' then
      if not exists (select from pg_prepared_statements as kept where kept.name = plan) then
        named := statement;
        foreach name in array tables loop
          named := replace(named, '{' || name || '}', shard_name(name::regclass,
            get_shard_id_for_distribution_column(name::regclass, split_part(lines[n], ' ', 1))));
        end loop;
        execute format('prepare %I(text, text[]) as %s', plan, named);
      end if;
      perform set_config('aisle.' || plan, 'kept', false);
    end if;
    for found in execute format('execute %I(%L, %L)', plan, firsts[n], others) loop
      return next to_jsonb(found);
    end loop;
  end loop;
end $function$`

/**
 * What makes Citus route its calls, once for a database; it has to have the anchor's colocation.
 */
export const DISTRIBUTE_AT_SHARDS = `select create_distributed_function(
  '${AT_SHARDS}(text, text, text, text[], text, text[])', 'route',
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
    .replaceAll(/\$(\d+)/g, (_, n: string) => (n === '1' ? '$1' : `($2)[${Number(n) - 1}]`))
  const made = { text, tables: [...tables] }
  known.set(statement, made)
  return made
}
