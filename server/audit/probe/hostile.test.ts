import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type LookupFunction,
} from 'node:net'
import { buildConnector } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Resolve, ResolvedAddress } from './fetch/address.ts'
import { createFetcher, type Fetcher, type FetcherOptions } from './fetch/fetch.ts'

/** Any connection that the guard lets through ends here, wherever it was meant to go. */
let arrived = 0
const canary = createServer((_, response) => response.end('reached'))
canary.on('connection', () => {
  arrived += 1
})

/** What a hostile merchant serves. */
const pages: Record<string, RequestListener> = {}
const merchant = createServer((request, response) => {
  const answer = pages[request.url ?? '']
  if (answer) answer(request, response)
  else response.writeHead(404).end()
})

const portOf = (server: typeof canary) => (server.address() as AddressInfo).port
const open: Fetcher[] = []

/** What was handed to the dialler: the name, and the addresses that it may use. */
const dialled: { name: string; addresses: unknown }[] = []

const toCanary: typeof buildConnector = (options) => (target, callback) => {
  if (target.port === String(portOf(merchant))) return buildConnector(options)(target, callback)
  const lookup = options && 'lookup' in options ? options.lookup : undefined
  lookup?.(target.hostname, { all: true }, (_, addresses) => {
    dialled.push({ name: target.hostname, addresses })
  })
  const socket = connect(portOf(canary), '127.0.0.1')
  socket.once('connect', () => callback(null, socket))
  socket.once('error', (error) => callback(error, null))
}

const resolveTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map(
      (address): ResolvedAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
    )

const PUBLIC = '93.184.215.14'

function openSession(options: Partial<FetcherOptions> = {}) {
  const fetcher = createFetcher({
    userAgent: 'Test/1',
    connector: toCanary,
    resolve: resolveTo(PUBLIC),
    testHosts: [{ pattern: 'evil.example', origin: `http://127.0.0.1:${portOf(merchant)}` }],
    ...options,
  })
  open.push(fetcher)
  return fetcher.open()
}

const get = (url: string, options?: Partial<FetcherOptions>) =>
  openSession(options).request({ url, maxBytes: 1000 })

