import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { drainSecretOf } from '../../access/drain-secret.ts'
import { revokeKey } from '../../db/access/keys.ts'
import { fetch_days } from '../../db/fetches/tables.ts'
import { testApp } from '../../testing/app.ts'

const NOW = new Date('2026-11-30T12:00:00Z')
const { ask, app, db, createTestKey, lines: logged } = await testApp({ now: () => NOW })

/** An address that OpenAI publishes for ChatGPT-User, and one that it does not. */
const [OWN, FORGED] = ['4.151.71.177', '203.0.113.9']
const line = (change: object = {}) => ({
  ...{ at: '2026-11-29T06:00:00Z', method: 'GET', path: '/products/boot', status: 200 },
  ...{ userAgent: 'Mozilla/5.0; compatible; ChatGPT-User/1.0', address: OWN },
  ...change,
})
const ndjson = (...lines: unknown[]) => lines.map((each) => JSON.stringify(each)).join('\n')
const NDJSON = { 'Content-Type': 'application/x-ndjson' }

let shops = 0
const newShop = () => {
  shops += 1
  return `logged-${shops}.example`
}
const send = (domain: string, body: string | ArrayBuffer, headers: Record<string, string> = {}) =>
  ask(`/api/fetches?domain=${domain}`, { body, headers: { ...NDJSON, ...headers } })
const rowsOf = (domain: string) =>
  db.select().from(fetch_days).where(eq(fetch_days.domain, domain)).orderBy(fetch_days.verified)

test('lines are counted once, verified by their address, which is kept nowhere', async () => {
  const domain = newShop()
  const body = ndjson(line(), line({ address: FORGED }), line({ userAgent: 'Chrome/142' }))
  const answer = await send(domain, body)
  expect(answer.status).toBe(202)
  expect(await answer.json()).toMatchObject({ lines: 3, stored: 2, not_agents: 1, wrong: 0 })
  expect((await rowsOf(domain)).map(({ verified, fetches }) => [verified, fetches])).toEqual([
    ['forged', 1],
    ['verified', 1],
  ])
  const zipped = gzipSync(body)
  const bytes = zipped.buffer.slice(zipped.byteOffset, zipped.byteOffset + zipped.length)
  const again = await send(domain, bytes as ArrayBuffer, { 'Content-Encoding': 'gzip' })
  expect(await again.json()).toMatchObject({ stored: 0, repeated: 2 })
  expect(JSON.stringify([await rowsOf(domain), logged])).not.toContain(OWN)
})

test('lines that drains of Vercel, Cloudflare and Fastly send in their own form are read', async () => {
  const domain = newShop()
  const userAgent = line().userAgent
  const sent = [
    {
      ...{ id: 'l1', source: 'static', requestId: 'v1', host: 'x.vercel.app' },
      proxy: {
        ...{ timestamp: 1795932000000, method: 'GET', host: domain, path: '/v?a=1' },
        ...{ userAgent: [userAgent], statusCode: 200, clientIp: OWN },
      },
    },
    {
      ...{ EdgeStartTimestamp: '2026-11-29T06:00:00Z', ClientIP: FORGED, RayID: 'c1' },
      ...{ ClientRequestHost: domain, ClientRequestURI: '/c?a=1', EdgeResponseStatus: 404 },
      ...{ ClientRequestMethod: 'GET', ClientRequestUserAgent: userAgent },
    },
    {
      ...{ timestamp: '2026-11-29T06:00:00Z', client_ip: OWN, host: domain, method: 'GET' },
      ...{ url: '/f', status: 200, user_agent: userAgent, request_id: 'f1' },
    },
  ]
  expect(await (await send(domain, ndjson(...sent))).json()).toMatchObject({ stored: 3, wrong: 0 })
  const kept = (await rowsOf(domain)).map(({ path, verified, status }) => [path, verified, status])
  expect(kept.sort()).toEqual([
    ['/c', 'forged', 404],
    ['/f', 'verified', 200],
    ['/v', 'verified', 200],
  ])
})

