import { HTTPException } from 'hono/http-exception'
import { expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { toApiError } from './errors.ts'

test('a 400 that is not about JSON does not say that it is', () => {
  const error = new HTTPException(400, { message: 'Invalid Connection header value: x' })
  expect(toApiError(error)).toMatchObject({ status: 400, code: 'bad_request' })
})

const askFor = async (method: string, path: string) => {
  const { app, key } = await testApp()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = method === 'PATCH' && { body: '{"currency":"USD"}' }
  return app.request(path, { method, headers, ...body })
}

test.each(['/api/audits?after=%00', '/audits?after=%00'])(
  'a query with U+0000 is refused: %s',
  async (path) => {
    const answer = await askFor('GET', path)
    expect(answer.status).toBe(422)
    const { error } = await answer.json()
    expect(error.message).toBe('The address holds U+0000 (%00). Leave it out.')
  },
)

test.each([
  ['DELETE', '/api/properties/%00'],
  ['PATCH', '/api/properties/%00'],
  ['DELETE', `/api/walk/${crypto.randomUUID()}/links/%00`],
])('nothing is at a path with U+0000: %s %s', async (method, path) => {
  expect((await askFor(method, path)).status).toBe(404)
})

test('a compressed body is refused as that', async () => {
  const { post } = await testApp()
  for (const [coding, status] of [
    ['gzip', 415],
    ['identity', 200],
  ] as const) {
    const answer = await post({ domain: 'shop.example' }, { 'Content-Encoding': coding })
    expect(answer.status).toBe(status)
  }
})
