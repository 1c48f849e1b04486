import { HTTPException } from 'hono/http-exception'
import { expect, test } from 'vitest'
import { toApiError } from './errors.ts'

test('a 400 that is not about JSON does not say that it is', () => {
  const error = new HTTPException(400, { message: 'Invalid Connection header value: x' })
  expect(toApiError(error)).toMatchObject({ status: 400, code: 'bad_request' })
})
