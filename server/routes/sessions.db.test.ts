import { beforeEach, describe, expect, test } from 'vitest'
import { MODEL } from '../../shared/attribution/classify/classify.ts'
import {
  asBrowser,
  BEACON,
  beacon,
  beaconApp,
  CHROME,
  SHOP,
} from '../attribution/beacon/testing/beacon.ts'
import { createProperty } from '../attribution/properties.ts'
import { eventOf } from '../attribution/report/testing/rows.ts'
import { findFirstVisits } from '../db/attribution/beacon-days.ts'
import { shortKey, visitOf } from '../db/events/ids.ts'
import { ai_sessions, event_keys, events, rollup_daily } from '../db/events/tables.ts'
import { testApp, testDatabase } from '../testing/app.ts'

const { app, beaconDays, db, lines, sums, property, ask, recorded, refused, reset } =
  await beaconApp()
beforeEach(reset)

test('a session of an assistant is recorded, with no more than is needed', async () => {
  const answer = await ask({ body: beacon({ referrer: 'https://chatgpt.com/c/private?q=me' }) })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({
    status: 'recorded',
    session_classified: true,
    ai_source: 'chatgpt',
    confidence: 0.95,
  })
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
  expect(answer.headers.get('Vary')).toBe('Origin')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  expect(recorded).toEqual([
    {
      domain: 'shop.example',
      event: 'ai_session',
      source: 'web',
      session_id: BEACON.id,
      visit_id: `visit:${BEACON.id}`,
      may_open: true,
      ts: expect.any(Date),
      key: `session:${BEACON.id}`,
      other_keys: [],
      shared_keys: [],
      fingerprint: 0,
      notes: [],
      signals: {
        referrer: 'https://chatgpt.com/',
        landing: `${SHOP}/?utm_source=chatgpt.com`,
        textFragment: false,
        userAgent: CHROME,
        signatureAgent: null,
      },
      classification: expect.objectContaining({ surface: 'chatgpt', kind: 'referral' }),
      ai_surface: null,
      value: null,
      currency: null,
      landing: null,
      properties: {
        property_id: property.id,
        referrer: 'https://chatgpt.com/',
        landing: `${SHOP}/?utm_source=chatgpt.com`,
        snippet_model: '2026-11-21',
      },
    },
  ])
  expect(JSON.stringify(recorded[0]?.properties)).not.toContain('Mozilla')
})

test.each([
  { says: {}, kept: {} },
  { says: { surface: 'claude' }, kept: { snippet_surface: 'claude' } },
  { says: { model: 'old' }, kept: { snippet_model: 'old' } },
])(
  'what the snippet makes of a visit is kept where the server makes something else: $says',
  async (given) => {
    await ask({ body: beacon({ surface: 'chatgpt', model: MODEL, ...given.says }) })
    const { referrer, landing, property_id, ...rest } = recorded[0]?.properties ?? {}
    expect(rest).toEqual(given.kept)
  },
)

test('a pinned snippet posts below its version, and is admitted by the same rules', async () => {
  const path = '/0123456789abcdef/sessions'
  expect(await (await ask({ path })).json()).toMatchObject({ status: 'recorded' })
  expect((await ask({ path, query: '?id=nobody' })).status).toBe(404)
  expect((await ask({ path, headers: { Origin: 'https://other.example' } })).status).toBe(403)
  expect((await ask({ path, body: ' '.repeat(5000) })).status).toBe(413)
  expect(recorded).toHaveLength(1)
  expect((await ask({ path: '/api/sessions' })).status).toBe(404)
})

test('of the page, the path is kept, without what may name a person', async () => {
  await ask({ body: beacon({ landing: `${SHOP}/?utm_source=chatgpt.com#/p/1/me@a.example` }) })
  expect(recorded[0]).toMatchObject({
    landing: '/p/1/*',
    properties: { landing: `${SHOP}/?utm_source=chatgpt.com` },
  })
})

test('a text fragment counts as a sign', async () => {
  await ask({ body: beacon({ text_fragment: true }) })
  expect(recorded[0]).toMatchObject({
    signals: { textFragment: true },
    properties: { text_fragment: true },
  })
})

test.each(['application/json', 'text/plain;charset=UTF-8', 'Application/JSON; charset=utf-8'])(
  'a body of %s is read',
  async (type) => {
    const answer = await ask({ headers: { 'Content-Type': type } })
    expect(await answer.json()).toMatchObject({ status: 'recorded' })
  },
)

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
test('a path in another script counts, with its first 200 characters', async () => {
  const path = `/products/${encodeURIComponent('軽量防水トレッキングシューズ'.repeat(20))}`
  expect(path.length).toBeGreaterThan(2000)
  const answer = await ask({ body: beacon({ landing: `${SHOP}/?utm_source=chatgpt.com#${path}` }) })
  expect(answer.status).toBe(200)
  expect(recorded[0]?.landing).toBe(path.slice(0, 200).replace(/%\w?$/, ''))
})

