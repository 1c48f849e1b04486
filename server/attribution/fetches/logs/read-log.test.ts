import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { LogLine } from '../../../../shared/attribution/fetches/fetch.ts'
import { createLogReader, readLog } from './read-log.ts'

const AGENT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0'
const PERSON = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36'

/** What every format says of the same request, as far as it says it. */
const SAID: LogLine = {
  ...{
    at: Date.UTC(2026, 10, 29, 6),
    method: 'GET',
    host: 'shop.example',
    path: '/products/b%20t',
  },
  ...{ marks: { utm_source: 'chatgpt.com' }, status: 200, bytes: 5120, userAgent: AGENT },
  ...{ address: '203.0.113.7', id: 'r-1' },
}
const URI = '/products/b%20t?utm_source=chatgpt.com&token=secret'

/** The line of each format, with a User-Agent, and the fields that the format does not have. */
const FORMATS: Record<string, { line: (userAgent: string) => string; without: (keyof LogLine)[] }> =
  {
    'combined of nginx and Apache': {
      line: (agent) =>
        `203.0.113.7 - - [29/Nov/2026:07:00:00 +0100] "GET ${URI} HTTP/1.1" 200 5120 "-" "${agent}"`,
      without: ['host', 'id'],
    },
    'the main format of nginx': {
      line: (agent) =>
        `203.0.113.7 - Jo "x [1] [29/Nov/2026:06:00:00 +0000] "GET ${URI} HTTP/2.0" 200 5120 "https://a.example/\\x22" "${agent}" "198.51.100.1"`,
      without: ['host', 'id'],
    },
    'vhost_combined of Apache': {
      line: (agent) =>
        `shop.example:443 203.0.113.7 - - [29/Nov/2026:06:00:00 +0000] "GET ${URI} HTTP/1.1" 200 5120 "a \\"b\\\\" "${agent}"`,
      without: ['id'],
    },
    Caddy: {
      line: (agent) =>
        JSON.stringify({
          ...{ level: 'info', ts: 1795932000, status: 200, size: 5120 },
          request: {
            ...{ remote_ip: '192.0.2.1', client_ip: '203.0.113.7', method: 'GET', uri: URI },
            ...{ host: 'shop.example', headers: { 'User-Agent': [agent], Accept: ['*/*'] } },
          },
        }),
      without: ['id'],
    },
    'Cloudflare Logpush': {
      line: (agent) =>
        JSON.stringify({
          ...{ EdgeStartTimestamp: 1795932000000000000, ClientIP: '203.0.113.7', RayID: 'r-1' },
          ...{ ClientRequestHost: 'shop.example', ClientRequestMethod: 'GET' },
          ...{ ClientRequestURI: URI, ClientRequestUserAgent: agent, EdgeResponseStatus: 200 },
          EdgeResponseBytes: 5120,
        }),
      without: [],
    },
    'CloudFront, standard': {
      line: (agent) =>
        [
          ...['2026-11-29', '06:00:00', 'FRA2', '5120', '203.0.113.7', 'GET', 'd1.cloudfront.net'],
          ...[
            '/products/b%20t',
            '200',
            '-',
            encodeURI(encodeURI(agent)),
            URI.split('?')[1],
            '-',
            'Hit',
          ],
          ...['r-1', 'shop.example'],
        ].join('\t'),
      without: [],
    },
    'CloudFront, JSON': {
      line: (agent) =>
        JSON.stringify({
          ...{ date: '2026-11-29', time: '06:00:00', 'sc-bytes': '5120', 'c-ip': '203.0.113.7' },
          ...{
            'cs-method': 'GET',
            'cs(Host)': 'd1.cloudfront.net',
            'cs-uri-stem': '/products/b%20t',
          },
          ...{ 'sc-status': '200', 'cs(User-Agent)': encodeURI(agent), 'x-edge-request-id': 'r-1' },
          ...{ 'cs-uri-query': URI.split('?')[1], 'x-host-header': 'shop.example' },
        }),
      without: [],
    },
    Vercel: {
      line: (agent) =>
        JSON.stringify({
          ...{ id: '17', source: 'static', host: 'x.vercel.app', timestamp: 1, requestId: 'r-1' },
          proxy: {
            ...{ timestamp: 1795932000000, method: 'GET', host: 'shop.example', path: URI },
            ...{ userAgent: [agent], statusCode: 200, clientIp: '203.0.113.7' },
          },
        }),
      without: ['bytes'],
    },
    Netlify: {
      line: (agent) =>
        JSON.stringify({
          ...{ log_type: 'traffic', timestamp: '2026-11-29T06:00:00.000Z', request_id: 'r-1' },
          ...{ url: `https://shop.example${URI}`, method: 'GET', status_code: 200 },
          ...{ response_size: 5120, client_ip: '203.0.113.7', user_agent: agent },
        }),
      without: [],
    },
    'nginx as JSON': {
      line: (agent) =>
        `{ "time_iso8601": "2026-11-29T06:00:00+00:00", "remote_addr": "203.0.113.7", "host": "shop.example", "request": "GET ${URI} HTTP/1.1", "status": "200", "body_bytes_sent": "5120", "http_user_agent": "${agent}", "request_id": "r-1" }`,
      without: [],
    },
    'what a collector sends': {
      line: (agent) =>
        JSON.stringify({ ...SAID, path: URI, at: '2026-11-29T06:00:00Z', userAgent: agent }),
      without: [],
    },
  }

