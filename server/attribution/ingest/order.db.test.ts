import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AttributionEvent } from '../../../shared/attribution/events.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { shardsOf } from '../../db/sharding/shards.ts'
import { createLog } from '../../process/log.ts'
import { reportingApp } from '../../routes/testing/reporting-app.ts'
import { visitEvent } from '../beacon/visit-event.ts'
import { eventOf } from '../report/testing/rows.ts'
import type { IncomingEvent } from './event.ts'
import { createIngest } from './ingest.ts'

const { ask, db, key, ingest } = await reportingApp()
const NOW = new Date('2026-11-21T12:00:00Z')
let shops = 0

/**
 * An event of one of two sessions, or of a browser's visit, by its minute of four days. A refund
 * may be of an order that is never reported, larger than it, in another currency, or earlier.
 */
const Happened = fc.record({
  session: fc.constantFrom('a', 'b', 'visit'),
  what: fc.constantFrom('viewed', 'initiated', 'failed', 'completed', 'refunded', 'web'),
  minute: fc.integer({ min: 0, max: 5000 }),
  order: fc.constantFrom(undefined, 1, 2),
  source: fc.constantFrom('ucp' as const, 'acp' as const),
  /** Bought in the store's own checkout, where the visit is one of a browser. */
  isOwn: fc.boolean(),
  ai_surface: fc.constantFrom(undefined, undefined, 'chatgpt', 'perplexity', 'my_own_bot'),
  ucp_agent: fc.constantFrom(undefined, undefined, 'profile="https://gemini.google.com/ucp.json"'),
  product_id: fc.constantFrom('shoe', 'hat'),
  currency: fc.constantFrom('USD', 'USD', 'EUR'),
})
type Happened = typeof Happened extends fc.Arbitrary<infer Of> ? Of : never

const NAMES = {
  viewed: 'ai_product_viewed',
  web: 'ai_product_viewed',
  initiated: 'ai_checkout_initiated',
  failed: 'ai_checkout_failed',
  completed: 'ai_checkout_completed',
  refunded: 'ai_order_refunded',
} as const

const eventsOf = (all: readonly Happened[], domain: string, report: number | null) => {
  const timeOf = (minute: number) => new Date(Date.parse('2026-10-30T01:00:00Z') + minute * 60_000)
  const seen = new Set<number>()
  const keys = new Set<string>()
  const hasTwo = (session: string) =>
    [1, 2].every((order) =>
      all.some((of) => of.what === 'completed' && of.session === session && of.order === order),
    )
  const events = all.flatMap(
    ({ session, what, minute, order, source, isOwn, ...said }): IncomingEvent[] => {
      const { ai_surface, ucp_agent, product_id, currency } = said
      const isSale = what === 'completed' || what === 'refunded'
      const isMany = what === 'viewed' || what === 'refunded'
      const key = `${session} ${what} ${what === 'completed' ? order : ''} ${isMany ? minute : ''}`
      // What has the same key is a repeat: the first that comes counts.
      const isRepeat = keys.has(key) || (what === 'completed' && keys.has(`${session} any`))
      // Nothing tells of which of the two it is.
      const isVague = what === 'refunded' && order === undefined && hasTwo(session)
      if (isRepeat || isVague || seen.has(minute)) return []
      seen.add(minute)
      keys.add(key)
      if (what === 'completed') {
        if (order === undefined && [1, 2].some((n) => keys.has(`${session} completed ${n} `)))
          return []
        if (order === undefined) keys.add(`${session} any`)
      }
      const body = {
        event: NAMES[what],
        domain,
        session_id: session,
        source: what === 'web' || (isOwn && session === 'visit') ? 'web' : source,
        ai_surface,
        properties: {
          product_id,
          ucp_agent,
          ...(isSale && {
            value: 100 + minute,
            currency,
            order_id: order && `${session}-${order}`,
          }),
          ...(what === 'refunded' && { refund_id: `${session} ${order} ${minute}` }),
          ...(session === 'visit' && { visit_id: 'visit-0001' }),
        },
        timestamp: timeOf(minute).toISOString(),
      }
      return [eventOf(JSON.parse(JSON.stringify(body)) as AttributionEvent, NOW)]
    },
  )
  if (report === null) return events
  const beacon = visitEvent(
    {
      id: 'visit-0001',
      referrer: report % 2 ? 'https://claude.ai/' : '',
      landing: `https://${domain}/?utm_medium=ai#/boots`,
      surface: 'claude',
      model: 'm',
    },
    {
      domain,
      property_id: 'prop_1',
      ts: timeOf(report),
      caller: { userAgent: null, signatureAgent: null },
    },
  )
  return [...events, beacon]
}

