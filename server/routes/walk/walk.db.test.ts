import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { INTENTS } from '../../../shared/walk/intents.ts'
import type { NewKey } from '../../access/make-key.ts'
import { createOwnKey } from '../../access/make-key.ts'
import { createGate, pretendStore } from '../../audit/walk/testing/pretend-store.ts'
import { walk_events, walk_sessions, walks } from '../../db/audit/tables.ts'
import { testApp } from '../../testing/app.ts'

async function walkingApp(options: Parameters<typeof pretendStore>[0] = {}) {
  const store = pretendStore(options)
  const made = await testApp({ store })
  const ask = (method: string, path: string, body?: unknown, key = made.key, headers = {}) =>
    made.ask(path, { method, body, key, headers })
  const start = (body: object, key?: string) => ask('POST', '/api/walk', body, key)
  const read = async (id: string) => (await ask('GET', `/api/walk/${id}`)).json()
  const ended = async (id: string) => {
    const stateOf = async () => {
      const rows = await made.sql`select state from walks where id = ${id}`
      return rows[0]?.state
    }
    await eventually(stateOf).toMatch(/^(ended|cancelled)$/)
    return read(id)
  }
  const keyOf = async (change: Partial<NewKey>) => (await made.createTestKey(change)).key
  return { ...made, store, ask, start, read, ended, keyOf }
}

const { db, store, ask, start, read, ended, keyOf, createTestKey } = await walkingApp()

test('a walk is accepted at once, goes on, and its transcript stays', async () => {
  const gate = createGate()
  const own = await walkingApp({ hold: gate.hold })
  const answer = await own.start({
    domain: 'Shop.Example.',
    intents: ['cheapest_variant', 'po_box'],
  })
  expect(answer.status).toBe(202)
  const accepted = await answer.json()
  expect(accepted).toMatchObject({
    domain: 'shop.example',
    mode: 'look',
    intents: ['cheapest_variant', 'po_box'],
    dialects: null,
    summary: null,
    url: `https://aisle.example/api/walk/${accepted.id}`,
    events_url: `https://aisle.example/api/walk/${accepted.id}/events`,
  })
  expect(answer.headers.get('Location')).toBe(accepted.url)

  await eventually(
    async () => (await own.read(accepted.id)).transcript.routes[0]?.purchases,
  ).toEqual([expect.objectContaining({ intent: 'cheapest_variant', outcome: 'under_way' })])
  const tag = { 'If-None-Match': '' }
  const pollTwice = async () => {
    const polled = await own.ask('GET', `/api/walk/${accepted.id}`)
    expect(polled.headers.get('Retry-After')).toBe('1')
    tag['If-None-Match'] = polled.headers.get('ETag') ?? ''
    expect(await polled.json()).toMatchObject({
      state: 'under_way',
      transcript: { ended_at: null },
    })
    const same = await own.ask('GET', `/api/walk/${accepted.id}`, undefined, own.key, tag)
    return [same.status, await same.text()]
  }
  // What the walk has said last may still be on its way to the database.
  await eventually(pollTwice).toEqual([304, ''])

  gate.letGo()
  const done = await own.ended(accepted.id)
  expect(done).toMatchObject({
    state: 'ended',
    stopped: null,
    summary: { passed: 2, failed: 0, requests: 5, left_open: 0 },
    transcript: { id: accepted.id, version: 1, stopped: null },
  })
  expect(
    done.transcript.routes[0].purchases.map(({ intent }: { intent: string }) => intent),
  ).toEqual(['cheapest_variant', 'po_box'])
  const over = await own.ask('GET', `/api/walk/${accepted.id}`, undefined, own.key, tag)
  expect([over.status, over.headers.get('Retry-After')]).toEqual([200, null])
  expect(own.store.open.size).toBe(0)
  expect(await own.db.$count(walk_sessions)).toBe(0)
})

test.each([
  ['look', { mode: 'look' }, INTENTS.filter(({ mode }) => mode === 'look')],
  ['nothing', {}, INTENTS.filter(({ mode }) => mode === 'look')],
  ['sandbox', { mode: 'sandbox', payment: { good: 'tok_visa' } }, INTENTS],
])('without intents, %s walks all that its mode can see', async (_, mode, expected) => {
  const { id } = await (await start({ domain: `all-${_}.example`, ...mode })).json()
  await ended(id)
  expect(store.orders.at(-1)?.intents).toEqual(expected.map((intent) => intent.id))
})

