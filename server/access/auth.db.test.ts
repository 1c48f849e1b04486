import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { insertOwnKey, listKeys, revokeKey } from '../db/access/keys.ts'
import { api_keys } from '../db/access/tables.ts'
import { countWaiting, testOnOnePostgres } from '../db/testing/locks.ts'
import type { ServerEnv } from '../http/env.ts'
import { answerError } from '../http/errors.ts'
import { createLog } from '../process/log.ts'
import { testDatabase } from '../testing/app.ts'
import { requireDomain, requireKey } from './auth.ts'
import { hashSecret } from './key-format.ts'
import { createFirstKey, createKey, createOwnKey, NewKey } from './make-key.ts'

const { db, sql } = await testDatabase()
const log = createLog({ write: () => {} })
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes))

let now = at(0)
const app = new Hono<ServerEnv>()
  .onError(answerError(log))
  .use(requireKey({ db, now: () => now, log }, 'report:read'))
  .get('/:domain', (c) => {
    requireDomain(c, c.req.param('domain'))
    return c.text(c.var.key.name)
  })
const ask = (key: string, domain = 'shop.example') =>
  app.request(`/${domain}`, { headers: { Authorization: `bearer ${key}` } })

const request = (change: Partial<NewKey> = {}) =>
  NewKey.parse({
    name: 'test',
    scopes: ['report:read'],
    domains: ['Shop.Example'],
    expires_at: null,
    ...change,
  })
const rowOf = async (id: string) => (await db.select().from(api_keys).where(eq(api_keys.id, id)))[0]

test('only an empty database is given a first key, and of many that ask only one', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => createFirstKey(db, at(0))))
  expect(all.filter((key) => key !== null)).toHaveLength(1)
  const first = all.find((key) => key !== null)
  expect(first).toMatchObject({ domains: ['*'], name: 'operator' })
  expect((await ask(first?.key ?? '', 'any.example')).status).toBe(200)
  expect(await createFirstKey(db, at(0))).toBeNull()
})

test('the key itself is nowhere in the database', async () => {
  const { key, id } = await createKey(db, request(), at(0))
  const secret = key.split('_')[3] ?? ''
  const row = JSON.stringify(await rowOf(id))
  expect(row).not.toContain(secret.slice(0, 43))
  expect(JSON.stringify(await listKeys(db))).not.toContain('secret')
})

test('a key covers its domains and no other', async () => {
  const { key } = await createKey(db, request(), at(0))
  expect((await ask(key, 'shop.example')).status).toBe(200)
  const refused = await ask(key, 'other.example')
  expect(refused.status).toBe(403)
  expect((await refused.json()).error.code).toBe('domain_not_allowed')
  const everywhere = await createKey(db, request({ domains: ['*'] }), at(0))
  expect((await ask(everywhere.key, 'other.example')).status).toBe(200)
})

test.each(['', 'Basic ', 'Token ', 'Bearer:', 'Bearer: ', 'Key=', 'API_KEY '])(
  'a key behind %j: the message says to put Bearer before it, and does not repeat it',
  async (scheme) => {
    const { key } = await createKey(db, request(), at(0))
    const answer = await app.request('/shop.example', {
      headers: { Authorization: `${scheme}${key}` },
    })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
    const text = await answer.text()
    expect(JSON.parse(text).error).toMatchObject({
      code: 'invalid_key',
      message: 'Write "Bearer" and a space before the key: "Authorization: Bearer <API_KEY>".',
    })
    expect(text).not.toContain(key.slice(0, 20))
  },
)

test('the secret of one key does not open another', async () => {
  const [one, two] = [await createKey(db, request(), at(0)), await createKey(db, request(), at(0))]
  await db
    .update(api_keys)
    .set({ secret_sha256: (await rowOf(two.id))?.secret_sha256 ?? '' })
    .where(eq(api_keys.id, one.id))
  expect((await (await ask(one.key)).json()).error.code).toBe('invalid_key')
})

