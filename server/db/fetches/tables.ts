import {
  bigint,
  customType,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import type { FetchProof } from '../../../shared/attribution/fetches/fetch.ts'
import type { FetchPurpose } from '../../../shared/attribution/surfaces.ts'
import { time } from '../values.ts'

// What agents read of a store, as its server's logs show it: sums, and no row for a request.

/** The requests of one agent for one path on one day. */
export const fetch_days = pgTable(
  'fetch_days',
  {
    domain: text().notNull(),
    /** In the store's time zone, as it was when the first of them was stored. */
    day: date({ mode: 'string' }).notNull(),
    agent: text().notNull(),
    purpose: text().$type<FetchPurpose>().notNull(),
    verified: text().$type<FetchProof>().notNull(),
    /** As landing pages are kept; `ASSETS` and `OVER` of `fetches/kept.ts` stand for others. */
    path: text().notNull(),
    status: smallint().notNull(),
    surface: text().notNull(),
    operator: text().notNull(),
    fetches: bigint({ mode: 'number' }).notNull(),
    last_at: time().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.domain,
        table.day,
        table.agent,
        table.purpose,
        table.verified,
        table.path,
        table.status,
      ],
    }),
  ],
)

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * Which requests of an hour are in the sums, so that a line that comes again counts once: eight
 * bytes of a hash for each, in order.
 */
export const fetch_hours = pgTable(
  'fetch_hours',
  {
    domain: text().notNull(),
    /** It begins here. */
    hour: time().notNull(),
    hashes: bytes().notNull(),
    /** How many lines found it full; one that came again counts again. */
    over: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.hour] }),
    index('fetch_hours_age').on(table.hour),
  ],
)
