import type { Sql } from 'postgres'
import { AT_SHARD, forShard } from './at-shard.ts'
import { ANCHOR } from './placement.ts'

/** Where the rows of a domain are. */
export interface Shard {
  /** Domains with the same one can share a statement. */
  id: string
  /** The machine; shards of one fail and slow down together. */
  node: string
}

/**
 * Sends a statement about domains that are in one shard to it, and resolves to its rows. Parameters are
 * texts to Postgres: the statement casts those that are not. Rows have numbers, texts, booleans and
 * arrays of them; a statement without rows ends in `returning`.
 */
export type AtShard = <Row>(statement: string, parameters: readonly Parameter[]) => Promise<Row[]>

type Parameter = string | number | boolean | null

/** A Postgres is one shard; a Citus cluster has many. */
export interface Shards {
  /** The shard of a domain, without asking the database where that is known. */
  of(domain: string): Shard | Promise<Shard>
  /** For statements about these domains, which have to be of one shard. */
  at(domains: readonly [string, ...string[]]): AtShard
  /** Whether the tables are spread over a cluster. */
  areMany(): Promise<boolean>
}

/** All of a Postgres. */
const WHOLE: Shard = { id: '', node: '' }

/** How long it is taken for true where a domain is: rebalancing is rare, and a call that errs is told. */
const REMEMBERED_MS = 30_000
/** Domains that are remembered. */
const MOST_REMEMBERED = 100_000

export function createShards(pool: Sql): Shards {
  let detecting: Promise<boolean> | undefined
  let isMany = false
  let known = new Map<string, Shard>()
  let since = performance.now()
  let asked: { domains: Set<string>; answer: Promise<Map<string, Shard>> } | undefined

  const areMany = () => {
    detecting ??= detectShards(pool).then(
      (many) => {
        isMany = many
        return many
      },
      (error: unknown) => {
        detecting = undefined
        throw error
      },
    )
    return detecting
  }

  /** One question for all that come in the same turn of the event loop. */
  function ask(domain: string): Promise<Map<string, Shard>> {
    if (asked === undefined) {
      const domains = new Set<string>()
      const answer = new Promise(setImmediate).then(() => {
        asked = undefined
        return findShards(pool, [...domains])
      })
      asked = { domains, answer }
    }
    asked.domains.add(domain)
    return asked.answer
  }

  async function find(domain: string): Promise<Shard> {
    const found = (await ask(domain)).get(domain)
    if (found === undefined) throw new Error('the cluster has no shard for a domain')
    known.set(domain, found)
    return found
  }

  return {
    areMany,
    of(domain) {
      // Before the first statement nobody has asked: on a cluster a batch of several shards is refused,
      // and each of its domains goes by itself.
      if (!isMany) return WHOLE
      if (performance.now() - since > REMEMBERED_MS || known.size > MOST_REMEMBERED) {
        known = new Map()
        since = performance.now()
      }
      return known.get(domain) ?? find(domain)
    },
    at:
      (domains) =>
      async <Row>(statement: string, parameters: readonly Parameter[]) =>
        (await areMany())
          ? callAtShard<Row>(pool, domains, statement, parameters)
          : pool.unsafe<Row[] & object[]>(statement, [...parameters], { prepare: true }),
  }
}

async function callAtShard<Row>(
  pool: Sql,
  domains: readonly [string, ...string[]],
  statement: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  const { text, tables } = forShard(statement)
  const rows = await pool<{ row: Row }[]>`
    select row from ${pool(AT_SHARD)}(${domains[0]}, ${texts(pool, domains)}, ${text},
      ${texts(pool, tables)}, ${texts(pool, parameters)}) as row`
  return rows.map(({ row }) => row)
}

/** `text[]` (pg_type.dat). */
const TEXT_ARRAY = 1009

const texts = (pool: Sql, values: readonly Parameter[]) =>
  pool.array(
    values.map((value) => (value === null ? null : String(value))),
    TEXT_ARRAY,
  )

/** Whether Citus is there, with tables or without. */
export async function detectCitus(pool: Sql): Promise<boolean> {
  const [row] = await pool<{ known: boolean }[]>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as known`
  return row?.known === true
}

/** Whether Citus is there, and the tables are distributed. */
export async function detectShards(pool: Sql): Promise<boolean> {
  if (!(await detectCitus(pool))) return false
  const placed = await pool`
    select from pg_dist_partition where logicalrelid = to_regclass(${ANCHOR}) and partmethod = 'h'`
  return placed.length > 0
}

async function findShards(pool: Sql, domains: readonly string[]): Promise<Map<string, Shard>> {
  const rows = await pool<(Shard & { domain: string })[]>`
    select asked.domain, shardid::text as id, nodename || ':' || nodeport as node
    from unnest(${texts(pool, domains)}) as asked(domain)
    join pg_dist_placement
      on shardid = get_shard_id_for_distribution_column(${ANCHOR}::regclass, asked.domain)
    join pg_dist_node using (groupid)
    where noderole = 'primary'`
  return new Map(rows.map(({ domain, id, node }) => [domain, { id, node }]))
}
