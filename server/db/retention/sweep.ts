import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql, TransactionSql } from 'postgres'

/** Where the next slice of a sweep begins; empty: at the start. */
type Cursor = readonly string[]

/** How many rows a slice deleted or changed, and where the next begins; null: nothing is left. */
export interface SliceResult {
  rows: number
  next: Cursor | null
}

/** One short statement of a sweep, in a transaction of its own. */
export type Slice = (tx: TransactionSql, from: Cursor) => Promise<SliceResult>

/** A table: what makes it grow, what bounds it, and the statement that deletes the rest. */
export interface KeptTable {
  /** With its schema, unless that is `public`. */
  table: string
  /** What adds rows. */
  grows: string
  /** Which rows stay, and why; who deletes the others. */
  kept: string
  /** The column that tells the age of a row; null: rows have none. */
  age: string | null
  /** Deletes what is not kept. Without one, nothing is deleted, or `retention.ts` drops months. */
  slice?: Slice
}

/** Rows of one slice: a few milliseconds, and no lock that anybody waits for noticeably. */
export const SLICE_ROWS = 500

/** Leaves the database to others between two slices. */
const PAUSE_MS = 20

/**
 * Runs the slices of a table until nothing is left or `signal` is aborted. Of several replicas one
 * works on a table at a time: the others leave it alone. `isDone`: nothing was left behind;
 * `isTaken`: it was left to another.
 */
export async function runSweep(
  sql: Sql,
  table: string,
  slice: Slice,
  signal?: AbortSignal,
): Promise<{ rows: number; isDone: boolean; isTaken: boolean }> {
  let rows = 0
  let isTaken = false
  let next: Cursor | null = []
  while (next !== null && !signal?.aborted) {
    const from: Cursor = next
    const result: SliceResult | null = await sql.begin(async (tx) => {
      const [lock] = await tx<{ held: boolean }[]>`
        select pg_try_advisory_xact_lock(hashtext(${`sweep ${table}`})) as held`
      return lock?.held ? slice(tx, from) : null
    })
    isTaken = result === null
    if (result === null) break
    rows += result.rows
    next = result.next
    if (next !== null) await sleep(PAUSE_MS, undefined, signal && { signal }).catch(() => {})
  }
  return { rows, isDone: next === null, isTaken }
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
  async (tx) => {
    // The condition holds twice: a row that somebody changes meanwhile is looked at once more.
    const { count: rows } = await tx.unsafe(
      `${change} where (${key}) in
        (select ${key} from ${table} where ${where} order by ${by} limit ${SLICE_ROWS})
        and ${where}`,
      [...values],
    )
    return { rows, next: rows === SLICE_ROWS ? [] : null }
  }

/** Pages of a table that one slice reads: 8 MB. */
const SLICE_PAGES = 1000

/**
 * A slice of a table that has no index for the condition, because one would slow down every
 * insert: it walks over the table once, by its pages (Postgres's TID Range Scan).
 */
export const slicePages =
  (table: string, where: string, values: readonly string[]): Slice =>
  async (tx, [at = '0']) => {
    const [size] = await tx.unsafe<{ pages: string }[]>(
      `select pg_relation_size('${table}') / current_setting('block_size')::int as pages`,
    )
    const [from, to] = [Number(at), Number(at) + SLICE_PAGES]
    // The last slice is open: the table may have grown.
    const isLast = to >= Number(size?.pages)
    const { count: rows } = await tx.unsafe(
      `delete from ${table} where ctid >= '(${from},0)'
        ${isLast ? '' : `and ctid < '(${to},0)'`} and ${where}`,
      [...values],
    )
    return { rows, next: isLast ? null : [String(to)] }
  }