beforeAll(async () => {
  for (const server of [canary, merchant]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
beforeEach(() => {
  arrived = 0
  dialled.length = 0
})
afterAll(async () => {
  await Promise.all(open.map((fetcher) => fetcher.close()))
  for (const server of [canary, merchant]) server.close()
})

const TARGETS: Record<string, string[]> = {
  'loopback spelling': [
    'http://127.0.0.1',
    'http://127.127.127.127',
    'http://127.1',
    'http://127.0.1',
    'http://2130706433',
    'http://017700000001',
    'http://0177.0.0.1',
    'http://0x7f.0x0.0x0.0x1',
    'http://0x7f000001',
    'http://0',
    'http://0.0.0.0',
    'http://[::]',
    'http://[::1]',
    'http://[0000::1]',
    'http:127.0.0.1',
    'http:\\\\127.0.0.1',
  ],
  'private or shared': [
    'http://10.0.0.1',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.0.1',
    'http://100.64.0.1',
    'http://100.100.100.200',
  ],
  'cloud metadata': [
    'http://169.254.169.254',
    'http://169.254.170.2',
    'http://2852039166',
    'http://0xa9fea9fe',
    'http://0251.0376.0251.0376',
    'http://[::ffff:a9fe:a9fe]',
    'http://[fd00:ec2::254]',
    'http://168.63.129.16',
    'http://metadata.google.internal',
  ],
  'IPv4 inside IPv6': [
    'http://[0:0:0:0:0:ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[::127.0.0.1]',
    'http://[::ffff:0:127.0.0.1]',
    'http://[64:ff9b::a9fe:a9fe]',
    'http://[64:ff9b:1::a00:1]',
    'http://[2002:7f00:1::1]',
    'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    'http://[fe80::1%25eth0]',
  ],
  'reserved IPv6': [
    'http://[fe80::1]',
    'http://[fec0::1]',
    'http://[fc00::1]',
    'http://[2001:db8::1]',
    'http://[3fff::1]',
    'http://[5f00::1]',
    'http://[100::1]',
    'http://[100:0:0:1::1]',
    'http://[ff02::1]',
    'http://[1::1]',
    'http://[4000::1]',
    'http://[8000::1]',
    'http://[fe00::1]',
  ],
  'reserved IPv4': [
    'http://192.0.0.192',
    'http://192.0.2.1',
    'http://192.88.99.1',
    'http://198.18.0.1',
    'http://198.51.100.1',
    'http://203.0.113.1',
    'http://224.0.0.1',
    'http://240.0.0.1',
    'http://255.255.255.255',
  ],
  'public literal': [`http://${PUBLIC}`, 'https://[2606:4700:4700::1111]'],
  'local name': [
    'http://localhost',
    'http://LOCALHOST',
    'http://localhost.',
    'http://foo.localhost',
    'http://ip6-localhost',
    'http://kubernetes.default.svc',
    'http://printer.local',
    'http://intranet',
    'http://shop.onion',
  ],
  'unicode or encoding': [
    'http://127。0。0。1',
    'http://①②⑦.⓪.⓪.①',
    'http://⑯⑨。②⑤④。⑯⑨｡②⑤④',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'http://%31%32%37.0.0.1',
    'http://127.0.0.1%00.a.com',
    'http://127.0\n.0.1',
  ],
  'user or port': [
    'http://a.com@127.0.0.1',
    'http://127.0.0.1:80@a.com',
    'http://user:pw@shop.com',
    'http://shop.com:22',
    'http://shop.com:25',
    'http://shop.com:6379',
    'http://shop.com:0',
    'http://shop.com:65536',
  ],
  scheme: [
    'file:///etc/passwd',
    'gopher://shop.com/',
    'ftp://shop.com/',
    'data:text/plain,x',
    'jar:http://127.0.0.1!/',
    'dict://127.0.0.1:11211/',
  ],
}

describe.each(Object.entries(TARGETS))('%s', (_, targets) => {
  test.each(targets)('%s is not reached', async (url) => {
    expect(await get(url)).toMatchObject({ kind: 'no_answer', why: 'unreachable' })
    expect(arrived).toBe(0)
  })
})

test('a public name is reached, by its tested addresses and under its own name', async () => {
  const resolve = resolveTo(PUBLIC, '2606:4700:4700::1111')
  const answer = await get('https://shop.com/', { resolve })
  expect(answer).toMatchObject({ kind: 'answer', status: 200, body: 'reached' })
  expect(arrived).toBe(1)
  expect(dialled).toEqual([
    {
      name: 'shop.com',
      addresses: [
        { address: PUBLIC, family: 4 },
        { address: '2606:4700:4700::1111', family: 6 },
      ],
    },
  ])
})

test('TLS is spoken to the name, although its address is dialled', async () => {
  let hello = ''
  const listener = createTcpServer((socket) => {
    socket.once('data', (bytes) => {
      hello = bytes.toString('latin1')
      socket.destroy()
    })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const { port } = listener.address() as AddressInfo
  const toListener: typeof buildConnector = (options) => {
    const lookup: LookupFunction = (_host, _, done) =>
      done(null, [{ address: '127.0.0.1', family: 4 }])
    const dial = buildConnector({ ...options, lookup })
    return (target, callback) => dial({ ...target, port: String(port) }, callback)
  }
  expect(await get('https://shop.com/', { connector: toListener })).toMatchObject({
    why: 'unreachable',
  })
  listener.close()
  expect(hello).toContain('shop.com')
})

describe('a name that resolves to', () => {
  test.each([
    ['loopback', ['127.0.0.1']],
    ['a public address and loopback', [PUBLIC, '127.0.0.1']],
    ['three public addresses and a private one', [PUBLIC, PUBLIC, PUBLIC, '10.0.0.1']],
    ['mapped loopback', ['::ffff:127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['NAT64 metadata', ['64:ff9b::a9fe:a9fe']],
    ['nothing', []],
    ['what is no address', ['shop.com']],
  ])('%s is not reached', async (_, addresses) => {
    const resolve = resolveTo(...addresses)
    expect(await get('https://shop.com/', { resolve })).toMatchObject({ why: 'unreachable' })
    expect(arrived).toBe(0)
  })

  test('a public address first and loopback afterwards is looked up once per connection', async () => {
    const answers = [PUBLIC, '127.0.0.1']
    let lookups = 0
    const resolve: Resolve = async () => resolveTo(answers[lookups++] ?? '127.0.0.1')('')
    expect(await get('https://shop.com/', { resolve })).toMatchObject({ kind: 'answer' })
    expect(lookups).toBe(1)
    expect(dialled[0]?.addresses).toEqual([{ address: PUBLIC, family: 4 }])
    expect(await get('https://shop.com/', { resolve })).toMatchObject({ why: 'unreachable' })
    expect([lookups, arrived]).toEqual([2, 1])
  })
})

test('a refused literal, a refused address, no address and a closed port read the same', async () => {
  const closed: typeof buildConnector = () => (_, callback) =>
    callback(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), null)
  const seen = await Promise.all([
    get('https://10.0.0.1/'),
    get('https://corp.internal/'),
    get('https://shop.com/', { resolve: resolveTo('10.0.0.1') }),
    get('https://shop.com/', { resolve: resolveTo() }),
    get('https://shop.com/', { resolve: () => Promise.reject(new Error('ENOTFOUND')) }),
    get('https://shop.com/', { connector: closed }),
  ])
  const words = seen.map((each) => each.kind === 'no_answer' && `${each.why}: ${each.message}`)
  expect(words[0]).toContain('unreachable: no public web server')
  expect(new Set(words).size).toBe(1)
  for (const each of seen) expect(each.kind === 'no_answer' && each.ms).toBeGreaterThanOrEqual(49)
})

test('a certificate that is not valid is named', async () => {
  const expired: typeof buildConnector = () => (_, callback) =>
    callback(Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' }), null)
  expect(await get('https://shop.com/', { connector: expired })).toMatchObject({
    why: 'certificate',
    message:
      'the TLS certificate is not valid (CERT_HAS_EXPIRED); install one that is valid for this name',
  })
})

describe('a redirect', () => {
  const redirect = (status: number, location: string): RequestListener => {
    return (_, response) => response.writeHead(status, { location }).end('moved')
  }

  test.each([
    ['to loopback', 'http://127.0.0.1/', 'unreachable'],
    ['to loopback and its port', 'http://127.0.0.1:6379/', 'redirect'],
    ['to IPv6 loopback', 'http://[::1]/', 'unreachable'],
    ['to metadata', 'http://169.254.169.254/latest/meta-data/', 'unreachable'],
    ['to a local name', 'http://metadata.google.internal/', 'unreachable'],
    ['to a user and host', 'http://a@shop.com/', 'redirect'],
    ['to a file', 'file:///etc/passwd', 'redirect'],
    ['to what is no URL', 'http://[', 'redirect'],
  ])('%s is not followed', async (_, location, why) => {
    pages['/go'] = redirect(302, location)
    const seen = await get('http://evil.example/go')
    expect(seen).toMatchObject({ kind: 'no_answer', url: 'http://evil.example/go', why })
    expect(arrived).toBe(0)
  })

  test('to a name that resolves to a private address is not followed', async () => {
    pages['/go'] = redirect(302, 'https://shop.com/')
    const resolve = resolveTo('192.168.0.1')
    expect(await get('http://evil.example/go', { resolve })).toMatchObject({
      why: 'unreachable',
      message: expect.stringMatching(/^redirected to https:\/\/shop\.com\/: no public web server/),
    })
    expect(arrived).toBe(0)
  })

  test('from https to http gives no answer, and over http no private address is reached', async () => {
    pages['/go'] = redirect(301, 'http://shop.com/')
    expect(await get('https://evil.example/go')).toMatchObject({ why: 'redirect' })
    const resolve = resolveTo('192.168.0.1')
    const before = arrived
    expect(await get('https://evil.example/go', { resolve })).toMatchObject({ why: 'unreachable' })
    expect(arrived).toBe(before)
  })

  test('to a public name is followed', async () => {
    pages['/go'] = redirect(308, 'https://shop.com/')
    expect(await get('http://evil.example/go')).toMatchObject({
      kind: 'answer',
      final_url: 'https://shop.com/',
      redirects: [{ status: 308, location: 'https://shop.com/' }],
      body: 'reached',
    })
  })

  test.each([
    [5, { kind: 'answer', body: 'end' }],
    [6, { kind: 'no_answer', why: 'redirect' }],
  ])('in a chain of %i', async (length, expected) => {
    for (let hop = 1; hop < length; hop++) pages[`/${hop}`] = redirect(307, `/${hop + 1}`)
    pages[`/${length}`] = redirect(307, '/end')
    pages['/end'] = (_, response) => response.end('end')
    expect(await get('https://evil.example/1')).toMatchObject(expected)
  })
})
