import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { TENANT_TABLES } from '../sharding/placement.ts'
import { type AtEach, type AtShard, atWhole, shardsOf } from '../sharding/shards.ts'

/** Where the next slice of a sweep begins; empty: at the start. */
type Cursor = readonly string[]

/** How many rows a slice deleted or changed, and where the next begins; null: nothing is left. */
interface SliceResult {
  rows: number
  next: Cursor | null
}

/** One short statement of a sweep, in a transaction of its own. */
export type Slice = (at: AtShard, from: Cursor) => Promise<SliceResult>

/** A table: what makes it grow, what bounds it, and the statement that deletes the rest. */
export interface KeptTable {
  /** With its schema, unless that is `public`. */
  table: string
  /** What adds rows. */
  grows: string
  /** Which rows stay, and why; who deletes the others. */
  kept: string
  /** The column with the age of a row; null: rows have no age. */
  age: string | null
  /** Deletes what is not kept. Without one, nothing is deleted, or `retention.ts` drops months. */
  slice?: Slice
}

/** Rows of one slice: a few milliseconds, and no lock that anybody waits for noticeably. */
export const SLICE_ROWS = 500

/** Leaves the database to others between two slices. */
const PAUSE_MS = 20

/** What a sweep did. */
interface Swept {
  /** Deleted or changed. */
  rows: number
  /** Nothing was left behind. */
  isDone: boolean
  /** Some was left to another replica. */
  isTaken: boolean
}

/** Where the rows of a table are: on a cluster those of a tenant table are in shards. */
export const placesOf = async (sql: Sql, table: string): Promise<AtEach[]> =>
  TENANT_TABLES.includes(table) ? shardsOf(sql).everywhere() : [atWhole]

/**
 * Runs the slices of a table until nothing is left or `signal` is aborted, on a cluster shard by
 * shard. Of several replicas one works on a shard of a table at a time: the others leave it alone.
 * A shard that fails does not stop the others; rejects with its error then.
 */
export async function runSweep(
  sql: Sql,
  table: string,
  slice: Slice,
  signal?: AbortSignal,
): Promise<Swept> {
  let failed: { error: unknown } | undefined
  const all = { rows: 0, isDone: true, isTaken: false }
  for (const place of await placesOf(sql, table)) {
    try {
      const done = await sweepShard(sql, { table, slice, place }, signal)
      all.rows += done.rows
      all.isDone &&= done.isDone
      all.isTaken ||= done.isTaken
    } catch (error) {
      failed ??= { error }
    }
  }
  if (failed) throw failed.error
  return all
}

/** The name under which one replica at a time sweeps a table, or one shard of it. */
export const sweepLock = (table: string, { shard }: AtEach): string => `sweep ${table}${shard.id}`

async function sweepShard(
  sql: Sql,
  { table, slice, place }: { table: string; slice: Slice; place: AtEach },
  signal?: AbortSignal,
): Promise<Swept> {
  const lock = sweepLock(table, place)
  let rows = 0
  let isTaken = false
  let next: Cursor | null = []
  while (next !== null && !signal?.aborted) {
    const from: Cursor = next
    const result: SliceResult | null = await sql.begin(async (tx) => {
      const [row] = await tx<{ held: boolean }[]>`
        select pg_try_advisory_xact_lock(hashtext(${lock})) as held`
      return row?.held ? slice(place.at(tx), from) : null
    })
    isTaken = result === null
    if (result === null) break
    rows += result.rows
    next = result.next
    if (next !== null) await sleep(PAUSE_MS, undefined, signal && { signal }).catch(() => {})
  }
  return { rows, isDone: next === null, isTaken }
}

/** How many rows a statement deletes or changes. */
async function countOf(at: AtShard, statement: string, values: readonly string[]): Promise<number> {
  const [row] = await at<{ rows: number }>(
    `with changed as (${statement} returning 1) select count(*)::int as rows from changed`,
    values,
  )
  return row?.rows ?? 0
}

/**
 * A slice of the rows that a condition holds for, oldest first. The texts are ours, parts of a
 * statement: the key's column or columns, the condition, and what an index is ordered by.
 */
export const sliceOf =
  (
    table: string,
    { key, where, by }: { key: string; where: string; by: string },
    values: readonly string[] = [],
    change = `delete from ${table}`,
  ): Slice =>
  async (at) => {
    // The condition holds twice: a row that changes meanwhile is checked again.
    const rows = await countOf(
      at,
      `${change} where (${key}) in
        (select ${key} from ${table} where ${where} order by ${by} limit ${SLICE_ROWS})
        and (${where})`,
      values,
    )
    return { rows, next: rows === SLICE_ROWS ? [] : null }
  }

/**
 * Pages of a table that one slice reads: 8 MB where rows are deleted, and less where they are
 * written.
 */
const SLICE_PAGES = { deleted: 1000, changed: 50 }

/**
 * A slice of a table, called `kept`, that has no index for the condition, because one would slow
 * down every insert: it walks over the table once, by its pages (Postgres's TID Range Scan).
 */
export const slicePages =
  (table: string, where: string, values: readonly string[], change?: string): Slice =>
  async (at, [page = '0']) => {
    const [size] = await at<{ pages: number }>(
      `select (pg_relation_size('${table}'::regclass)
        / current_setting('block_size')::int)::int as pages`,
      [],
    )
    const pages = SLICE_PAGES[change === undefined ? 'deleted' : 'changed']
    const [from, to] = [Number(page), Number(page) + pages]
    // The last slice is open: the table may have grown.
    const isLast = to >= Number(size?.pages)
    const rows = await countOf(
      at,
      `${change ?? `delete from ${table} kept`} where kept.ctid >= $${values.length + 1}::tid
        ${isLast ? '' : `and kept.ctid < $${values.length + 2}::tid`} and (${where})`,
      [...values, `(${from},0)`, ...(isLast ? [] : [`(${to},0)`])],
    )
    return { rows, next: isLast ? null : [String(to)] }
  }
