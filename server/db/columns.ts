import { timestamp } from 'drizzle-orm/pg-core'

// Columns have the names of the API's fields, so that nothing has to be translated.

/** A moment with its time zone: Postgres keeps it in UTC, and it is read as a Date. */
export const time = () => timestamp({ withTimezone: true, mode: 'date' })
