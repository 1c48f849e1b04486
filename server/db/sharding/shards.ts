import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { LRUCache } from 'lru-cache'
import type { ISql, Sql } from 'postgres'
import { isTransactionConflict } from '../connection/failures.ts'
import { outsideRequest } from '../connection/request-domain.ts'
import type { Nodes } from './nodes.ts'
import { ANCHOR, TENANT_TABLES } from './placement.ts'

/** Where the rows of a domain are. */
interface Shard {
  /** Domains with the same one can share a statement. */
  id: string
  /** The machine; shards of one fail and slow down together. Empty: it is the only one. */
  node: string
}

/**
 * Sends a statement about domains that are in one shard to it, and resolves to its rows. Parameters
 * are texts to Postgres: the statement casts those that are not. Rows have numbers, texts, booleans
 * and arrays of them; a statement without rows ends in `returning`.
 */
export type AtShard = <Row>(statement: string, parameters: readonly Parameter[]) => Promise<Row[]>

type Parameter = string | number | boolean | null

/** At least one. */
type Domains = readonly [string, ...string[]]

/** For statements about these domains, which are of one shard. */
export interface Among {
  at: AtShard
  domains: string[]
}

/** For statements about all domains of one shard. */
export interface AtEach {
  at(transaction: ISql): AtShard
  shard: Shard
}

/** The same for a statement that is made of parts. */
export const runParts = <Row>(at: AtShard, parts: SQL): Promise<Row[]> => {
  const { sql, params } = dialect.sqlToQuery(parts)
  return at(sql, params as Parameter[])
}

const dialect = new PgDialect()

/** A Postgres is one shard; a Citus cluster has many. */
export interface Shards {
  /** The shard of a domain as far as it is known: while it is asked, one of its own. */
  of(domain: string): Shard
  /** Whether that is its shard. */
  isKnown(domain: string): boolean
  find(domain: string): Promise<Shard>
  /** For statements about these domains, which have to be of one shard. */
  at(domains: Domains, transaction?: ISql): AtShard
  /** The same, sent straight to the node of the shard where that can be reached. */
  atNode(domains: Domains): AtShard
  /** These domains by shard, so that a statement for each list answers for all of them. */
  among(domains: readonly string[]): Promise<Among[]>
  /** For statements about all rows: one for each shard, in no order. */
  everywhere(): Promise<AtEach[]>
  /** Whether the tables are spread over a cluster. */
  areMany(): Promise<boolean>
}

/** All of a Postgres. */
const WHOLE: Shard = { id: '', node: '' }

/** Stands for the node of a domain while that is asked. */
const UNKNOWN = 'unknown'

/**
 * How long the shard of a domain is cached: rebalancing is rare, and a call to the wrong shard
 * fails.
 */
const REMEMBERED_MS = 30_000
/** How often lru-cache reads the time: each reading costs a timer. */
const TICK_MS = 1000
/** Domains in the cache; the least recently used are dropped. */
const MOST_REMEMBERED = 100_000

/** The shards of a pool's database. They are detected once per pool. */
export function shardsOf(pool: Sql): Shards {
  const known = ofPools.get(pool) ?? createShards(pool, null)
  ofPools.set(pool, known)
  return known
}

/**
 * From now on lists of rows of a cluster go directly to its nodes. Call it before the pool's first
 * statement.
 */
export function reachNodes(pool: Sql, nodes: Nodes): void {
  ofPools.set(pool, createShards(pool, nodes))
}

/**
 * What limits the connections of a domain's requests: the domain, and the node of a cluster that it
 * is on.
 */
export function sharesOf(pool: Sql, domain: string): string[] {
  const { node } = shardsOf(pool).of(domain)
  return node === '' ? [domain] : [domain, `node ${node}`]
}

const ofPools = new WeakMap<Sql, Shards>()

