import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import type { CheckName } from '../../shared/audit.ts'
import type { Scope } from '../auth.ts'

// Rows keep the names of the wire, so that nothing is translated on the way.

const time = () => timestamp({ withTimezone: true, mode: 'date' })

export const api_keys = pgTable('api_keys', {
  id: text().primaryKey(),
  name: text().notNull(),
  secret_sha256: text().notNull(),
  scopes: text().array().$type<Scope[]>().notNull(),
  domains: text().array().notNull(),
  created_at: time().notNull(),
  expires_at: time(),
  revoked_at: time(),
  last_used_at: time(),
})

export const audits = pgTable(
  'audits',
  {
    id: uuid().notNull().defaultRandom(),
    domain: text().notNull(),
    checks: text().array().$type<CheckName[]>().notNull(),
    engine_version: text().notNull(),
    result: jsonb().notNull(),
    checked_at: time().notNull(),
  },
  (table) => [
    // Every key of a tenant's rows holds its domain, so that the table can be sharded by it.
    primaryKey({ columns: [table.domain, table.id] }),
    index('audits_newest').on(table.domain, table.checked_at),
  ],
)

/** The columns are those that rate-limiter-flexible writes. */
export const rate_limits = pgTable(
  'rate_limits',
  {
    key: varchar({ length: 255 }).primaryKey(),
    points: integer().notNull().default(0),
    expire: time(),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
)
