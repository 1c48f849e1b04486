import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { asBrowser, beacon, SHOP } from '../../attribution/beacon/testing/beacon.ts'
import { createProperty } from '../../attribution/properties.ts'
import { eventOf } from '../../attribution/report/testing/rows.ts'
import { visitOf } from '../../db/events/ids.ts'
import { testApp } from '../../testing/app.ts'
import { EVENT, reportingApp, type Sent } from '../testing/reporting-app.ts'

const { send, rowsOf, sumsOf, newShop } = await reportingApp()

test.each<[string, Sent, [string, boolean, number]]>([
  ['declared', { ai_surface: 'perplexity' }, ['perplexity', true, 0.85]],
  ['declared and on no row', { ai_surface: 'my_assistant' }, ['other_ai', false, 0.5]],
  ['only the protocol known', { ai_surface: undefined }, ['other_ai', false, 0.5]],
  ['declared as other_ai', { ai_surface: 'other_ai' }, ['other_ai', false, 0.5]],
  [
    'declared as other_ai in the shop’s own checkout',
    { ai_surface: 'other_ai', source: 'web', properties: { visit_id: 'nobody' } },
    ['other_ai', false, 0.5],
  ],
  [
    'named by nothing but an advertisement',
    {
      ai_surface: undefined,
      source: 'web',
      properties: {
        visit_id: 'nobody',
        attribution: { campaign_source: 'chatgpt.com', gclid: 'x' },
      },
    },
    ['other_ai', false, 0.5],
  ],
  [
    'in the User-Agent',
    { ai_surface: undefined, properties: { user_agent: 'ChatGPT-User/1.0' } },
    ['chatgpt', true, 0.7],
  ],
  [
    'in the UCP-Agent',
    {
      ai_surface: undefined,
      source: 'ucp',
      properties: { ucp_agent: 'profile="https://gemini.google.com/ucp.json"' },
    },
    ['gemini', true, 0.75],
  ],
  [
    'in UCP’s attribution',
    { ai_surface: undefined, properties: { attribution: { campaign_source: 'chatgpt.com' } } },
    ['chatgpt', true, 0.7],
  ],
  [
    'in UCP’s attribution, as in a landing URL',
    {
      ai_surface: undefined,
      source: 'ucp',
      properties: { attribution: { utm_source: 'chatgpt.com', utm_medium: 'agentic_commerce' } },
    },
    ['chatgpt', true, 0.7],
  ],
  [
    'in ACP’s affiliate attribution',
    {
      ai_surface: undefined,
      properties: { affiliate_attribution: { provider: 'chatgpt.com' } },
    },
    ['chatgpt', true, 0.7],
  ],
  [
    'of an unknown visit',
    { source: 'web', properties: { visit_id: 'nobody' }, ai_surface: undefined },
    ['other_ai', false, 0],
  ],
])('%s', async (_, change, expected) => {
  const { properties: __, ...bare } = EVENT
  const { said } = await send({ ...bare, ...change, domain: newShop() })
  expect([said.ai_source, said.session_classified, said.confidence]).toEqual(expected)
})

test.each<[string, string | null]>([
  ['my_assistant', null],
  ['raspberry_pi', null],
  ['chatgpt_or_gemini', null],
  ['openai', 'chatgpt'],
  ['chatgpt_com', 'chatgpt'],
  ['chat_gpt', 'chatgpt'],
  ['chatgpt_instant_checkout', 'chatgpt'],
  ['microsoft_copilot', 'copilot'],
  ['gemini_app', 'gemini'],
  ['claude_desktop', 'claude'],
  ['google_aimode', 'google_ai_mode'],
])(
  'declared as %s counts as the one row that it means, or is told to be unknown',
  async (...given) => {
    const [ai_surface, meant] = given
    const domain = newShop()
    const { said } = await send({ ...EVENT, domain, ai_surface })
    expect(said).toMatchObject({
      ai_source: meant ?? 'other_ai',
      session_classified: meant !== null,
      notes: [
        meant === null
          ? `Unknown ai_surface ${ai_surface}, counted as other_ai.`
          : `The ai_surface was read as ${meant}.`,
      ],
    })
    expect(await rowsOf(domain)).toMatchObject([{ ai_surface, surface: meant ?? 'other_ai' }])
  },
)

test.each<[unknown, string | null, string]>([
  ['ChatGPT', 'chatgpt', 'chatgpt'],
  ['Google AI-Mode', 'google_ai_mode', 'google_ai_mode'],
  ['x'.repeat(500), null, 'other_ai'],
  [7, null, 'other_ai'],
  ['4242 4242 4242 4242', null, 'other_ai'],
  ['my card 4242-4242-4242-4242', null, 'other_ai'],
])('declared as %j is read as %s, and loses no event', async (ai_surface, id, surface) => {
  const domain = newShop()
  const { status, said } = await send({ ...EVENT, domain, ai_surface })
  expect([status, said.ai_source]).toEqual([200, surface])
  expect(said.notes).toEqual([
    id === null
      ? 'The ai_surface was left out. Send a lowercase snake_case identifier, such as chatgpt.'
      : `The ai_surface was read as ${id}.`,
  ])
  expect(await rowsOf(domain)).toMatchObject([{ ai_surface: id, surface }])
  // The same event, however it is spelt.
  const again = await send({ ...EVENT, domain, ai_surface: id })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  // A retry is told what the first was told.
  expect(again.said.notes).toEqual(said.notes)
})

