import { sql } from 'drizzle-orm'
import { STORED_AI_SURFACE, STORED_PROPERTIES, STORED_VISIT } from '../../db/events/packed.ts'
import { isText, testApp } from '../../testing/app.ts'

export const EVENT = {
  event: 'ai_checkout_initiated',
  domain: 'shop.example',
  session_id: 'checkout_1',
  source: 'acp',
  ai_surface: 'chatgpt',
  properties: { product_id: 'boot', variant_id: 'boot-42', value: 4999, currency: 'USD' },
}
export const { properties: PROPERTIES, ...BARE } = EVENT
export type Sent = Record<string, unknown>

/** Shortly after the times that these tests send. */
const NOON = new Date('2026-11-21T12:00:00Z')

/**
 * The app on a database of its own, at NOON unless told otherwise, and what events are sent and
 * read by.
 */
export async function reportingApp(overrides: Parameters<typeof testApp>[0] = {}) {
  const own = await testApp({ now: () => NOON, ...overrides })
  let shops = 0

  async function send(
    body: unknown,
    headers: Record<string, string> = {},
    { ask }: Pick<typeof own, 'ask'> = own,
  ) {
    const sent = isText(body) ? body : JSON.stringify(body)
    const length = String(Buffer.byteLength(sent))
    const answer = await ask('/api/report', {
      key: own.key,
      body: sent,
      headers: { 'Content-Length': length, ...headers },
    })
    const said = await answer.json()
    return { status: answer.status, headers: answer.headers, said }
  }
  const rowsOf = (domain: string) =>
    own.db.execute<Record<string, unknown>>(
      sql`select *, ${sql.raw(STORED_VISIT)} as visit_id, ${sql.raw(STORED_PROPERTIES)} as properties,
          ${sql.raw(STORED_AI_SURFACE)} as ai_surface
        from events where domain = ${domain} order by id`,
    )
  const sumsOf = (domain: string) =>
    own.db.execute<Record<string, unknown>>(
      sql`select day::text, surface, kind, source, currency, sessions, viewed, initiated, completed,
        failed, revenue::int from rollup_daily where domain = ${domain} order by 1, 2, 3, 4, 5`,
    )
  return { ...own, send, rowsOf, sumsOf, newShop: () => `shop${++shops}.example` }
}
