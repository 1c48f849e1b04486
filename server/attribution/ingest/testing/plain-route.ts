import type { AddressInfo } from 'node:net'
import express from 'express'
import pg from 'pg'

// What a team would write in an afternoon, and what ours is measured against: a route that checks
// an event and inserts it, once per key, into a table of its own. No classification, no sessions,
// no sums. Express and pg are as they come, and then as somebody would set them who has measured.

/** What the benchmark makes before it starts. */
export const PLAIN_TABLE = `
  create table plain_events (
    id uuid primary key default gen_random_uuid(),
    domain text not null,
    event text not null,
    session_id text not null,
    source text not null,
    ai_surface text,
    value bigint,
    currency text,
    properties jsonb not null,
    received_at timestamptz not null default now(),
    unique (domain, event, session_id)
  )`

const EVENTS = ['ai_product_viewed', 'ai_checkout_initiated', 'ai_checkout_completed']
const SOURCES = ['ucp', 'acp', 'web']

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 200

const isWhole = (value: unknown) => value === undefined || Number.isSafeInteger(value)

/** Why a body is not an event; null: it is one. */
function faultOf(body: Record<string, unknown>): string | null {
  const { event, domain, session_id, source, ai_surface, properties } = body
  if (!isText(event) || !EVENTS.includes(event)) return 'event'
  if (!isText(domain) || !/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(domain)) return 'domain'
  if (!isText(session_id)) return 'session_id'
  if (!isText(source) || !SOURCES.includes(source)) return 'source'
  if (ai_surface !== undefined && !isText(ai_surface)) return 'ai_surface'
  if (typeof properties !== 'object' || properties === null) return 'properties'
  const { value, currency } = properties as Record<string, unknown>
  if (!isWhole(value)) return 'properties.value'
  if (currency !== undefined && !/^[A-Z]{3}$/.test(String(currency))) return 'properties.currency'
  return null
}

/**
 * Resolves to the port. It has ten connections, which is what pg and the service have by default. A
 * tuned one names its statement, so that Postgres plans it once for each connection, and answers
 * without `ETag` and `X-Powered-By`.
 */
export async function plainRoute(
  databaseUrl: string,
  { isTuned }: { isTuned: boolean },
): Promise<number> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    // Busy ones are not closed. Here they wait for longer than pg's ten seconds while the others
    // have their turns.
    idleTimeoutMillis: 0,
  })
  const app = express()
  if (isTuned) app.disable('x-powered-by').set('etag', false)
  app.post('/api/report', express.json({ limit: '1mb' }), async (request, response) => {
    if (!/^Bearer \S{20,}$/.test(request.get('Authorization') ?? '')) {
      response.status(401).json({ error: 'unauthorized' })
      return
    }
    const { body } = request
    const fault = faultOf(body ?? {})
    if (fault !== null) {
      response.status(422).json({ error: fault })
      return
    }
    const { value = null, currency = null } = body.properties
    const { rows } = await pool.query({
      ...(isTuned && { name: 'insert' }),
      text: `insert into plain_events
          (domain, event, session_id, source, ai_surface, value, currency, properties)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict (domain, event, session_id) do nothing returning id`,
      values: [
        ...[body.domain, body.event, body.session_id, body.source, body.ai_surface],
        ...[value, currency, body.properties],
      ],
    })
    response.json({ event_id: rows[0]?.id ?? null, status: 'recorded' })
  })
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