function createShards(pool: Sql, nodes: Nodes | null): Shards {
  let detecting: Promise<boolean> | undefined
  let isDetected = false
  /** On a cluster, the shards of domains. */
  let known: LRUCache<string, Shard> | undefined
  let asked: { domains: Set<string>; answer: Promise<Map<string, Shard>> } | undefined

  const areMany = () => {
    detecting ??= detectShards(pool).then(
      (many) => {
        if (many) {
          known = new LRUCache({
            max: MOST_REMEMBERED,
            ttl: REMEMBERED_MS,
            ttlResolution: TICK_MS,
          })
        }
        isDetected = true
        return many
      },
      (error: unknown) => {
        detecting = undefined
        throw error
      },
    )
    return detecting
  }

  /** One query for all calls in the same turn of the event loop. */
  function ask(domain: string): Promise<Map<string, Shard>> {
    if (asked === undefined) {
      const domains = new Set<string>()
      // For all callers, so it counts towards no share.
      const answer = new Promise(setImmediate).then(() => {
        asked = undefined
        return outsideRequest(() => findShards(pool, [...domains]))
      })
      asked = { domains, answer }
    }
    asked.domains.add(domain)
    return asked.answer
  }

  async function find(domain: string): Promise<Shard> {
    if (!(await areMany())) return WHOLE
    const kept = known?.has(domain) ? known.get(domain) : undefined
    const found = kept ?? (await ask(domain)).get(domain)
    if (found === undefined) throw new Error('the cluster has no shard for a domain')
    if (kept === undefined) known?.set(domain, found)
    return found
  }

  function of(domain: string): Shard {
    // Until the first query we do not know whether this is a cluster; treat it as one shard.
    if (known === undefined) return WHOLE
    // Where it is old it is asked for again; who waits for the answer gets its failure.
    if (!known.has(domain)) find(domain).catch(() => {})
    const old = { allowStale: true, noDeleteOnStaleGet: true }
    return known.get(domain, old) ?? { id: domain, node: UNKNOWN }
  }

  return {
    areMany,
    of,
    isKnown: (domain) => of(domain).node !== UNKNOWN,
    find,
    at: (domains, transaction = undefined) => atShard(transaction ?? pool, domains),
    atNode:
      (domains) =>
      async <Row>(statement: string, parameters: readonly Parameter[]) => {
        const form = forShard(statement)
        const { node } = await find(domains[0])
        if (node === '') return runWhole<Row>(pool, statement, parameters)
        const ask = (by: Sql) => callAtShard<Row>(by, domains, form, parameters)
        try {
          return await (nodes === null
            ? ask(pool)
            : nodes.ask(node, ask, (by) => findServer(by, domains)))
        } catch (error) {
          // A shard may have moved: look it up again before the next try.
          if (isTransactionConflict(error)) known?.clear()
          throw error
        }
      },
    async among(domains) {
      const placed = await Promise.all(
        [...new Set(domains)].map(async (domain) => ({ domain, shard: await find(domain) })),
      )
      const lists = Map.groupBy(placed, ({ shard }) => shard.id)
      return [...lists.values()].flatMap((list) => {
        const [first, ...more] = list.map(({ domain }) => domain)
        return first === undefined
          ? []
          : [{ at: atShard(pool, [first, ...more]), domains: [first, ...more] }]
      })
    },
    async everywhere() {
      if (!(await areMany())) return [atWhole]
      const found = await findRoutes(pool)
      return found.map(({ route, shard }) => ({
        shard,
        at: (client) => atShard(client, [route]),
      }))
    },
  }

  /** In a transaction on its own connection: all others of the pool may be busy. */
  function isManyTo(client: ISql): Promise<boolean> {
    return client === pool || isDetected ? areMany() : detectShards(client)
  }

  function atShard(client: ISql, domains: Domains): AtShard {
    return async <Row>(statement: string, parameters: readonly Parameter[]) => {
      // Checked on every database, so that a statement that a shard rejects is found without one.
      const form = forShard(statement)
      return (await isManyTo(client))
        ? callAtShard<Row>(client, domains, form, parameters)
        : runWhole<Row>(client, statement, parameters)
    }
  }
}

