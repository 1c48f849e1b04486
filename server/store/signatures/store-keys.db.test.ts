import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { createSealer } from '../../db/sealing/seal.ts'
import { LEAD_MS, PUBLISHED_MS } from '../../signatures/keys.ts'
import { signing_keys } from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { sweep } from '../ops/sweeper.ts'
import { NOON, testDeps } from '../testing/store.ts'
import { storeKeys } from './store-keys.ts'
import { TEST_KEYS } from './testing/test-keys.ts'

const { current: currentKey, list: listSigningKeys, published: publishedKeys } = TEST_KEYS
const { reader: keyReader, rotate: rotateKey } = TEST_KEYS

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

test('private halves are sealed, and each opens in its own row alone', async () => {
  const { db } = await storeDatabase()
  const [first] = await TEST_KEYS.signers(db, NOON)
  await rotateKey(db, NOON)
  const dump = JSON.stringify(await db.select().from(signing_keys))
  expect(dump).not.toContain('"d"')
  expect(dump).toMatch(/"sealed":"v1\.[\da-f]{16}\./)
  // What another row has opens nothing here.
  await db.$client`update store.signing_keys k set sealed = (
    select sealed from store.signing_keys o where o.kid <> k.kid)`
  expect(await TEST_KEYS.signers(db, NOON)).toEqual([])
  expect((await publishedKeys(db, NOON)).map(({ kid }) => kid)).toContain(first?.kid)
})

test('with another SECRETS_KEY nothing signs until a key is made with it', async () => {
  const { db } = await storeDatabase()
  const { kid: lost } = await currentKey(db, NOON)
  const other = storeKeys(createSealer(async () => Buffer.alloc(32, 2)))
  await expect(other.current(db, NOON)).rejects.toThrow('signing-keys rotate')
  expect((await other.list(db, NOON)).map(({ state }) => state)).toEqual(['unreadable'])
  await other.rotate(db, NOON)
  // At once: the one before cannot sign any more, and stays published for what it has signed.
  const { kid } = await other.current(db, NOON)
  expect((await other.published(db, NOON)).map((each) => each.kid)).toEqual([lost, kid])
  // A replica that still has the key of before signs with it meanwhile.
  expect((await currentKey(db, NOON)).kid).toBe(lost)
})

test('without a SECRETS_KEY no key is made, and none is published', async () => {
  const { db } = await storeDatabase()
  const none = storeKeys(createSealer(async () => null))
  expect(await none.published(db, NOON)).toEqual([])
  await expect(none.current(db, NOON)).rejects.toThrow('SECRETS_KEY')
  await expect(none.rotate(db, NOON)).rejects.toThrow('Set SECRETS_KEY')
  expect(await db.select().from(signing_keys)).toEqual([])
})
