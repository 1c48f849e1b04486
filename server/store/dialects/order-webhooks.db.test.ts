import { createHmac } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { answers, type Received, testFetcher } from '../../jobs/testing/receiver.ts'
import { LEAD_MS } from '../../signatures/keys.ts'
import { verifyMessage } from '../../signatures/verify.ts'
import { applyPaymentEvent } from '../checkout/payment-events.ts'
import {
  type Order,
  orders,
  sessions,
  signing_keys,
  webhook_deliveries,
  webhook_endpoints,
} from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { readFigures } from '../ops/figures.ts'
import { keptStoreTables } from '../ops/kept.ts'
import { makeDueRefunds } from '../ops/refunder.ts'
import { sweep } from '../ops/sweeper.ts'
import { insertSession } from '../ops/testing/rows.ts'
import { type MerchantMove, moveOrder } from '../orders/moves.ts'
import { requestRefund } from '../orders/refunds.ts'
import type { Enqueue, OrderChange } from '../orders/states.ts'
import { listDeliveries, redeliver } from '../outbox/deliveries.ts'
import { createEndpoint, disableEndpoint, listEndpoints } from '../outbox/endpoints.ts'
import { merchantSignature } from '../outbox/merchant-signature.ts'
import { anOrder, deliverDue, startMeasured } from '../outbox/testing/receiver.ts'
import type { PspEvent } from '../psp/psp.ts'
import { scriptedPsp } from '../psp/testing/scripted-psp.ts'
import { TEST_KEYS } from '../signatures/testing/test-keys.ts'
import { NOON, testDeps } from '../testing/store.ts'
import { platformOfKey } from './acp/caller.ts'
import { enqueue } from './order-webhooks.ts'
import { orderEntity } from './ucp/order.ts'
import { OrderEntity } from './ucp/testing/order-schema.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const PLATFORM = 'https://agent.example/ucp.json'
const AGENT = platformOfKey('agent')
const HOOK = 'https://hooks.example/ucp?key=1'

/**
 * A store that sold over official UCP, a platform that listens, and a clock that the test moves.
 */
async function sold(change: { enqueue?: Enqueue } = {}) {
  const { db } = await storeDatabase()
  const receiver = await startMeasured()
  const clock = { at: NOON.getTime() }
  const now = () => new Date(clock.at)
  const { psp } = scriptedPsp(now)
  const deps = { db, now, psp, enqueue, report: () => {}, ...change }
  const outbox = {
    ...{ db, now, fetcher: testFetcher(receiver.origin), random: () => 0 },
    signingKeys: TEST_KEYS,
  }
  const tell = (what: OrderChange, order: Order) =>
    db.transaction((tx) => deps.enqueue(tx, what, order, now()))
  return {
    ...deps,
    clock,
    receiver,
    tell,
    deliver: () => deliverDue(outbox),
    /** A paid order, of which its platform has been told. */
    async buy(of: Partial<Order> = {}, webhook_url: string | null = HOOK, platform = PLATFORM) {
      const order = anOrder({
        psp: psp.name,
        protocol: 'ucp_official',
        official: { version: '2026-04-08', platform, webhook_url, shown: {} },
        ...of,
      })
      const { session_id: id, protocol } = order
      await insertSession(db, {
        ...{ id, protocol: protocol ?? 'ucp', status: 'completed' },
        ...{ shipping_options: [order.shipping], confirmed_option_id: order.shipping.id },
      })
      await db.insert(orders).values(order)
      await tell('order.confirmed', order)
      return {
        order,
        move: (to: MerchantMove, ...tracking: [{ number: string }?]) =>
          moveOrder(deps, order.id, to, ...tracking),
        /** The PSP tells of its payment. */
        hear: (type: PspEvent['type']) =>
          applyPaymentEvent(deps, psp.name, {
            ...{ id: crypto.randomUUID(), type, name: type, amount: null },
            ...{ paymentId: order.payment_id, sessionId: null },
          }),
      }
    },
    rows: () => db.select().from(webhook_deliveries).orderBy(webhook_deliveries.place),
    endpoints: () => db.select().from(webhook_endpoints),
    /** Null: the signature holds, by the keys that the profile publishes. */
    async faultOf({ url, headers: { host, ...headers }, body }: Received) {
      const verdict = await verifyMessage(
        {
          method: 'POST',
          url: `https://${host}${url}`,
          headers: new Headers(headers),
          body: Buffer.from(body),
        },
        {
          now: now(),
          maxAgeMs: 60 * SECOND,
          keys: async () => (await TEST_KEYS.published(db, now())).map((key) => ({ ...key })),
        },
      )
      return verdict.outcome === 'signed' ? null : verdict
    },
  }
}
const said = ({ body }: Received) => OrderEntity.parse(JSON.parse(body))

