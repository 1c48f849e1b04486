import { randomUUID } from 'node:crypto'
import type { IncomingEvent } from '../../../attribution/ingest/event.ts'
import { sessionOf } from '../../../db/events/ids.ts'

/** Stored and listed like any event, but never counted. */
export function testEvent(domain: string, ts: Date): IncomingEvent {
  const session_id = `test-${randomUUID()}`
  return {
    domain,
    event: 'ai_test',
    source: 'web',
    session_id,
    visit_id: sessionOf(session_id),
    may_open: false,
    ts,
    key: `ai_test:${session_id}`,
    other_keys: [],
    shared_keys: [],
    fingerprint: 0,
    notes: [],
    signals: {},
    ai_surface: null,
    value: null,
    currency: null,
    properties: {},
    landing: null,
  }
}
