import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './connect.ts'

// rate-limiter-flexible writes such a table as well, but goes by the clock of each process and has
// no option for another: a replica whose clock is ahead would end the windows of all others.

/** A table of counters, the service's or the store's. */
type Counters = PgTable & Record<'key' | 'points' | 'expire', PgColumn>

/**
 * What a key has used of its window, this time included, and in how many seconds the next begins.
 */
export interface UsedOfWindow {
  used: number
  reset: number
}

/**
 * Counts once, in the window of `seconds` that the first count of a key begins. The database's
 * clock says when it ends, so that replicas agree however wrong their own are.
 */
export async function countOnce(
  db: Db,
  table: Counters,
  key: string,
  seconds: number,
): Promise<UsedOfWindow> {
  const isOver = sql`${table.expire} <= now()`
  const [row] = await db
    .insert(table)
    .values({ key, points: 1, expire: sql`now() + make_interval(secs => ${seconds})` })
    .onConflictDoUpdate({
      target: table.key,
      set: {
        points: sql`case when ${isOver} then 1 else ${table.points} + 1 end`,
        expire: sql`case when ${isOver} then excluded.expire else ${table.expire} end`,
      },
    })
    .returning({ used: sql<number>`${table.points}`, reset: secondsUntil(table.expire) })
  if (row === undefined) throw new Error('The database has not counted a request.')
  return row
}

/** At least 1: a client told to wait 0 seconds would ask again in the same window. */
const secondsUntil = (moment: PgColumn): SQL<number> =>
  sql`greatest(1, ceil(extract(epoch from ${moment} - now())))::int`

/** Takes one count back, if its window is still open; null where it is not. */
export async function uncountOnce(
  db: Db,
  table: Counters,
  key: string,
): Promise<UsedOfWindow | null> {
  const [row] = await db
    .update(table)
    .set({ points: sql`${table.points} - 1` })
    .where(and(eq(table.key, key), sql`${table.expire} > now()`))
    .returning({ used: sql<number>`${table.points}`, reset: secondsUntil(table.expire) })
  return row ?? null
}