const PLAIN = { referrer: '', landing: `${SHOP}/`, surface: '', confidence: 0 }

describe('who counts', () => {
  test.each([
    { who: 'a person from nowhere', change: PLAIN, reason: 'not_ai' },
    {
      who: 'a person from a search engine',
      change: { ...PLAIN, referrer: 'https://www.google.com/' },
      reason: 'not_ai',
    },
    { who: 'a weak sign', change: { ...PLAIN, text_fragment: true }, reason: 'not_ai' },
    {
      who: 'a copied link',
      change: { referrer: 'https://t.co/', landing: `${SHOP}/?utm_source=chatgpt.com` },
      reason: 'not_ai',
    },
    {
      who: 'a lie of the snippet',
      change: { ...PLAIN, surface: 'chatgpt', confidence: 1 },
      reason: 'not_ai',
    },
    { who: 'a crawler', change: {}, agent: GOOGLEBOT, reason: 'bot' },
    { who: 'a headless browser', change: {}, agent: 'HeadlessChrome/140', reason: 'bot' },
    { who: 'curl', change: {}, agent: 'curl/8', reason: 'bot' },
    { who: 'an AI crawler', change: PLAIN, agent: 'GPTBot/1.2', reason: 'bot' },
  ])('$who is ignored: $reason', async ({ change, agent = CHROME, reason }) => {
    sums.flush()
    const before = lines.length
    const answer = await ask({ headers: { 'User-Agent': agent }, body: beacon(change) })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ status: 'ignored', reason })
    expect(recorded).toEqual([])
    expect(refused).toEqual(['rejected'])
    sums.flush()
    const logged = lines.slice(before).map((line) => JSON.parse(line))
    expect(logged).toEqual([
      expect.objectContaining({ property_id: property.id, outcome: reason, count: 1 }),
    ])
    expect(lines.slice(before).join()).not.toMatch(/session-0001|chatgpt|Mozilla|curl/)
  })

  test('a visit that is ignored is not the first that its owner waits for', async () => {
    const other = await createProperty(
      db,
      { domain: 'waiting.example', origins: [SHOP] },
      new Date(),
    )
    const first = async (agent: string) => {
      const query = `?id=${other.id}`
      expect((await ask({ query, headers: { 'User-Agent': agent } })).status).toBe(200)
      await beaconDays.flush()
      return (await findFirstVisits(db, other.domain, [other.id])).size
    }
    expect(await first('curl/8')).toBe(0)
    expect(await first(CHROME)).toBe(1)
  })

  test.each([
    {
      who: 'an agent by its User-Agent',
      headers: { 'User-Agent': 'ChatGPT-User/1.0' },
      change: PLAIN,
    },
    {
      who: 'an agent that looks like a bot',
      headers: { 'User-Agent': `${GOOGLEBOT} Claude-User/1.0` },
      change: PLAIN,
    },
    {
      who: 'an agent that signs',
      headers: { 'Signature-Agent': '"https://chatgpt.com"' },
      change: PLAIN,
    },
    {
      who: 'a person of an app',
      headers: {},
      change: { referrer: 'android-app://com.openai.chatgpt/x' },
    },
    { who: 'a person without a User-Agent', headers: { 'User-Agent': undefined }, change: {} },
  ])('$who is recorded', async ({ headers, change }) => {
    const answer = await ask({ headers, body: beacon(change) })
    expect(await answer.json()).toMatchObject({ status: 'recorded' })
    expect(recorded).toHaveLength(1)
  })
})

