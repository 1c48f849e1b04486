import { expect, test } from 'vitest'
import type { Fetched } from '../../../shared/web/http/fetched.ts'
import { createJwk, publicJwk, thumbprintOf } from '../jwk.ts'
import { createDirectories } from './directories.ts'
import VECTORS from './testing/vectors.json' with { type: 'json' }

const JWK = createJwk('EdDSA')
const KID = thumbprintOf({ ...JWK })
const SET = JSON.stringify({ keys: [publicJwk(KID, JWK)] })
const URL = 'https://signer.example/.well-known/http-message-signatures-directory'
const MINUTE = 60_000

const answer = (body: string, more: object = {}): Fetched => ({
  ...{ kind: 'answer', method: 'GET', url: URL, final_url: URL, redirects: [], status: 200 },
  ...{ headers: {}, body, truncated: false, ms: 1 },
  ...more,
})
const DOWN: Fetched = {
  ...{ kind: 'no_answer', method: 'GET', url: URL, why: 'timeout', message: '', ms: 1 },
}

/** Directories that answer as they are told to, at a time that is told, and who was asked. */
function served(first: Fetched = answer(SET)) {
  const state = { answer: first, at: 0, asked: [] as string[] }
  const directories = createDirectories({
    clock: () => state.at,
    isListed: (url) => url.includes('listed'),
    read: async (url) => {
      state.asked.push(url)
      return state.answer
    },
  })
  return { state, keysAt: directories.keysAt }
}
const count = (found: object) => ('keys' in found ? (found.keys as unknown[]).length : found)

test('a directory is read once for many, and again when its time is over', async () => {
  const { state, keysAt } = served(answer(SET, { headers: { 'cache-control': 'max-age=600' } }))
  const all = await Promise.all(Array.from({ length: 20 }, () => keysAt(URL, null)))
  expect([all.map(count), state.asked.length]).toEqual([Array(20).fill(1), 1])
  state.at = 600_000 - 1
  await keysAt(URL, null)
  expect(state.asked).toHaveLength(1)
  state.at = 600_000
  state.answer = answer('{"keys":[]}')
  expect(count(await keysAt(URL, null))).toBe(0)
})

test.each([
  ['max-age=0', MINUTE],
  ['max-age=31536000', 60 * MINUTE],
  ['', 60 * MINUTE],
])('kept with cache-control "%s" for %d ms', async (cacheControl, ms) => {
  const { state, keysAt } = served(answer(SET, { headers: { 'cache-control': cacheControl } }))
  await keysAt(URL, null)
  state.at = ms - 1
  await keysAt(URL, null)
  expect(state.asked).toHaveLength(1)
  state.at = ms
  await keysAt(URL, null)
  expect(state.asked).toHaveLength(2)
})

test('a key that is missing is looked for again, once a minute', async () => {
  const { state, keysAt } = served()
  for (let n = 0; n < 5; n += 1) await keysAt(URL, null, 'new')
  expect(state.asked).toHaveLength(1)
  state.at = MINUTE
  for (let n = 0; n < 5; n += 1) await keysAt(URL, null, 'new')
  expect(state.asked).toHaveLength(2)
})

test.each([
  ['no answer', DOWN, 'directory_unreachable'],
  ['not found', answer('', { status: 404 }), 'directory_unreachable'],
  ['a redirect', answer('', { status: 302 }), 'directory_unreachable'],
  ['a page', answer('<html>'), 'directory_malformed'],
  ['no set of keys', answer('{"keys":{}}'), 'directory_malformed'],
  ['one that is too long', answer(SET, { truncated: true }), 'directory_malformed'],
])('what cannot be used is not asked for again within a minute: %s', async (_, first, problem) => {
  const { state, keysAt } = served(first)
  for (let n = 0; n < 3; n += 1) expect(await keysAt(URL, null)).toEqual({ problem })
  expect(state.asked).toHaveLength(1)
  state.at = MINUTE
  state.answer = answer(SET)
  expect(count(await keysAt(URL, null))).toBe(1)
})

test('a directory that is down revokes nothing for a day', async () => {
  const { state, keysAt } = served()
  await keysAt(URL, null)
  state.answer = DOWN
  for (state.at = 60 * MINUTE; state.at < 24 * 60 * MINUTE; state.at += 60 * MINUTE) {
    expect(count(await keysAt(URL, null))).toBe(1)
  }
  expect(await keysAt(URL, null)).toEqual({ problem: 'directory_unreachable' })
})

test('examples that anyone can sign with are no keys, and no more than 32 are read', async () => {
  const { rfc_ed25519, rfc_rsa } = VECTORS.keys
  const many = Array.from({ length: 100 }, () => ({ ...rfc_ed25519, x: 'A'.repeat(43) }))
  const keys = [rfc_ed25519, rfc_rsa, 7, null, 'x', { kty: 1 }, ...many]
  expect(count(await served(answer(JSON.stringify({ keys }))).keysAt(URL, null))).toBe(26)
})

test('strangers who make up signers use up their own reads, and no listed one is forgotten', async () => {
  const { state, keysAt } = served()
  const listed = 'https://listed.example/keys'
  await keysAt(listed, null)
  for (const asker of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    for (let n = 0; n < 100; n += 1) await keysAt(`https://${asker}${n}.example/keys`, asker)
  }
  const ofAsker = (asker: string) => state.asked.filter((url) => url.startsWith(`https://${asker}`))
  expect(ofAsker('a')).toHaveLength(24)
  expect(state.asked.length).toBeLessThanOrEqual(121)
  expect(await keysAt('https://late.example/keys', 'z')).toEqual({ problem: 'directory_busy' })
  // A listed signer has reads of its own.
  expect(count(await keysAt('https://other.listed.example/keys', 'z'))).toBe(1)
  state.at = MINUTE
  expect(count(await keysAt(listed, 'z'))).toBe(1)
  expect(state.asked.filter((url) => url === listed)).toHaveLength(1)
})
