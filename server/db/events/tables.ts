import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { CountedKind } from '../../../shared/attribution/classify/visit.ts'
import type { EventName, ReportedSource } from '../../../shared/attribution/events.ts'
import { time } from '../values.ts'

// Events, their keys and sessions, and the sums of the report. Of the first three, which have a row
// or more for each event, numbers come before texts: after a text, Postgres fills up to eight bytes
// (https://www.postgresql.org/docs/current/storage-page-layout.html).

/**
 * The spec's events, the session that the snippet reports, and what is not counted: a test, and a
 * refund whose order was not reported yet.
 */
export type StoredEvent = EventName | 'ai_session' | 'ai_test' | 'ai_refund_unmatched'

/**
 * Every event as it came, partitioned by month on `ts` (in the migration: drizzle cannot say so).
 * Reports read the rollup, which is a sum over these rows and can be made from them again.
 */
export const events = pgTable(
  'events',
  {
    /**
     * When it happened, by the sender's clock unless that was wrong; decides its day and its month.
     */
    ts: time().notNull(),
    /** When it arrived, by our clock. */
    received_at: time().notNull(),
    confidence: doublePrecision().notNull(),
    /** In the smallest unit of `currency`. */
    value: bigint({ mode: 'number' }),
    /** The day that it counts on, in the zone of its shop; null: that of `ts` in UTC. */
    day: date({ mode: 'string' }),
    id: uuid().notNull(),
    /** A session counts with it: it begins its visit. */
    opens_session: boolean().notNull(),
    domain: text().notNull(),
    event: text().$type<StoredEvent>().notNull(),
    source: text().$type<ReportedSource>().notNull(),
    /** As the merchant or the browser sent it. */
    session_id: text().notNull(),
    /** The session that it counts for: `visit:…` of the browser, or `session:…` of the merchant. */
    visit_id: text().notNull(),
    surface: text().notNull(),
    kind: text().$type<CountedKind>().notNull(),
    /** The classifier's `MODEL` at that time, so that it can be classified again. */
    model: text().notNull(),
    /** As the merchant declared it. */
    ai_surface: text(),
    currency: text(),
    properties: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The path of the page that its visit began on; null where that is not known. */
    landing: text(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.id, table.ts] }),
    // Few: those of two visits, which a report by the first of them looks for.
    index('events_two_visits')
      .on(table.domain, table.ts)
      .where(sql`jsonb_exists(properties, 'first_visit_id')`),
  ],
)

/** The months, such as `2026-11`, whose events were dropped. Those before them went as well. */
export const dropped_months = pgTable('dropped_months', {
  month: text().primaryKey(),
})

/**
 * What may happen once, and the event that did. A row per accepted event, so that a retry finds it
 * in any month (a unique key of a partitioned table would have to hold `ts`), one per further id of
 * an order, that of `EventRow.double_key`, and those of `AWAITED_ORDER`. None of its columns may be
 * null: where one is, each row of nine columns takes eight bytes more.
 */
export const event_keys = pgTable(
  'event_keys',
  {
    /** In steps of a hundredth, which four bytes hold. */
    confidence: real().notNull(),
    /** The day of its event's arrival, in UTC; `infinity`: it stays when its month is dropped. */
    received_at: date({ mode: 'string' }).notNull(),
    /** Of the event's fields: distinguishes a retry from another event under the same key. */
    fingerprint: integer().notNull(),
    event_id: uuid().notNull(),
    /** Of a key that sales may share: one with an order_id has it. */
    is_numbered: boolean().notNull().default(false),
    domain: text().notNull(),
    /** Its hash: `shortKey`. */
    key: text().notNull(),
    surface: text().notNull(),
    /** The notes of the answer to its sender, for that to a retry, as JSON; empty: none. */
    notes: text().notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.domain, table.key] })],
)

/** Refunds that came before their orders, by each key that an order of theirs may have. */
export const waiting_refunds = pgTable(
  'waiting_refunds',
  {
    domain: text().notNull(),
    /** Its hash: `shortKey`. */
    order_key: text().notNull(),
    event_id: uuid().notNull(),
    /** When the refund arrived. */
    received_at: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.order_key, table.event_id] })],
)

/**
 * Every visit once, with its first AI touch: the session that the visit begins with. Its first
 * event, and the first that names a surface, are those of the earliest `momentOf`.
 */