test('a key lives until it expires or is revoked', async () => {
  const { key, id } = await createKey(db, request({ expires_at: at(10) }), at(0))
  now = at(9)
  expect((await ask(key)).status).toBe(200)
  now = at(10)
  expect((await (await ask(key)).json()).error.code).toBe('expired_key')

  now = at(5)
  expect((await revokeKey(db, id, at(5)))?.revoked_at).toEqual(at(5))
  expect((await (await ask(key)).json()).error.code).toBe('revoked_key')
  expect((await revokeKey(db, id, at(7)))?.revoked_at).toEqual(at(5))
  expect(await revokeKey(db, 'nothing', at(7))).toBeNull()
})

test('a key that a replica whose clock is ahead has revoked is over', async () => {
  const { key, id } = await createKey(db, request(), at(0))
  now = at(1)
  await revokeKey(db, id, at(9))
  expect((await (await ask(key)).json()).error.code).toBe('revoked_key')
})

test('a key that was revoked since its holder was let in makes no other', async () => {
  const parent = await createKey(db, request(), at(0))
  await revokeKey(db, parent.id, at(1))
  await expect(createOwnKey(db, parent, request({ name: 'late' }), at(1))).rejects.toMatchObject({
    status: 401,
    code: 'revoked_key',
  })
  expect((await listKeys(db)).map(({ name }) => name)).not.toContain('late')
})

testOnOnePostgres('a key that is being made while its own is revoked ends with it', async () => {
  const parent = await createKey(db, request(), at(0))
  const { key: _, ...other } = await createKey(db, request(), at(0))
  const child = { ...other, id: 'child', made_by: parent.id, secret_sha256: hashSecret('child') }
  // The same id, not yet committed, holds the child up as it is stored.
  const held = await sql.reserve()
  await held`begin`
  await held`insert into api_keys select (jsonb_populate_record(k, '{"id": "child"}')).*
    from api_keys k where id = ${other.id}`
  const making = insertOwnKey(db, child)
  await eventually(() => countWaiting(sql)).toBe(1)
  const revoking = revokeKey(db, parent.id, at(1))
  const isOver = revoking.then(() => true)
  await eventually(
    async () => (await countWaiting(sql)) === 2 || Promise.race([isOver, false]),
  ).toBe(true)
  await held`rollback`
  held.release()
  expect(await making).toBe('made')
  await revoking
  expect(await rowOf('child')).toMatchObject({ revoked_at: at(1) })
})

test('the last use is noted, at most once a minute', async () => {
  const { key, id } = await createKey(db, request(), at(0))
  const lastUse = async () => (await rowOf(id))?.last_used_at
  now = at(1)
  await ask(key)
  await eventually(lastUse).toEqual(at(1))
  now = new Date(at(2).getTime() - 1)
  await ask(key)
  now = at(3)
  const before = await lastUse()
  await ask(key)
  await eventually(lastUse).toEqual(at(3))
  expect(before).toEqual(at(1))
})

test('a database that is away is 503, and says nothing of itself', async () => {
  const away = await testDatabase()
  const { key } = await createKey(away.db, request(), at(0))
  const unlucky = new Hono<ServerEnv>()
    .onError(answerError(log))
    .use(requireKey({ db: away.db, now: () => now, log }, 'report:read'))
  await away.sql.end()
  const answer = await unlucky.request('/', { headers: { Authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(503)
  expect(answer.headers.get('Retry-After')).toBe('5')
  expect((await answer.json()).error).toMatchObject({ code: 'database_unavailable' })
})

test('what is wrong with a new key is said', () => {
  for (const wrong of [{ scopes: [] }, { scopes: ['all'] }, { domains: ['https://x.example'] }]) {
    expect(NewKey.safeParse({ ...request(), ...wrong }).success).toBe(false)
  }
})
