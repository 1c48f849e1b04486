import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import type { ServerEnv } from '../http/env.ts'
import { answerError } from '../http/errors.ts'
import { createLog } from '../process/log.ts'
import { refuseForeignForms } from './same-site.ts'

const app = new OpenAPIHono<ServerEnv>()
app.onError(answerError(createLog({ write: () => {} })))
app.use(refuseForeignForms({ baseUrl: 'https://aisle.example/x' }))
app.all('/', (c) => c.text('ok'))

test.each([
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 200],
  [{ 'Sec-Fetch-Site': 'none' }, 200],
  [{ 'Sec-Fetch-Site': 'same-site' }, 403],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://aisle.example' }, 403],
  [{ Origin: 'https://aisle.example' }, 200],
  [{ Origin: 'https://aisle.example.evil.example' }, 403],
  [{ Origin: 'http://aisle.example' }, 403],
  [{ Origin: 'null' }, 403],
  [{ Origin: 'http://localhost:8787', Host: 'localhost:8787' }, 200],
  [{ Origin: 'http://localhost:8787', Host: 'localhost:8788' }, 403],
  [{}, 200],
])('a form with %j: %d', async (headers, status) => {
  expect((await app.request('/', { method: 'POST', headers })).status).toBe(status)
  expect((await app.request('/', { headers })).status).toBe(200)
})
