import { beforeAll, describe, expect, test } from 'vitest'
import { MODEL } from '../../../shared/attribution/classify/classify.ts'
import type { IncomingEvent } from '../../attribution/ingest/event.ts'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { realTraffic } from '../../attribution/ingest/testing/traffic.ts'
import { eventOf } from '../../attribution/report/testing/rows.ts'
import { createLog } from '../../process/log.ts'
import { testDatabase } from '../../testing/app.ts'
import {
  packEvent,
  STORED_AI_SURFACE,
  STORED_PROPERTIES,
  STORED_VISIT,
  unpackModel,
} from './packed.ts'

const log = createLog({ write: () => {} })

const NOW = new Date('2026-10-31T00:00:00Z')
const [BEACON] = realTraffic(20).filter(({ event }) => event === 'ai_session') as [IncomingEvent]

/** A visit with other properties than most. */
const visit = (id: string, properties: Record<string, unknown>): IncomingEvent => ({
  ...BEACON,
  ...{ domain: 'odd.example', session_id: id, visit_id: `visit:${id}`, key: `session:${id}` },
  properties,
})
const whole = (landing: string) => ({ property_id: 'prop_1', referrer: '', landing })

const protocol = (session_id: string, properties: Record<string, unknown>) =>
  eventOf(
    {
      event: 'ai_checkout_completed',
      domain: 'odd.example',
      session_id,
      source: 'acp',
      timestamp: '2026-10-02T10:00:00Z',
      properties,
    } as Parameters<typeof eventOf>[0],
    NOW,
  )

const ODD: IncomingEvent[] = [
  ...[
    '',
    'https://odd.example/',
    'https://www.odd.example/?utm_source=x',
    'http://odd.example/',
    'https://odd.example.evil.example/',
    'https://wwwodd.example/',
    'https://shop.odd.example/',
    'w/',
    'd/x',
    '/x',
  ].map((landing, n) => visit(`landing-${n}`, whole(landing))),
  ...['/chatgpt.com/', 'http://chatgpt.com/', 'android-app://com.example', 'https://'].map(
    (referrer, n) => visit(`referrer-${n}`, { ...whole('https://odd.example/'), referrer }),
  ),
  ...['_1', 'prop_', '', 'other'].map((property_id, n) =>
    visit(`property-${n}`, { ...whole('https://odd.example/'), property_id }),
  ),
  visit('more', { ...whole('https://odd.example/'), text_fragment: true }),
  visit('fewer', { property_id: 'prop_1', referrer: '' }),
  visit('others', { property_id: 'prop_1', referrer: '', landing: 7 }),
  visit('three', { a: '1', b: '2', c: '3' }),
  protocol('v', { value: 4999, currency: 'USD' }),
  protocol('s', { value: 4999, currency: 'USD', visit_id: 's' }),
  protocol('of a visit', { value: 0, currency: 'JPY', visit_id: 'landing-1' }),
  protocol('without a currency', { value: 10 }),
  protocol('without a value', { currency: 'USD', product_id: 'boot' }),
  protocol('with more', {
    value: 10 ** 12,
    currency: 'USD',
    nested: { value: 1 },
    list: ['value'],
  }),
  protocol('with nothing', {}),
  protocol('of a checkout', { checkout_id: 'c-1', value: 1, currency: 'USD' }),
  protocol('with short names', { variant_id: 'large', v: 'mine', o: 1 }),
  protocol(
    'with a name of its kind',
    JSON.parse('{"__proto__": "x", "value": 5, "currency": "EUR", "constructor": 1}'),
  ),
  protocol('with a short name alone', { v: 'mine' }),
  protocol('of a named visit', { variant_id: '', order_id: '#1', visit_id: 'landing-1' }),
  { ...protocol('declared so', { order_id: '#declared' }), ai_surface: 'perplexity' },
]
const SENT = [...realTraffic(600), ...ODD]

/** What is packed of an event. */
interface ReadEvent {
  domain: string
  session_id: string
  visit_id: string
  ai_surface: string | null
  model: string
  properties: object
}

/** All events as they are read, and how much smaller they are stored. */
async function readAll() {
  const { sql } = await testDatabase()
  const ingest = createIngest({ sql, now: () => NOW, log })
  await sql`insert into properties (id, domain, origins, created_at, currency)
    values ('p', 'odd.example', '{}', now(), 'EUR')`
  for (let at = 0; at < SENT.length; at += 100) {
    await Promise.all(SENT.slice(at, at + 100).map((event) => ingest.record(event)))
  }
  const read = await sql<ReadEvent[]>`
    select domain, session_id, ${sql.unsafe(STORED_VISIT)} as visit_id,
      ${sql.unsafe(STORED_AI_SURFACE)} as ai_surface, model,
      ${sql.unsafe(STORED_PROPERTIES)} as properties
    from events`
  const [size] = await sql<{ share: number }[]>`
    select sum(pg_column_size(events.*))::float8 / sum(pg_column_size(whole.*)) as share
    from events join (
      select domain, id, ts, received_at, event, source, session_id,
        ${sql.unsafe(STORED_VISIT)} as visit_id, opens_session, surface, kind, confidence,
        model, ${sql.unsafe(STORED_AI_SURFACE)} as ai_surface,
        value, currency, ${sql.unsafe(STORED_PROPERTIES)} as properties, landing, day
      from events
    ) as whole using (domain, id)`
  return { read, share: size?.share ?? 1 }
}

describe('stored packed', () => {
  let packed: Awaited<ReturnType<typeof readAll>>
  beforeAll(async () => {
    packed = await readAll()
  })

  test('each event reads as it was sent', () => {
    const linesOf = (events: readonly ReadEvent[]) =>
      events
        .map(({ domain, session_id, visit_id, ai_surface, model, properties }) =>
          JSON.stringify([
            ...[domain, session_id, visit_id, ai_surface, model],
            Object.entries(properties).toSorted(),
          ]),
        )
        .toSorted()
    const read = packed.read.map((each) => ({ ...each, model: unpackModel(each.model) }))
    expect(linesOf(read)).toEqual(linesOf(SENT.map((each) => ({ ...each, model: MODEL }))))
  })

  test('in fewer bytes', () => {
    expect(packed.share).toBeLessThan(0.85)
  })
})

test('a model is kept in eight characters, and one of another form as it is', () => {
  const packedAs = (model: string) =>
    packEvent({ domain: '', session_id: '', visit_id: '', surface: '', model, properties: {} })
      .stored_model
  expect(packedAs(MODEL)).toMatch(/^[\w+/]{8}$/)
  const models = [MODEL, '2026-11-21.00000000', '2199-06-06.ffffffff', '2026-11-21', 'test', '1']
  for (const model of [...models, '2019-12-31.1a2b3c4d', '2300-01-01.1a2b3c4d']) {
    expect(unpackModel(packedAs(model))).toBe(model)
  }
})
