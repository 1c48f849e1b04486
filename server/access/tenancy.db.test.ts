import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { createProperty } from '../attribution/properties.ts'
import { insertRollup } from '../attribution/report/testing/rows.ts'
import { PICTURE } from '../audit/walk/testing/pretend-store.ts'
import { revokeKey } from '../db/access/keys.ts'
import { site_access } from '../db/access/tables.ts'
import { deleteProperty, listProperties } from '../db/attribution/properties.ts'
import { shop_totals } from '../db/attribution/tables.ts'
import { listAudits, saveAudit } from '../db/audit/audits.ts'
import { walks } from '../db/audit/tables.ts'
import { keepWalkPicture } from '../db/audit/walk-pictures.ts'
import { events } from '../db/events/tables.ts'
import { fetch_days, fetch_hours } from '../db/fetches/tables.ts'
import { listChannels } from '../db/watch/channels.ts'
import { openIncident } from '../db/watch/incidents.ts'
import { deleteWatch, findWatch } from '../db/watch/watches.ts'
import { cleanResult, testApp } from '../testing/app.ts'
import { watchedChannel } from '../watch/channels/testing/world.ts'
import { createWatch } from '../watch/set-up.ts'
import { createShare } from './share-links.ts'
import { ROUTES, routesBy } from './testing/routes.ts'

const { app, ask: askApp, db, siteAccess, createTestKey } = await testApp()

const MINE = 'mine.example'
const FOREIGN = 'foreign.example'
/** A site that is reported without www, and another with it. */
const WITHOUT = 'site.example'
const WITH = 'www.shop.example'
const ASKED = [
  MINE,
  'MINE.Example.',
  FOREIGN,
  `sub.${MINE}`,
  'unknown.example',
  WITHOUT,
  `www.${WITHOUT}`,
  `sub.${WITHOUT}`,
  WITH,
  'shop.example',
  'blog.shop.example',
]
const normalise = (domain: string) => domain.toLowerCase().replace(/\.$/, '')

/** What only this domain's answers may hold. */
const TRACES: Record<string, string[]> = {}
/** Of each domain the ids of its audits. */
const AUDITS: Record<string, string[]> = {}
for (const [n, domain] of [MINE, FOREIGN, WITHOUT, WITH].entries()) {
  const sessions = 123_456_700 + n
  await insertRollup(db, domain, [{ day: '2026-11-01', sessions }])
  const { id } = await createProperty(db, { domain }, new Date())
  const day = (date: number) => new Date(Date.UTC(2026, 10, date))
  for (const at of [day(1), day(2)]) {
    await saveAudit(db, cleanResult(domain, DEFAULT_CHECKS, at))
  }
  AUDITS[domain] = (await listAudits(db, domain)).map((audit) => audit.id)
  TRACES[domain] = [String(sessions), id, ...AUDITS[domain]]
}

const revoked = await createTestKey({ domains: [MINE] })
await revokeKey(db, revoked.id, new Date())
const keyOf = async (change: Parameters<typeof createTestKey>[0]) =>
  (await createTestKey(change)).key
const own = await keyOf({ domains: [MINE] })

interface KeyCase {
  name: string
  key: string | null
  covers: string[]
  /** The status of every answer, for any domain. */
  refused?: 401 | 403
}