export const ai_sessions = pgTable(
  'ai_sessions',
  {
    confidence: doublePrecision().notNull(),
    /** The moment of its first event; null: a build that did not know it has stored it. */
    began: bigint({ mode: 'number' }),
    /** The moment of its first event that names a surface; null: it began with it, or none does. */
    named: bigint({ mode: 'number' }),
    /** The day of its first event, in the zone of its shop. */
    day: date({ mode: 'string' }).notNull(),
    domain: text().notNull(),
    /** The hash of its events' `visit_id`: `shortKey`. */
    session_id: text().notNull(),
    surface: text().notNull(),
    kind: text().$type<CountedKind>().notNull(),
    source: text().$type<ReportedSource>().notNull(),
    /** The path of the page that it began on; null where that is not known. */
    landing: text(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.session_id] })],
)

/** The figures of the rollups. */
const figures = () => ({
  sessions: integer().notNull(),
  viewed: integer().notNull(),
  initiated: integer().notNull(),
  completed: integer().notNull(),
  failed: integer().notNull(),
  /** Of completed orders, in the smallest unit of `currency`. */
  revenue: bigint({ mode: 'number' }).notNull(),
  /** Refunds that were made on this day, of orders of any day. */
  refunds: integer().notNull(),
  /** What they gave back, in the smallest unit of `currency`. */
  refunded: bigint({ mode: 'number' }).notNull(),
})

/**
 * Sums per day, in the zone of the shop; what reports read. `currency` is empty where an event
 * carries no value.
 */
export const rollup_daily = pgTable(
  'rollup_daily',
  {
    domain: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    surface: text().notNull(),
    kind: text().$type<CountedKind>().notNull(),
    source: text().$type<ReportedSource>().notNull(),
    currency: text().notNull(),
    ...figures(),
  },
  (table) => [
    primaryKey({
      columns: [table.domain, table.day, table.surface, table.kind, table.source, table.currency],
    }),
  ],
)

/** What the figures are counted by besides the surface. */
export type Dimension = 'landing' | 'product' | 'customer' | 'verification'

/**
 * The landing pages and products of a domain that are counted by name in a month; the others are
 * counted together, so that a shop of any size has few rows.
 */
export const rollup_names = pgTable(
  'rollup_names',
  {
    domain: text().notNull(),
    dimension: text().$type<Dimension>().notNull(),
    /** Such as `2026-11`. */
    month: text().notNull(),
    name: text().notNull(),
    /**
     * When it was found to be among those with the most events; null: it came while there was room.
     */
    chosen_at: time(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.dimension, table.month, table.name] })],
)

/** Sums per day and name: all that a report of one name needs. An empty name is all the others. */
export const rollup_named = pgTable(
  'rollup_named',
  {
    domain: text().notNull(),
    dimension: text().$type<Dimension>().notNull(),
    name: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    surface: text().notNull(),
    kind: text().$type<CountedKind>().notNull(),
    source: text().$type<ReportedSource>().notNull(),
    currency: text().notNull(),
    ...figures(),
  },
  (table) => [
    primaryKey({
      name: 'rollup_named_pk',
      columns: [
        table.domain,
        table.dimension,
        table.name,
        table.day,
        table.surface,
        table.kind,
        table.source,
        table.currency,
      ],
    }),
    // For the names of one surface.
    index('rollup_named_surface').on(table.domain, table.dimension, table.surface, table.day),
  ],
)

/**
 * The same over all surfaces, per day and per week: what a list of names reads, in few enough rows.
 * A week that a month begins in is two, so that each is of the names of one month.
 */
export const rollup_listed = pgTable(
  'rollup_listed',
  {
    domain: text().notNull(),
    dimension: text().$type<Dimension>().notNull(),
    span: text().$type<'day' | 'week'>().notNull(),
    /** The first one. */
    day: date({ mode: 'string' }).notNull(),
    name: text().notNull(),
    kind: text().$type<CountedKind>().notNull(),
    currency: text().notNull(),
    ...figures(),
  },
  (table) => [
    primaryKey({
      name: 'rollup_listed_pk',
      columns: [
        table.domain,
        table.dimension,
        table.span,
        table.day,
        table.name,
        table.kind,
        table.currency,
      ],
    }),
  ],
)

/** Per surface and week, in the weeks of `rollup_listed`: what a list of one surface reads. */
export const rollup_weekly = pgTable(
  'rollup_weekly',
  {
    domain: text().notNull(),
    dimension: text().$type<Dimension>().notNull(),
    surface: text().notNull(),
    /** The first one. */
    day: date({ mode: 'string' }).notNull(),
    name: text().notNull(),
    kind: text().$type<CountedKind>().notNull(),
    currency: text().notNull(),
    ...figures(),
  },
  (table) => [
    primaryKey({
      name: 'rollup_weekly_pk',
      columns: [
        table.domain,
        table.dimension,
        table.surface,
        table.day,
        table.name,
        table.kind,
        table.currency,
      ],
    }),
  ],
)
