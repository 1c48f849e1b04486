import { request } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startCluster } from './testing/cluster.ts'
import { noteFigure } from './testing/figures.ts'
import { runInImage } from './testing/program.ts'
import { createStore, storeCommand } from './testing/store.ts'
import { until } from './testing/until.ts'
import { DOMAIN, isSkipped, openWorld, production } from './testing/world.ts'

describe.skipIf(isSkipped())('the reference store', () => {
  test('takes an order, which the service counts', async () => {
    const { cluster, origin, createKey } = await openWorld(onTestFinished)
    const { key } = await createKey()
    const store = await createStore(cluster, {
      NODE_ENV: 'development',
      AISLE_URL: origin,
      AISLE_KEY: key,
    })
    onTestFinished(store.end)
    const startMs = await store.start()
    const post = async (path: string, body: unknown) => {
      const answer = await request(`http://127.0.0.1:${store.port}${path}`, {
        method: 'POST',
        headers: { host: DOMAIN, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: answer.statusCode, body: await readJson(answer.body) }
    }

    const created = await post('/acp/checkout/create', {
      items: [{ product_id: 'ao-1101', quantity: 1 }],
      shipping_address: {
        name: 'Ada Byron',
        street: '1 Analytical Way',
        city: 'Albany',
        state: 'NY',
        zip: '12207',
        country: 'US',
      },
      idempotency_key: 'cart-1',
    })
    const paid = await post(`/acp/checkout/${created.body.checkout_id}/complete`, {
      shipping_option_id: 'standard',
      payment_method: { type: 'card', token: 'tok_visa' },
      idempotency_key: 'pay-1',
    })
    expect(paid).toMatchObject({ status: 200, body: { order_id: expect.any(String) } })
    await until('the service counts the order', async () => {
      const [row] = await cluster.sql<{ orders: number }[]>`
        select count(*)::int as orders from events
        where domain = ${DOMAIN} and event = 'ai_checkout_completed'`
      return row?.orders === 1
    })

    const { now } = await store.memory()
    await noteFigure(
      production(),
      'store: start, memory after an order',
      `${startMs.toFixed(0)} ms, ${now} MiB`,
    )
    expect(await store.stop()).toMatchObject({ code: 0 })
  })

  test('does not start for real payments without a payment provider', async () => {
    const cluster = await startCluster(production())
    onTestFinished(cluster.close)
    const { code, stderr } = await runInImage(production(), storeCommand(), {
      HOST: '127.0.0.1',
      STORE_HOSTS: DOMAIN,
      DATABASE_URL: cluster.url,
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^There is no PSP\. Set STRIPE_SECRET_KEY/)
  })
})

/** The store's answers are objects (docs/integrator/reference-store.md). */
const readJson = async (body: { json: () => Promise<unknown> }) =>
  (await body.json()) as Record<string, unknown>
