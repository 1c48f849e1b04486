import { integer, text } from 'drizzle-orm/pg-core'
import { time } from '../values.ts'

// What is worked on after a request or on time has the same columns in every table (`server/jobs`).

/** Until then one process works on the row; after it, that process counts as dead. */
export const leaseColumn = () => ({ leased_until: time() })

/** A job that a request starts. */
export const jobColumns = () => ({
  ...leaseColumn(),
  asked_at: time().notNull(),
  ended_at: time(),
  /** The process that works on it reads here that it has to stop. */
  cancel_asked_at: time(),
})

/** What is tried until it succeeds or is given up. */
export const attemptColumns = () => ({
  /** Tries so far. */
  attempts: integer().notNull().default(0),
  /** When the next try is due; null once it has ended. */
  next_at: time(),
})

/** A message on its way. */
export const deliveryColumns = () => ({
  ...leaseColumn(),
  ...attemptColumns(),
  created_at: time().notNull(),
  delivered_at: time(),
  /** The answer to the last try; null before, and without an answer. */
  last_status: integer(),
  last_error: text(),
})
