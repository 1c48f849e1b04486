import type { RequestListener } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import { eventually, PATIENCE_MS } from '../../shared/testing/wait.ts'
import { moveOrderCommand } from '../commands/store/orders.ts'
import { refundOrderCommand } from '../commands/store/refund.ts'
import { answers } from '../jobs/testing/receiver.ts'
import { STOP_TIMES } from '../process/stop-times.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import type { StoreConfig } from './config.ts'
import { storeDatabase } from './db/testing/database.ts'
import { startMeasured } from './outbox/testing/receiver.ts'
import { serveStore } from './serve.ts'
import { ADDRESS } from './testing/store.ts'
import { BARE_CONFIG } from './testing/store-config.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A store on a port and a database of its own. */
async function startStore(change: Partial<StoreConfig> = {}) {
  const { db, url } = await storeDatabase()
  const errors: string[] = []
  const store = await serveStore(
    {
      ...BARE_CONFIG,
      databaseUrl: url,
      adminKey: 'the-admin-key',
      stopTimes: STOP_TIMES,
      ...change,
    },
    (error) => errors.push(String(error)),
  )
  closing.unshift(() => store.stop())
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${store.port}${path}`, {
      method,
      headers: { authorization: 'Bearer the-admin-key', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  /** Buys a thing over ACP, and returns the confirmation. */
  const buy = async (token = 'tok_visa') => {
    const created = await ask('POST', '/acp/checkout/create', {
      items: [{ product_id: 'ao-1101', quantity: 1 }],
      shipping_address: ADDRESS,
      idempotency_key: crypto.randomUUID(),
    })
    const { checkout_id } = JSON.parse(created.text)
    const { status, text } = await ask('POST', `/acp/checkout/${checkout_id}/complete`, {
      payment_method: { type: 'card', token },
      shipping_option_id: 'standard',
      idempotency_key: crypto.randomUUID(),
    })
    return { created: created.status, status, checkout_id, ...JSON.parse(text) }
  }
  return { db, url, store, ask, buy, errors }
}

test('a part of an order is refunded, and the rest when it is canceled', async () => {
  const { db, ask, buy, errors } = await startStore()
  const { order_id, receipt_url, total } = await buy()
  const printed: string[] = []
  const terminal = { print: (text: string) => printed.push(text) } as never
  const flags = { amount: '10.00', json: true }
  await refundOrderCommand(order_id, flags, db, terminal, PATIENCE_MS)
  expect(JSON.parse(printed.splice(0).join(''))).toMatchObject({ status: 'succeeded' })
  await moveOrderCommand(order_id, 'canceled', {}, db, terminal)
  const order = async () => JSON.parse((await ask('GET', `/acp/orders/${order_id}`)).text)
  await eventually(order).toMatchObject({ status: 'canceled', refunded: total })
  const receipt = await ask('GET', new URL(receipt_url).pathname)
  expect(receipt.text).toContain('-10.00 USD')
  expect(errors).toEqual([])
})

test('an order’s webhooks, receipt and figures', async () => {
  const receiver = await startMeasured()
  const { db, ask, buy } = await startStore({
    testHosts: [{ pattern: 'agent.example', origin: receiver.origin }],
  })
  const registered = await ask('POST', '/webhooks/endpoints', { url: 'https://agent.example/' })
  const { secret } = JSON.parse(registered.text)
  const { order_id, receipt_url, confirmation_number } = await buy()
  await eventually(() => receiver.received.length).toBe(1)

  const flags = { tracking: '1Z999', carrier: 'UPS', json: true }
  const printed: string[] = []
  const terminal = { print: (text: string) => printed.push(text) }
  await moveOrderCommand(order_id, 'shipped', flags, db, terminal as never)
  expect(JSON.parse(printed.join(''))).toMatchObject({ order_id, status: 'shipped' })
  await eventually(() => receiver.received.length).toBe(2)
  const [confirmed, shipped] = receiver.received.map(({ headers, body }) =>
    new Webhook(secret).verify(body, headers),
  )
  expect(confirmed).toMatchObject({ type: 'order.confirmed', data: { order_id } })
  expect(shipped).toMatchObject({
    type: 'order.shipped',
    data: { order_id, status: 'shipped', tracking: { number: '1Z999', carrier: 'UPS' } },
  })

  const receipt = await ask('GET', new URL(receipt_url).pathname)
  expect(receipt.status).toBe(200)
  expect(receipt.text).toContain(`Order ${confirmation_number}`)
  expect((await ask('GET', '/receipts/none')).status).toBe(404)

  for (const sample of [
    'aisle_store_sessions{protocol="acp",state="completed"} 1',
    'aisle_store_orders{protocol="acp",status="shipped"} 1',
    'aisle_store_webhook_deliveries{state="delivered"} 2',
    'aisle_store_completion_seconds_count{status="200"} 1',
  ]) {
    // A delivery is counted once the store has read its answer.
    await eventually(async () => (await ask('GET', '/metrics')).text).toContain(sample)
  }
})

/** The hosted API, as it answers in a test. */
async function startApi(answer: RequestListener) {
  const got: { event: string; body: Record<string, unknown> }[] = []
  const { origin, close } = await onLoopback(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text)
    got.push({ event: body.event, body })
    answer(request, response)
  })
  closing.push(close)
  return { got, reporting: { url: origin, key: 'aisle_live_test' } }
}

test('a checkout is reported as it goes', async () => {
  const { got, reporting } = await startApi(answers(200))
  const { buy } = await startStore({ reporting })
  expect(await buy('tok_declined')).toMatchObject({ status: 402 })
  const { checkout_id } = await buy()
  await eventually(() => got.map(({ event }) => event)).toEqual([
    'ai_checkout_initiated',
    'ai_checkout_failed',
    'ai_checkout_initiated',
    'ai_checkout_completed',
  ])
  expect(got.at(-1)?.body).toEqual({
    event: 'ai_checkout_completed',
    domain: expect.any(String),
    session_id: checkout_id,
    source: 'acp',
    properties: { value: expect.any(Number), currency: 'USD', duration_ms: expect.any(Number) },
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
})

test('a store that starts anew reports what was paid before', async () => {
  const { got, reporting } = await startApi(answers(200))
  const { buy, store, url } = await startStore()
  const { checkout_id } = await buy()
  await store.stop()
  await startStore({ reporting, databaseUrl: url })
  await eventually(() => got).toMatchObject([
    { event: 'ai_checkout_completed', body: { session_id: checkout_id } },
  ])
})

test('a checkout is over while the API still hangs on its first event', async () => {
  let ended = 0
  const { got, reporting } = await startApi((_, response) => {
    response.on('close', () => {
      ended += 1
    })
  })
  const { buy, store } = await startStore({ reporting })
  for (const order of [await buy(), await buy()]) expect(order.status).toBe('confirmed')
  await eventually(() => got.length).toBe(1)
  expect(ended).toBe(0)
  await store.stop()
})

test.each<[string, RequestListener | null]>([
  ['fails', answers(500)],
  ['is wrong', (_, response) => response.end('<html>')],
  ['refuses our key', answers(401)],
  ['is down', null],
])('a checkout does not notice that the API %s', async (_, answer) => {
  const { reporting } = answer
    ? await startApi(answer)
    : { reporting: { url: 'http://127.0.0.1:1', key: 'aisle_live_test' } }
  const { buy, store } = await startStore({ reporting })
  const orders = await Promise.all([buy(), buy(), buy()])
  for (const order of orders) expect(order).toMatchObject({ created: 200, status: 'confirmed' })
  await store.stop()
})
