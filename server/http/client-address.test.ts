import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { blockOf, clientAddress, isPrivateAddress, parseTrustProxy } from './client-address.ts'

const ask = (trust: string, socket: string | null, forwarded?: string) => {
  const app = new Hono().get('/', (c) => c.json(clientAddress(c, parseTrustProxy(trust))))
  const headers = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  const env = socket === null ? undefined : { incoming: { socket: { remoteAddress: socket } } }
  return Promise.resolve(app.request('/', { headers }, env)).then((answer) => answer.json())
}

const NEAR = '10.0.0.1'

test.each([
  { name: 'nobody is trusted', trust: '', socket: NEAR, hops: '203.0.113.7', is: NEAR },
  { name: 'a stranger', trust: 'private', socket: '8.8.8.8', hops: '203.0.113.7', is: '8.8.8.8' },
  { name: 'one proxy', trust: NEAR, socket: NEAR, hops: '203.0.113.7', is: '203.0.113.7' },
  {
    name: 'a forged first entry',
    trust: NEAR,
    socket: NEAR,
    hops: '1.1.1.1, 9.9.9.9',
    is: '9.9.9.9',
  },
  {
    name: 'two proxies',
    trust: 'loopback, 10.0.0.0/8',
    socket: '::1',
    hops: '203.0.113.7, 10.9.9.9',
    is: '203.0.113.7',
  },
  {
    name: 'two proxies, named with spaces between',
    trust: 'private 198.51.100.0/24 ',
    socket: NEAR,
    hops: '203.0.113.7, 198.51.100.4',
    is: '203.0.113.7',
  },
  {
    name: 'proxies only',
    trust: 'private',
    socket: NEAR,
    hops: '10.0.0.3, 10.0.0.2',
    is: '10.0.0.3',
  },
  { name: 'no header', trust: 'private', socket: NEAR, hops: undefined, is: NEAR },
  { name: 'an empty header', trust: 'private', socket: NEAR, hops: '', is: NEAR },
  { name: 'words', trust: 'private', socket: NEAR, hops: '203.0.113.7, unknown', is: NEAR },
  { name: 'a number', trust: 'private', socket: NEAR, hops: '2130706433', is: NEAR },
  {
    name: 'with a port',
    trust: 'private',
    socket: NEAR,
    hops: '203.0.113.7:1234',
    is: '203.0.113.7',
  },
  {
    name: 'IPv6 with a port',
    trust: 'private',
    socket: NEAR,
    hops: '[2001:db8::1]:80',
    is: '2001:db8::1',
  },
  { name: 'words behind', trust: 'private', socket: NEAR, hops: '[2001:db8::1]x', is: NEAR },
  { name: 'IPv6', trust: 'fd00::/8', socket: 'fd00::1', hops: '2001:DB8:0::1', is: '2001:db8::1' },
  {
    name: 'IPv4 over IPv6',
    trust: NEAR,
    socket: '::ffff:10.0.0.1',
    hops: '::ffff:9.9.9.9',
    is: '9.9.9.9',
  },
  {
    name: 'beside the range',
    trust: '10.0.0.0/31',
    socket: '10.0.0.2',
    hops: '9.9.9.9',
    is: '10.0.0.2',
  },
  {
    name: 'the last private address',
    trust: 'private',
    socket: '172.31.255.255',
    hops: '9.9.9.9',
    is: '9.9.9.9',
  },
  {
    name: 'the first that is not',
    trust: 'private',
    socket: '172.32.0.0',
    hops: '9.9.9.9',
    is: '172.32.0.0',
  },
  { name: 'no socket', trust: 'private', socket: null, hops: '9.9.9.9', is: null },
  { name: 'a socket that is gone', trust: 'private', socket: '', hops: '9.9.9.9', is: null },
  { name: 'ten thousand commas', trust: 'private', socket: NEAR, hops: ','.repeat(1e4), is: NEAR },
])('$name: $is', async ({ trust, socket, hops, is }) => {
  expect(await ask(trust, socket, hops)).toBe(is)
})

describe('TRUST_PROXY', () => {
  test('is a list, in any case, with spaces', () => {
    const ranges = parseTrustProxy(' Loopback,10.1.2.3 , 2001:db8::/32,')
    expect(ranges.map(([range, bits]) => `${range}/${bits}`)).toEqual([
      '127.0.0.0/8',
      '::1/128',
      '10.1.2.3/32',
      '2001:db8::/32',
    ])
    expect(parseTrustProxy(undefined)).toEqual([])
  })

  test.each([
    'true',
    '*',
    '1',
    '10.0.0.0/33',
    '10.0.0',
    '2130706433',
    'proxy.example',
    '10.0.0.1:80',
  ])('%s is refused', (text) => {
    expect(() => parseTrustProxy(text)).toThrow(
      `TRUST_PROXY: "${text}" is not a valid address or range. Give addresses or ranges such as 10.1.2.3`,
    )
  })

  test.each(['0.0.0.0/0', '::/0'])('%s is everyone', (text) => {
    expect(() => parseTrustProxy(text)).toThrow(`TRUST_PROXY: "${text}" trusts every client`)
  })
})

test.each([
  ['203.0.113.7', '203.0.113', false],
  ['10.1.2.3', '10.1.2', true],
  ['127.0.0.1', '127.0.0', true],
  ['2001:db8:1:2:3::4', '8193:3512:1', false],
  ['::1', '0:0:0', true],
  ['fd00::1', '64768:0:0', true],
  [null, 'unknown', false],
])('%s is of the network %s, and private: %s', (address, block, isPrivate) => {
  expect(blockOf(address)).toBe(block)
  expect(isPrivateAddress(address)).toBe(isPrivate)
})
