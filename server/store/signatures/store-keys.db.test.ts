import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { LEAD_MS, PUBLISHED_MS } from '../../signatures/keys.ts'
import { signing_keys } from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { sweep } from '../ops/sweeper.ts'
import { NOON, testDeps } from '../testing/store.ts'
import { STORE_KEYS } from './store-keys.ts'

const { current: currentKey, list: listSigningKeys, published: publishedKeys } = STORE_KEYS
const { reader: keyReader, rotate: rotateKey } = STORE_KEYS

const DAY = 24 * 3_600_000
const after = (ms: number) => new Date(NOON.getTime() + ms)

test('replicas that need the first key at the same time make one', async () => {
  const { db, url } = await storeDatabase()
  const other = await connect({ databaseUrl: url, dataDir: '', migrations: null })
  try {
    const keys = await Promise.all(
      [db, other.db, db, other.db, db, other.db].map((each) => currentKey(each, NOON)),
    )
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1)
    expect(await db.select({ kid: signing_keys.kid }).from(signing_keys)).toEqual([
      { kid: keys[0]!.kid },
    ])
    await Promise.all([db, other.db].map((each) => rotateKey(each, NOON)))
    const listed = await listSigningKeys(db, NOON)
    expect(listed.map(({ state }) => state)).toEqual(['signs', 'next', 'next'])
  } finally {
    await other.close()
  }
})

test('a new key is published before it signs, and the old one for a week after', async () => {
  const { deps } = await testDeps()
  const { db } = deps
  const kids = async (at: Date) => (await publishedKeys(db, at)).map(({ kid }) => kid)
  const { kid: first } = await currentKey(db, NOON)
  await rotateKey(db, NOON)
  const [, second = ''] = await kids(NOON)
  expect(await kids(NOON)).toEqual([first, second])
  expect((await currentKey(db, after(LEAD_MS - 1))).kid).toBe(first)
  expect((await currentKey(db, after(LEAD_MS))).kid).toBe(second)
  const end = LEAD_MS + PUBLISHED_MS
  expect(PUBLISHED_MS).toBeGreaterThan(7 * DAY)
  expect(await kids(after(end - 1))).toEqual([first, second])
  expect(await kids(after(end))).toEqual([second])
  const rows = async () => (await db.select().from(signing_keys)).map(({ kid }) => kid)
  await sweep({ ...deps, now: () => after(end - 1) })
  expect(await rows()).toHaveLength(2)
  await sweep({ ...deps, now: () => after(end) })
  expect(await rows()).toEqual([second])
})

test('compromised keys leave immediately', async () => {
  const { db } = await storeDatabase()
  const { kid } = await currentKey(db, NOON)
  await rotateKey(db, NOON)
  await rotateKey(db, NOON, { compromised: true })
  const [only, ...others] = await publishedKeys(db, NOON)
  expect(others).toEqual([])
  expect(only?.kid).not.toBe(kid)
  expect((await currentKey(db, NOON)).kid).toBe(only?.kid)
})

test('what is published and what fails hold nothing private', async () => {
  const { db } = await storeDatabase()
  expect(await publishedKeys(db, NOON)).toEqual([
    {
      kid: expect.stringMatching(/^[\w-]{43}$/),
      kty: 'EC',
      crv: 'P-256',
      x: expect.stringMatching(/^[\w-]{43}$/),
      y: expect.stringMatching(/^[\w-]{43}$/),
      use: 'sig',
      alg: 'ES256',
    },
  ])
  expect(inspect([await currentKey(db, NOON), await listSigningKeys(db, NOON)])).not.toMatch(
    /\bd:|jwk/,
  )
  await db.delete(signing_keys)
  await db.$client`alter table store.signing_keys add check (kid = '')`
  const error = await publishedKeys(db, NOON).catch((thrown: unknown) => thrown)
  expect(inspect(error, { depth: 9, showHidden: true })).toContain('could not be stored')
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/crv|P-256/)
})

test('a key that is read for answers is looked up every five seconds', async () => {
  const { deps } = await testDeps()
  let at = NOON
  const read = keyReader(deps.db, () => at)
  const first = await read()
  await rotateKey(deps.db, NOON, { compromised: true })
  at = after(4999)
  expect((await read()).kid).toBe(first.kid)
  at = after(5000)
  const next = await read()
  expect(next.kid).not.toBe(first.kid)
  expect(next.kid).toBe((await currentKey(deps.db, at)).kid)
})