test('the platform is told of each change with the whole order, signed, one after another', async () => {
  const shop = await sold()
  const { order, move, hear } = await shop.buy()
  const steps: (() => Promise<unknown>)[] = [
    () => move('processing'),
    () => move('shipped', { number: '1Z999' }),
    () => move('delivered'),
    () => hear('charge.dispute.created'),
    () => requestRefund(shop, order.id, { amount: 100, key: 'one' }),
    () => makeDueRefunds(shop, (error) => Promise.reject(error)),
    () => move('returned'),
  ]
  for (const step of steps) {
    shop.clock.at += 60 * SECOND
    await step()
  }
  // Three replicas.
  await Promise.all([shop.deliver(), shop.deliver(), shop.deliver()])
  const { received } = shop.receiver
  const told = received.map(said)
  expect((await shop.rows()).map(({ event }) => event)).toEqual([
    'order.confirmed',
    'order.processing',
    'order.shipped',
    'order.delivered',
    'order.disputed',
    'order.refunded',
    'order.returned',
  ])
  expect(told.map(({ fulfillment }) => fulfillment.events.length)).toEqual([0, 1, 2, 3, 3, 3, 3])
  expect(told.map(({ adjustments }) => adjustments.map(({ type }) => type))).toEqual([
    ...[[], [], [], []],
    ['dispute'],
    ['dispute', 'refund'],
    ['dispute', 'refund', 'return'],
  ])
  expect(told[2]?.fulfillment.events[1]).toMatchObject({ tracking_number: '1Z999' })
  const [now] = await shop.db.select().from(orders).where(eq(orders.id, order.id))
  expect(told.at(-1)).toEqual(orderEntity(now!))
  expect(told[0]?.ucp.version).toBe('2026-04-08')

  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(7)
  for (const each of received) {
    expect(each.url).toBe('/ucp?key=1')
    expect(each.headers).toMatchObject({
      host: 'hooks.example',
      'content-type': 'application/json',
      'ucp-agent': 'profile="https://shop.example/.well-known/ucp"',
      'webhook-id': expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
    })
    expect(await shop.faultOf(each)).toBeNull()
  }
  expect(received.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(
    [0, 1, 2, 3, 4, 6, 7].map((minutes) => NOON.getTime() / SECOND + minutes * 60),
  )
  const forged = { ...received[0]!, body: received[1]!.body }
  expect(await shop.faultOf(forged)).toMatchObject({ code: 'digest_mismatch' })
})

test('an order whose payment waits is told once it is paid, with what came before', async () => {
  const shop = await sold()
  const { hear } = await shop.buy({ status: 'awaiting_payment' })
  await hear('charge.dispute.created')
  expect(await shop.rows()).toEqual([])
  await hear('payment_intent.succeeded')
  await hear('payment_intent.succeeded')
  await shop.deliver()
  expect(shop.receiver.received.map(said)).toMatchObject([{ adjustments: [{ type: 'dispute' }] }])
})

test('a cancellation is told, and its refund once it is made', async () => {
  const shop = await sold()
  const { move } = await shop.buy()
  await move('canceled')
  await makeDueRefunds(shop, (error) => Promise.reject(error))
  await shop.deliver()
  const told = shop.receiver.received.map(said)
  expect(told.map(({ adjustments }) => adjustments.map(({ type }) => type))).toEqual([
    [],
    ['cancellation'],
    ['cancellation', 'refund'],
  ])
  expect(told[1]?.line_items[0]).toMatchObject({ status: 'removed', quantity: { total: 0 } })
})

test('a webhook that failed comes again as it was, signed by the key of the moment, before the next', async () => {
  const shop = await sold()
  const { move } = await shop.buy()
  const other = await shop.buy()
  await move('processing')
  shop.receiver.answer = answers(503)
  await shop.deliver()
  const first = shop.receiver.received.map(said)
  // The second change waits; the other order does not.
  expect(first.map(({ id }) => id).toSorted()).toHaveLength(2)
  expect(new Set(first.map(({ id }) => id)).size).toBe(2)
  const figures = async () => (await readFigures(shop.db, shop.now())).overdueSeconds
  shop.clock.at += SECOND
  expect(await figures()).toBe(0)

  // A leaked key: the new one signs from now on.
  await TEST_KEYS.rotate(shop.db, shop.now(), { compromised: true })
  shop.receiver.answer = answers(200)
  shop.clock.at += SECOND
  await shop.deliver()
  const { received } = shop.receiver
  expect(received).toHaveLength(5)
  const [tried, again, next] = received.filter((each) => said(each).id !== other.order.id)
  expect(again!.body).toBe(tried!.body)
  for (const name of ['webhook-id', 'webhook-timestamp', 'content-digest']) {
    expect(again!.headers[name]).toBe(tried!.headers[name])
  }
  expect(again!.headers['signature-input']).not.toBe(tried!.headers['signature-input'])
  expect(await shop.faultOf(again!)).toBeNull()
  expect(await shop.faultOf(tried!)).toMatchObject({ code: 'key_not_found' })
  expect(said(next!).fulfillment.events).toMatchObject([{ type: 'processing' }])
})

test('an announced key signs once its time has come, and both verify', async () => {
  const shop = await sold()
  const { move } = await shop.buy()
  await shop.deliver()
  await TEST_KEYS.rotate(shop.db, shop.now())
  await move('processing')
  await shop.deliver()
  shop.clock.at += LEAD_MS
  await move('shipped')
  await shop.deliver()
  const { received } = shop.receiver
  const kids = received.map(
    ({ headers }) => /keyid="([^"]+)"/.exec(headers['signature-input'] ?? '')?.[1],
  )
  expect(kids[0]).toBe(kids[1])
  expect(kids[2]).not.toBe(kids[1])
  expect(await shop.db.$count(signing_keys)).toBe(2)
  expect(await shop.faultOf(received[2]!)).toBeNull()
})

