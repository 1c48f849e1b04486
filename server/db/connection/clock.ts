import type { Sql } from 'postgres'

/** A clock of a computer drifts by a few milliseconds in this time. */
const ASK_MS = 30_000

/** An answer is inexact by half of the time that it took: a slower one than this is not used. */
const EXACT_MS = 500

/**
 * The time by which leases, expiry and limits are judged. Replicas share a database and so its
 * clock: one whose own clock is wrong would take what others work on, or end it.
 */
export interface Clock {
  /** The database's time, or this computer's while none is followed. */
  now: () => Date
  /** Follows the clock of a database until it is stopped. Rejects if that cannot be queried. */
  follow: (sql: Sql) => Promise<{ stop: () => void }>
}

/** Between two questions it counts on the clock of `performance`, which cannot be set. */
export function createClock(): Clock {
  let ahead = Date.now() - performance.now()

  async function ask(sql: Sql, exactMs: number) {
    const asked = performance.now()
    const [row] = await sql<{ ms: number }[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
    const took = performance.now() - asked
    if (row !== undefined && took <= exactMs) ahead = row.ms - (asked + took / 2)
  }

  return {
    now: () => new Date(ahead + performance.now()),
    async follow(sql) {
      await ask(sql, Number.POSITIVE_INFINITY)
      const timer = setInterval(() => {
        // While the database is away nothing is leased: the next answer is soon enough.
        ask(sql, EXACT_MS).catch(() => {})
      }, ASK_MS)
      timer.unref()
      return { stop: () => clearInterval(timer) }
    },
  }
}