/** A Postgres as if it were one shard; of a cluster what is on the coordinator or on each node. */
export const atWhole: AtEach = {
  shard: WHOLE,
  at: (client) => (statement, parameters) => runWhole(client, statement, parameters),
}

const runWhole = <Row>(client: ISql, statement: string, parameters: readonly Parameter[]) =>
  client.unsafe<Row[] & object[]>(statement, [...parameters], { prepare: true })

async function callAtShard<Row>(
  pool: ISql,
  domains: Domains,
  { text, tables }: ShardStatement,
  [first = null, ...others]: readonly Parameter[],
): Promise<Row[]> {
  const rows = await pool<{ row: Row }[]>`
    select row from ${pool(AT_SHARD)}(${domains[0]}, ${domains.join(' ')}, ${text},
      ${texts(pool, tables)}, ${asText(first)}, ${texts(pool, others)}) as row`
  return rows.map(({ row }) => row)
}

/** Identifies the server that a domain is on. */
async function findServer(by: ISql, domains: Domains): Promise<string> {
  const [row] = await callAtShard<{ server: string }>(by, domains, forShard(SERVER), [])
  if (row === undefined) throw new Error('the node of a domain has not said which it is')
  return row.server
}

/** The function of `apply.ts` that runs a statement at a shard. */
export const AT_SHARD = 'aisle_at_shards'

/** A statement as the function takes it. */
interface ShardStatement {
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

/** Whether a statement is one that goes to a shard by that function. */
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

/** A copy of a server has its identifier, but was not started in the same microsecond. */
const SERVER = `
  select system_identifier || ' ' || extract(epoch from pg_postmaster_start_time()) as server
  from pg_control_system()`

/** `text[]` (pg_type.dat). */
const TEXT_ARRAY = 1009

const texts = (pool: ISql, values: readonly Parameter[]) =>
  pool.array(values.map(asText), TEXT_ARRAY)

const asText = (value: Parameter) => (value === null ? null : String(value))

/** Whether Citus is there, with tables or without. */
export async function detectCitus(pool: ISql): Promise<boolean> {
  const [row] = await pool<{ known: boolean }[]>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as known`
  return row?.known === true
}

/** Whether Citus is there, and the tables are distributed. */
export async function detectShards(pool: ISql): Promise<boolean> {
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

/**
 * Of each shard where it is, and a name that leads to it: of a few hundred made-up ones each has
 * one.
 */
async function findRoutes(pool: Sql): Promise<{ shard: Shard; route: string }[]> {
  const rows = await pool<(Shard & { route: string | null })[]>`
    select shardid::text as id, nodename || ':' || nodeport as node, (
      select 'route-' || n from generate_series(1, 100000) as n
      where get_shard_id_for_distribution_column(${ANCHOR}::regclass, 'route-' || n) = shardid
      limit 1
    ) as route
    from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
    where logicalrelid = ${ANCHOR}::regclass and noderole = 'primary' order by shardid`
  return rows.map(({ id, node, route }) => {
    if (route === null) throw new Error('a shard has no name that leads to it')
    return { shard: { id, node }, route }
  })
}

/**
 * What a statement says of these domains, asked once per shard: its first parameter is the list of
 * domains, as JSON.
 */
export async function askAmong<Row>(
  pool: Sql,
  domains: readonly string[],
  parts: (listed: SQL) => SQL,
): Promise<Row[]> {
  const answers = await Promise.all(
    (await shardsOf(pool).among(domains)).map(({ at, domains }) =>
      runParts<Row>(at, parts(sql`jsonb_array_elements_text(${JSON.stringify(domains)}::jsonb)`)),
    ),
  )
  return answers.flat()
}

/** What a statement says of all domains, asked at each shard. */
export async function askEverywhere<Row>(pool: Sql, parts: SQL): Promise<Row[]> {
  const each = await shardsOf(pool).everywhere()
  return (await Promise.all(each.map(({ at }) => runParts<Row>(at(pool), parts)))).flat()
}