const KEYS: KeyCase[] = [
  { name: 'own', key: own, covers: [MINE] },
  { name: 'foreign', key: await keyOf({ domains: [FOREIGN] }), covers: [FOREIGN] },
  {
    name: "operator's",
    key: await keyOf({ domains: ['*'] }),
    covers: [MINE, FOREIGN, WITHOUT, WITH],
  },
  {
    name: 'of the site with www',
    key: await keyOf({ domains: [`www.${WITHOUT}`] }),
    covers: [`www.${WITHOUT}`, WITHOUT],
  },
  {
    name: 'of the site without www',
    key: await keyOf({ domains: ['shop.example'] }),
    covers: ['shop.example', WITH],
  },
  { name: 'of no domain', key: await keyOf({ domains: [] }), covers: [] },
  {
    name: 'without the scope',
    key: await keyOf({ domains: ['*'], scopes: ['audit', 'manifest'] }),
    covers: [],
    refused: 403,
  },
  { name: 'revoked', key: revoked.key, covers: [], refused: 401 },
  {
    name: 'expired',
    key: await keyOf({ domains: [MINE], expires_at: new Date(0) }),
    covers: [],
    refused: 401,
  },
  { name: 'mistyped', key: `${own.slice(0, -1)}!`, covers: [], refused: 401 },
  { name: 'none', key: null, covers: [], refused: 401 },
]

const RANGE = 'start=2026-11-01&end=2026-11-30'
const eventOf = (domain: string) => ({
  event: 'ai_product_viewed',
  domain,
  session_id: crypto.randomUUID(),
  source: 'acp',
})

type Ask = (domain: string) => [path: string, body?: unknown]
const READS: Record<string, Ask> = {
  'GET /api/report': (domain) => [`/api/report?domain=${domain}&${RANGE}`],
  'GET /api/report, as CSV': (domain) => [`/api/report?domain=${domain}&${RANGE}&format=csv`],
  'GET /api/fetches': (domain) => [`/api/fetches?domain=${domain}&${RANGE}`],
  'GET /api/report, compared': (domain) => [
    `/api/report?domain=${domain}&start=2026-11-02&end=2026-11-02&compare=previous`,
  ],
}

const ask = (
  key: string | null,
  [path, body]: ReturnType<Ask>,
  method = body === undefined ? 'GET' : 'POST',
) => askApp(path, { key, method, body })

/** The domains that an answer says anything about. */
const toldOf = (text: string) =>
  Object.keys(TRACES).filter((domain) => TRACES[domain]?.some((trace) => text.includes(trace)))

const statusFor = ({ covers, refused, name }: KeyCase, domain: string) =>
  refused ?? (name === "operator's" || covers.includes(normalise(domain)) ? 200 : 403)

const crossed = (keys: readonly KeyCase[]) =>
  keys.flatMap((each) => ASKED.map((domain) => ({ ...each, domain })))
/** What covers a domain, reading a report shows for each pair; of other routes, that they ask. */
const asking = (keys: readonly KeyCase[]) =>
  crossed(keys).filter(
    ({ name, domain }) => ['own', "operator's"].includes(name) || domain === MINE,
  )
const cases = asking(KEYS)

for (const [endpoint, request] of Object.entries(READS)) {
  test.each(endpoint === 'GET /api/report' ? crossed(KEYS) : cases)(
    `${endpoint}: key $name, $domain`,
    async ({ domain, ...each }) => {
      const answer = await ask(each.key, request(domain))
      const status = statusFor(each, domain)
      expect(answer.status).toBe(status)
      const told = status === 200 && normalise(domain) in TRACES ? [normalise(domain)] : []
      expect(toldOf(await answer.text())).toEqual(told)
    },
  )
}

test('every route is in the table of routes: add a new one, with what keeps tenants apart', () => {
  // Middleware is registered for all methods.
  const routes = app.routes.filter(({ method }) => method !== 'ALL')
  const served = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  expect([...served].toSorted()).toEqual(Object.keys(ROUTES).toSorted())
})

test('every route that a key opens is asked for foreign domains here', () => {
  const asked = Object.keys(READS).map((name) => name.split(',')[0])
  const walks = Object.keys(WALK_READS)
  const properties = routesBy('key').filter((route) => route.includes('/api/properties'))
  const others = [
    ...properties,
    'POST /api/report',
    'PUT /api/totals',
    'POST /api/fetches',
    'POST /api/walk',
    'GET /api/walk',
    ...routesBy('key').filter((route) => /\/api\/(watches|access)/.test(route)),
  ]
  const audits = [
    'GET /api/audits',
    'GET /api/audits/history',
    ...AUDIT_READS.map(([route]) => route),
  ]
  expect(new Set([...asked, ...walks, ...others, ...audits])).toEqual(new Set(routesBy('key')))
})