async function reportOf(domain: string): Promise<unknown[]> {
  const answers = [
    'start=2026-10-01&end=2026-11-20&series=surface',
    'start=2026-10-31&end=2026-11-01&granularity=month&compare=previous',
    'start=2026-10-01&end=2026-11-20&granularity=week&product_id=shoe',
  ].map(async (query) => (await ask(`/api/report?domain=${domain}&${query}`, { key })).json())
  return JSON.parse(JSON.stringify(await Promise.all(answers)).replaceAll(domain, 'shop.example'))
}

test('events in any order, in any groups, make the same report', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(Happened, { minLength: 2, maxLength: 10 }),
      fc.option(fc.integer({ min: 0, max: 5000 })),
      fc.infiniteStream(fc.nat({ max: 1000 })),
      async (all, report, numbers) => {
        const inOrder = eventsOf(all, `in-order${++shops}.example`, report)
        const anyhow = eventsOf(all, `anyhow${shops}.example`, report)
        inOrder.sort((a, b) => a.ts.getTime() - b.ts.getTime())
        for (const event of inOrder) await ingest.record(event)
        const rank = new Map(anyhow.map((event) => [event, numbers.next().value]))
        anyhow.sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
        while (anyhow.length > 0) {
          const group = anyhow.splice(0, 1 + ((numbers.next().value ?? 0) % 3))
          await Promise.all(group.map((event) => ingest.record(event)))
        }
        const [one, other] = ['in-order', 'anyhow'].map((name) => `${name}${shops}.example`)
        expect(await reportOf(other!)).toEqual(await reportOf(one!))
        for (const domain of [one!, other!]) {
          expect(await rebuildRollup(db, { domain, since: '2025-10', dryRun: true })).toEqual([])
        }
      },
    ),
  )
})

test('a refund counts under the surface that its order got after it came', async () => {
  const domain = 'late-beginning.example'
  const properties = { order_id: 'o1', value: 5000, currency: 'USD' }
  const events = [
    { event: 'ai_checkout_completed', timestamp: '2026-11-20T10:05:00Z', properties },
    { event: 'ai_checkout_initiated', timestamp: '2026-11-20T10:00:00Z', ai_surface: 'chatgpt' },
    {
      event: 'ai_order_refunded',
      timestamp: '2026-11-20T11:00:00Z',
      properties: { ...properties, refund_id: 'r1', value: 1000 },
    },
  ]
  for (const each of events) {
    const body = { domain, session_id: 's', source: 'acp', ...each } as AttributionEvent
    await ingest.record(eventOf(body, NOW))
  }
  const answer = await ask(`/api/report?domain=${domain}&start=2026-11-20&end=2026-11-20`, { key })
  const { by_surface } = (await answer.json()) as { by_surface: Record<string, object> }
  expect(by_surface.chatgpt).toMatchObject({ orders: 1, refunds: 1, refunded_cents: 1000 })
  expect(by_surface.other_ai).not.toHaveProperty('refunds')
})

test('what a server stores while another stores the report of its visit counts by that report', async () => {
  const domain = 'at-once.example'
  const [viewed, bought, report] = eventsOf(
    [
      { ...VISITED, what: 'initiated', minute: 10 },
      { ...VISITED, what: 'completed', minute: 20 },
    ],
    domain,
    1,
  )
  const shards = shardsOf(db.$client)
  let isRead = false
  const slow = createIngest({
    sql: db.$client,
    now: () => NOW,
    log: createLog({ write: () => {} }),
    shards: {
      ...shards,
      atNode: (domains) => {
        const at = shards.atNode(domains)
        return async (text, values) => {
          const rows = await at(text, values)
          if (isRead || !text.includes('from ai_sessions')) return rows as never
          isRead = true
          await ingest.record(report!)
          return rows as never
        }
      },
    },
  })
  await ingest.record(viewed!)
  await slow.record(bought!)
  const answer = await ask(`/api/report?domain=${domain}&start=2026-10-30&end=2026-10-30`, { key })
  const { by_surface } = (await answer.json()) as { by_surface: Record<string, object> }
  expect(by_surface.claude).toMatchObject({ sessions: 1, orders: 1 })
  expect(await rebuildRollup(db, { domain, since: '2025-10', dryRun: true })).toEqual([])
})

/** An event of the visit that says nothing of its origin. */
const VISITED: Happened = {
  session: 'visit',
  what: 'viewed',
  minute: 0,
  order: undefined,
  source: 'acp',
  isOwn: true,
  ai_surface: undefined,
  ucp_agent: undefined,
  product_id: 'shoe',
  currency: 'USD',
}