test('what is stored is one session, without the visitor; of a plain visit, nothing', async () => {
  const own = await testApp()
  const { id } = await createProperty(own.db, { domain: 'shop.example' }, new Date())
  const ask = asBrowser(own.app, id)
  const send = (body: string) => ask({ body, from: '203.0.113.77' })
  await send(beacon({ ...PLAIN, id: 'plain-visit' }))
  expect(await own.db.select().from(events)).toEqual([])
  expect(await own.db.select().from(ai_sessions)).toEqual([])

  const first = await (await send(beacon({}))).json()
  expect(first).toEqual({
    status: 'recorded',
    session_classified: true,
    ai_source: 'chatgpt',
    confidence: expect.closeTo(0.99, 1),
  })
  const again = await send(beacon({ referrer: 'https://claude.ai/', landing: `${SHOP}/` }))
  expect(await again.json()).toEqual(first)

  const stored = await own.db.select().from(events)
  expect(stored).toEqual([
    expect.objectContaining({
      domain: 'shop.example',
      event: 'ai_session',
      source: 'web',
      session_id: BEACON.id,
      kind: 'referral',
      surface: 'chatgpt',
      opens_session: true,
    }),
  ])
  expect(JSON.stringify(stored)).not.toMatch(/Mozilla|203\.0\.113|email|p\/1/)
  expect(await own.db.select().from(ai_sessions)).toHaveLength(1)
  // The visit itself tells a repeat: it needs no key.
  expect(await own.db.select().from(event_keys)).toEqual([])
  expect(await own.db.select().from(rollup_daily)).toMatchObject([{ sessions: 1 }])
})

test('of one session that is reported many times at once, one event is stored', async () => {
  const database = await testDatabase()
  const own = await testApp({ database })
  const { id } = await createProperty(own.db, { domain: 'shop.example' }, new Date())
  const again = await testApp({ database })
  const asks = [asBrowser(own.app, id), asBrowser(again.app, id)]
  const answers = await Promise.all(asks.flatMap((ask) => [1, 2, 3].map(() => ask())))
  const said = await Promise.all(answers.map((answer) => answer.json()))
  expect(said).toEqual(said.map(() => said[0]))
  expect(await own.db.select().from(events)).toHaveLength(1)
  expect(await own.db.select().from(rollup_daily)).toMatchObject([{ sessions: 1 }])
})

test('a session whose order came first begins with its report, and counts once', async () => {
  const own = await testApp()
  const { id } = await createProperty(own.db, { domain: 'shop.example' }, new Date())
  await own.ingest.record(
    eventOf({
      event: 'ai_checkout_completed',
      domain: 'shop.example',
      session_id: 'order-1',
      source: 'web',
      properties: { visit_id: BEACON.id, value: 100, currency: 'USD' },
    }),
  )
  const answer = await asBrowser(own.app, id)()
  const first = await answer.json()
  expect(first).toMatchObject({ status: 'recorded', ai_source: 'chatgpt' })
  expect(await (await asBrowser(own.app, id)()).json()).toEqual(first)
  expect(await own.db.select().from(ai_sessions)).toMatchObject([{ surface: 'chatgpt' }])
  const sums = await own.db.select().from(rollup_daily).orderBy(rollup_daily.currency)
  expect(sums).toMatchObject([
    { surface: 'chatgpt', kind: 'referral', sessions: 1, completed: 0 },
    { surface: 'chatgpt', kind: 'referral', sessions: 0, completed: 1 },
  ])
})

test('an agent is stored as an agent', async () => {
  const own = await testApp()
  const { id } = await createProperty(own.db, { domain: 'shop.example' }, new Date())
  const answer = await asBrowser(own.app, id)({ headers: { 'User-Agent': 'ChatGPT-User/1.0' } })
  expect(await answer.json()).toMatchObject({ status: 'recorded', confidence: 0.7 })
  expect(await own.db.select().from(ai_sessions)).toMatchObject([
    { session_id: shortKey(visitOf(BEACON.id)), surface: 'chatgpt', kind: 'agent', source: 'web' },
  ])
})

test('of no assistant in particular, a session is recorded and not classified', async () => {
  const own = await testApp()
  const { id } = await createProperty(own.db, { domain: 'shop.example' }, new Date())
  const body = beacon({ referrer: '', landing: `${SHOP}/?utm_medium=ai` })
  expect(await (await asBrowser(own.app, id)({ body })).json()).toEqual({
    status: 'recorded',
    session_classified: false,
    ai_source: 'other_ai',
    confidence: 0.55,
  })
})

test('the document says what to send, and what comes back', async () => {
  const document = await (await app.request('/openapi.json')).json()
  const { post } = document.paths['/sessions']
  expect(post.parameters).toEqual([
    expect.objectContaining({ in: 'query', name: 'id', required: true }),
  ])
  expect(post.requestBody.content['text/plain'].schema).toEqual({
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: { $ref: '#/components/schemas/SessionBeacon' },
  })
  expect(document.components.schemas.SessionBeacon.required).toContain('referrer')
  expect(Object.keys(post.responses)).toEqual(
    [200, 400, 403, 404, 405, 413, 415, 422, 429, 500, 503].map(String),
  )
  expect(document.paths['/attribution.js'].get.responses['200'].content).toHaveProperty(
    'text/javascript',
  )
  expect(document.paths['/api/properties'].get.security).toEqual([{ key: ['report:read'] }])
})