test('an array of records is read, and the test of a drain is taken', async () => {
  const domain = newShop()
  const array = JSON.stringify([line({ id: 'a1' }), line({ id: 'a2' })])
  const read = await (await send(domain, array, { 'Content-Type': 'application/json' })).json()
  expect(read).toMatchObject({ lines: 2, stored: 2 })
  // Cloudflare sends it before it creates a job, as public receivers of Logpush have it.
  const tested = await send(domain, '{"content":"tests"}')
  expect(tested.status).toBe(202)
  expect(await tested.json()).toMatchObject({ lines: 1, stored: 0, not_requests: 1, wrong: 0 })
  const faulty = await (await send(domain, `[${JSON.stringify(line())},{"status":200}]`)).json()
  expect(faulty).toMatchObject({ lines: 1, wrong: 1, faults: [{ line: 2 }] })
})

test('what is wrong with a line is said by its number, and the others are counted', async () => {
  const domain = newShop()
  const body = [
    ndjson(line()),
    '{"at":',
    '',
    ndjson(line({ status: 'ok' }), line({ ip: OWN }), line({ at: 'yesterday' })),
    'x'.repeat(20_000),
  ].join('\n')
  const answer = await (await send(domain, body)).json()
  expect(answer).toMatchObject({ lines: 1, stored: 1, wrong: 5 })
  expect(answer.faults).toEqual([
    { line: 2, message: 'It is not valid JSON.' },
    { line: 4, message: 'status: Send a number.' },
    { line: 5, message: expect.stringMatching(/^ip: This field does not exist/) },
    { line: 6, message: expect.stringMatching(/^at: Send a time/) },
    { line: 7, message: 'It is over 16384 characters.' },
  ])
  const none = await send(domain, '{}')
  expect(none.status).toBe(422)
  expect((await none.json()).error.details[0]).toMatchObject({ field: 'line 1' })
})

test.each<[string, string | Buffer, Record<string, string>, number]>([
  ['a form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
  ['another coding', ndjson(line()), { 'Content-Encoding': 'br' }, 415],
  ['what is no gzip', 'gzip', { 'Content-Encoding': 'gzip' }, 400],
  [
    'what unpacks to too much',
    gzipSync(Buffer.alloc(2 ** 25)),
    { 'Content-Encoding': 'gzip' },
    413,
  ],
  ['too much', Buffer.alloc(2 ** 24 + 1), {}, 413],
])('%s is refused', async (_, body, headers, status) => {
  const sent = typeof body === 'string' ? body : (Uint8Array.from(body).buffer as ArrayBuffer)
  expect((await send(newShop(), sent, headers)).status).toBe(status)
})

test('a drain of Vercel signs its body with the secret of a key, and needs no other', async () => {
  const domain = newShop()
  const { id } = await createTestKey({ domains: [domain] })
  const { id: other } = await createTestKey({ domains: ['other.example'] })
  const { id: reader } = await createTestKey({ scopes: ['report:read'] })
  const body = ndjson(line())
  const drain = async (key: string, by: string, change = '') =>
    app.request(`/api/fetches?domain=${domain}&key=${key}&verify=abc`, {
      method: 'POST',
      body: body + change,
      headers: {
        ...NDJSON,
        'x-vercel-signature': createHmac('sha1', (await drainSecretOf(db, by)) ?? '')
          .update(body)
          .digest('hex'),
      },
    })
  const answer = await drain(id, id)
  expect(answer.status).toBe(202)
  expect(answer.headers.get('x-vercel-verify')).toBe('abc')
  expect(await rowsOf(domain)).toHaveLength(1)
  expect((await drain(id, id, '\n')).status).toBe(401)
  expect((await drain(id, other)).status).toBe(401)
  expect((await drain('gone', id)).status).toBe(401)
  expect((await drain(other, other)).status).toBe(403)
  expect((await drain(reader, reader)).status).toBe(403)
  await revokeKey(db, id, NOW)
  expect((await drain(id, id)).status).toBe(401)
})

test('Fastly reads that any of its services may send', async () => {
  const answer = await app.request('/.well-known/fastly/logging/challenge')
  expect([answer.status, (await answer.text()).trim()]).toEqual([200, '*'])
})
