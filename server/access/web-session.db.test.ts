import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { revokeKey } from '../db/access/keys.ts'
import type { ServerEnv } from '../http/env.ts'
import { testDatabase } from '../testing/app.ts'
import { createKey } from './make-key.ts'
import {
  endWebSession,
  readWebSession,
  requireWebSession,
  safeNext,
  startWebSession,
} from './web-session.ts'

const { db } = await testDatabase()
let at = Date.parse('2026-11-21T12:00:00Z')
const now = () => new Date(at)
const HOUR_MS = 3_600_000

async function visit(baseUrl: string) {
  const deps = { db, now, baseUrl }
  const key = await createKey(
    db,
    { name: 'test', scopes: ['report:read'], domains: ['shop.example'], expires_at: null },
    now(),
  )
  const app = new Hono<ServerEnv>()
    .post('/in', async (c) => {
      await startWebSession(c, deps, key)
      return c.text('in')
    })
    .post('/out', async (c) => {
      await endWebSession(c, deps)
      return c.text('out')
    })
    .get('/who', async (c) => c.json((await readWebSession(c, deps))?.id ?? null))
    .get('/private', requireWebSession(deps), (c) => c.text(c.var.key.id))
  const cookieOf = (response: Response) => response.headers.get('set-cookie') ?? ''
  const header = cookieOf(await app.request('/in', { method: 'POST' }))
  const cookie = header.split(';')[0] ?? ''
  const who = async (sent = cookie) =>
    (await app.request('/who', { headers: { cookie: sent } })).json()
  return { app, key, header, cookie, who, cookieOf }
}

test('the cookie holds no key, and only pages of this host get it', async () => {
  const { header, key } = await visit('https://aisle.example')
  expect(header).toMatch(
    /^__Host-aisle=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  expect(header).not.toContain(key.key)
})

test('without https the cookie is plain, for development', async () => {
  const { header } = await visit('http://127.0.0.1:8787')
  expect(header).toMatch(/^aisle=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/)
})

describe('a browser is signed in', () => {
  test('until twelve hours are over', async () => {
    const { who, key } = await visit('https://aisle.example')
    expect(await who()).toBe(key.id)
    at += 12 * HOUR_MS - 1
    expect(await who()).toBe(key.id)
    at += 1
    expect(await who()).toBe(null)
  })

  test('until it signs out', async () => {
    const { app, who, cookie, cookieOf } = await visit('https://aisle.example')
    const out = await app.request('/out', { method: 'POST', headers: { cookie } })
    expect(cookieOf(out)).toContain('Max-Age=0')
    expect(await who()).toBe(null)
  })

  test('until it signs in again', async () => {
    const { app, who, key, cookie, cookieOf } = await visit('https://aisle.example')
    const again = await app.request('/in', { method: 'POST', headers: { cookie } })
    expect(await who()).toBe(null)
    expect(await who(cookieOf(again).split(';')[0])).toBe(key.id)
  })

  test.each([0, HOUR_MS])(
    'until its key is revoked, by a clock %i ms ahead of ours',
    async (ahead) => {
      const { who, key } = await visit('https://aisle.example')
      await revokeKey(db, key.id, new Date(at + ahead))
      expect(await who()).toBe(null)
    },
  )
})

test.each([
  ['no cookie', () => ''],
  ['a forged one', () => `__Host-aisle=${'x'.repeat(43)}`],
  ['the hash of a true one', (cookie: string) => `${cookie}x`],
  ['a cookie without the prefix', (cookie: string) => cookie.replace('__Host-', '')],
  ['a huge one', () => `__Host-aisle=${'x'.repeat(50_000)}`],
])('%s is nobody, and is sent to sign in', async (_, forge) => {
  const { app, who, cookie } = await visit('https://aisle.example')
  expect(await who(forge(cookie))).toBe(null)
  const answer = await app.request('/private?a=1', { headers: { cookie: forge(cookie) } })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/sign-in?next=%2Fprivate%3Fa%3D1')
})

test.each([
  ['/audits/shop.example?x=1', '/audits/shop.example?x=1'],
  ['//evil.example/', '/shop'],
  ['/\\evil.example', '/shop'],
  ['https://evil.example/report', '/shop'],
  ['javascript:alert(1)', '/shop'],
  ['/%0d%0aSet-Cookie:x', '/%0d%0aSet-Cookie:x'],
  ['/\t/evil.example', '/shop'],
  ['/.//evil.example', '/shop'],
  ['/a/..//evil.example', '/shop'],
  ['/%2e/\\evil.example', '/shop'],
  [undefined, '/shop'],
])('after signing in, %j leads to %j', (next, path) => {
  expect(safeNext(next)).toBe(path)
})
