import { expect, test } from 'vitest'
import { webhook_deliveries } from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { platformOfKey } from '../dialects/acp/caller.ts'
import { enqueue } from '../dialects/order-webhooks.ts'
import type { Reply } from '../http/store-request.ts'
import { MAX_ENDPOINTS } from '../outbox/endpoints.ts'
import { anOrder } from '../outbox/testing/receiver.ts'
import { NOON } from '../testing/store.ts'
import {
  deliveriesReply,
  endEndpointReply,
  endpointsReply,
  newEndpointReply,
  redeliverReply,
  type WebhookAdminDeps,
} from './webhook-admin.ts'

const KEY = 'Bearer the-admin-key'

async function admin(change: Partial<WebhookAdminDeps> = {}) {
  const { db } = await storeDatabase()
  return { db, now: () => NOON, adminKey: 'the-admin-key', acpKeys: null, ...change }
}
const said = ({ status, body }: Reply) => ({ status, body: JSON.parse(body) })

test('an endpoint is registered for some events, listed without its secret, and ended', async () => {
  const deps = await admin()
  const created = said(
    await newEndpointReply(deps, KEY, {
      url: 'https://agent.example/hook',
      events: ['order.shipped', 'order.shipped'],
    }),
  )
  const { secret, ...shown } = created.body
  expect(created).toEqual({
    status: 200,
    body: {
      id: expect.stringMatching(/^whe_/),
      url: 'https://agent.example/hook',
      format: 'standard',
      events: ['order.shipped'],
      secret: expect.stringMatching(/^whsec_/),
      created_at: '2026-06-01T12:00:00.000Z',
      failing_since: null,
      disabled_at: null,
    },
  })
  expect(said(await endpointsReply(deps, KEY)).body).toEqual({ endpoints: [shown] })
  expect(said(await endEndpointReply(deps, KEY, shown.id))).toEqual({
    status: 200,
    body: { ...shown, disabled_at: '2026-06-01T12:00:00.000Z' },
  })
  expect(said(await endEndpointReply(deps, KEY, 'whe_none')).status).toBe(404)
})

test('all events are sent to whoever names none', async () => {
  const { body } = said(await newEndpointReply(await admin(), KEY, { url: 'https://a.example/' }))
  expect(body.events).toEqual([
    'order.confirmed',
    'order.shipped',
    'order.delivered',
    'order.canceled',
    'order.refunded',
  ])
})

test.each([
  ['with the secret that the agent gave out', { secret: 'an-agents-secret' }, 'an-agents-secret'],
  ['with one of ours', {}, expect.stringMatching(/^whsec_/)],
])('an agent of official ACP is registered %s', async (_, more, secret) => {
  const deps = await admin()
  const wanted = { url: 'https://agent.example/acp', format: 'acp', key: 'agent', ...more }
  const { status, body } = said(await newEndpointReply(deps, KEY, wanted))
  expect([status, body]).toMatchObject([200, { format: 'acp', events: [], secret }])
  const { endpoints } = said(await endpointsReply(deps, KEY)).body
  expect(endpoints).toMatchObject([{ id: body.id, format: 'acp' }])
  expect(endpoints[0]).not.toHaveProperty('secret')
  expect(body).not.toHaveProperty('platform')
})

test('deliveries are listed without what they applyFaults, and sent again', async () => {
  const deps = await admin()
  await newEndpointReply(deps, KEY, { url: 'https://a.example/' })
  await deps.db.transaction((tx) => enqueue(tx, 'order.confirmed', anOrder(), NOON))
  const { deliveries } = said(await deliveriesReply(deps, KEY)).body
  expect(deliveries).toMatchObject([{ event: 'order.confirmed', attempts: 0 }])
  expect(deliveries[0]).not.toHaveProperty('payload')
  const { id } = deliveries[0]
  expect(said(await redeliverReply(deps, KEY, id))).toEqual({
    status: 200,
    body: { id, status: 'queued' },
  })
  expect(said(await redeliverReply(deps, KEY, 'msg_none')).status).toBe(404)
  await endEndpointReply(deps, KEY, deliveries[0].endpoint_id)
  expect(said(await redeliverReply(deps, KEY, id)).body.error.code).toBe('endpoint_disabled')
})