const rowsOf = (text: string | Uint8Array, chunk = 50) => {
  const reader = createLogReader()
  const bytes = Buffer.from(text)
  const rows: LogLine[] = []
  for (let at = 0; at < bytes.length; at += chunk) {
    rows.push(...reader.write(bytes.subarray(at, at + chunk)))
  }
  rows.push(...reader.end())
  return { rows, counts: reader.counts }
}

test.each(Object.entries(FORMATS))('%s', (_, { line, without }) => {
  const said = Object.fromEntries(
    Object.entries(SAID).filter(([field]) => !without.includes(field as keyof LogLine)),
  )
  // A person first: what is learned of the format must not hide the agent after it.
  const text = [line(PERSON), line(AGENT), line(''), line(PERSON), line(AGENT)].join('\r\n')
  const { rows, counts } = rowsOf(text)
  const again = without.includes('id') ? { ...said, nth: 1 } : said
  expect(rows).toEqual([said, again])
  expect(counts).toEqual({ lines: 5, agents: 2, others: 3, unread: {}, broken: false })
})

test('a log of all formats in turn is read as each', () => {
  const lines = Object.values(FORMATS).flatMap(({ line }) => [line(PERSON), line(AGENT)])
  const { rows, counts } = rowsOf([...lines, ...lines].join('\n'))
  expect(rows).toHaveLength(lines.length)
  expect(counts).toMatchObject({ agents: lines.length, others: lines.length, unread: {} })
})

test('a log of CloudFront is read by the fields that it names', () => {
  const text = `#Version: 1.0\n#Fields: cs(User-Agent) cs-uri-stem sc-status timestamp(ms)\nClaude-User/1.0\t/a\t404\t1795932000123\n`
  expect(rowsOf(text).rows).toEqual([
    { at: 1795932000123, method: 'GET', path: '/a', status: 404, userAgent: 'Claude-User/1.0' },
  ])
})

const cloudFront = (method: string, status: string) =>
  FORMATS['CloudFront, standard']!.line(AGENT)
    .replace('\tGET\t', `\t${method}\t`)
    .replace('\t200\t', `\t${status}\t`)
const withField = (format: string, field: string, within = '') =>
  FORMATS[format]!.line(AGENT).replace(
    within === '' ? '{' : `"${within}":{`,
    (found) => found + field,
  )
const securityAction = (action: string) =>
  withField('Cloudflare Logpush', `"SecurityAction":"${action}",`)

test.each<[string, string, boolean]>([
  ['a managed challenge of Cloudflare', securityAction('managedChallenge'), true],
  ['one by a script', securityAction('jschallenge'), true],
  ['one that was not solved', securityAction('challengeFailed'), true],
  ['one that was solved', securityAction('managedChallengeInteractiveSolved'), false],
  ['one that was bypassed', securityAction('jschallengeBypassed'), false],
  ['a block', securityAction('block'), false],
  [
    'the last of several actions',
    withField('Cloudflare Logpush', '"SecurityActions":["log","challenge"],'),
    true,
  ],
  [
    'a header that Logpush has',
    withField('Cloudflare Logpush', '"ResponseHeaders":{"cf-mitigated":"challenge"},'),
    true,
  ],
  ['Vercel’s', withField('Vercel', '"wafAction":"challenge",', 'proxy'), true],
  ['a denial of Vercel’s', withField('Vercel', '"wafAction":"deny",', 'proxy'), false],
  ['AWS WAF’s, in CloudFront’s log', cloudFront('GET', '202'), true],
  ['its CAPTCHA', cloudFront('GET', '405'), true],
  ['a form that is taken', cloudFront('POST', '202'), false],
  ['a page', cloudFront('GET', '200'), false],
  ['a field of a format of one’s own', withField('Netlify', '"waf_action":"captcha",'), true],
])('%s: a challenge is told from other answers', (_, line, challenged) => {
  const { rows } = rowsOf(line)
  expect(rows.map((row) => row.challenged ?? false)).toEqual([challenged])
})

