import { expect, test } from 'vitest'
import { type ApiKey, revokeKey, touchKey } from '../db/access/keys.ts'
import { testApp } from '../testing/app.ts'
import { cacheClock } from '../testing/cache-clock.ts'
import { createKeyring, type Keyring, rememberKeys } from './auth.ts'
import { mintKey } from './key-format.ts'

const { db, createTestKey } = await testApp()

test('a key that is revoked is found revoked at once', async () => {
  const { id, key } = await createTestKey()
  const keyring = createKeyring(db)
  expect((await keyring.find(key))?.revoked_at).toBeNull()
  const busy = Array.from({ length: 64 }, () => keyring.find(key))
  await revokeKey(db, id, new Date())
  expect((await keyring.find(key))?.revoked_at).not.toBeNull()
  await Promise.all(busy)
})

test('a key with the id of another is none of ours', async () => {
  const { id } = await createTestKey()
  const stranger = mintKey()
  const forged = stranger.key.replace(stranger.id, id)
  const keyring = createKeyring(db)
  expect(await keyring.find(forged)).toBeNull()
  expect(await keyring.find(stranger.key)).toBeNull()
  expect(await keyring.find('')).toBeNull()
})

const NOON = new Date('2026-11-20T12:00:00Z')
const AT_NOON = () => NOON

/** Counts what it is asked. */
function counting(keys: Keyring) {
  const asked: string[] = []
  const find = (key: string) => {
    asked.push(key)
    return keys.find(key)
  }
  return { asked, find }
}

async function usedKey() {
  const created = await createTestKey()
  await touchKey(db, created, { now: NOON, use: 'a test' })
  return created
}

const { pass } = cacheClock()

test('a remembered key is looked up once in five seconds, and found revoked after them', async () => {
  const { id, key } = await usedKey()
  const source = counting(createKeyring(db))
  const keys = rememberKeys(source, AT_NOON)
  for (let n = 0; n < 5; n += 1) expect((await keys.find(key))?.id).toBe(id)
  expect(source.asked).toHaveLength(1)

  await revokeKey(db, id, NOON)
  await pass(4_999)
  expect((await keys.find(key))?.revoked_at).toBeNull()
  await pass(102)
  expect((await keys.find(key))?.revoked_at).toEqual(NOON)
  expect(source.asked).toHaveLength(2)
})

test('what is none of ours is looked up each time, so that a new key works at once', async () => {
  const source = counting({ find: async () => null })
  const keys = rememberKeys(source, AT_NOON)
  for (let n = 0; n < 3; n += 1) expect(await keys.find('none')).toBeNull()
  expect(source.asked).toHaveLength(3)
})

test('a key is looked up again until its use is noted', async () => {
  const { key } = await createTestKey()
  const source = counting(createKeyring(db))
  let now = NOON
  const keys = rememberKeys(source, () => now)
  const unused = (await keys.find(key)) as ApiKey
  await keys.find(key)
  expect(source.asked).toHaveLength(2)
  await touchKey(db, unused, { now: now, use: 'a test' })
  for (let n = 0; n < 5; n += 1) await keys.find(key)
  expect(source.asked).toHaveLength(3)
  now = new Date(NOON.getTime() + 60_000)
  await keys.find(key)
  expect(source.asked).toHaveLength(4)
})

test('it remembers ten thousand keys and no more', async () => {
  const row = (await createKeyring(db).find((await usedKey()).key)) as ApiKey
  const source = counting({ find: async () => row })
  const keys = rememberKeys(source, AT_NOON)
  for (let n = 0; n <= 10_000; n += 1) await keys.find(`key ${n}`)
  await keys.find('key 10000')
  expect(source.asked).toHaveLength(10_001)
  await keys.find('key 0')
  expect(source.asked).toHaveLength(10_002)
})