test('what is asked for twice is walked once, and everything reaches the walk', async () => {
  const asked = {
    domain: 'twice.example',
    mode: 'sandbox',
    intents: ['po_box', 'challenge', 'po_box'],
    dialects: ['acp', 'acp'],
    payment: { good: 'tok_visa', challenged: 'tok_3ds' },
    agent_key: 'Bearer agent-secret',
  }
  const { id } = await (await start(asked)).json()
  await ended(id)
  expect(store.orders.at(-1)).toEqual({
    domain: 'twice.example',
    mode: 'sandbox',
    intents: ['po_box', 'challenge'],
    dialects: ['acp'],
    tokens: { good: 'tok_visa', challenged: 'tok_3ds' },
    agentKey: 'Bearer agent-secret',
    covered: ['*'],
    access: null,
  })
})

test('a walk may buy at the hosts of the key that asks, not at those of its parent', async () => {
  const parent = await createTestKey({ domains: ['a.example', 'shop.example'] })
  const request = { name: 'child', scopes: ['audit' as const], domains: ['a.example'] }
  const child = await createOwnKey(db, parent, { ...request, expires_at: null }, new Date())
  const { id } = await (await start({ domain: 'a.example' }, child.key)).json()
  await ended(id)
  expect(store.orders.at(-1)?.covered).toEqual(['a.example'])
})

const SANDBOX = { mode: 'sandbox', payment: { good: 'tok_visa' } }

test.each([
  ['the owner looks', { domains: ['own.example'], scopes: ['audit'] }, {}, null],
  ['the owner, with www', { domains: ['www.own.example'], scopes: ['audit'] }, {}, null],
  ['the operator looks', { domains: ['*'], scopes: ['audit'] }, {}, null],
  ['a stranger looks', { domains: ['other.example'], scopes: ['audit'] }, {}, 'domain_not_allowed'],
  ['a key of no domain', { domains: [], scopes: ['audit', 'walk'] }, {}, 'domain_not_allowed'],
  ['a key without audit', { domains: ['*'], scopes: ['walk'] }, {}, 'insufficient_scope'],
  ['the owner pays', { domains: ['own.example'], scopes: ['audit', 'walk'] }, SANDBOX, null],
  [
    'the owner may not pay',
    { domains: ['own.example'], scopes: ['audit'] },
    SANDBOX,
    'insufficient_scope',
  ],
  [
    'the operator may not pay',
    { domains: ['*'], scopes: ['audit'] },
    SANDBOX,
    'insufficient_scope',
  ],
  [
    'a stranger pays',
    { domains: ['other.example'], scopes: ['audit', 'walk'] },
    SANDBOX,
    'domain_not_allowed',
  ],
] as const)('%s', async (_, { domains, scopes }, mode, code) => {
  const calls = store.orders.length
  const key = await keyOf({ domains: [...domains], scopes: [...scopes] })
  const answer = await start({ domain: 'own.example', intents: ['po_box'], ...mode }, key)
  const body = await answer.json()
  if (code === null) {
    expect(answer.status).toBe(202)
    await ended(body.id)
    return
  }
  expect(answer.status).toBe(403)
  expect(body.error.code).toBe(code)
  expect(store.orders).toHaveLength(calls)
})

const TOKEN = 'tok_secret/of+this=run'

