import type { Sql } from 'postgres'
import type { AtShard } from '../sharding/shards.ts'
import { type KeptTable, placesOf } from './sweep.ts'

/** How much a table holds, its partitions together. */
export interface TableStats {
  table: string
  /** Null: Postgres has not analysed it yet. */
  rows: number | null
  /** `rows` and `oldest` are those of the last ANALYZE, as far as the table is large. */
  estimated: boolean
  /** The size of the table with its indexes. */
  bytes: number
  /** In ISO 8601; null without rows, or if rows have no age. */
  oldest: string | null
}

/** Up to this size rows are counted, which takes milliseconds: 16 MB. */
const COUNTED_BYTES = 16 * 1024 * 1024

/** Reads the statistics of those tables that are there: the store may have another database. */
export async function readStats(sql: Sql, tables: readonly KeptTable[]): Promise<TableStats[]> {
  const found: TableStats[] = []
  for (const { table, age } of tables) {
    const [known] = await sql<{ known: boolean }[]>`
      select to_regclass(${table}) is not null as known`
    if (!known?.known) continue
    const stats: PartStats[] = []
    for (const place of await placesOf(sql, table)) {
      const at = place.at(sql)
      const parts = await partsOf(at, table)
      stats.push(...(await Promise.all(parts.map((part) => readPart(at, part, age)))))
    }
    found.push({ table, ...stats.reduce(add) })
  }
  return found
}

interface Part {
  name: string
  oid: string
  /** `p` for a partitioned table, which holds no rows itself. */
  kind: string
  heap: string
  bytes: string
}

/** The table, with its partitions. */
const partsOf = (at: AtShard, table: string): Promise<Part[]> =>
  at<Part>(
    `select oid::regclass::text as name, oid::text as oid, relkind as kind,
      pg_relation_size(oid)::text as heap, pg_total_relation_size(oid)::text as bytes
    from pg_class where oid = '${table}'::regclass
      or oid in (select relid from pg_partition_tree('${table}'::regclass))`,
    [],
  )

type PartStats = Omit<TableStats, 'table'>

async function readPart(at: AtShard, part: Part, age: string | null): Promise<PartStats> {
  const bytes = Number(part.bytes)
  if (part.kind === 'p') return { rows: 0, estimated: false, bytes, oldest: null }
  if (Number(part.heap) <= COUNTED_BYTES) {
    const [row] = await at<{ rows: string; oldest: string | null }>(
      `select count(*)::text as rows, ${age === null ? 'null' : `min(${age}) filter (where isfinite(${age}))::timestamptz`} as oldest
      from ${part.name}`,
      [],
    )
    return { rows: Number(row?.rows), estimated: false, bytes, oldest: isoOf(row?.oldest) }
  }
  // ANALYZE keeps of each column the most common values and bounds between which the others lie.
  const [row] = await at<{ rows: number; oldest: string | null }>(
    `select reltuples as rows, (
      select min(value::timestamptz) from pg_stats,
        unnest(most_common_vals::text::text[] || histogram_bounds::text::text[]) as value
      where schemaname = relnamespace::regnamespace::text and tablename = relname
        and attname = $1 and isfinite(value::timestamptz)) as oldest
    from pg_class where oid = $2::oid`,
    [age, part.oid],
  )
  const rows = Number(row?.rows)
  return { rows: rows < 0 ? null : rows, estimated: true, bytes, oldest: isoOf(row?.oldest) }
}

const isoOf = (text: string | null | undefined): string | null =>
  text == null ? null : new Date(text).toISOString()

const add = (a: PartStats, b: PartStats): PartStats => ({
  rows: a.rows === null || b.rows === null ? null : a.rows + b.rows,
  estimated: a.estimated || b.estimated,
  bytes: a.bytes + b.bytes,
  oldest: [a.oldest, b.oldest].filter((each) => each !== null).toSorted()[0] ?? null,
})
