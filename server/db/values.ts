import { timestamp } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { storableText } from '../../shared/web/json/storable.ts'

// Columns have the names of the API's fields, so that nothing has to be translated.

/** A moment with its time zone: Postgres keeps it in UTC, and it is read as a Date. */
export const time = () => timestamp({ withTimezone: true, mode: 'date' })

/** Whether the database accepts it as an id: anything else would make a query fail. */
export const isUuid = (text: string): boolean => z.uuid().safeParse(text).success

/** A value with every text in it made storable, and the names of its fields. */
export const storableValue = <T>(value: T): T => mapTexts(value, storableText)

/** A value with every text in it changed, and the names of its fields. */
export const mapTexts = <T>(value: T, change: (text: string) => string): T =>
  asSame<T>(mapped(value, change))

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapped(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [change(name), mapped(each, change)]),
  )
}

/** Texts stay texts, and everything else what it was. */
const asSame = <T>(value: unknown) => value as T
