import { timestamp } from 'drizzle-orm/pg-core'
import * as z from 'zod'

// Columns have the names of the API's fields, so that nothing has to be translated.

/** A moment with its time zone: Postgres keeps it in UTC, and it is read as a Date. */
export const time = () => timestamp({ withTimezone: true, mode: 'date' })

/** Whether the database accepts it as an id: anything else would make a query fail. */
export const isUuid = (text: string): boolean => z.uuid().safeParse(text).success
