import { sql } from 'drizzle-orm'
import type { Sql } from 'postgres'
import type { Kind } from '../../../shared/attribution/classify/visit.ts'
import type { event_keys, events } from '../tables.ts'
import { addToRollup, statementText, sumEvents } from './rollup-changes.ts'

/** An event as it is stored, except for `opens_session`, which the database determines. */
export type EventRow = Omit<typeof events.$inferInsert, 'opens_session'> & {
  key: string
  fingerprint: string
}

/** A stored session, as far as it decides where its later events came from. */
export interface KnownSession {
  domain: string
  session_id: string
  surface: string
  kind: Kind
  confidence: number
}

/** What is kept of an accepted event under its key, for retries. */
export type KeyedEvent = Omit<typeof event_keys.$inferSelect, 'received_at'>

/**
 * The stored sessions that these events belong to, in any order; those that are not stored are left
 * out. The join with a list from JSON stays one prepared statement for any number of events.
 */
export async function findSessions(
  pool: Sql,
  asked: readonly { domain: string; visit_id: string }[],
): Promise<KnownSession[]> {
  if (asked.length === 0) return []
  const pairs = asked.map(({ domain, visit_id }) => ({ domain, visit_id }))
  return pool<KnownSession[]>`
    select found.domain, found.session_id, found.surface, found.kind, found.confidence
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as asked(domain text, visit_id text)
    join ai_sessions found on found.domain = asked.domain and found.session_id = asked.visit_id`
}

const SUM_PLACED = statementText(sumEvents(sql`placed`))
const ADD_SUMS = statementText(addToRollup(sql`sums`))

/** The ids of those that were new; resolves after COMMIT. No two rows may have the same key. */
export async function insertEvents(pool: Sql, rows: readonly EventRow[]): Promise<Set<string>> {
  const numbered = rows.map((row, n) => ({ ...row, n }))
  // One statement, so that an event is in all tables or in none. Each part writes in key order, and
  // the parts run in a fixed order: concurrent batches wait for each other, but cannot deadlock.
  const stored = await pool<{ id: string }[]>`
    with given as materialized (
      select *, (ts at time zone 'UTC')::date as day
      from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) as given(
        n int, domain text, key text, fingerprint text, id uuid, ts timestamptz,
        received_at timestamptz, event text, source text, session_id text, visit_id text,
        surface text, kind text, confidence float8, model text, ai_surface text, value bigint,
        currency text, properties jsonb
      )
    ), keyed as (
      insert into event_keys (domain, key, event_id, fingerprint, surface, confidence, received_at)
      select domain, key, id, fingerprint, surface, confidence, received_at
      from given order by domain, key
      on conflict do nothing
      returning event_id
    ), fresh as materialized (
      select given.*, row_number() over (partition by domain, visit_id order by n) = 1 as is_first
      from given join keyed on keyed.event_id = given.id
    ), opened as (
      insert into ai_sessions (domain, session_id, day, surface, kind, source, confidence)
      select domain, visit_id, day, surface, kind, source, confidence
      from fresh where is_first and event <> 'ai_test' order by domain, visit_id
      on conflict do nothing
      returning domain, session_id
    ), placed as materialized (
      select fresh.*, is_first and opened.session_id is not null as opens_session
      from fresh left join opened
        on opened.domain = fresh.domain and opened.session_id = fresh.visit_id
    ), stored as (
      insert into events (domain, id, ts, received_at, event, source, session_id, visit_id,
        opens_session, surface, kind, confidence, model, ai_surface, value, currency, properties)
      select domain, id, ts, received_at, event, source, session_id, visit_id,
        opens_session, surface, kind, confidence, model, ai_surface, value, currency, properties
      from placed
    ), sums as (
      ${pool.unsafe(SUM_PLACED)}
    ), summed as (
      ${pool.unsafe(ADD_SUMS)}
    )
    select id from fresh`
  return new Set(stored.map(({ id }) => id))
}

/** The stored events with these keys, including those that others have just committed. */
export async function findEventKeys(
  pool: Sql,
  asked: readonly { domain: string; key: string }[],
): Promise<KeyedEvent[]> {
  if (asked.length === 0) return []
  const pairs = asked.map(({ domain, key }) => ({ domain, key }))
  return pool<KeyedEvent[]>`
    select found.domain, found.key, found.event_id, found.fingerprint, found.surface,
      found.confidence
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as asked(domain text, key text)
    join event_keys found on found.domain = asked.domain and found.key = asked.key`
}