test('made up for each event adds no row to the sums', async () => {
  const domain = newShop()
  await send(
    Array.from({ length: 20 }, (_, n) => ({
      ...EVENT,
      domain,
      session_id: `checkout_${n}`,
      ai_surface: `made_up_${n}`,
    })),
  )
  expect(await sumsOf(domain)).toMatchObject([{ surface: 'other_ai', sessions: 20, initiated: 20 }])
})

test('of a checkout is known when its order comes, in one array too', async () => {
  for (const together of [false, true]) {
    const domain = newShop()
    const { ai_surface, ...unnamed } = EVENT
    const both = [
      { ...EVENT, domain },
      { ...unnamed, domain, event: 'ai_checkout_completed' },
    ]
    const answers = together
      ? (await send(both)).said.results.map((each: { ack: unknown }) => each.ack)
      : [(await send(both[0])).said, (await send(both[1])).said]
    expect(answers[1]).toMatchObject({ ai_source: ai_surface, confidence: 0.85 })
    expect(await sumsOf(domain)).toMatchObject([
      { surface: 'chatgpt', sessions: 1, initiated: 1, completed: 1, revenue: 4999 },
    ])
  }
})

test('of an order that came before its checkout began is known when that comes', async () => {
  const { ai_surface: _, ...unnamed } = EVENT
  for (const timestamp of [undefined, '2026-11-20T10:00:00Z']) {
    const domain = newShop()
    const order = { ...unnamed, domain, event: 'ai_checkout_completed', timestamp }
    expect((await send(order)).said.ai_source).toBe('other_ai')
    const refund = { refund_id: 'r', value: 100, currency: 'USD' }
    await send({ ...order, event: 'ai_order_refunded', properties: refund })
    const begun = { ...EVENT, domain, timestamp: timestamp && '2026-11-19T23:00:00Z' }
    for (let n = 0; n < 2; n += 1) {
      await send(begun)
      const sums = await sumsOf(domain)
      expect(sums.map(({ surface }) => surface)).toEqual(sums.map(() => 'chatgpt'))
      const [first, last] = [sums[0], sums.at(-1)]
      expect(first).toMatchObject({ sessions: 1, initiated: 1 })
      expect(last).toMatchObject({ completed: 1, revenue: 4999 })
    }
    expect(await rowsOf(domain)).toMatchObject([
      { event: 'ai_checkout_completed', surface: 'chatgpt', ai_surface: null },
      { event: 'ai_order_refunded', surface: 'chatgpt' },
      { event: 'ai_checkout_initiated', opens_session: true },
    ])
    // What is asked for again is answered as it was.
    expect((await send(order)).said.event_id).toEqual(expect.any(String))
  }
})

test('of a session is the first that was named, in one array too', async () => {
  for (const together of [false, true]) {
    const domain = newShop()
    const { ai_surface: _, ...unnamed } = EVENT
    const all = [
      { ...EVENT, domain, ai_surface: 'perplexity', timestamp: '2026-11-21T10:00:00Z' },
      { ...EVENT, domain, event: 'ai_product_viewed' },
      { ...unnamed, domain, event: 'ai_checkout_completed' },
    ]
    const acks = together
      ? (await send(all)).said.results.map((each: { ack: unknown }) => each.ack)
      : [(await send(all[0])).said, (await send(all[1])).said, (await send(all[2])).said]
    expect(acks[2]).toMatchObject({ ai_source: 'perplexity', confidence: 0.85 })
    expect(await sumsOf(domain)).toMatchObject([
      { surface: 'chatgpt', sessions: 0, viewed: 1 },
      { surface: 'perplexity', sessions: 1, initiated: 1, completed: 1 },
    ])
    const opened = (await rowsOf(domain)).map(({ opens_session }) => opens_session)
    expect(opened).toEqual([true, false, false])
  }
})

test('of a checkout is not that of a page view under its id, in one array too', async () => {
  for (const together of [false, true]) {
    const domain = newShop()
    const { ai_surface: _, ...unnamed } = EVENT
    const all = [
      { ...unnamed, domain, event: 'ai_product_viewed', source: 'web' },
      { ...EVENT, domain },
      { ...unnamed, domain, event: 'ai_checkout_completed' },
    ]
    for (const body of together ? [all] : all) expect((await send(body)).status).toBe(200)
    expect(await sumsOf(domain)).toMatchObject([
      { surface: 'chatgpt', sessions: 1, initiated: 1, completed: 1, revenue: 4999 },
      { surface: 'other_ai', source: 'web', sessions: 0, viewed: 1 },
    ])
  }
})

