import { and, type Column, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { JobOrder } from '../../jobs/started-jobs.ts'
import type { Db } from '../connect.ts'

/** The condition of rows that no living process works on. */
export const isFree = ({ leased_until }: { leased_until: Column }, now: Date) =>
  or(isNull(leased_until), lt(leased_until, now))

/** Which job: the domain says on which node of a cluster it is. */
interface JobName {
  domain: string
  id: string
}

type JobTable = PgTable & Record<'domain' | 'id' | 'cancel_asked_at', Column>

/** The statements that all tables of jobs have; `isOpen` is the condition of its unique index. */
export function jobRows(table: JobTable, isOpen: SQL) {
  const isNamed = ({ domain, id }: JobName) => and(eq(table.domain, domain), eq(table.id, id))
  const isThis = (name: JobName) => and(isNamed(name), isOpen)
  return {
    isNamed,

    /** Says that the process lives which works on it, and what else has changed. */
    async extend(db: Db, name: JobName, until: Date, change: SQL = sql``): Promise<JobOrder> {
      const [row] = await db.execute<{ is_cancelled: boolean }>(sql`
        update ${table} set leased_until = ${until.toISOString()}::timestamptz ${change}
        where ${isThis(name)} returning cancel_asked_at is not null as is_cancelled`)
      if (row === undefined) return 'over'
      return row.is_cancelled ? 'cancel' : 'go_on'
    },

    /** Asks the process to stop that works on it, whichever it is. */
    async askToCancel(db: Db, name: JobName, now: Date): Promise<void> {
      await db.execute(sql`
        update ${table} set cancel_asked_at = coalesce(cancel_asked_at, ${now.toISOString()}::timestamptz)
        where ${isThis(name)}`)
    },

    /**
     * The condition of a job whose end may be written: an open one, or one that was ended with the
     * reason `instead` by somebody who took its process for dead.
     */
    mayEnd: (name: JobName, reason: Column, instead: string | null) =>
      and(isNamed(name), or(isOpen, instead === null ? undefined : eq(reason, instead))),
  }
}
