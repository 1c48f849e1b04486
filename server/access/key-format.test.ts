import { expect, test } from 'vitest'
import { hashSecret, mintKey, parseKey } from './key-format.ts'

test('a minted key reads back', () => {
  for (let n = 0; n < 200; n += 1) {
    const { key, id, secret } = mintKey()
    expect(key).toMatch(/^aisle_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/)
    expect(parseKey(key)).toEqual({ id, secret })
  }
})

test('keys are never alike', () => {
  const keys = Array.from({ length: 500 }, () => mintKey())
  expect(new Set(keys.map(({ id }) => id)).size).toBe(500)
  expect(new Set(keys.map(({ secret }) => secret)).size).toBe(500)
})

test('one wrong character anywhere is seen', () => {
  const { key } = mintKey()
  for (let at = 0; at < key.length; at += 1) {
    const wrong = key[at] === 'x' ? 'y' : 'x'
    expect(parseKey(key.slice(0, at) + wrong + key.slice(at + 1))).toBeNull()
  }
})

test.each(['aisle_live_', ' ', 'aisle_test_', 'ä'.repeat(60)])('%j is no key', (text) => {
  expect(parseKey(text)).toBeNull()
  expect(parseKey(mintKey().key + text)).toBeNull()
})

test('a hash does not hold the secret', () => {
  const { secret } = mintKey()
  expect(hashSecret(secret)).toMatch(/^[0-9a-f]{64}$/)
  expect(hashSecret(secret)).not.toContain(secret)
})
