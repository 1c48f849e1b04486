import type { IncomingMessage, RequestListener } from 'node:http'
import { sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { DELIVERY_LEASE_MS, runOutbox } from '../../jobs/outbox.ts'
import { answers, testFetcher } from '../../jobs/testing/receiver.ts'
import { type Order, webhook_deliveries, webhook_endpoints } from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { enqueue } from '../dialects/order-webhooks.ts'
import { ORDER_EVENTS, type OrderEvent } from '../orders/states.ts'
import { TEST_KEYS } from '../signatures/testing/test-keys.ts'
import { NOON } from '../testing/store.ts'
import { claimDue, redeliver } from './deliveries.ts'
import { createEndpoint, type NewEndpoint } from './endpoints.ts'
import { orderOutbox } from './outbox.ts'
import { anOrder, deliverDue, startMeasured } from './testing/receiver.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** An outbox of its own, a receiver, and a clock that the test moves. */
async function outbox(options: Parameters<typeof testFetcher>[1] = {}) {
  const { db } = await storeDatabase()
  const receiver = await startMeasured()
  const clock = { at: NOON.getTime() }
  const now = () => new Date(clock.at)
  const deps = {
    ...{ db, now, fetcher: testFetcher(receiver.origin, options), random: () => 0 },
    signingKeys: TEST_KEYS,
  }
  return {
    ...deps,
    clock,
    receiver,
    register: async (change: Partial<NewEndpoint> = {}) =>
      (await createEndpoint(
        db,
        { url: 'https://agent.example/hook', events: [...ORDER_EVENTS], ...change },
        now(),
      ))!,
    tell: (event: OrderEvent, order: Order) =>
      db.transaction((tx) => enqueue(tx, event, order, now())),
    deliver: () => deliverDue(deps),
    rows: () => db.select().from(webhook_deliveries).orderBy(webhook_deliveries.id),
    endpoints: () => db.select().from(webhook_endpoints),
  }
}
const ids = (received: { headers: Record<string, string> }[]) =>
  received.map(({ headers }) => headers['webhook-id'])

test('an event arrives signed, at each endpoint that asked for it', async () => {
  const { register, tell, deliver, receiver, rows } = await outbox()
  const all = await register({ url: 'https://all.example/hook?x=1' })
  const shipped = await register({ url: 'https://shipped.example/', events: ['order.shipped'] })
  const order = anOrder()
  await tell('order.confirmed', order)
  await deliver()

  expect(receiver.received).toHaveLength(1)
  const [{ url, headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  expect(url).toBe('/hook?x=1')
  expect(headers).toMatchObject({
    host: 'all.example',
    'content-type': 'application/json',
    'webhook-id': `msg_${order.id}_order_confirmed`,
    'webhook-timestamp': String(NOON.getTime() / 1000),
    'webhook-signature': new Webhook(all.secret).sign(
      `msg_${order.id}_order_confirmed`,
      NOON,
      body,
    ),
  })
  expect(JSON.parse(body)).toEqual({
    type: 'order.confirmed',
    timestamp: '2026-06-01T12:00:00.000Z',
    data: {
      order_id: order.id,
      checkout_id: order.session_id,
      status: 'confirmed',
      confirmation_number: 'AO-7K3M-Q9XT',
      subtotal: { amount: 9998, currency: 'USD' },
      shipping: { id: 'standard', name: 'Standard', cost: { amount: 600, currency: 'USD' } },
      tax: { amount: 800, currency: 'USD' },
      total: { amount: 11_398, currency: 'USD' },
      estimated_delivery: '2026-06-06',
      tracking: null,
      created_at: '2026-06-01T12:00:00.000Z',
      updated_at: '2026-06-01T12:00:00.000Z',
      order_url: `https://shop.example/ucp/orders/${order.id}`,
      items: [
        {
          product_id: 'tent',
          variant_id: 'tent-green',
          name: 'Tent, green',
          quantity: 2,
          unit_price: { amount: 4999, currency: 'USD' },
        },
      ],
    },
  })

  await tell('order.shipped', { ...order, status: 'shipped' })
  await deliver()
  expect(receiver.received.map(({ headers }) => headers.host).sort()).toEqual([
    'all.example',
    'all.example',
    'shipped.example',
  ])
  const [one, other] = receiver.received.slice(1)
  expect(one!.body).toBe(other!.body)
  expect(one!.headers['webhook-id']).toBe(other!.headers['webhook-id'])
  expect(one!.headers['webhook-signature']).not.toBe(other!.headers['webhook-signature'])
  expect(shipped.secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect((await rows()).every(({ delivered_at, next_at }) => delivered_at && !next_at)).toBe(true)
})

test('a signature passes the verification of the standard', async () => {
  const { register, tell, deliver, receiver, clock } = await outbox()
  clock.at = Date.now()
  const { secret } = await register()
  await tell('order.confirmed', anOrder())
  await deliver()
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'order.confirmed' })
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature')
})

test('an event and the change that it tells of stand or fall together, and once', async () => {
  const { db, register, tell, rows, now } = await outbox()
  await register()
  const order = anOrder()
  const failing = db.transaction(async (tx) => {
    await enqueue(tx, 'order.confirmed', order, now())
    throw new Error('the change failed')
  })
  await expect(failing).rejects.toThrow('the change failed')
  expect(await rows()).toEqual([])
  await Promise.all([tell('order.confirmed', order), tell('order.confirmed', order)])
  expect(await rows()).toHaveLength(1)
})

test('an order of 100 lines leaves its items to the order’s own address', async () => {
  const { register, tell, rows } = await outbox()
  await register()
  const line = { ...anOrder().items[0]!, name: 'Ω'.repeat(80) }
  await tell('order.confirmed', anOrder({ items: Array.from({ length: 100 }, () => line) }))
  const { payload } = (await rows())[0]!
  expect(Buffer.byteLength(payload)).toBeLessThan(20_000)
  expect(JSON.parse(payload).data).toMatchObject({ order_url: expect.any(String) })
  expect(JSON.parse(payload).data).not.toHaveProperty('items')
})

test('a receiver that is down, slow, wrong and then well gets each event, once by its effect', async () => {
  const { register, tell, deliver, receiver, clock, rows } = await outbox({
    limits: { totalMs: 10_000 },
  })
  await register()
  const told = [anOrder(), anOrder()]
  for (const order of told) await tell('order.confirmed', order)

  const effects = new Set<string>()
  const takeEffect = (request: IncomingMessage) =>
    effects.add(String(request.headers['webhook-id']))
  const accept: RequestListener = (request, response) => {
    takeEffect(request)
    response.end()
  }
  const loseAnswer: RequestListener = (request) => {
    takeEffect(request)
    request.socket.destroy()
  }
  const steps: { delay: number; before: () => unknown }[] = [
    { delay: 0, before: receiver.close },
    { delay: 5 * SECOND, before: () => receiver.open() },
    { delay: 300 * SECOND, before: () => (receiver.answer = answers(500)) },
    { delay: 1800 * SECOND, before: () => (receiver.answer = loseAnswer) },
    { delay: 2 * HOUR, before: () => (receiver.answer = accept) },
  ]
  receiver.answer = () => {}
  for (const [attempts, { delay, before }] of steps.entries()) {
    clock.at += delay - 1
    const early = receiver.received.length
    if (attempts > 0) await deliver()
    expect(receiver.received).toHaveLength(early)
    clock.at += 1
    await before()
    await deliver()
    expect((await rows()).map((row) => row.attempts)).toEqual([attempts + 1, attempts + 1])
  }
  expect(clock.at - NOON.getTime()).toBe(2 * HOUR + 2105 * SECOND)
  expect(effects).toEqual(new Set(told.map(({ id }) => `msg_${id}_order_confirmed`)))
  expect(new Set(ids(receiver.received)).size).toBe(2)
  expect((await rows()).every((row) => row.delivered_at)).toBe(true)
})

test('a delivery is sent again under the id that it had', async () => {
  const { db, register, tell, deliver, receiver, now, rows } = await outbox()
  await register()
  await tell('order.confirmed', anOrder())
  await deliver()
  const [row] = await rows()
  expect(await redeliver(db, row!.id, now())).toBe('queued')
  await deliver()
  expect(receiver.received).toHaveLength(2)
  expect(new Set(ids(receiver.received)).size).toBe(1)
  expect(receiver.received[0]!.body).toBe(receiver.received[1]!.body)
  expect(await redeliver(db, 'msg_none', now())).toBe('not_found')
})

test('410 ends an endpoint and all that waits for it', async () => {
  const { db, register, tell, deliver, receiver, endpoints, rows, now } = await outbox()
  await register()
  receiver.answer = answers(410)
  for (let n = 0; n < 9; n += 1) await tell('order.confirmed', anOrder())
  await deliver()
  expect(await endpoints()).toMatchObject([{ disabled_at: NOON }])
  expect(receiver.received.length).toBeLessThanOrEqual(4)
  const left = await rows()
  expect(left.every(({ next_at }) => next_at === null)).toBe(true)
  await tell('order.shipped', anOrder())
  expect(await rows()).toHaveLength(9)
  expect(await redeliver(db, left[0]!.id, now())).toBe('endpoint_disabled')
})

test('an endpoint that fails for five days is disabled; one success makes it well', async () => {
  const { register, tell, deliver, receiver, endpoints, clock } = await outbox()
  await register()
  receiver.answer = answers(500)
  const failOnDay = async (day: number) => {
    clock.at = NOON.getTime() + day * 24 * HOUR
    await tell('order.confirmed', anOrder())
    await deliver()
    const [endpoint] = await endpoints()
    return [endpoint!.failing_since?.toISOString() ?? null, endpoint!.disabled_at !== null]
  }
  expect(await failOnDay(0)).toEqual(['2026-06-01T12:00:00.000Z', false])
  expect(await failOnDay(4)).toEqual(['2026-06-01T12:00:00.000Z', false])
  receiver.answer = answers(200)
  expect(await failOnDay(4.9)).toEqual([null, false])
  receiver.answer = answers(500)
  expect(await failOnDay(5)).toEqual(['2026-06-06T12:00:00.000Z', false])
  expect(await failOnDay(10)).toEqual(['2026-06-06T12:00:00.000Z', true])
})

test('replicas that deliver at once send everything once', async () => {
  const { register, tell, deliver, receiver } = await outbox()
  await register()
  await register({ url: 'https://second.example/' })
  for (let n = 0; n < 20; n += 1) await tell('order.confirmed', anOrder())
  await Promise.all([deliver(), deliver(), deliver()])
  expect(receiver.received).toHaveLength(40)
  expect(new Set(ids(receiver.received)).size).toBe(20)
})

test('what another replica is claiming is passed over, not waited for', async () => {
  const { db, register, tell, now } = await outbox()
  const { id } = await register()
  for (let n = 0; n < 3; n += 1) await tell('order.confirmed', anOrder())
  await db.transaction(async (tx) => {
    await tx.select().from(webhook_deliveries).limit(1).for('update')
    expect(await claimDue(db, id, { now: now(), until: now() })).toHaveLength(2)
  })
})

test('four are claimed of a receiver, also of a table that Postgres takes for almost empty', async () => {
  const { db, register, now } = await outbox()
  const { id } = await register()
  const add = (from: number, to: number) => {
    const at = sql`${now().toISOString()}::timestamptz`
    return db.execute(sql`
      insert into store.webhook_deliveries
        (id, endpoint_id, message_id, event, payload, next_at, created_at)
      select 'delivery-' || n, ${id}, 'message-' || n, 'order.confirmed', '{}', ${at}, ${at}
      from generate_series(${from}::int, ${to}::int) as n`)
  }
  await add(1, 1)
  await db.execute(sql`analyze store.webhook_deliveries`)
  await add(2, 20)
  expect(await claimDue(db, id, { now: now(), until: now() })).toHaveLength(4)
})

test('what a replica claimed before it died is due again when its lease is over', async () => {
  const { db, register, tell, deliver, receiver, clock, now } = await outbox()
  const { id } = await register()
  await tell('order.confirmed', anOrder())
  const until = new Date(clock.at + DELIVERY_LEASE_MS)
  expect(await claimDue(db, id, { now: now(), until })).toHaveLength(1)
  clock.at += DELIVERY_LEASE_MS - 1
  await deliver()
  expect(receiver.received).toHaveLength(0)
  clock.at += 2
  await deliver()
  expect(receiver.received).toHaveLength(1)
})

test('a result that comes late does not undo a delivery', async () => {
  const { db, register, tell, deliver, receiver, clock, rows } = await outbox()
  await register()
  await tell('order.confirmed', anOrder())
  // The first replica is still waiting for its answer when the lease ends and a second one
  // delivers.
  let open = (): void => {}
  const held = new Promise<void>((done) => {
    open = done
  })
  receiver.answer = (_, response) => void held.then(() => response.writeHead(500).end())
  const late = deliver()
  await eventually(() => receiver.received.length).toBe(1)
  clock.at += DELIVERY_LEASE_MS + 1
  receiver.answer = answers(200)
  await deliver()
  open()
  await late
  expect(await rows()).toMatchObject([{ attempts: 1, last_status: 200, next_at: null }])
  const [endpoint] = await db.select().from(webhook_endpoints)
  expect(endpoint!.failing_since).toBeNull()
})

test('what is under way when the outbox stops counts for nothing, and is due at once', async () => {
  const { db, now, fetcher, register, tell, receiver, deliver, rows } = await outbox()
  await register()
  receiver.answer = () => {}
  await tell('order.confirmed', anOrder())
  const { stop } = runOutbox(
    orderOutbox({ db, now, fetcher, signingKeys: TEST_KEYS }),
    (error) => expect.fail(String(error)),
    { everyMs: 5 },
  )
  await eventually(() => receiver.received.length).toBe(1)
  await stop()
  expect(await rows()).toMatchObject([{ attempts: 0, last_error: null, leased_until: null }])
  receiver.answer = answers(200)
  await deliver()
  expect(await rows()).toMatchObject([{ attempts: 1, delivered_at: now() }])
})
