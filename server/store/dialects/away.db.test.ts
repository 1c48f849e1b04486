import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createPool } from '../../db/connection/pool.ts'
import { sessions } from '../db/tables.ts'
import { ADDRESS, AGENT_META, acpAgent, testStore, waitingForLocks } from '../testing/store.ts'
import { createBody, paymentData } from './acp/testing/agent.ts'

const CONTENT = 'This shop cannot answer at the moment. Please try again in a few seconds.'
const CODE = 'temporarily_unavailable'

const items = [{ product_id: 'ao-1101', quantity: 1 }]
const line_items = [{ item: { id: 'ao-1101' }, quantity: 1 }]
const payment_method = { type: 'card', token: 'tok_visa' }
const instruments = [
  { id: 'pi', handler_id: 'x', type: 'card', credential: { type: 'token', token: 'tok_visa' } },
]
const ACP = { authorization: 'Bearer agent', 'api-version': '2026-04-17' }
const payload = createBody()
const tool = (name: string, args: object) => ({
  ...{ jsonrpc: '2.0', id: 7, method: 'tools/call' },
  params: { name, arguments: { ...args, meta: { ...AGENT_META, ...Object(Object(args).meta) } } },
})
const spec = { code: CODE, message: CONTENT }
const ucp = { error: { ...spec, retryable: true } }
const official = { code: CODE, content: CONTENT, messages: [{ code: CODE, type: 'error' }] }
const flat = { ...spec, type: 'service_unavailable' }
const rpc = (data: object) => ({
  id: 7,
  error: { code: -32000, message: CONTENT, data: { code: CODE, retry_after: 5, ...data } },
})
const key = { 'idempotency-key': 'key' }

/** Reads, creates and completes of every dialect; each with the form of its errors. */
const CALLS: [string, string, object | null, object, Record<string, string>?][] = [
  ['GET', '/ucp/products', null, ucp],
  ['POST', '/ucp/checkout', { items, shipping_address: ADDRESS }, ucp, key],
  ['POST', '/ucp/checkout/c1/confirm', { shipping_option_id: 'standard', payment_method }, ucp],
  ['POST', '/ucp/checkout/c1/cancel', null, ucp],
  ['GET', '/ucp/orders/o1', null, ucp],
  [
    'POST',
    '/acp/checkout/create',
    { items, shipping_address: ADDRESS, idempotency_key: 'k' },
    spec,
  ],
  ['PATCH', '/acp/checkout/c1/update', { shipping_option_id: 'standard' }, spec],
  ['POST', '/acp/checkout/c1/complete', { payment_method, idempotency_key: 'k' }, spec],
  ['GET', '/acp/orders/history', null, spec, { authorization: 'Bearer agent' }],
  ['POST', '/ucp/v1/checkout-sessions', { line_items }, official, key],
  ['GET', '/ucp/v1/checkout-sessions/c1', null, official],
  ['POST', '/ucp/v1/checkout-sessions/c1/complete', { payment: { instruments } }, official, key],
  ['POST', '/ucp/v1/catalog/search', { query: 'tent' }, official],
  [
    'POST',
    '/ucp/mcp',
    tool('create_checkout', { checkout: { line_items } }),
    rpc({ content: CONTENT }),
  ],
  ['POST', '/acp/checkout_sessions', payload, flat, { ...ACP, ...key }],
  ['GET', '/acp/checkout_sessions/c1', null, flat, ACP],
  [
    'POST',
    '/acp/checkout_sessions/c1/complete',
    { payment_data: paymentData() },
    flat,
    { ...ACP, ...key },
  ],
  [
    'POST',
    '/acp/mcp',
    tool('create_checkout_session', { meta: { api_version: '2026-04-17' }, payload }),
    rpc(flat),
    ACP,
  ],
  [
    'POST',
    '/mcp',
    tool('initiate_checkout', { items, shipping_address: ADDRESS, idempotency_key: 'k' }),
    rpc({}),
  ],
]

describe('while the database is away, each dialect asks to try again', async () => {
  // Nothing listens at port 1.
  const pool = createPool('postgres://none@127.0.0.1:1/none', { max: 2 })
  const { ask, send } = await testStore({}, { db: drizzle({ client: pool }) })

  test.each(CALLS)('%s %s', async (method, path, body, said, headers = {}) => {
    const isOfficial = path.startsWith('/ucp/v1') || path === '/ucp/mcp'
    const host = isOfficial ? 'ucp.example' : 'shop.example'
    const given = { 'content-type': 'application/json', ...headers }
    const answer = body
      ? await send(method, path, body, host, given)
      : await ask(path, host, { method, headers: given })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(JSON.parse(answer.body)).toMatchObject(said)
  })

  test('a page says so as well', async () => {
    const { status, headers, body } = await ask('/')
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(body).toContain(CONTENT)
  })
})

test('a call that was cut off is asked for again; the same call then goes through once', async () => {
  const { send, deps, bank } = await testStore()
  const { open, pay, newKey } = acpAgent(send)
  const id = await open()
  const once = newKey()
  await deps.db.transaction(async (tx) => {
    await tx.select().from(sessions).for('update')
    const cut = pay(id, 'tok_visa', once)
    await eventually(() => waitingForLocks(deps.db)).toBe(1)
    await tx.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    const { status, headers, said } = await cut
    expect([status, headers.get('retry-after'), said]).toEqual([503, '5', spec])
  })
  expect((await pay(id, 'tok_visa', once)).status).toBe(200)
  expect(bank.paid()).toHaveLength(1)
})