test('what is given up is listed, gives way to the next, and is sent again when asked for', async () => {
  const shop = await sold()
  const { move } = await shop.buy()
  await move('processing')
  shop.receiver.answer = answers(500)
  for (let tries = 0; tries < 12; tries += 1) {
    await shop.deliver()
    const [row] = await shop.rows()
    if (row!.next_at === null) break
    shop.clock.at = row!.next_at.getTime()
  }
  const [given, next] = await shop.rows()
  expect(given).toMatchObject({ attempts: 10, next_at: null, last_error: 'HTTP 500' })
  expect(next!.attempts).toBe(1)
  const listed = await listDeliveries(shop.db)
  expect(listed.map(({ event, url, format }) => ({ event, url, format }))).toEqual([
    { event: 'order.processing', url: HOOK, format: 'ucp' },
    { event: 'order.confirmed', url: HOOK, format: 'ucp' },
  ])
  expect(listed[0]).not.toHaveProperty('payload')
  expect(await listEndpoints(shop.db)).toEqual([])

  shop.receiver.answer = answers(200)
  const before = shop.receiver.received.length
  expect(await redeliver(shop.db, given!.id, shop.now())).toBe('queued')
  await shop.deliver()
  const [again] = shop.receiver.received.slice(before)
  expect(again!.headers['webhook-id']).toBe(given!.message_id)
  expect(again!.body).toBe(given!.payload)
})