test.each([
  ['AI Assistant', true],
  ['', undefined],
])('Cloudflare says by the category "%s" whether it has verified the agent', (category, is) => {
  const line = withField('Cloudflare Logpush', `"VerifiedBotCategory":"${category}",`)
  expect(rowsOf(line).rows.map(({ vouched }) => vouched)).toEqual([is])
})

test('a line of our own keeps what it says of challenges and of the CDN', () => {
  const said = { ...SAID, challenged: true, vouched: true }
  expect(rowsOf(JSON.stringify({ ...said, path: URI })).rows).toEqual([said])
})

const good = FORMATS['combined of nginx and Apache']!.line(AGENT)
const common = '203.0.113.7 - - [29/Nov/2026:06:00:00 +0000] "GET / HTTP/1.1" 200 51'

test.each([
  ['half a line', good.slice(0, 60), 'unknown_format'],
  ['half a JSON', FORMATS.Caddy!.line(AGENT).slice(0, 100), 'unknown_format'],
  ['words', 'hello world', 'unknown_format'],
  ['bytes', Buffer.from([0, 255, 254, 7, 27, 91, 51, 49, 109, 128]), 'unknown_format'],
  ['another object', '{"level":"info","msg":"started"}', 'no_request'],
  ['a deep object', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, 'no_request'],
  ['the common format', common, 'no_user_agent'],
  ['a day that is none', good.replace('29/Nov', '31/Nov'), 'no_time'],
  ['a month that is none', good.replace('Nov', 'Foo'), 'no_time'],
  ['a year long past', good.replace('2026', '0001'), 'no_time'],
  ['no path', good.replace(URI, '*'), 'no_request'],
  ['bytes of TLS for a request', good.replace(/"GET.*1"/, '"\\x16\\x03\\x01"'), 'no_request'],
  ['a huge line', `${good}${'x'.repeat(200_000)}`, 'too_long'],
])('%s is counted as not read, and what is around it is read', (_, line, why) => {
  const text = Buffer.concat([`${good}\n`, line, `\n${good}`].map((each) => Buffer.from(each)))
  for (const chunk of [7, 4096, text.length]) {
    const { rows, counts } = rowsOf(text, chunk)
    expect(rows).toHaveLength(2)
    expect(counts).toMatchObject({ lines: 3, unread: { [why]: { lines: 1 } } })
    expect(counts.unread[why as 'no_time']!.first.length).toBeLessThanOrEqual(200)
  }
})

test('a line with no end is not kept in memory', () => {
  const reader = createLogReader()
  const part = new Uint8Array(1024 * 1024).fill(120)
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 200; n += 1) reader.write(part)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50e6)
  expect(reader.write(Buffer.from(`\n${good}\n`))).toHaveLength(1)
  expect(reader.counts.lines).toBe(2)
})

async function* parts(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('gzip is read, in several members, and half of it as far as it goes', async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => good.replace('5120', String(n))).join('\n')
  const zipped = Buffer.concat([gzipSync(`${lines}\n`), gzipSync(`${lines}\n`)])
  for (const [bytes, broken] of [
    [zipped, false],
    [zipped.subarray(0, zipped.length / 3), true],
  ] as const) {
    const reader = createLogReader()
    let agents = 0
    await readLog(parts(bytes, 1000), reader, async (requests) => {
      agents += requests.length
    })
    expect(reader.counts).toMatchObject({ agents, broken })
    if (broken) expect(agents).toBeLessThan(10_000)
    else expect(agents).toBe(10_000)
    expect(agents).toBeGreaterThan(100)
  }
})
