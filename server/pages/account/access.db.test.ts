import { eq, isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { transcriptOf } from '../../../shared/walk/testing/transcripts.ts'
import { routesBy } from '../../access/testing/routes.ts'
import { get, type OwnRequest, ownRequests, post } from '../../access/testing/signed-in.ts'
import { createProperty } from '../../attribution/properties.ts'
import { insertRollup } from '../../attribution/report/testing/rows.ts'
import { PICTURE } from '../../audit/walk/testing/pretend-store.ts'
import { revokeKey } from '../../db/access/keys.ts'
import { shares } from '../../db/access/tables.ts'
import { insertProperty, listProperties } from '../../db/attribution/properties.ts'
import { listAudits, saveAudit } from '../../db/audit/audits.ts'
import { audit_runs, walks } from '../../db/audit/tables.ts'
import { keepWalkPicture } from '../../db/audit/walk-pictures.ts'
import { events } from '../../db/events/tables.ts'
import { listWatches } from '../../db/watch/watches.ts'
import { cleanResult } from '../../testing/app.ts'
import { hasIncident, watchedDomain } from '../../watch/testing/watched.ts'
import { type Browser, MINE, NOON, OTHER, testPages } from './testing/pages.ts'
import { endedWalk } from './walk/testing/walks.ts'

const { db, clock, nobody, channels, browserWith, signIn, lines, audited } = await testPages()

/** The audits of each domain, the newest first; empty while routes are listed. */
const audits = new Map<string, string[]>()
for (const domain of [MINE, OTHER]) {
  await saveAudit(db, cleanResult(domain, DEFAULT_CHECKS, new Date('2026-11-01T09:00:00Z')))
  await saveAudit(db, cleanResult(domain, DEFAULT_CHECKS, NOON))
  const stored = await listAudits(db, domain)
  audits.set(
    domain,
    stored.map(({ id }) => id),
  )
}

/** A walk of each; empty while routes are listed. */
const walkIds = new Map<string, string>()
for (const domain of [MINE, OTHER]) {
  const id = await endedWalk(db, transcriptOf([], { domain }))
  await keepWalkPicture(db, { domain, id }, { n: 1, jpeg: PICTURE, at: new Date() })
  walkIds.set(domain, id)
}

/** A property of each domain; empty while routes are listed. */
const ids = new Map<string, string>()
for (const domain of [MINE, OTHER]) {
  ids.set(domain, (await createProperty(db, { domain }, NOON)).id)
}
const idOf = (domain: string) => ids.get(domain) ?? ''

/** An incident of each; empty while routes are listed. */
const incidents = new Map<string, string>()
const feeds = new Map<string, string>()
const KEY = { id: 'a-test', scopes: ['report:read'] as const }
for (const domain of [MINE, OTHER]) {
  await watchedDomain(db, domain, { now: NOON })
  incidents.set(domain, (await hasIncident(db, domain, { now: NOON })).id)
  feeds.set(domain, (await channels.add(domain, { kind: 'feed' }, KEY)).id)
}

/** Everything behind a sign-in, requested for one domain. */
const routesOf = (domain: string): OwnRequest[] =>
  ownRequests(domain, {
    property: idOf(domain),
    audits: audits.get(domain) ?? [],
    walk: walkIds.get(domain) ?? ':id',
    incident: incidents.get(domain) ?? ':id',
    channel: feeds.get(domain) ?? ':id',
  })

const send = (browser: Browser, { method, path, fields }: OwnRequest, headers = {}) =>
  method === 'GET' ? browser.get(path, headers) : browser.post(path, fields ?? {}, headers)

/** Audits and walks go on after the request that began them. */
const underWay = async () =>
  (await db.$count(audit_runs, eq(audit_runs.state, 'under_way'))) +
  (await db.$count(walks, isNull(walks.ended_at)))

/** A refused request changes nothing. */
const written = async () => [
  await db.$count(events),
  await db.$count(shares),
  audited.length,
  await listProperties(db, [MINE]),
  await db.$count(walks),
  (await nobody.get(`/badge/${MINE}.svg`)).status,
  (await nobody.get(`/status/${MINE}`)).status,
  await listWatches(db, ['*']),
  await channels.list(MINE).catch(() => null),
]

const named = ({ method, path, fields }: OwnRequest) =>
  `${method} ${path} ${fields ? new URLSearchParams(fields) : ''}`
const MINE_ROUTES = routesOf(MINE).map((route) => ({ name: named(route), route }))

/** Whether the form is given back to someone who was signed out: `typed-form.tsx`. */
const isTyped = ({ method, path }: OwnRequest): boolean =>
  method === 'POST' &&
  [
    `/access/${MINE}`,
    '/properties',
    '/properties/change',
    '/walks',
    '/watches',
    `/watches/${MINE}/change`,
    `/watches/${MINE}/channels`,
  ].includes(path)

test('every route behind a sign-in is asked here', () => {
  const asked = routesOf(':domain').map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  expect(new Set(asked)).toEqual(new Set(routesBy('sign-in')))
})

/**
 * Whom a sign-in lets in is tried on a page, a form and one that is given back; of every other
 * route, that it asks.
 */
const isTried = (route: OwnRequest): boolean =>
  [
    MINE_ROUTES.find((each) => each.route.method === 'GET'),
    MINE_ROUTES.find((each) => each.route.method === 'POST' && !isTyped(each.route)),
    MINE_ROUTES.find((each) => isTyped(each.route)),
  ].some((each) => each?.route === route)
const TRIED = MINE_ROUTES.filter(({ route }) => isTried(route))

describe.each(MINE_ROUTES)('$name', ({ route }) => {
  test('is open to the key of the domain, and to that of all, and kept by no cache', async () => {
    const more = isTried(route) ? [[`www.${MINE}`], ['*'], [OTHER, MINE]] : []
    for (const domains of [[MINE], ...more]) {
      // A domain has one walk at a time.
      await eventually(underWay).toBe(0)
      const answer = await send(await signIn({ domains }), route)
      expect([200, 303]).toContain(answer.status)
      expect(answer.headers.get('location') ?? '').not.toContain('sign-in')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('sends those who are not signed in to sign in, and does nothing', async () => {
    const other = await signIn({ domains: [MINE] })
    await eventually(underWay).toBe(0)
    const before = await written()
    const forged = ['__Host-aisle=forged', other.cookie.replace('__Host-', '')]
    for (const cookie of ['', ...(isTried(route) ? forged : [])]) {
      const answer = await send(browserWith(cookie), route)
      const html = await answer.text()
      if (isTyped(route)) {
        expect(answer.status).toBe(401)
        expect(html).toContain('href="/sign-in?next=%2Fshop"')
        continue
      }
      expect(answer.status).toBe(303)
      const next =
        route.method === 'GET'
          ? encodeURIComponent(route.path)
          : `${encodeURIComponent('/shop')}&unsent=1`
      expect(answer.headers.get('location')).toBe(`/sign-in?next=${next}`)
      expect(html).not.toContain(MINE)
    }
    expect(await written()).toEqual(before)
  })

  test.each(isTried(route) ? [OTHER, `sub.${MINE}`] : [OTHER])(
    'tells the key of %s why not',
    async (domain) => {
      const browser = await signIn({ domains: [domain] })
      const before = await written()
      const answer = await send(browser, route)
      // The walk's id names its owner: for others it does not exist.
      const isWalk = route.path.startsWith('/walks/')
      expect(answer.status).toBe(isWalk ? 404 : 403)
      const html = await answer.text()
      expect(html).toContain(
        isWalk ? 'No walk of your domains has this id.' : `This key does not cover ${MINE}.`,
      )
      expect(html).toContain('<h1')
      if (!isWalk) expect(html).toMatch(/<main.*href="\/help".*<\/main>/)
      expect(await written()).toEqual(before)
    },
  )

  test('tells a key without the scope why not', async () => {
    const scopes = (['audit', 'manifest', 'report:read', 'report:write'] as const).filter(
      (scope) => scope !== route.scope,
    )
    const browser = await signIn({ domains: [MINE], scopes })
    const before = await written()
    const answer = await send(browser, route)
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain(`does not have the scope &quot;${route.scope}&quot;`)
    expect(await written()).toEqual(before)
  })
})

describe.each(TRIED)('$name', ({ route }) => {
  test.each([
    ['signed out', async (browser: Browser) => void (await browser.post('/sign-out', {}))],
    ['with a revoked key', async (_: Browser, id: string) => void (await revokeKey(db, id, NOON))],
    [
      'whose key has expired',
      async () => {
        clock.now = new Date(NOON.getTime() + 3_600_000)
      },
    ],
  ])('is closed to a browser that is %s', async (_, end) => {
    const expires_at = new Date(NOON.getTime() + 3_600_000)
    const browser = await signIn({ domains: [MINE], expires_at })
    const before = await written()
    try {
      await end(browser, browser.id)
      const answer = await send(browser, route)
      expect(answer.status).toBe(isTyped(route) ? 401 : 303)
      if (!isTyped(route)) expect(answer.headers.get('location')).toMatch(/^\/sign-in/)
    } finally {
      clock.now = NOON
    }
    expect(await written()).toEqual(before)
  })
})

describe.each(MINE_ROUTES.filter(({ route }) => route.method === 'POST'))('$name', ({ route }) => {
  const others = [
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' },
  ]
  const sites = [{ 'Sec-Fetch-Site': 'cross-site' }, ...(isTried(route) ? others : [])]
  test.each(sites)('is refused from another site: %j', async (headers) => {
    const browser = await signIn({ domains: [MINE] })
    const before = await written()
    const answer = await send(browser, route, headers)
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('sent from another site')
    expect(await written()).toEqual(before)
  })

  test('takes no other kind of body, and no large one', async () => {
    const browser = await signIn({ domains: [MINE] })
    const type = { 'Content-Type': 'application/json' }
    expect((await send(browser, route, type)).status).toBe(415)
    const long = { ...route, fields: { ...route.fields, more: 'x'.repeat(300_000) } }
    expect((await send(browser, long)).status).toBe(413)
  })
})

test.each([
  '',
  'ftp://mine.example/',
  'mine.example:8080',
  'a b',
  '127.0.0.1',
  '<script>alert(1)</script>',
  'é'.repeat(9000),
])('a domain that is none, such as %j, is told so', async (domain) => {
  const browser = await signIn()
  for (const route of [
    get(`/report?domain=${encodeURIComponent(domain)}`, 'report:read'),
    get(`/audits?domain=${encodeURIComponent(domain)}`, 'audit'),
    post('/audits', { domain }, 'audit'),
    post('/shares', { domain, view: 'report' }, 'report:read'),
  ]) {
    const answer = await send(browser, route)
    expect(answer.status).toBe(422)
    expect(await answer.text()).not.toContain('<script>alert')
  }
})

test('a domain is taken as it is pasted, and what cannot be one stays in its form', async () => {
  const all = await signIn({ domains: ['*'] })
  const pasted = encodeURIComponent(`https://${MINE}/products/boot?size=9`)
  expect((await all.get(`/audits?domain=${pasted}`)).headers.get('location')).toBe(
    `/audits/${MINE}`,
  )
  for (const path of ['/report', '/walks', '/properties', '/audits']) {
    if (path !== '/audits') expect((await all.get(`${path}?domain=${pasted}`)).status).toBe(200)
    const wrong = await all.get(`${path}?domain=shop.example%3A8080`)
    expect(wrong.status).toBe(422)
    const html = await wrong.text()
    expect(html).toContain('value="shop.example:8080"')
    expect(html).toContain('Send the domain without a port.')
  }
})

describe('the choice of domains', () => {
  const page = async (browser: Browser, path: string) => (await browser.get(path)).text()

  test('a key of domains chooses among these', async () => {
    await insertProperty(db, {
      id: 'prop_x',
      domain: 'third.example',
      origins: [],
      currency: null,
      time_zone: null,
      lookback_days: null,
      created_at: NOON,
    })
    const html = await page(await signIn({ domains: [OTHER, MINE] }), '/report')
    expect(html).toContain(`<option value="${MINE}" selected>`)
    expect(html).toContain(`<option value="${OTHER}">`)
    expect(html).not.toContain('third.example')
    expect(html).not.toContain('<input id="domain"')
  })

  test('a key of a site is offered the same with www once something was reported there', async () => {
    const asked = async () => page(await signIn({ domains: ['reported.example'] }), '/report')
    expect(await asked()).not.toContain('www.reported.example')
    await insertRollup(db, 'www.reported.example', [{ day: '2026-11-01', sessions: 1 }])
    expect(await asked()).toContain('<option value="www.reported.example">')
  })

  test('that of one has nothing to choose', async () => {
    expect(await page(await signIn({ domains: [MINE] }), '/report')).not.toContain('id="domain"')
  })

  test('that of all is offered those with a property, and can name any', async () => {
    const html = await page(await signIn(), '/report?domain=never-seen.example')
    expect(html).toContain('value="never-seen.example"')
    expect(html).toContain('<option value="third.example"')
    expect(await page(await signIn(), '/audits')).toContain('<input id="domain"')
  })

  test.each([
    ['/report', 'the report shows what AI brings it'],
    ['/properties', 'you get the tag for its pages'],
    ['/audits', 'the page shows its audits'],
    ['/walks', 'you make purchases in it'],
  ])('%s says what a domain is asked for', async (path, offers) => {
    const html = await page(await signIn(), `${path}?domain=localhost`)
    expect(html).toContain('Enter the domain of your store, such as shop.example')
    expect(html).toContain(offers)
  })

  test('that of none is told so', async () => {
    for (const path of ['/report', '/audits']) {
      expect(await page(await signIn({ domains: [] }), path)).toContain(
        'Your key does not cover any domain',
      )
    }
  })
})

test('the log holds no key, cookie or token', async () => {
  const browser = await signIn({ domains: [MINE] })
  const made = await browser.post('/shares', { domain: MINE, view: 'report', days: '7' })
  const [, token = ''] = /\/shared\/(\w+)/.exec(await made.text()) ?? []
  expect((await browser.get(`/shared/${token}?a=${browser.key}`)).status).toBe(200)
  const log = lines.join('')
  expect(log).toContain('/shared/aisle_share_(redacted)')
  for (const secret of [browser.key, browser.cookie.split('=')[1], token]) {
    expect(log).not.toContain(secret)
  }
})

describe('an audit by its id', () => {
  test('is shown below its own domain alone, whatever the key covers', async () => {
    const both = await signIn({ domains: [MINE, OTHER] })
    const [mine, other] = [audits.get(MINE)?.[0], audits.get(OTHER)?.[0]]
    expect((await both.get(`/audits/${MINE}/${mine}`)).status).toBe(200)
    for (const path of [
      `/audits/${MINE}/${other}`,
      `/audits/${MINE}/compare?before=${other}&after=${mine}`,
      `/audits/${MINE}/00000000-0000-4000-8000-000000000000`,
      `/audits/${MINE}/nothing`,
      `/audits/${MINE}/compare?before=x&after=${mine}`,
    ]) {
      expect((await both.get(path)).status, path).toBe(404)
    }
  })
})

test('the list of audits names the domains of the key, and no other', async () => {
  const html = await (await (await signIn({ domains: [MINE] })).get('/audits')).text()
  expect(html).toContain(`"/audits/${MINE}/`)
  expect(html).not.toContain(OTHER)
  const all = await (await (await signIn({ domains: ['*'] })).get('/audits')).text()
  for (const domain of [MINE, OTHER]) expect(all).toContain(`"/audits/${domain}/`)
})