test('an old state is not sent after a newer one that has arrived', async () => {
  const shop = await sold()
  const { move } = await shop.buy()
  const other = await shop.buy()
  await move('processing')
  await shop.deliver()
  const mine = (await shop.rows()).filter(({ order_id }) => order_id !== other.order.id)
  const [first, last] = mine
  expect(await redeliver(shop.db, first!.id, shop.now())).toBe('superseded')
  expect((await shop.rows()).map(({ next_at }) => next_at)).toEqual([null, null, null])
  expect(await redeliver(shop.db, last!.id, shop.now())).toBe('queued')
  // The last is on its way once more, and has not arrived: the first goes ahead of it.
  expect(await redeliver(shop.db, first!.id, shop.now())).toBe('queued')
  shop.receiver.received.length = 0
  await shop.deliver()
  expect(shop.receiver.received.map(({ body }) => body)).toEqual(mine.map((each) => each.payload))
})

test('a platform that fails or wants no more is its own matter, and its next order is told', async () => {
  const shop = await sold()
  const mine = await shop.buy()
  const theirs = await shop.buy({}, HOOK, 'https://other.example/ucp.json')
  const [one, other] = await shop.endpoints()
  expect(one!.url).toBe(other!.url)
  expect(one!.id).not.toBe(other!.id)
  shop.receiver.answer = answers(410)
  await shop.deliver()
  expect((await shop.rows()).map(({ next_at, attempts }) => [next_at, attempts])).toEqual([
    [null, 1],
    [null, 1],
  ])
  // For the merchant, one of them is over; the other goes on.
  await disableEndpoint(
    shop.db,
    (await shop.rows()).find(({ order_id }) => order_id === theirs.order.id)!.endpoint_id,
    shop.now(),
  )
  shop.receiver.answer = answers(200)
  shop.receiver.received.length = 0
  await mine.move('processing')
  await theirs.move('processing')
  await shop.buy()
  await shop.deliver()
  expect(shop.receiver.received.map((each) => said(each).id)).not.toContain(theirs.order.id)
  expect(shop.receiver.received).toHaveLength(2)
})

const one = await sold()
test.each<[string, Partial<Order>, string | null, number]>([
  ['a URL', {}, HOOK, 1],
  ['none', {}, null, 0],
  ['no URL', {}, 'hooks.example', 0],
  ['not https', {}, 'http://hooks.example/', 0],
  ['another protocol', {}, 'javascript:alert(1)', 0],
  ['endless', {}, `https://hooks.example/${'x'.repeat(2000)}`, 0],
  ['not paid yet', { status: 'awaiting_payment' }, HOOK, 0],
  ['never paid', { status: 'payment_failed' }, HOOK, 0],
  ['an order of the specification', { protocol: 'ucp' }, HOOK, 0],
  ['an order without a platform', { official: null }, HOOK, 0],
])('nobody is told without an address and an order: %s', async (_, of, url, count) => {
  const { order, hear } = await one.buy(of, url)
  const told = () =>
    one.db.$count(webhook_deliveries, like(webhook_deliveries.payload, `%${order.id}%`))
  expect(await told()).toBe(count)
  await hear('charge.dispute.created')
  expect(await told()).toBe(2 * count)
  const [now] = await one.db.select().from(orders).where(eq(orders.id, order.id))
  expect(now).toMatchObject({ disputed: true, history: [{ type: 'disputed' }] })
  expect((await one.endpoints()).filter(({ url }) => url !== HOOK)).toEqual([])
})

test('a target that leads into our own network is not asked', async () => {
  const shop = await sold()
  await shop.buy({}, 'https://127.0.0.1/hook')
  await shop.buy({}, 'http://localhost:8788/hook')
  await shop.buy({}, 'https://user:pass@hooks.example/')
  await shop.deliver()
  expect(shop.receiver.received).toEqual([])
  expect((await shop.rows()).map(({ attempts, last_status }) => [attempts, last_status])).toEqual(
    Array(3).fill([1, null]),
  )
})

