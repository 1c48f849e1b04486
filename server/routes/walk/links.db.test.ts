import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { createShare } from '../../access/share-links.ts'
import { testApp } from '../../testing/app.ts'

const NOON = new Date('2026-11-21T12:00:00Z')
const clock = { now: NOON }
const { app, ask: askApp, db, sql, key, lines } = await testApp({ now: () => clock.now })

const ask = (method: string, path: string, body?: unknown) => askApp(path, { method, body })
/** Without a key. */
const open = (url: string) => app.request(url.replace('https://aisle.example', ''))

async function walked(domain: string): Promise<string> {
  const { id } = await (await ask('POST', '/api/walk', { domain, intents: ['po_box'] })).json()
  // A stream ends with its walk.
  await (await ask('GET', `/api/walk/${id}/events`)).text()
  return id
}

let id = ''
beforeAll(async () => {
  id = await walked('mine.example')
})
const share = async (of = id, body: object = { days: 7 }) =>
  (await ask('POST', `/api/walk/${of}/links`, body)).json()

test('a link shows its walk to anybody: its state, its events and its file', async () => {
  const link = await share()
  expect(link.url).toMatch(/^https:\/\/aisle\.example\/shared\/aisle_share_\w{8}_\w{49}$/)
  expect(link.expires_at).toBe('2026-11-28T12:00:00.000Z')
  const answer = await open(link.api_url)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  const shown = await answer.json()
  const own = await (await ask('GET', `/api/walk/${id}`)).json()
  const { url, events_url } = shown
  expect(shown).toEqual({ ...own, url, events_url })
  expect([url, events_url]).toEqual([link.api_url, `${link.api_url}/events`])
  expect(await (await open(events_url)).text()).toContain('event: ended')
  expect(await (await open(`${url}/export`)).json()).toEqual(own.transcript)
  const page = await open(link.url)
  expect(await page.text()).toContain('Purchases at mine.example')
})

test('a link opens nothing else, and no key is asked for what it is not', async () => {
  const other = await walked('other.example')
  const { api_url } = await share()
  const text = await (await open(`${api_url}?domain=other.example`)).text()
  expect(text).not.toContain('other.example')
  const token = api_url.split('/').at(-1)!
  for (const path of [`/api/walk/${id}`, `/api/walk/${other}`, `/report?domain=mine.example`]) {
    const answer = await askApp(path, { key: token })
    expect([401, 303]).toContain(answer.status)
  }
  for (const method of ['DELETE', 'POST']) {
    expect((await app.request(new URL(api_url).pathname, { method })).status).toBe(405)
  }
})

test('links to pages and links to walks do not open each other', async () => {
  const made = { domain: 'mine.example', key_id: 'x', days: null } as const
  for (const view of ['report', 'audit'] as const) {
    const { token } = await createShare(db, { ...made, view }, NOON)
    expect((await open(`/api/walk/shared/${token}`)).status).toBe(404)
  }
  const { token } = await createShare(db, { ...made, view: 'walk', walk_id: id }, NOON)
  expect((await open(`/api/walk/shared/${token}`)).status).toBe(200)
})

test.each([
  ['cut short', (url: string) => url.slice(0, -1)],
  ['of another id', (url: string) => url.replace('aisle_share_', 'aisle_share_x')],
  ['that is a key', () => `/api/walk/shared/${key}`],
  ['that is an id', () => `/api/walk/shared/${id}`],
  ['of great length', () => `/api/walk/shared/${'a'.repeat(10_000)}`],
])('a link %s opens nothing', async (_, forge) => {
  const answer = await open(forge((await share()).api_url))
  expect(answer.status).toBe(404)
  expect((await answer.json()).error.code).toBe('link_not_valid')
})

test.each([
  [{ days: 7 }, 7],
  [{ days: 30 }, 30],
  [{ days: 90 }, 90],
])('a link for %j ends after %d days', async (body, days) => {
  const { api_url } = await share(id, body)
  const end = NOON.getTime() + days * DAY_MS
  try {
    clock.now = new Date(end - 1)
    const last = await open(api_url)
    clock.now = new Date(end)
    expect([last.status, (await open(api_url)).status]).toEqual([200, 404])
  } finally {
    clock.now = NOON
  }
})

test('without days a link is valid until it is revoked, which it stays', async () => {
  const { id: link, api_url, expires_at } = await share(id, {})
  expect(expires_at).toBeNull()
  const listed = async () => (await (await ask('GET', `/api/walk/${id}/links`)).json()).links
  expect(await listed()).toContainEqual({ id: link, expires_at: null })
  for (let n = 0; n < 2; n += 1) {
    expect((await ask('DELETE', `/api/walk/${id}/links/${link}`)).status).toBe(200)
    expect((await open(api_url)).status).toBe(404)
    expect((await open(`${api_url}/events`)).status).toBe(404)
    expect((await open(`${api_url}/export`)).status).toBe(404)
  }
  expect(JSON.stringify(await listed())).not.toContain(link)
})

test('a walk revokes its own links alone', async () => {
  const other = await walked('another.example')
  const { id: link, api_url } = await share()
  const refused = await ask('DELETE', `/api/walk/${other}/links/${link}`)
  expect([refused.status, (await refused.json()).error.code]).toEqual([404, 'link_not_found'])
  expect((await open(api_url)).status).toBe(200)
})

test.each([{ days: 8 }, { days: 'never' }, { until: 1 }])('%j is refused', async (body) => {
  expect((await ask('POST', `/api/walk/${id}/links`, body)).status).toBe(422)
})

test('a walk has 100 links and no more, also of those that are asked for at once', async () => {
  const busy = await walked('busy.example')
  const path = `/api/walk/${busy}/links`
  const answers = await Promise.all(
    Array.from({ length: 105 }, () => ask('POST', path, { days: 7 })),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 409))
  expect(JSON.stringify(await refused[0]?.json())).toContain(
    '"too_many_shares","message":"This walk already has 100 active links.',
  )
  expect((await (await ask('GET', path)).json()).links).toHaveLength(100)
})

test('a link to a walk that is gone is not valid, and no token is in the log', async () => {
  const gone = await walked('gone.example')
  const { api_url } = await share(gone)
  await sql`delete from walks where id = ${gone}`
  expect((await open(api_url)).status).toBe(404)
  expect(lines.join()).toContain('/api/walk/shared/aisle_share_(redacted)')
  expect(lines.join()).not.toContain(api_url.split('/').at(-1))
})
