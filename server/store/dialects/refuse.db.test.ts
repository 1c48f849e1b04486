import { expect, test } from 'vitest'
import { testStore } from '../testing/store.ts'

const { ask, send } = await testStore({ adminKey: 'the-admin-key' })
const HUGE = 'x'.repeat(65 * 1024)

test.each<[string, string, unknown, number, string]>([
  ['POST', '/mcp', HUGE, 413, 'too_large'],
  ['DELETE', '/mcp', '', 405, 'method_not_allowed'],
  ['POST', '/webhooks/endpoints', HUGE, 413, 'too_large'],
  ['PUT', '/webhooks/endpoints', '', 405, 'method_not_allowed'],
  ['PUT', '/webhooks/psp', '', 405, 'method_not_allowed'],
  ['POST', '/webhooks/nothing', '{}', 404, 'not_found'],
  ['POST', '/mcp/nothing', '{}', 404, 'not_found'],
])('%s %s is refused in JSON', async (method, path, body, status, code) => {
  const answer = await send(method, path, body)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(JSON.parse(answer.body).error).toMatchObject({ code, retryable: false })
})

test('a person gets a page', async () => {
  for (const path of ['/nothing', '/mcp-tent', '/webhooks']) {
    const { status, headers } = await ask(path)
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  }
})

test.each(['/webhooks/endpoints/%00', '/webhooks/endpoints/%ed%a0%80'])(
  'DELETE %s',
  async (path) => {
    const headers = { authorization: 'Bearer the-admin-key' }
    expect(await send('DELETE', path, '', undefined, headers)).toMatchObject({ status: 404 })
  },
)

test.each(['/webhooks/deliveries/%00/redeliver', '/webhooks/deliveries/a%00b/redeliver'])(
  'POST %s',
  async (path) => {
    const headers = { authorization: 'Bearer the-admin-key' }
    expect(await send('POST', path, '{}', undefined, headers)).toMatchObject({ status: 404 })
  },
)