test.each([
  ['no domain', {}, 'domain'],
  ['an address', { domain: 'https://a.example/' }, 'domain'],
  ['another mode', { mode: 'replay' }, 'mode'],
  ['no intent', { intents: [] }, 'intents'],
  ['an unknown intent', { intents: ['steal'] }, 'intents.0'],
  ['an unknown dialect', { dialects: ['edi'] }, 'dialects.0'],
  ['an unknown field', { pay: true }, 'pay'],
  ['sandbox without a token', { mode: 'sandbox' }, 'payment'],
  ['a token that looks', { payment: { good: TOKEN } }, 'payment'],
  ['an intent that pays and looks', { intents: ['po_box', 'challenge'] }, 'intents.1'],
  ['a token with spaces', { mode: 'sandbox', payment: { good: `${TOKEN} x` } }, 'payment.good'],
  ['a token with a quote', { mode: 'sandbox', payment: { good: `${TOKEN}"` } }, 'payment.good'],
  [
    'a card number as declined',
    { mode: 'sandbox', payment: { good: TOKEN, declined: '4000000000000002' } },
    'payment.declined',
  ],
  ['a card number', { mode: 'sandbox', payment: { good: '4242424242424242' } }, 'payment.good'],
  ['a short token', { mode: 'sandbox', payment: { good: 'abc' } }, 'payment.good'],
  ['no good token', { mode: 'sandbox', payment: { declined: TOKEN } }, 'payment.good'],
  ['an agent key of two lines', { agent_key: `Bearer ${TOKEN}\nX: y` }, 'agent_key'],
])('%s is refused, with its field', async (_, change, field) => {
  const calls = store.orders.length
  const body = _ === 'no domain' ? change : { domain: 'invalid.example', ...change }
  const answer = await start(body)
  expect(answer.status).toBe(422)
  const text = await answer.text()
  expect(JSON.parse(text).error.details.map((each: { field: string }) => each.field)).toEqual([
    field,
  ])
  expect(text).not.toContain(TOKEN)
  expect(store.orders).toHaveLength(calls)
})

test('a second walk of a domain is refused with the address of the first, on every replica', async () => {
  const gate = createGate()
  const one = await walkingApp({ hold: gate.hold })
  const other = await testApp({ database: one.database })
  const first = await (await one.start({ domain: 'busy.example', intents: ['po_box'] })).json()
  const again = { domain: 'busy.example', intents: ['po_box'] }
  const answers = await Promise.all([
    one.start(again),
    other.ask('/api/walk', { key: one.key, body: again }),
  ])
  for (const answer of answers) {
    expect(answer.status).toBe(409)
    expect(answer.headers.get('Location')).toBe(first.url)
    const { error } = await answer.json()
    expect(error.code).toBe('walk_under_way')
    expect(error.message).toContain(first.url)
  }
  expect((await one.start({ domain: 'free.example', intents: ['po_box'] })).status).toBe(202)
  gate.letGo()
  await one.ended(first.id)
  expect((await one.start(again)).status).toBe(202)
})

test('of many at once for a domain, one is accepted', async () => {
  const gate = createGate()
  const own = await walkingApp({ hold: gate.hold })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => own.start({ domain: 'race.example', intents: ['po_box'] })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array(7).fill(409)])
  gate.letGo()
})

test('DELETE cancels what is open first, and may be sent again', async () => {
  const own = await walkingApp({ hold: createGate().hold })
  const { id } = await (await own.start({ domain: 'stop.example' })).json()
  await eventually(() => own.store.open.size).toBe(1)
  const answer = await own.ask('DELETE', `/api/walk/${id}`)
  expect(answer.status).toBe(200)
  const cancelled = await answer.json()
  expect(cancelled).toMatchObject({ state: 'cancelled', stopped: 'The walk was cancelled.' })
  expect(own.store.open.size).toBe(0)
  const shown = await own.read(id)
  expect(shown.transcript).toMatchObject({ stopped: 'The walk was cancelled.', id })
  expect(shown.transcript.routes[0].purchases).toHaveLength(1)
  const again = await own.ask('DELETE', `/api/walk/${id}`)
  expect([again.status, await again.json()]).toEqual([200, cancelled])
})

test('DELETE leaves a walk that has ended as it is', async () => {
  const { id } = await (await start({ domain: 'over.example', intents: ['po_box'] })).json()
  const before = await ended(id)
  expect((await ask('DELETE', `/api/walk/${id}`)).status).toBe(200)
  expect(await read(id)).toEqual(before)
})

