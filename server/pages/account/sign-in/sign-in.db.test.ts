import { describe, expect, test } from 'vitest'
import { mintKey } from '../../../access/key-format.ts'
import { findKey } from '../../../db/access/keys.ts'
import { rate_limits } from '../../../db/access/tables.ts'
import { testApp } from '../../../testing/app.ts'
import { MINE, NOON, testPages } from '../testing/pages.ts'

const { db, createTestKey, nobody, browserWith, signIn, clock } = await testPages()
const BASE_URL = 'https://aisle.example'

test('a key signs in, its last use is noted, and it stands in no answer', async () => {
  const { key, id } = await createTestKey()
  const answer = await nobody.post('/sign-in', { key: ` ${key} `, next: `/audits/${MINE}` })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(`/audits/${MINE}`)
  expect(JSON.stringify([...answer.headers]) + (await answer.text())).not.toContain(key)
  expect((await findKey(db, id))?.last_used_at).toEqual(NOON)
})

test('who signs in arrives at the shop, and where they wanted to go otherwise', async () => {
  const { key } = await createTestKey()
  const placeOf = async (form: object) =>
    (await nobody.post('/sign-in', { key, ...form })).headers.get('location')
  expect(await placeOf({})).toBe('/shop')
  expect(await placeOf({ next: '/keys' })).toBe('/keys')
})

test('who is signed in is that on pages that are open to all, and nobody else is', async () => {
  const browser = await signIn()
  for (const path of ['/', '/gaps', '/tools/manifest', '/nowhere']) {
    const own = await browser.get(path)
    expect(await own.text()).toContain('Sign out')
    expect(own.headers.get('cache-control')).not.toContain('public')
    expect(await (await nobody.get(path)).text()).not.toContain('Sign out')
  }
})

test.each(['//evil.example/', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
  'next=%j leads off the site nowhere',
  async (next) => {
    const page = await nobody.get(`/sign-in?next=${encodeURIComponent(next)}`)
    expect(await page.text()).not.toContain('evil')
    const { key } = await createTestKey()
    const answer = await nobody.post('/sign-in', { key, next })
    expect(answer.headers.get('location')).toBe('/shop')
  },
)

describe('a form that is sent after the end of the session', () => {
  const sendFrom = (referer: string) =>
    nobody.post('/keys/revoke', { id: 'any' }, { Referer: referer })

  test('leads to signing in, which says that nothing was done, and from there to its page', async () => {
    const answer = await sendFrom(`${BASE_URL}/keys?page=2`)
    expect(answer.status).toBe(303)
    const signIn = answer.headers.get('location') ?? ''
    expect(signIn).toBe('/sign-in?next=%2Fkeys%3Fpage%3D2&unsent=1')
    const page = await (await nobody.get(signIn)).text()
    expect(page).toContain('What you just sent was not done.')
    expect(page).toContain('name="next" value="/keys?page=2"')
    expect(await (await nobody.get('/sign-in?next=%2Fkeys')).text()).not.toContain('not done')
  })

  test.each([
    'https://evil.example/keys',
    `${BASE_URL}.evil.example/keys`,
    `${BASE_URL}//evil.example`,
    '',
    'keys',
  ])('leads to no other site: %j', async (referer) => {
    const { headers } = await sendFrom(referer)
    expect(headers.get('location')).toBe('/sign-in?next=%2Fshop&unsent=1')
  })
})

describe('no key', () => {
  test.each(['', 'x', 'aisle_live_AAAAAAAA_x', '"><script>alert(1)</script>', 'k'.repeat(100_000)])(
    '%j signs nobody in',
    async (key) => {
      const answer = await browserWith('').post('/sign-in', { key })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('set-cookie')).toBeNull()
      const html = await answer.text()
      expect(html).toContain('This is not a valid API key.')
      expect(html).not.toContain('<script>alert')
    },
  )

  test('what has expired says so', async () => {
    const { key } = await createTestKey({ expires_at: NOON })
    const answer = await nobody.post('/sign-in', { key })
    expect(answer.status).toBe(401)
    expect(await answer.text()).toContain('This key has expired.')
  })

  test('from another site, not even with a key', async () => {
    const { key } = await createTestKey()
    const answer = await nobody.post('/sign-in', { key }, { 'Sec-Fetch-Site': 'cross-site' })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })
})