test('merchants are told what they were, and platforms do not count as their endpoints', async () => {
  const shop = await sold()
  await createEndpoint(
    shop.db,
    { url: 'https://merchant.example/', events: ['order.confirmed', 'order.shipped'] },
    shop.now(),
  )
  const { order, move } = await shop.buy()
  await move('processing')
  await move('shipped')
  await shop.deliver()
  const { received } = shop.receiver
  const ours = received.filter(({ headers }) => headers.host === 'merchant.example')
  expect(ours.map(({ body }) => JSON.parse(body).type).toSorted()).toEqual([
    'order.confirmed',
    'order.shipped',
  ])
  expect(ours.map(({ headers }) => headers['webhook-id']).toSorted()[0]).toBe(
    `msg_${order.id}_order_confirmed`,
  )
  expect(received).toHaveLength(5)
  expect(await listEndpoints(shop.db)).toHaveLength(1)
})

test('a platform is forgotten 60 days after its last order, unless something is due', async () => {
  const { deps } = await testDeps()
  const { db } = deps
  const told = (days: number) => new Date(NOON.getTime() - days * 24 * HOUR)
  const platform = (id: string, days: number, disabled_at: Date | null = null) => ({
    ...{ id, format: 'ucp' as const, url: HOOK, secret: '', events: [], disabled_at },
    created_at: told(days),
    told_at: told(days),
  })
  await db
    .insert(webhook_endpoints)
    .values([
      platform('gone', 61),
      platform('recent', 59),
      platform('due', 61),
      platform('ended', 61, NOON),
      { ...platform('merchant', 61), format: 'standard', told_at: null },
    ])
  await db.insert(webhook_deliveries).values({
    ...{ id: '1', endpoint_id: 'due', message_id: '1', event: 'order.confirmed', payload: '{}' },
    ...{ created_at: told(61), next_at: told(1) },
  })
  await sweep(deps)
  const left = await db.select({ id: webhook_endpoints.id }).from(webhook_endpoints)
  expect(left.map(({ id }) => id).toSorted()).toEqual(['due', 'ended', 'merchant', 'recent'])
  expect(keptStoreTables(NOON).map(({ table }) => table)).toContain('store.webhook_endpoints')
})

test('a platform’s endpoint is told to be in use once a day', async () => {
  const shop = await sold()
  const toldAt = async () => (await shop.endpoints())[0]?.told_at
  await shop.buy()
  shop.clock.at += 24 * HOUR - 1
  await shop.buy()
  expect(await toldAt()).toEqual(NOON)
  shop.clock.at += 1
  await shop.buy()
  expect(await toldAt()).toEqual(shop.now())
  expect(await shop.endpoints()).toHaveLength(1)
})

// ACP, Orders and webhooks.
test('Merchant-Signature, by a known answer', () => {
  const body =
    '{"type":"order_update","data":{"type":"order","id":"ord_1","checkout_session_id":"cs_1","permalink_url":"https://shop.example/orders/ord_1","status":"shipped"}}'
  expect(merchantSignature('whsec_acp_test_secret', body, new Date(1_776_643_200_999))).toBe(
    't=1776643200,v1=bb831ef9053f6b22c53af6492c8696432c786c66fa1fc15744fe94ab4f9cf6fc',
  )
})

test('an agent of ACP is told of the orders that were bought over it, each change in order', async () => {
  const shop = await sold({
    enqueue,
  })
  const secret = 'an-agents-secret'
  const url = 'https://acp.example/hook'
  await createEndpoint(
    shop.db,
    { url, format: 'acp', platform: AGENT, secret, events: [] },
    shop.now(),
  )
  await shop.buy()
  await shop.buy({ protocol: 'acp' })
  const { order, move } = await shop.buy({ protocol: 'acp_official' }, null, AGENT)
  await move('processing')
  await move('shipped')
  shop.receiver.answer = answers(500)
  await shop.deliver()
  shop.receiver.answer = answers(200)
  shop.clock.at += 5 * SECOND
  await shop.deliver()
  // The platform of the first order hears of it in its own form.
  const received = shop.receiver.received.filter(({ headers }) => headers['merchant-signature'])
  expect(received.map(({ body }) => JSON.parse(body))).toMatchObject(
    [
      ['order_create', 'confirmed'],
      ['order_create', 'confirmed'],
      ['order_update', 'processing'],
      ['order_update', 'shipped'],
    ].map(([type, status]) => ({ type, data: { type: 'order', id: order.id, status } })),
  )
  const [first, again, next] = received
  expect(again!.headers['request-id']).toBe(first!.headers['request-id'])
  expect(next!.headers['request-id']).not.toBe(first!.headers['request-id'])
  for (const [each, seconds] of [
    [first!, 0],
    [again!, 5],
  ] as const) {
    const at = new Date(NOON.getTime() + seconds * SECOND)
    const t = at.getTime() / SECOND
    const v1 = createHmac('sha256', secret).update(`${t}.${each.body}`).digest('hex')
    expect(each.headers).toMatchObject({
      'content-type': 'application/json',
      'merchant-signature': `t=${t},v1=${v1}`,
      timestamp: at.toISOString(),
    })
    expect(each.headers).not.toHaveProperty('webhook-signature')
  }
})