test('DELETE reaches a walk on another replica, and one that waits', async () => {
  const own = await walkingApp({ hold: createGate().hold })
  const domains = ['r1.example', 'r2.example', 'r3.example', 'r4.example']
  const ids: string[] = []
  for (const domain of domains) ids.push((await (await own.start({ domain })).json()).id)
  // Three of one key at a time.
  await eventually(() => own.store.open.size).toBe(3)
  expect((await own.read(ids[3]!)).state).toBe('queued')
  const other = await testApp({ database: own.database })
  for (const id of [ids[3], ids[0]]) {
    const answer = await other.ask(`/api/walk/${id}`, { key: own.key, method: 'DELETE' })
    expect([answer.status, (await answer.json()).state]).toEqual([200, 'cancelled'])
  }
  await eventually(() => own.store.open.size).toBe(2)
  expect((await own.read(ids[3]!)).transcript.routes).toEqual([])
})

test('the list has the walks of a domain, newest first, without transcripts', async () => {
  const domain = 'listed.example'
  const ids: string[] = []
  for (const intent of ['po_box', 'preorder']) {
    const { id } = await (await start({ domain, intents: [intent] })).json()
    await ended(id)
    ids.unshift(id)
  }
  const { walks: listed } = await (await ask('GET', `/api/walk?domain=${domain}`)).json()
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(listed[0]).toMatchObject({ state: 'ended', summary: { passed: 1 } })
  expect(listed[0]).not.toHaveProperty('transcript')
  expect((await ask('GET', '/api/walk')).status).toBe(422)
  expect(await (await ask('GET', '/api/walk?domain=none.example')).json()).toEqual({ walks: [] })
})

test('the transcript is taken along as JSON', async () => {
  const { id } = await (await start({ domain: 'file.example', intents: ['po_box'] })).json()
  const { transcript } = await ended(id)
  const answer = await ask('GET', `/api/walk/${id}/export?format=json`)
  expect(answer.headers.get('Content-Type')).toContain('application/json')
  expect(answer.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="walk-file\.example-\d{4}-\d\d-\d\d\.json"$/,
  )
  expect(await answer.json()).toEqual(transcript)
  expect((await ask('GET', `/api/walk/${id}/export?format=pdf`)).status).toBe(422)
})

test.each(['', '1', 'shared', '00000000-0000-4000-8000-000000000000', "x' or 1=1"])(
  'the id %j is of no walk',
  async (id) => {
    const path = `/api/walk/${encodeURIComponent(id)}`
    for (const [method, end] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/events'],
      ['GET', '/export'],
      ['GET', '/links'],
    ] as const) {
      expect((await ask(method, path + end)).status).toBe(404)
    }
  },
)

test('a walk that is refused, as another is under way, is not counted', async () => {
  const gate = createGate()
  const own = await walkingApp({ hold: gate.hold })
  const wish = { domain: 'held.example', intents: ['po_box'] }
  const answers = [await own.start(wish), await own.start(wish), await own.start(wish)]
  gate.letGo()
  expect(
    answers.map(({ status, headers }) => [status, headers.get('X-RateLimit-Remaining')]),
  ).toEqual([
    [202, '19'],
    [409, '19'],
    [409, '19'],
  ])
})

test('the 21st walk of an hour is refused', async () => {
  const own = await walkingApp()
  for (let left = 19; left >= 0; left -= 1) {
    const answer = await own.start({ domain: `n${left}.example`, intents: ['po_box'] })
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe(String(left))
  }
  const refused = await own.start({ domain: 'more.example', intents: ['po_box'] })
  expect(refused.status).toBe(429)
  expect((await refused.json()).error.code).toBe('rate_limited')
  expect(await own.db.$count(walks)).toBe(20)
})

test('a preflight may ask for all that walks need', async () => {
  const answer = await ask('OPTIONS', '/api/walk', undefined, '', {
    'Access-Control-Request-Method': 'DELETE',
  })
  expect(answer.headers.get('Access-Control-Allow-Methods')).toContain('DELETE')
  expect(answer.headers.get('Access-Control-Allow-Headers')).toContain('Last-Event-ID')
})

const AGENT_KEY = 'agent~key/with:signs'
const SECRETS = { good: TOKEN, declined: 'tok_declined_987654', challenged: 'tok_3ds_987654' }