test.each(KEYS)('GET /api/properties: key $name', async ({ key, covers, refused }) => {
  const answer = await ask(key, ['/api/properties'])
  expect(answer.status).toBe(refused ?? 200)
  expect(toldOf(await answer.text())).toEqual(covers.filter((domain) => domain in TRACES))
})

test.each(cases)('properties: key $name, $domain', async ({ domain, ...each }) => {
  const of = normalise(domain)
  const stored = async () => (await listProperties(db, [of])).length
  const before = await stored()
  const status = statusFor(each, domain)
  expect((await ask(each.key, ['/api/properties', { domain }])).status).toBe(status)
  expect(await stored()).toBe(before + (status === 200 ? 1 : 0))

  const { id } = await createProperty(db, { domain: of }, new Date())
  const byId = each.refused ?? (status === 200 ? 200 : 404)
  for (const [method, body] of [['PATCH', '{"currency":"EUR"}'], ['DELETE']] as const) {
    const answer = await ask(each.key, [`/api/properties/${id}`, body], method)
    expect(answer.status, method).toBe(byId)
  }
  const left = await listProperties(db, [of])
  const one = left.find((property) => property.id === id)
  expect(one?.currency).toBe(byId === 200 ? undefined : null)
  // Others ask for the same domains.
  for (const made of left.slice(0, left.length - before)) await deleteProperty(db, made.id, ['*'])
})

test.each(cases)('POST /api/report: key $name, $domain', async ({ domain, ...each }) => {
  const stored = () => db.$count(events, eq(events.domain, normalise(domain)))
  const before = await stored()
  const status = statusFor(each, domain)

  expect((await ask(each.key, ['/api/report', eventOf(domain)])).status).toBe(status)
  expect(await stored()).toBe(before + (status === 200 ? 1 : 0))

  const many = await ask(each.key, ['/api/report', [eventOf(domain), eventOf(domain)]])
  expect(many.status).toBe(status)
  if (each.refused === undefined) {
    expect(await many.json()).toMatchObject({ results: [{ status }, { status }] })
  }
  expect(await stored()).toBe(before + (status === 200 ? 3 : 0))
})

test.each(cases)('PUT /api/totals: key $name, $domain', async ({ domain, ...each }) => {
  const stored = () => db.$count(shop_totals, eq(shop_totals.domain, normalise(domain)))
  const status = statusFor(each, domain)
  const totals = [{ date: '2026-11-01', currency: 'USD', orders: 1, revenue_cents: 1 }]
  expect((await ask(each.key, ['/api/totals', { domain, totals }], 'PUT')).status).toBe(status)
  expect(await stored()).toBe(status === 200 ? 1 : 0)
  await db.delete(shop_totals)
})

test.each(cases)('POST /api/fetches: key $name, $domain', async ({ domain, ...each }) => {
  const stored = () => db.$count(fetch_days, eq(fetch_days.domain, normalise(domain)))
  const line = {
    ...{ at: Date.now(), method: 'GET', path: '/', status: 200, userAgent: 'ChatGPT-User/1.0' },
  }
  const status = statusFor(each, domain)
  const answer = await ask(each.key, [`/api/fetches?domain=${encodeURIComponent(domain)}`, line])
  expect(answer.status).toBe(status === 200 ? 202 : status)
  expect(await stored()).toBe(status === 200 ? 1 : 0)
  await db.delete(fetch_days)
  await db.delete(fetch_hours)
})

