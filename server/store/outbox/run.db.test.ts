import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { runOutbox } from '../../outbox/run.ts'
import { testFetcher } from '../../outbox/testing/receiver.ts'
import { webhook_deliveries } from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { enqueue } from '../dialects/order-webhooks.ts'
import { ORDER_EVENTS } from '../orders/events.ts'
import { createEndpoint } from './endpoints.ts'
import { orderOutbox } from './outbox.ts'
import { anOrder, startMeasured } from './testing/receiver.ts'

const running: { stop: () => Promise<void> }[] = []
afterEach(() => Promise.all(running.splice(0).map(({ stop }) => stop())))

async function start() {
  const { db } = await storeDatabase()
  const receiver = await startMeasured()
  const now = () => new Date()
  const errors: unknown[] = []
  const deps = { db, now, fetcher: testFetcher(receiver.origin) }
  const run = () => {
    const loop = runOutbox(orderOutbox(deps), {
      everyMs: 5,
      onError: (error) => errors.push(error),
    })
    running.push(loop)
    return loop
  }
  const register = (url: string) => createEndpoint(db, { url, events: [...ORDER_EVENTS] }, now())
  const tell = () => db.transaction((tx) => enqueue(tx, 'order.confirmed', anOrder(), now()))
  const rows = () => db.select().from(webhook_deliveries)
  return { deps, db, receiver, errors, run, register, tell, rows }
}

test('it delivers what comes in, and a slow endpoint holds up no other', async () => {
  const { receiver, run, register, tell, rows, errors } = await start()
  await register('https://slow.example/')
  await register('https://fast.example/')
  receiver.answer = ({ headers }, response) => {
    if (headers.host === 'fast.example') response.end()
  }
  run()
  for (let n = 0; n < 12; n += 1) await tell()
  await eventually(
    async () => (await rows()).filter(({ delivered_at }) => delivered_at).length,
  ).toBe(12)
  expect(errors).toEqual([])
})

test('what is under way when it stops counts for nothing, and is due at once', async () => {
  const { receiver, run, register, tell, rows } = await start()
  await register('https://agent.example/')
  receiver.answer = () => {}
  await tell()
  const { stop } = run()
  await eventually(() => receiver.received.length).toBe(1)
  await stop()
  const [row] = await rows()
  expect(row).toMatchObject({ attempts: 0, last_error: null, delivered_at: null })
  expect(row!.next_at!.getTime()).toBeLessThanOrEqual(Date.now())

  receiver.answer = (_, response) => response.end()
  run()
  await eventually(async () => (await rows())[0]!.delivered_at).not.toBeNull()
})

test('a database that fails for a while is asked again', async () => {
  const { deps, db, receiver, register, tell } = await start()
  await register('https://agent.example/')
  await tell()
  const errors: unknown[] = []
  let failures = 3
  const flaky = new Proxy(db, {
    get: (target, name) => {
      if (name === 'select' && failures > 0) {
        failures -= 1
        throw new Error('no database')
      }
      return Reflect.get(target, name)
    },
  })
  running.push(
    runOutbox(orderOutbox({ ...deps, db: flaky }), {
      everyMs: 5,
      onError: (error) => errors.push(error),
    }),
  )
  await eventually(() => receiver.received.length).toBe(1)
  expect(errors.map(String)).toEqual(Array(3).fill('Error: no database'))
})
