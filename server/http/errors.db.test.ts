import { HTTPException } from 'hono/http-exception'
import { expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { toApiError } from './errors.ts'

test('a 400 that is not about JSON does not say that it is', () => {
  const error = new HTTPException(400, { message: 'Invalid Connection header value: x' })
  expect(toApiError(error)).toMatchObject({ status: 400, code: 'bad_request' })
})

test.each([['GET', '/api/audits?after=%00']])(
  'U+0000 that comes to the database is an error of the request: %s %s',
  async (method, path) => {
    const { ask } = await testApp()
    const answer = await ask(path, { method })
    expect(answer.status).toBe(422)
    expect((await answer.json()).error.message).toBe(
      'The request holds U+0000 (%00). Leave it out.',
    )
  },
)

test('a compressed body is refused as that', async () => {
  const { post } = await testApp()
  for (const [coding, status] of [
    ['gzip', 415],
    ['identity', 200],
  ] as const) {
    const answer = await post(
      { domain: 'shop.example' },
      { headers: { 'Content-Encoding': coding } },
    )
    expect(answer.status).toBe(status)
  }
})
