import { expect, test } from 'vitest'
import { revokeKey } from './db/access/keys.ts'
import { ErrorBody } from './http/errors.ts'
import { testApp } from './testing/app.ts'

const { app, db, key, createTestKey, lines } = await testApp()

const past = new Date(Date.now() - 1000)
const revoked = await createTestKey()
await revokeKey(db, revoked.id, past)
const expired = await createTestKey({ expires_at: past })
const narrow = await createTestKey({ scopes: ['report:read'] })
const other = await createTestKey()

const JSON_TYPE = { 'Content-Type': 'application/json' }
const GOOD = '{"domain":"shop.example"}'
const withKey = (bearer: string) => ({ ...JSON_TYPE, Authorization: `Bearer ${bearer}` })
const ours = withKey(key)

interface Case {
  name: string
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: string | null
  status: number
  code: string
  /** `field code` of each detail. */
  details?: string[]
}

const post = (
  name: string,
  body: string | null,
  status: number,
  code: string,
  details?: string[],
) => ({ name, body, status, code, ...(details && { details }) }) satisfies Case
const invalid = (name: string, body: unknown, ...details: string[]) =>
  post(name, JSON.stringify(body), 422, 'invalid_request', details)

const CASES: Case[] = [
  post('not JSON', '{"domain":', 400, 'malformed_json'),
  post('a trailing comma', '{"domain":"shop.example",}', 400, 'malformed_json'),
  post('an empty body', '', 400, 'malformed_json'),
  invalid('an array', [], 'body invalid_type'),
  invalid('null', null, 'body invalid_type'),
  invalid('no domain', {}, 'domain required'),
  invalid('a domain that is a number', { domain: 7 }, 'domain invalid_type'),
  invalid('a domain with a scheme', { domain: 'https://shop.example' }, 'domain invalid'),
  invalid('a domain with a path', { domain: 'shop.example/x' }, 'domain invalid'),
  invalid('a domain with a port', { domain: 'shop.example:8080' }, 'domain invalid'),
  invalid('an IPv4 address', { domain: '127.0.0.1' }, 'domain invalid'),
  invalid('an IPv6 address', { domain: '[::1]' }, 'domain invalid'),
  invalid('a number that is an address', { domain: '2130706433' }, 'domain invalid'),
  invalid('localhost', { domain: 'localhost' }, 'domain invalid'),
  invalid('a long domain', { domain: 'a'.repeat(2000) }, 'domain too_big'),
  invalid('line breaks', { domain: 'shop.example\r\nX: y' }, 'domain invalid'),
  invalid('no checks', { domain: 'shop.example', checks: [] }, 'checks too_small'),
  invalid('checks as text', { domain: 'shop.example', checks: 'feed' }, 'checks invalid_type'),
  invalid(
    'an unknown check',
    { domain: 'shop.example', checks: ['feed', 'seo'] },
    'checks.1 invalid_value',
  ),
  invalid('dry_run as text', { domain: 'shop.example', dry_run: 'no' }, 'dry_run invalid_type'),
  invalid('an unknown field', { domain: 'shop.example', drYrun: true }, 'drYrun unknown_field'),
  invalid('two faults', { checks: 1 }, 'domain required', 'checks invalid_type'),
  post('a body of 1 MiB', `{"domain":"${'a'.repeat(2 ** 20)}"}`, 413, 'body_too_large'),
  {
    name: 'text/plain',
    headers: { ...ours, 'Content-Type': 'text/plain' },
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    name: 'no Content-Type',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': '' },
    status: 415,
    code: 'unsupported_media_type',
  },
  { name: 'no key', headers: JSON_TYPE, status: 401, code: 'missing_key' },
  { name: 'no key and no JSON', headers: JSON_TYPE, body: '{', status: 401, code: 'missing_key' },
  { name: 'a malformed key', headers: withKey('sesame'), status: 401, code: 'invalid_key' },
  { name: 'a long key', headers: withKey('x'.repeat(8000)), status: 401, code: 'invalid_key' },
  {
    name: 'a mistyped key',
    headers: withKey(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`),
    status: 401,
    code: 'invalid_key',
  },
  {
    name: 'another scheme',
    headers: { ...JSON_TYPE, Authorization: `Basic ${key}` },
    status: 401,
    code: 'invalid_key',
  },
  { name: 'a revoked key', headers: withKey(revoked.key), status: 401, code: 'revoked_key' },
  { name: 'an expired key', headers: withKey(expired.key), status: 401, code: 'expired_key' },
  {
    name: 'a key without the scope',
    headers: withKey(narrow.key),
    status: 403,
    code: 'insufficient_scope',
  },
  { name: 'an unknown path', path: '/api/nothing', status: 404, code: 'not_found' },
  { name: 'an unknown path with a line break', path: '/a%0d%0ab', status: 404, code: 'not_found' },
  { name: 'GET', method: 'GET', body: null, status: 405, code: 'method_not_allowed' },
  { name: 'DELETE', method: 'DELETE', body: null, status: 405, code: 'method_not_allowed' },
  { name: 'POST to a GET path', path: '/livez', status: 405, code: 'method_not_allowed' },
]

test.each(CASES)('$name → $status $code', async ({ path = '/api/audit', ...given }) => {
  const { method = 'POST', headers = ours, body = GOOD, status, code, details = [] } = given
  const before = lines.length
  const answer = await app.request(path, { method, headers, body })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('Content-Type')).toBe('application/json')
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')

  const { error } = ErrorBody.strict().parse(await answer.json())
  expect(error.code).toBe(code)
  expect(error.message).toMatch(/[.]$/)
  expect(error.details?.map((each) => `${each.field} ${each.code}`) ?? []).toEqual(details)

  expect(answer.headers.get('X-Request-Id')).toBe(error.request_id)
  const logged = lines.slice(before).map((line) => JSON.parse(line))
  expect(logged).toEqual([
    expect.objectContaining({ request_id: error.request_id, method, path, status }),
  ])
  expect(answer.headers.has('WWW-Authenticate')).toBe(status === 401 || status === 403)
  expect(answer.headers.get('Allow')).toBe(
    status === 405 ? (path === '/livez' ? 'GET, HEAD' : 'POST') : null,
  )
})

test('an unknown check is told the known ones', async () => {
  const body = JSON.stringify({ domain: 'shop.example', checks: ['seo'] })
  const answer = await app.request('/api/audit', { method: 'POST', headers: ours, body })
  const { error } = ErrorBody.parse(await answer.json())
  expect(error.details?.[0]?.message).toContain('well_known, catalog, checkout')
})

const coded = (text: string) =>
  text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

test.each([
  ['as it is', (secret: string) => secret],
  ['with a coded letter', (secret: string) => secret.replace('_', '%5F')],
  ['coded as a whole', coded],
  ['behind what cannot be decoded', (secret: string) => `%${coded(secret)}`],
])('a key in a path is not logged: %s', async (_, write) => {
  const before = lines.length
  const answer = await app.request(`/api/${write(key)}?key=${other.key}`)
  expect(answer.status).toBe(404)
  const logged = lines.slice(before).join('')
  expect(logged).toMatch(/"\/api\/%?aisle_live_\(redacted\)"/)
  expect(logged).not.toContain(other.key.slice(20))
})

test('what is coded in a path for good reason is logged so', async () => {
  const before = lines.length
  await app.request('/api/a%0Ab%2Fc%C3%A4')
  expect(lines.slice(before).join('')).toContain('"/api/a%0Ab%2Fc%C3%A4"')
})

test('a request id from outside is not taken over', async () => {
  const answer = await app.request('/livez', { headers: { 'X-Request-Id': 'theirs' } })
  expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('any origin may ask, also before it has a key', async () => {
  const preflight = await app.request('/api/audit', {
    method: 'OPTIONS',
    headers: {
      Origin: 'chrome-extension://abc',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization, content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Authorization')
  expect(preflight.headers.has('Access-Control-Allow-Credentials')).toBe(false)

  const refused = await app.request('/api/audit', {
    method: 'POST',
    headers: { Origin: 'https://x.example' },
  })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(refused.headers.get('Access-Control-Expose-Headers')).toContain('X-Request-Id')
})

test('a failure of ours says nothing of itself, and the log says all', async () => {
  const failing = await testApp({
    audit: () => Promise.reject(new Error('the vault is behind the painting')),
  })
  const answer = await failing.post({ domain: 'shop.example' })
  expect(answer.status).toBe(500)
  const text = await answer.text()
  expect(text).not.toContain('painting')
  const { error } = ErrorBody.parse(JSON.parse(text))
  expect(error.code).toBe('internal_error')
  const line = failing.lines.find((each) => each.includes('painting')) ?? ''
  expect(JSON.parse(line)).toMatchObject({ request_id: error.request_id })
})