test('only failures count: right keys of one network sign in 30 times', async () => {
  const one = browserWith('')
  const { key } = await createTestKey()
  for (let n = 0; n < 19; n += 1) await one.post('/sign-in', { key: 'x' })
  for (let n = 0; n < 30; n += 1) {
    expect((await one.post('/sign-in', { key })).status).toBe(303)
  }
  expect((await one.post('/sign-in', { key: 'x' })).status).toBe(401)
  expect((await one.post('/sign-in', { key: 'x' })).status).toBe(429)
})

test('100 wrong keys sent together are no way around the limit', async () => {
  const one = browserWith('')
  const sent = Array.from({ length: 100 }, () => one.post('/sign-in', { key: 'x' }))
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(20)
})

test('after 20 failures it waits, the others of the network do not, and no address is stored', async () => {
  const one = browserWith('')
  for (let n = 0; n < 20; n += 1) {
    expect((await one.post('/sign-in', { key: 'x' })).status).toBe(401)
  }
  const answer = await one.post('/sign-in', { key: 'y' })
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800)
  expect(await answer.text()).toMatch(/Try again in 15 minutes/)
  expect(await db.$count(rate_limits)).toBe(0)
  const { key } = await createTestKey()
  expect((await one.post('/sign-in', { key })).status).toBe(303)
  expect((await browserWith('').post('/sign-in', { key })).status).toBe(303)
})

test('200 failures with 200 keys from one network are all it may have', async () => {
  const one = browserWith('')
  const sent = Array.from({ length: 210 }, () => one.post('/sign-in', { key: mintKey().key }))
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(200)
})

test.each([
  [{ Referer: 'https://evil.example/form' }, 403],
  [{ Origin: 'https://evil.example' }, 403],
  [{ Referer: `${BASE_URL}/sign-in` }, 401],
  [{}, 401],
])('a form with %j alone is answered %i', async (headers, status) => {
  const { app } = await testApp({ baseUrl: BASE_URL })
  const body = new URLSearchParams({ key: 'x' })
  expect((await app.request('/sign-in', { method: 'POST', body, headers })).status).toBe(status)
})

test('who signs out is out, and the way back into the pages is closed', async () => {
  const browser = await signIn()
  expect(await (await browser.get('/report')).text()).toContain('Sign out')
  const out = await browser.post('/sign-out', {})
  expect(out.headers.get('location')).toBe('/')
  expect((await browser.get('/report')).status).toBe(303)
})

test('a session ends after half a day', async () => {
  const browser = await signIn()
  clock.now = new Date(NOON.getTime() + 12 * 3_600_000)
  expect((await browser.get('/report')).status).toBe(303)
  clock.now = NOON
})

test('below a path of another site, every link and redirect stays there', async () => {
  const { app, createTestKey } = await testApp({ baseUrl: 'https://tools.example/aisle' })
  const { key } = await createTestKey({ domains: [MINE] })
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  const closed = await app.request('/report')
  expect(closed.headers.get('location')).toBe('/aisle/sign-in?next=%2Freport')
  const entered = await app.request('/sign-in', form({ key, next: '/report' }))
  expect(entered.headers.get('location')).toBe('/aisle/report')
  const headers = { Cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '' }
  for (const path of ['/report', `/audits/${MINE}`]) {
    const html = await (await app.request(path, { headers })).text()
    const addresses = [...html.matchAll(/ (?:href|action|src)="([^"]*)"/g)].map(([, to]) => to)
    expect(addresses.length).toBeGreaterThan(10)
    for (const to of addresses) expect(to).toMatch(/^(\/aisle\/|#)/)
  }
  const made = await app.request('/shares', {
    ...form({ domain: MINE, view: 'report', days: '' }),
    headers,
  })
  expect(await made.text()).toMatch(/https:\/\/tools\.example\/aisle\/shared\/aisle_share_/)
})

test('a cookie of somebody who was never here is nobody', async () => {
  expect((await browserWith(`__Host-aisle=${'A'.repeat(43)}`).get('/report')).status).toBe(303)
})