/** Keys as above, where the scope `audit` is that of the route. */
const AUDIT_KEYS: KeyCase[] = KEYS.map((each) =>
  each.name === 'without the scope' ? { ...each, key: null, refused: 401 } : each,
)
AUDIT_KEYS.push({
  name: 'without the scope',
  key: await keyOf({ domains: ['*'], scopes: ['report:read', 'walk'] }),
  covers: [],
  refused: 403,
})
const walkCases = asking(AUDIT_KEYS)

test.each(walkCases)('/api/access: key $name, $domain', async ({ domain, ...each }) => {
  const site = normalise(domain).replace(/^www\./, '')
  const given = () => db.$count(site_access, eq(site_access.domain, site))
  const path = `/api/access/${encodeURIComponent(domain)}`
  const status = statusFor(each, domain)
  const answer = await ask(each.key, [path, { preview_password: 'of the owner' }], 'PUT')
  expect(answer.status).toBe(status)
  expect(await given()).toBe(status === 200 ? 1 : 0)
  await siteAccess.give(domain, { preview_password: 'of the owner' }, { id: 'a-test' })
  const read = await ask(each.key, [path])
  expect(read.status).toBe(status)
  if (status !== 200) expect(await read.text()).not.toContain('preview_password')
  expect((await ask(each.key, [path], 'DELETE')).status).toBe(status)
  expect(await given()).toBe(status === 200 ? 0 : 1)
  await db.delete(site_access)
})

test.each(walkCases)('POST and GET /api/walk: key $name, $domain', async ({ domain, ...each }) => {
  const stored = () => db.$count(walks, eq(walks.domain, normalise(domain)))
  const before = await stored()
  const status = statusFor(each, domain)
  const started = await ask(each.key, ['/api/walk', { domain, intents: ['po_box'] }])
  expect(started.status).toBe(status === 200 ? 202 : status)
  expect(await stored()).toBe(before + (status === 200 ? 1 : 0))
  // A stream ends with its walk, so that the next key finds the domain free.
  if (status === 200)
    await (await ask(each.key, [`/api/walk/${(await started.json()).id}/events`])).text()

  const listed = await ask(each.key, [`/api/walk?domain=${domain}`])
  expect(listed.status).toBe(status)
  if (status === 200) {
    const domains = (await listed.json()).walks.map((walk: { domain: string }) => walk.domain)
    expect(new Set(domains)).toEqual(new Set([normalise(domain)]))
  }
})

/** What is asked of one watched domain; the last one ends it. */
const WATCH_READS: Record<string, [method: string, end: string, body?: unknown]> = {
  'GET /api/watches/:domain': ['GET', ''],
  'PATCH /api/watches/:domain': ['PATCH', '', { tags: ['new'] }],
  'POST /api/watches/:domain/look': ['POST', '/look'],
  'GET /api/watches/:domain/looks': ['GET', '/looks'],
  'GET /api/watches/:domain/incidents': ['GET', '/incidents'],
  'GET /api/watches/:domain/incidents/:id': ['GET', `/incidents/${crypto.randomUUID()}`],
  'DELETE /api/watches/:domain': ['DELETE', ''],
}

test('every route of a watch is asked for here', () => {
  const routes = routesBy('key').filter((route) => route.includes('/api/watches/'))
  const asked = [...Object.keys(WATCH_READS), ...CHANNEL_ROUTES.map(([route]) => route)]
  expect(asked.toSorted()).toEqual(routes.toSorted())
})

test.each(walkCases)('watches: key $name, $domain', async ({ domain, ...each }) => {
  const of = normalise(domain)
  const maker = { keyId: 'other', mayReadReport: false }
  const status = statusFor(each, domain)
  expect((await ask(each.key, ['/api/watches', { domain }])).status).toBe(status)
  if (status !== 200) {
    expect(await findWatch(db, of)).toBeNull()
    await createWatch({ db, now: () => new Date() }, { domain: of, tags: ['old'] }, maker)
  }
  const list = await ask(each.key, ['/api/watches'])
  expect(list.status).toBe(each.refused ?? 200)
  expect((await list.text()).includes(`"${of}"`)).toBe(status === 200)
  for (const [route, [method, end, body]] of Object.entries(WATCH_READS)) {
    const answer = await ask(each.key, [`/api/watches/${domain}${end}`, body], method)
    const expected = status === 200 && route.endsWith('/:id') ? 404 : status
    expect(answer.status, route).toBe(expected)
  }
  const left = await findWatch(db, of)
  expect(left?.tags).toEqual(status === 200 ? undefined : ['old'])
  await deleteWatch(db, of, new Date())
})

