import { desc, eq } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { events } from './tables.ts'

/** An event as the report page lists it, without its properties. */
export type RecentEvent = Pick<
  typeof events.$inferSelect,
  | 'id'
  | 'received_at'
  | 'event'
  | 'source'
  | 'surface'
  | 'kind'
  | 'confidence'
  | 'session_id'
  | 'value'
  | 'currency'
>

/**
 * The events of a domain that came in last, newest first: ids of version 7 sort by the moment in
 * which an event was about to be stored. Events that arrive together may be listed in any order,
 * except those of one visit.
 */
export const recentEvents = (db: Db, domain: string, limit = 20): Promise<RecentEvent[]> =>
  db
    .select({
      id: events.id,
      received_at: events.received_at,
      event: events.event,
      source: events.source,
      surface: events.surface,
      kind: events.kind,
      confidence: events.confidence,
      session_id: events.session_id,
      value: events.value,
      currency: events.currency,
    })
    .from(events)
    .where(eq(events.domain, domain))
    .orderBy(desc(events.id))
    .limit(limit)