test('what a later state of its order has overtaken is not sent again', async () => {
  const deps = await admin()
  const wanted = { url: 'https://agent.example/acp', format: 'acp', key: 'agent' }
  const { body } = said(await newEndpointReply(deps, KEY, wanted))
  const official = {
    ...{ version: '2026-04-17', platform: platformOfKey('agent') },
    ...{ webhook_url: null, shown: {} },
  }
  const order = anOrder({ protocol: 'acp_official', official })
  for (const change of ['order.confirmed', 'order.processing'] as const) {
    await deps.db.transaction((tx) => enqueue(tx, change, order, NOON))
  }
  await deps.db.update(webhook_deliveries).set({ next_at: null, delivered_at: NOON })
  const { deliveries } = said(await deliveriesReply(deps, KEY)).body
  expect(deliveries).toMatchObject([{ endpoint_id: body.id }, { endpoint_id: body.id }])
  const again = async (at: number) => said(await redeliverReply(deps, KEY, deliveries[at].id))
  expect(await again(1)).toMatchObject({ status: 409, body: { error: { code: 'superseded' } } })
  expect((await again(0)).status).toBe(200)
})

test.each<[string, string | null, string | undefined, number, string]>([
  ['no header', null, 'the-admin-key', 401, 'unauthorized'],
  ['another key', 'Bearer another-key', 'the-admin-key', 401, 'unauthorized'],
  ['half the key', 'Bearer the-admin', 'the-admin-key', 401, 'unauthorized'],
  ['another scheme', 'Basic the-admin-key', 'the-admin-key', 401, 'unauthorized'],
  ['no key set', KEY, undefined, 403, 'admin_key_not_set'],
  ['an empty key', 'Bearer ', '', 403, 'admin_key_not_set'],
])('a stranger is refused: %s', async (_, header, adminKey, status, code) => {
  const deps = { db: null as never, now: () => NOON, adminKey, acpKeys: null }
  for (const reply of [
    await endpointsReply(deps, header),
    await newEndpointReply(deps, header, { url: 'https://a.example/' }),
    await endEndpointReply(deps, header, 'whe_1'),
    await deliveriesReply(deps, header),
    await redeliverReply(deps, header, 'msg_1'),
  ]) {
    expect(reply.status).toBe(status)
    expect(JSON.parse(reply.body).error).toMatchObject({ code, retryable: false })
    expect(reply.headers['www-authenticate']).toBe(
      status === 401 ? 'Bearer realm="store"' : undefined,
    )
  }
})

test.each<[unknown]>([
  [undefined],
  [null],
  [[]],
  [{}],
  [{ url: 7 }],
  [{ url: 'agent.example/hook' }],
  [{ url: 'http://agent.example/hook' }],
  [{ url: 'https://agent.example:8443/hook' }],
  [{ url: 'https://user:pass@agent.example/' }],
  [{ url: 'https://agent.example/#part' }],
  [{ url: 'https://localhost/' }],
  [{ url: 'https://127.0.0.1/' }],
  [{ url: 'https://foo.internal/' }],
  [{ url: 'https://db.svc/' }],
  [{ url: 'https://printer.local/' }],
  [{ url: 'https://[::1]/' }],
  [{ url: 'https://2130706433/' }],
  [{ url: 'file:///etc/passwd' }],
  [{ url: `https://agent.example/${'x'.repeat(2000)}` }],
  [{ url: 'https://agent.example/', events: [] }],
  [{ url: 'https://agent.example/', events: ['order.lost'] }],
  [{ url: 'https://agent.example/', format: 'ucp' }],
  [{ url: 'https://agent.example/', secret: 'an-agents-secret' }],
  [{ url: 'https://agent.example/', format: 'acp', key: 'agent', secret: 'short' }],
  [{ url: 'https://agent.example/', format: 'acp', key: 'agent', secret: 'with a space' }],
  [{ url: 'https://agent.example/', format: 'acp' }],
  [{ url: 'https://agent.example/', format: 'acp', key: '' }],
  [{ url: 'https://agent.example/', format: 'acp', key: 'nobodys' }],
  [{ url: 'https://agent.example/', key: 'agent' }],
])('%j is no endpoint', async (body) => {
  const deps = {
    ...{ db: null as never, now: () => NOON },
    ...{ adminKey: 'the-admin-key', acpKeys: ['agent'] },
  }
  expect(said(await newEndpointReply(deps, KEY, body))).toMatchObject({
    status: 422,
    body: { error: { code: 'invalid_request', message: expect.stringContaining('expected') } },
  })
})

test('there are so many endpoints and no more', async () => {
  const deps = await admin()
  const register = async () =>
    said(await newEndpointReply(deps, KEY, { url: 'https://a.example/' }))
  // At once: each counts those before it.
  const all = await Promise.all(Array.from({ length: MAX_ENDPOINTS + 10 }, register))
  expect(all.filter(({ status }) => status === 200)).toHaveLength(MAX_ENDPOINTS)
  expect(all.find(({ status }) => status === 409)?.body.error.code).toBe('too_many_endpoints')
  const { endpoints } = said(await endpointsReply(deps, KEY)).body
  await endEndpointReply(deps, KEY, endpoints[0].id)
  expect((await register()).status).toBe(200)
})