test.each(AUDIT_KEYS)('GET /api/audits: key $name', async ({ key, covers, refused }) => {
  const answer = await ask(key, ['/api/audits'])
  expect(answer.status).toBe(refused ?? 200)
  expect(toldOf(await answer.text())).toEqual(covers.filter((domain) => domain in TRACES))
})

test.each(walkCases)('GET /api/audits/history: key $name, $domain', async ({ domain, ...each }) => {
  const answer = await ask(each.key, [`/api/audits/history?domain=${domain}`])
  const status = statusFor(each, domain)
  expect(answer.status).toBe(status)
  const told = status === 200 && normalise(domain) in TRACES ? [normalise(domain)] : []
  expect(toldOf(await answer.text())).toEqual(told)
})

test('signals from orders are for keys that may read reports', async () => {
  const at = new Date()
  const incident = await openIncident(db, {
    domain: MINE,
    id: crypto.randomUUID(),
    kind: 'signal',
    subject: 'payments_failing',
    severity: 'high',
    label: 'Payments fail',
    detail: '9 of 30.',
    fix: 'Look.',
    points: null,
    changes: [],
    steps: [],
    is_known: false,
    well_at: null,
    first_seen_at: at,
    last_seen_at: at,
    opened_at: at,
    closed_at: null,
  })
  const less = await keyOf({ domains: [MINE], scopes: ['audit'] })
  for (const [key, sees] of [
    [own, true],
    [less, false],
  ] as const) {
    const path = `/api/watches/${MINE}/incidents`
    const list = await (await ask(key, [path])).json()
    expect(list.incidents).toHaveLength(sees ? 1 : 0)
    expect((await ask(key, [`${path}/${incident?.id}`])).status).toBe(sees ? 200 : 404)
  }
})

/** What is asked of a domain's channels; the last one ends it. */
const CHANNEL_ROUTES: [route: string, body?: unknown][] = [
  ['GET /api/watches/:domain/channels'],
  ['POST /api/watches/:domain/channels', { kind: 'feed' }],
  ['PATCH /api/watches/:domain/channels/:id', { events: ['digest'] }],
  ['POST /api/watches/:domain/channels/:id/test'],
  ['GET /api/watches/:domain/channels/:id/deliveries'],
  ['DELETE /api/watches/:domain/channels/:id'],
]

test.each(walkCases)('channels: key $name, $domain', async ({ domain, ...each }) => {
  const of = normalise(domain)
  await deleteWatch(db, of, new Date())
  const { id } = await watchedChannel(db, of)
  const status = statusFor(each, domain)
  const path = `/api/watches/${encodeURIComponent(domain)}/channels`
  for (const [route, body] of CHANNEL_ROUTES.slice(0, -1)) {
    const [method = '', named = ''] = route.split(' ')
    const end = named.replace('/api/watches/:domain/channels', '').replace(':id', id)
    const answer = await ask(each.key, [path + end, body], method)
    expect(answer.status, route).toBe(status)
    if (status !== 200) expect(await answer.text()).not.toContain(id)
  }
  const left = await listChannels(db, of)
  expect(left).toHaveLength(status === 200 ? 2 : 1)
  expect(left[0]?.events).toHaveLength(status === 200 ? 1 : 6)
  expect((await ask(each.key, [`${path}/${id}`], 'DELETE')).status).toBe(status)
  expect(await listChannels(db, of)).toHaveLength(1)
  await deleteWatch(db, of, new Date())
})