test('of each of two checkouts is known when their orders come together', async () => {
  const domain = newShop()
  const { ai_surface: _, ...unnamed } = EVENT
  const of = (session_id: string) => ({ domain, session_id })
  await send([
    { ...EVENT, ...of('a'), ai_surface: 'claude' },
    { ...EVENT, ...of('b'), ai_surface: 'perplexity' },
  ])
  const { said } = await send(
    ['a', 'b'].map((id) => ({ ...unnamed, ...of(id), event: 'ai_checkout_completed' })),
  )
  expect(said.results.map(({ ack }: { ack: { ai_source: string } }) => ack.ai_source)).toEqual([
    'claude',
    'perplexity',
  ])
})

test('of a visit that nobody reported is told to be a guess, each time', async () => {
  const domain = newShop()
  const { ai_surface: _, ...unnamed } = EVENT
  const order = { ...unnamed, domain, source: 'web', properties: { visit_id: 'nobody' } }
  const unknown = `Unknown visit_id nobody at ${domain}.`
  const notes = [`${unknown} It is counted apart from what AI brought until its visit is reported.`]
  const first = await send(order)
  expect(first.said).toMatchObject({ ai_source: 'other_ai', notes })
  expect((await send(order)).said).toEqual(first.said)
  const { said } = await send([
    { ...order, event: 'ai_checkout_completed' },
    { ...order, properties: {}, source: 'acp', session_id: 'checkout_2' },
  ])
  expect(said.results.map(({ ack }: { ack: Sent }) => ack.notes)).toEqual([notes, undefined])
})

test('of a visit that nobody reported is counted apart', async () => {
  const domain = newShop()
  const { ai_surface: _, ...unnamed } = EVENT
  await send({ ...unnamed, domain, source: 'web', properties: { visit_id: 'nobody' } })
  expect(await sumsOf(domain)).toMatchObject([{ surface: 'other_ai', kind: 'unattributed' }])
})

test('of the visit that brought it joins an order, and both are one session', async () => {
  const domain = newShop()
  const own = await testApp()
  const post = (body: unknown) => send(body, { Authorization: `Bearer ${own.key}` }, own)
  const reported = own.ingest.record({
    domain,
    event: 'ai_session',
    source: 'web',
    session_id: 'visit_1',
    visit_id: visitOf('visit_1'),
    may_open: true,
    ts: new Date(),
    key: 'session:visit_1',
    other_keys: [],
    shared_keys: [],
    fingerprint: 0,
    notes: [],
    signals: { referrer: 'https://www.perplexity.ai/' },
    ai_surface: null,
    value: null,
    currency: null,
    landing: null,
    properties: {},
  })
  // In one batch, and later.
  const begun = own.ingest.record(
    eventOf({
      event: 'ai_checkout_initiated',
      domain,
      session_id: 'order_1',
      source: 'web',
      properties: { visit_id: 'visit_1' },
    }),
  )
  await reported
  expect(await begun).toMatchObject({ surface: 'perplexity' })
  expect((await begun).notes).toEqual([])
  const order = {
    event: 'ai_checkout_completed',
    domain,
    session_id: 'order_1',
    source: 'web',
    properties: { visit_id: 'visit_1', value: 700, currency: 'EUR' },
  }
  expect((await post(order)).said).toEqual({
    event_id: expect.any(String),
    status: 'recorded',
    ai_source: 'perplexity',
    session_classified: true,
    confidence: 0.95,
  })
  const sums = await own.db.execute(
    sql`select kind, source, sessions, completed, currency from rollup_daily order by currency`,
  )
  expect(sums).toMatchObject([
    { kind: 'referral', source: 'web', sessions: 1, completed: 0, currency: '' },
    { kind: 'referral', source: 'web', sessions: 0, completed: 1, currency: 'EUR' },
  ])
})

test('of an order is not decided by a visit that a stranger made up under its id', async () => {
  const own = await reportingApp()
  const { id } = await createProperty(own.db, { domain: 'shop.example' }, new Date())
  const made = await asBrowser(
    own.app,
    id,
  )({
    body: beacon({ id: 'order-10001', referrer: 'https://grok.com/', landing: `${SHOP}/` }),
  })
  expect(await made.json()).toMatchObject({ status: 'recorded', ai_source: 'grok' })
  const order = { ...EVENT, session_id: 'order-10001', ai_surface: 'perplexity' }
  const { said } = await own.send({ ...order, event: 'ai_checkout_completed' })
  expect(said).toMatchObject({ ai_source: 'perplexity', confidence: 0.85 })
  expect(await own.sumsOf('shop.example')).toMatchObject([
    { surface: 'grok', sessions: 1, completed: 0 },
    { surface: 'perplexity', kind: 'protocol', sessions: 1, completed: 1 },
  ])
})