test.each([
  ['walks', () => {}],
  [
    'fails',
    (): never => {
      throw new Error(`cannot send ${TOKEN} with ${AGENT_KEY} to the store`)
    },
  ],
])('no token is in the database, the log or an answer, when a walk %s', async (_, hold) => {
  const said = Object.values(SECRETS)
  // The walk goes on when it has been asked for twice: otherwise a slow second one would be another
  // walk.
  const askedTwice = Promise.withResolvers<void>()
  const own = await walkingApp({
    hold: async () => {
      await askedTwice.promise
      return hold()
    },
    // A store that repeats all it was sent, in every way that texts are written.
    repeats: ({ tokens, agentKey }) =>
      [...Object.values(tokens ?? {}), agentKey ?? '']
        .filter((each) => each !== undefined)
        .flatMap((each) => [each, encodeURIComponent(each), JSON.stringify(JSON.stringify(each))])
        .join(' \u0000 \ud800 '),
  })
  const domain = 'secret.example'
  const asked = { domain, mode: 'sandbox', payment: SECRETS, agent_key: `Bearer ${AGENT_KEY}` }
  const answers: string[] = []
  const answer = await own.start(asked)
  answers.push(await answer.clone().text())
  const { id } = await answer.json()
  answers.push(await (await own.start(asked)).text())
  askedTwice.resolve()
  await own.ended(id)
  for (const path of [`/${id}`, `/${id}/export`, `/${id}/events`, `?domain=${domain}`]) {
    answers.push(await (await own.ask('GET', `/api/walk${path}`)).text())
  }
  expect(answers.join()).toContain('[masked: secret]')
  const everything = [...answers, ...own.lines]
  const tables = await own.sql<{ name: string }[]>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema in ('public', 'drizzle')`
  expect(tables.length).toBeGreaterThan(12)
  for (const { name } of tables) {
    const rows = await own.sql.unsafe<{ row: string }[]>(
      `select to_jsonb(t)::text as row from ${name} t`,
    )
    everything.push(...rows.map(({ row }) => row))
  }
  expect(everything.length).toBeGreaterThan(20)
  const text = everything.join('\n')
  for (const secret of [...said, AGENT_KEY]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain(encodeURIComponent(secret))
  }
  if (_ === 'fails') {
    // What was open when it failed is noted, without what was sent.
    expect(own.lines.join()).toContain('a walk failed')
    expect(await own.db.$count(walk_sessions)).toBe(1)
  }
})

test('a failure of ours ends the walk, with what was seen so far', async () => {
  const own = await walkingApp({ hold: () => Promise.reject(new Error('the reason')) })
  const { id } = await (await own.start({ domain: 'fail.example', intents: ['po_box'] })).json()
  const shown = await own.ended(id)
  expect(shown).toMatchObject({
    state: 'ended',
    stopped: 'Something failed on our side. Start the walk again.',
    summary: { not_walked: 1, requests: 2 },
  })
  await eventually(() => own.walks.load().outcomes).toEqual({
    ended: 0,
    cancelled: 0,
    stopped: 0,
    failed: 1,
  })
  expect(JSON.stringify(shown)).not.toContain('the reason')
})

test('a long transcript is cut where it is longest, and a longer one ends the walk', async () => {
  const own = await walkingApp({ bodyLength: 300_000, steps: 3 })
  const { id } = await (await own.start({ domain: 'long.example' })).json()
  const shown = await own.ended(id)
  expect(shown.stopped).toBeNull()
  expect(JSON.stringify(shown.transcript).length).toBeLessThan(8 * 1024 * 1024)
  const [purchase] = shown.transcript.routes[0].purchases
  expect(purchase.steps[0].exchanges[0].answer).toMatchObject({ cut: true, bytes: 300_000 })
  const events = await own.db
    .select()
    .from(walk_events)
    .where(eq(walk_events.walk_id, String(id)))
  expect(JSON.stringify(events.map(({ event }) => event)).length).toBeLessThan(8 * 1024 * 1024)

  const endless = await walkingApp({ steps: 600, titleLength: 20_000 })
  const { id: other } = await (await endless.start({ domain: 'endless.example' })).json()
  expect(await endless.ended(other)).toMatchObject({
    state: 'ended',
    stopped: 'The transcript is over 8 MiB.',
  })
  await eventually(() => endless.walks.load().outcomes.stopped).toBe(1)
  const [row] = await endless.db.select().from(walks)
  expect(JSON.stringify(row?.transcript).length).toBeLessThan(8 * 1024 * 1024)
})
