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

test('metrics are for who asks the port itself, or has the admin key', async () => {
  const { deps } = await testDeps()
  const metrics = createMetrics(deps)
  metrics.observeCompletion(0.1, 200)
  const { ask } = await testStore({ deps, metrics, adminKey: 'the-admin-key' })
  const read = (headers: Record<string, string>) => ask('/metrics', undefined, { headers })
  const direct = await read({})
  expect(direct.status).toBe(200)
  expect(direct.body).toContain('aisle_store_completion_seconds_count{status="200"} 1')
  for (const name of ['x-forwarded-proto', 'x-forwarded-for', 'forwarded']) {
    expect((await read({ [name]: 'https' })).status).toBe(401)
    expect((await read({ [name]: 'https', ...ADMIN })).status).toBe(200)
  }
})
