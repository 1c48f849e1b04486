import { expect, test } from 'vitest'
import { testDeps, testStore } from '../testing/store.ts'
import { createMetrics } from './metrics.ts'

const ADMIN = { authorization: 'Bearer the-admin-key' }

test('endpoints are registered, listed, tried again and ended over HTTP', async () => {
  const { send, ask } = await testStore({ adminKey: 'the-admin-key' })
  const target = { url: 'https://agent.example/hook' }
  const created = await send('POST', '/webhooks/endpoints', target, undefined, ADMIN)
  expect(created).toMatchObject({ status: 200 })
  expect(created.headers.get('content-type')).toBe('application/json')
  expect(created.headers.get('cache-control')).toBe('no-store')
  const { id } = JSON.parse(created.body)
  const listed = await ask('/webhooks/endpoints', undefined, { headers: ADMIN })
  expect(JSON.parse(listed.body).endpoints).toMatchObject([{ id, ...target }])
  expect(listed.body).not.toContain('whsec_')
  const deliveries = await ask('/webhooks/deliveries', undefined, { headers: ADMIN })
  expect(JSON.parse(deliveries.body)).toEqual({ deliveries: [] })
  const again = '/webhooks/deliveries/msg_none/redeliver'
  expect(await send('POST', again, {}, undefined, ADMIN)).toMatchObject({ status: 404 })
  const ended = await send('DELETE', `/webhooks/endpoints/${id}`, '', undefined, ADMIN)
  expect(JSON.parse(ended.body).disabled_at).not.toBeNull()
})

test('a stranger, and a body that is no JSON, get the spec’s error body', async () => {
  const { send } = await testStore({ adminKey: 'the-admin-key' })
  const stranger = await send('POST', '/webhooks/endpoints', { url: 'https://a.example/' })
  expect(stranger.status).toBe(401)
  expect(JSON.parse(stranger.body)).toEqual({
    error: {
      code: 'unauthorized',
      message: 'Send the admin key in the header "Authorization: Bearer <STORE_ADMIN_KEY>".',
      retryable: false,
    },
  })
  expect(await send('POST', '/webhooks/endpoints', '{', undefined, ADMIN)).toMatchObject({
    status: 422,
  })
})

test('metrics are for who has the token or the admin key, and nobody asks the port itself', async () => {
  const { deps } = await testDeps()
  const metrics = createMetrics(deps)
  metrics.observeCompletion(0.1, 200)
  const options = { deps, metrics, adminKey: 'the-admin-key', metricsToken: 'the-metrics-token' }
  const { ask } = await testStore(options)
  const read = (authorization?: string) =>
    ask('/metrics', '10.0.0.7:8788', { headers: authorization ? { authorization } : {} })
  for (const right of ['Bearer the-metrics-token', 'bearer the-admin-key']) {
    const answer = await read(right)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.body).toContain('aisle_store_completion_seconds_count{status="200"} 1')
  }
  for (const wrong of [undefined, 'Bearer the-metrics-token2', 'Bearer x', 'the-metrics-token']) {
    const answer = await read(wrong)
    expect(answer.status, wrong).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="metrics"')
    expect(answer.body).not.toContain('aisle_store')
  }
  // The token opens nothing else.
  const headers = { authorization: 'Bearer the-metrics-token' }
  expect((await ask('/webhooks/endpoints', undefined, { headers })).status).toBe(401)
})

test('a store without either has no metrics at its public port', async () => {
  const { ask } = await testStore()
  for (const authorization of ['', 'Bearer undefined', 'Bearer ']) {
    expect((await ask('/metrics', undefined, { headers: { authorization } })).status).toBe(404)
  }
})

test('requests are counted by the pattern of their route', async () => {
  const { ask } = await testStore({ metricsToken: 'the-metrics-token' })
  for (const path of ['/products/ao-1101', '/products/none', '/nothing/1', '/nothing/2']) {
    await ask(path)
  }
  const headers = { authorization: 'Bearer the-metrics-token' }
  const { body } = await ask('/metrics', undefined, { headers })
  const counts = body.split('\n').filter((line) => line.includes('http_request_seconds_count'))
  expect(counts).toEqual([
    'aisle_store_http_request_seconds_count{method="GET",route="/products/:id",status="2xx"} 1',
    'aisle_store_http_request_seconds_count{method="GET",route="/products/:id",status="4xx"} 1',
    'aisle_store_http_request_seconds_count{method="GET",route="none",status="4xx"} 2',
  ])
})