test('a channel of another domain is not there, with a key that covers both', async () => {
  for (const domain of [MINE, FOREIGN]) await deleteWatch(db, domain, new Date())
  const { id } = await watchedChannel(db, MINE)
  await watchedChannel(db, FOREIGN)
  const operator = await keyOf({ domains: ['*'] })
  const path = `/api/watches/${FOREIGN}/channels/${id}`
  for (const [method, end, body] of [
    ['PATCH', '', { events: ['digest'] }],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['DELETE', ''],
  ] as const) {
    expect((await ask(operator, [path + end, body], method)).status).toBe(404)
  }
  expect(await listChannels(db, MINE)).toMatchObject([{ id }])
  for (const domain of [MINE, FOREIGN]) await deleteWatch(db, domain, new Date())
})

/** What is asked of one audit, which may be named with another. */
const AUDIT_READS: [route: string, path: (id: string, other: string) => string][] = [
  ['GET /api/audits/:id', (id) => `/api/audits/${id}`],
  ['GET /api/audits/:id/changes', (id, other) => `/api/audits/${id}/changes?since=${other}`],
]

test.each(AUDIT_KEYS)('audits by their ids: key $name', async ({ key, covers, refused, name }) => {
  for (const [domain, [id = '', other = '']] of Object.entries(AUDITS)) {
    for (const [route, path] of AUDIT_READS) {
      const answer = await ask(key, [path(id, other)])
      const isOwn = name === "operator's" || covers.includes(domain)
      expect(answer.status, `${route} of ${domain}`).toBe(refused ?? (isOwn ? 200 : 404))
      if (!isOwn) expect(toldOf(await answer.text())).toEqual([])
    }
  }
})

test('an audit of others is not there to be compared with, nor to continue a list', async () => {
  const [mine = ''] = AUDITS[MINE] ?? []
  const [foreign = ''] = AUDITS[FOREIGN] ?? []
  for (const path of [
    `/api/audits/${mine}/changes?since=${foreign}`,
    `/api/audits/history?domain=${MINE}&after=${foreign}`,
  ]) {
    expect((await ask(own, [path])).status).toBe(404)
  }
})

/** What is asked of one walk. */
const WALK_READS: Record<string, [method: string, end: string, body?: unknown]> = {
  'GET /api/walk/:id': ['GET', ''],
  'GET /api/walk/:id/events': ['GET', '/events'],
  'GET /api/walk/:id/export': ['GET', '/export'],
  'GET /api/walk/:id/pictures/:n': ['GET', '/pictures/1'],
  'POST /api/walk/:id/links': ['POST', '/links', {}],
  'GET /api/walk/:id/links': ['GET', '/links'],
  'DELETE /api/walk/:id/links/:link': ['DELETE', '/links/:link'],
  'DELETE /api/walk/:id': ['DELETE', ''],
}

test.each(AUDIT_KEYS)('walks by their ids: key $name', async ({ key, covers, refused, name }) => {
  for (const domain of [MINE, FOREIGN, WITHOUT, WITH]) {
    const all = await db.select().from(walks).where(eq(walks.domain, domain))
    const id = all[0]?.id ?? ''
    await keepWalkPicture(db, { domain, id }, { n: 1, jpeg: PICTURE, at: new Date() })
    const made = { domain, view: 'walk', walk_id: id, key_id: 'abcdefgh', days: null } as const
    const link = await createShare(db, made, new Date())
    for (const [route, [method, end, body]] of Object.entries(WALK_READS)) {
      const path = `/api/walk/${id}${end.replace(':link', link.id)}`
      const answer = await ask(key, [path, body], method)
      const isOwn = name === "operator's" || covers.includes(domain)
      expect(answer.status, `${route} of ${domain}`).toBe(refused ?? (isOwn ? 200 : 404))
      if (!isOwn) expect(await answer.text()).not.toContain(domain)
    }
  }
})