test('an agent of ACP 2026-01-30 is told in the form of that version, refunds included', async () => {
  const shop = await sold()
  const url = 'https://acp.example/hook'
  await createEndpoint(shop.db, { url, format: 'acp', platform: AGENT, events: [] }, shop.now())
  const official = { version: '2026-01-30', platform: AGENT, webhook_url: null, shown: {} }
  const { order, move } = await shop.buy({ protocol: 'acp_official', official })
  await move('processing')
  await move('shipped')
  await move('delivered')
  await requestRefund(shop, order.id, { amount: 100, key: 'one' })
  await makeDueRefunds(shop, (error) => Promise.reject(error))
  await shop.deliver()
  const part = { type: 'original_payment', amount: 100 }
  const data = {
    type: 'order',
    checkout_session_id: order.session_id,
    permalink_url: `https://shop.example/receipts/${order.receipt_token}`,
  }
  expect(shop.receiver.received.map(({ body }) => JSON.parse(body))).toEqual([
    { type: 'order_create', data: { ...data, status: 'confirmed', refunds: [] } },
    { type: 'order_update', data: { ...data, status: 'confirmed', refunds: [] } },
    { type: 'order_update', data: { ...data, status: 'shipped', refunds: [] } },
    { type: 'order_update', data: { ...data, status: 'fulfilled', refunds: [] } },
    { type: 'order_update', data: { ...data, status: 'fulfilled', refunds: [part] } },
  ])
})

test('an agent of ACP is told of its own orders, and of those of no other', async () => {
  const shop = await sold()
  for (const key of ['agent', 'other']) {
    const url = `https://${key}.example/hook`
    await createEndpoint(
      shop.db,
      { url, format: 'acp', platform: platformOfKey(key), events: [] },
      shop.now(),
    )
  }
  // As those are that were registered before endpoints named a key.
  const { platform, ...older } = (await shop.endpoints())[0]!
  await shop.db.insert(webhook_endpoints).values({ ...older, id: 'older' })
  const { order, move } = await shop.buy({ protocol: 'acp_official' }, null, AGENT)
  await move('processing')
  await shop.deliver()
  const hosts = shop.receiver.received.map(({ headers }) => headers.host)
  expect(hosts).toEqual(['agent.example', 'agent.example'])
  expect((await shop.rows()).map(({ endpoint_id }) => endpoint_id)).not.toContain('older')
  expect(platform).toBe(order.official!.platform)
})

test('an agent that was ended, or wants no more, is told nothing', async () => {
  const shop = await sold()
  const url = 'https://acp.example/hook'
  await createEndpoint(shop.db, { url, format: 'acp', platform: AGENT, events: [] }, shop.now())
  await shop.buy({ protocol: 'acp_official' }, null, AGENT)
  shop.receiver.answer = answers(410)
  await shop.deliver()
  await shop.buy({ protocol: 'acp_official' }, null, AGENT)
  expect(await shop.rows()).toHaveLength(1)
  expect(await listEndpoints(shop.db)).toMatchObject([{ url, format: 'acp', disabled_at: NOON }])
  expect(await shop.db.$count(sessions)).toBe(2)
})
