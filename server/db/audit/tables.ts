import { sql } from 'drizzle-orm'
import {
  customType,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { AuditProgress, RunState } from '../../../shared/audit/result/progress.ts'
import type { CheckName } from '../../../shared/audit/vocabulary.ts'
import type { WalkDialectName } from '../../../shared/walk/dialect.ts'
import type { IntentId, WalkMode } from '../../../shared/walk/intents.ts'
import type { WalkState, WalkSummary } from '../../../shared/walk/stored-walk.ts'
import { jobColumns, leaseColumn } from '../leases/columns.ts'
import { time } from '../values.ts'

// Audits, and walks through stores.

/** Every result of an audit, whole; `result` has the form of the API's AuditResult. */
export const audits = pgTable(
  'audits',
  {
    id: uuid().notNull().defaultRandom(),
    domain: text().notNull(),
    /** What the audit covered: a request for fewer checks can be served from it. */
    checks: text().array().$type<CheckName[]>().notNull(),
    engine_version: text().notNull(),
    result: jsonb().notNull(),
    checked_at: time().notNull(),
  },
  (table) => [
    // Every key of a tenant's rows holds its domain, so that the table can be sharded by it.
    primaryKey({ columns: [table.domain, table.id] }),
    index('audits_newest').on(table.domain, table.checked_at),
    index('audits_age').on(table.checked_at, table.id),
  ],
)

/**
 * Audits that somebody waits for: how far each of a browser has come, on whichever replica, and
 * those of the API as long as they are made.
 */
export const audit_runs = pgTable(
  'audit_runs',
  {
    domain: text().notNull(),
    /** Random: who has it may see the run, and end it. */
    id: uuid().notNull(),
    /** `key:<id>`, `stranger` for all who have no key, or `api`. */
    by: text().notNull(),
    state: text().$type<RunState>().notNull(),
    ...jobColumns(),
    progress: jsonb().$type<AuditProgress>().notNull(),
    /** Why it failed. */
    why: text(),
    /**
     * The result of a run by a stranger, or by a key that does not cover the domain: that of
     * another key is among the audits of the domain.
     */
    result: jsonb(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.id] }),
    // A button that is clicked twice makes one audit, whichever replicas are asked.
    uniqueIndex('audit_runs_once').on(table.domain, table.by).where(sql`state = 'under_way'`),
    index('audit_runs_age').on(table.asked_at),
  ],
)

/** Walks, and their transcripts once they have ended. Tokens and agents' keys are nowhere. */
export const walks = pgTable(
  'walks',
  {
    domain: text().notNull(),
    id: uuid().notNull(),
    /** Who asked for it. */
    key_id: text().notNull(),
    mode: text().$type<WalkMode>().notNull(),
    intents: text().array().$type<IntentId[]>().notNull(),
    /** Null: all that the store speaks. */
    dialects: text().array().$type<WalkDialectName[]>(),
    state: text().$type<WalkState>().notNull(),
    ...jobColumns(),
    started_at: time(),
    /** Why it ended early. */
    stopped: text(),
    /** How many events it had, the last included; null until it has ended. */
    events: integer(),
    transcript: jsonb(),
    summary: jsonb().$type<WalkSummary>(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.id] }),
    // One walk per domain at a time, whichever replicas are asked.
    uniqueIndex('walks_one_at_a_time')
      .on(table.domain)
      .where(sql`state in ('queued', 'under_way')`),
    index('walks_id').on(table.id),
    index('walks_newest').on(table.domain, table.asked_at),
    index('walks_age').on(table.ended_at),
  ],
)

/** What has happened in a walk, for those who watch it on any replica. */
export const walk_events = pgTable(
  'walk_events',
  {
    domain: text().notNull(),
    walk_id: uuid().notNull(),
    /** Counted from 1 within the walk. */
    n: integer().notNull(),
    event: jsonb().notNull(),
    at: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.walk_id, table.n] }),
    index('walk_events_age').on(table.at),
  ],
)

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Pictures of a walk through pages: at most 31 of a walk, 3 MB together. */
export const walk_pictures = pgTable(
  'walk_pictures',
  {
    domain: text().notNull(),
    walk_id: uuid().notNull(),
    /** That of its step. */
    n: integer().notNull(),
    jpeg: bytes().notNull(),
    at: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.walk_id, table.n] }),
    index('walk_pictures_age').on(table.at),
  ],
)

/** Sessions that walks have open in stores, written down before the request that opens one. */
export const walk_sessions = pgTable(
  'walk_sessions',
  {
    domain: text().notNull(),
    /** The idempotency key of the opening. */
    key: text().notNull(),
    walk_id: uuid().notNull(),
    /**
     * What opens it, without secrets. Kept letter by letter, which jsonb does not do: a store may
     * take the same key with its fields in another order for another request.
     */
    opening: json().notNull(),
    /** Where and in which dialect it is cancelled. */
    route: jsonb().notNull(),
    /** The store's id; null until its answer was read. */
    session: text(),
    since: time().notNull(),
    /** To cancel what a dead walk has left. */
    ...leaseColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.key] }),
    index('walk_sessions_age').on(table.since),
  ],
)

/** Domains whose owner shows the grade in public. */
export const badges = pgTable('badges', {
  domain: text().primaryKey(),
  created_at: time().notNull(),
})
