import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { AGENTS } from '../../../shared/attribution/agents.ts'
import { BUILT_IN_COPIES, PUBLISHED_LISTS } from './published-lists.ts'
import { createAddressVerifier } from './verify-address.ts'

const verify = createAddressVerifier(BUILT_IN_COPIES)
const day = '2026-11-30'
const HELD = BUILT_IN_COPIES.map((copy) => ({
  ...copy,
  list: PUBLISHED_LISTS.find(({ id }) => id === copy.list)!,
}))

describe.each(HELD)('$list.id', ({ list, prefixes, since }) => {
  const userAgent = `Mozilla/5.0 (compatible; ${list.tokens[0]}/1.0; +https://example.com/bot)`
  test('every range of it is verified', () => {
    for (const prefix of prefixes) {
      const address = prefix.split('/')[0] ?? ''
      expect(verify({ userAgent, address, day })).toEqual({
        ...{ outcome: 'verified', token: list.tokens[0]?.toLowerCase(), list: list.id, since },
      })
    }
  })
  test('no forged address is', () => {
    const others = HELD.filter(
      (other) => other.list.operator !== list.operator && !prefixes.includes(other.prefixes[0]!),
    )
    const forged = [
      ...others.map((other) => other.prefixes[0]?.split('/')[0] ?? ''),
      ...['192.0.2.1', '203.0.113.77', '127.0.0.1', '10.0.0.1', '169.254.169.254', '8.8.8.8'],
      ...['2001:db8::1', '::1', 'fe80::1', '', 'localhost', '4.151.71', '999.1.1.1', '0x7f000001'],
      ...before(prefixes),
    ]
    const verified = forged.filter(
      (address) => verify({ userAgent, address, day }).outcome === 'verified',
    )
    expect(verified).toEqual([])
  })
})

/** The address before each range, where that is in no other range of the list. */
function before(prefixes: readonly string[]): string[] {
  const ranges = prefixes.map((prefix) =>
    ipaddr.parseCIDR(prefix.includes('/') ? prefix : `${prefix}/32`),
  )
  return ranges.flatMap(([start]) => {
    const bytes = start.toByteArray()
    const last = bytes.findLastIndex((byte) => byte > 0)
    const lower = ipaddr.fromByteArray(
      bytes.map((byte, at) => (at < last ? byte : at === last ? byte - 1 : 255)),
    )
    const isIn = ranges.some(
      ([other, length]) => other.kind() === lower.kind() && lower.match([other, length] as never),
    )
    return isIn ? [] : [lower.toString()]
  })
}

test('an agent without a list, and a browser, are neither verified nor outside', () => {
  for (const userAgent of ['', 'Mozilla/5.0 Chrome/140', 'NovaAct/1.0', 'notchatgpt-user/1.0']) {
    const claim = { userAgent, address: '4.151.71.176', day }
    expect(verify(claim)).toEqual({ outcome: 'unlisted' })
  }
})

test('IPv4 within IPv6 is IPv4', () => {
  const claim = { userAgent: 'ChatGPT-User/1.0', address: '::ffff:4.151.71.177', day }
  expect(verify(claim).outcome).toBe('verified')
})

test('an address is judged by the lists of its day', () => {
  const at = createAddressVerifier([
    { list: 'gptbot', since: '2026-03-01', prefixes: ['192.0.2.0/24'] },
    { list: 'gptbot', since: '2026-01-01', prefixes: ['198.51.100.0/24'] },
    { list: 'gptbot', since: '2026-06-01', prefixes: ['203.0.113.0/24', '2001:db8::/32'] },
  ])
  const lists = { first: '198.51.100.9', second: '192.0.2.9', third: '203.0.113.9' }
  const verifiedOn = (on: string) =>
    Object.entries(lists).flatMap(([name, address]) => {
      const { outcome } = at({ userAgent: 'GPTBot/1.2', address, day: on })
      return outcome === 'verified' ? [name] : []
    })
  expect(verifiedOn('2025-11-30')).toEqual(['first'])
  // Between two copies it was one or the other.
  expect(verifiedOn('2026-02-01')).toEqual(['first', 'second'])
  expect(verifiedOn('2026-03-01')).toEqual(['second', 'third'])
  expect(verifiedOn('2026-11-30')).toEqual(['third'])
  expect(at({ userAgent: 'GPTBot/1.2', address: '2001:db8::7', day }).outcome).toBe('verified')
})

test('every list is told by tokens of its own, and the copies are of lists', () => {
  const tokens = PUBLISHED_LISTS.flatMap((list) => list.tokens)
  expect(new Set(tokens).size).toBe(tokens.length)
  expect(HELD.every(({ list }) => list !== undefined)).toBe(true)
  expect(AGENTS.map(({ token }) => token)).toEqual(expect.arrayContaining(tokens))
})
