import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { stripeSignature } from '../store/psp/test/sender.ts'
import { signIn } from './testing/browser.ts'
import { startCluster } from './testing/cluster.ts'
import { reportOrder } from './testing/events.ts'
import { createStore } from './testing/store.ts'
import { startTraffic } from './testing/traffic.ts'
import { statusOf, until } from './testing/until.ts'
import { DOMAIN, isSkipped, openWorld, production, readSums, restart } from './testing/world.ts'

/** docs/operator/operating.md, Rotate secrets: these are its steps. */
describe.skipIf(isSkipped())('a secret is changed', () => {
  test('the password of the database, by a second role, replica after replica', async () => {
    const { cluster, replicas, origin, createKey } = await openWorld(onTestFinished)
    const { key } = await createKey()
    const traffic = startTraffic({ origin, key, domain: DOMAIN, rate: 500 })

    const password = randomBytes(16).toString('hex')
    await cluster.sql.unsafe(`create role aisle_2 login in role aisle password '${password}'`)
    await cluster.sql.unsafe('alter role aisle_2 set role to aisle')
    // The month after next, which the next start makes again.
    const [missing] = await cluster.sql<{ name: string }[]>`
      select max(relname)::text as name from pg_class where relispartition and relkind = 'r'`
    await cluster.sql.unsafe(`drop table ${missing?.name}`)
    const url = new URL(cluster.url)
    url.username = 'aisle_2'
    url.password = password
    for (const replica of replicas) {
      replica.change({ DATABASE_URL: url.href })
      await restart(replica, traffic)
    }
    await cluster.sql.unsafe('alter role aisle nologin')
    const { orders, revenue } = await traffic.stop()

    const sums = { orders, revenue }
    expect(await readSums(cluster)).toEqual({ rows: sums, totals: sums })
    const sessions = await cluster.sql<{ usename: string }[]>`
      select distinct usename::text from pg_stat_activity where application_name = 'aisle'`
    expect([...sessions]).toEqual([{ usename: 'aisle_2' }])
    // What they make belongs to the first role, so that a third can take over from the second.
    const [remade] = await cluster.sql<{ tableowner: string }[]>`
      select tableowner::text from pg_tables where tablename = ${missing?.name ?? ''}`
    expect(remade).toEqual({ tableowner: 'aisle' })
  })

  test('the operator’s key: the new one works, the old one signs nothing any more', async () => {
    const { cluster, origin, createKey, aisle } = await openWorld(onTestFinished)
    const old = await createKey()
    const browser = await signIn(origin, old.key)
    const shared = await browser.at(origin).shareReport(DOMAIN)
    const fresh = await createKey()
    expect(await reportOrder(origin, fresh.key, 'order_1')).toMatchObject({ status: 200 })
    expect(await aisle('keys', 'revoke', old.id)).toMatchObject({ code: 0 })

    await until('event reports with the old key are refused', async () => {
      const { status } = await reportOrder(origin, old.key, 'order_2')
      return status === 401
    })
    expect(await browser.at(origin).get(`/report?domain=${DOMAIN}`)).toMatchObject({ status: 303 })
    expect(await reportOrder(origin, fresh.key, 'order_3')).toMatchObject({ status: 200 })
    // A link lives until it is ended: it was made to outlast its maker's visit.
    expect(await statusOf(`${origin}${shared}`)).toBe(200)
    await cluster.sql`update shares set revoked_at = now() where revoked_at is null`
    expect(await statusOf(`${origin}${shared}`)).toBe(404)
  })

  test('the secrets of webhooks, in both directions, without a gap', async () => {
    const cluster = await startCluster(production())
    onTestFinished(cluster.close)
    const store = await createStore(cluster, {
      STORE_ADMIN_KEY: 'the-admin-key-of-the-store',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRETS: 'whsec_old',
    })
    onTestFinished(store.end)
    const origin = `http://127.0.0.1:${store.port}`
    const deliver = async (secret: string) => {
      const body = JSON.stringify({ id: 'evt_1', type: 'customer.created', data: { object: {} } })
      const signature = stripeSignature(body, secret, new Date())
      const headers = { 'stripe-signature': signature }
      return (await fetch(`${origin}/webhooks/psp`, { method: 'POST', headers, body })).status
    }
    const accepted = async () => [await deliver('whsec_old'), await deliver('whsec_new')]

    await store.start()
    expect(await accepted()).toEqual([200, 400])
    for (const [secrets, statuses] of [
      ['whsec_old,whsec_new', [200, 200]],
      ['whsec_new', [400, 200]],
    ] as const) {
      store.change({ STRIPE_WEBHOOK_SECRETS: secrets })
      await store.stop()
      await store.start()
      expect(await accepted()).toEqual(statuses)
    }

    const ask = async (method: string, path: string, body?: unknown) => {
      const headers = {
        authorization: 'Bearer the-admin-key-of-the-store',
        'content-type': 'application/json',
      }
      const answer = await fetch(`${origin}/webhooks/endpoints${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return answer.json()
    }
    const url = 'https://hooks.shop.example/orders'
    const first = await ask('POST', '', { url })
    const second = await ask('POST', '', { url })
    expect(second.secret).not.toBe(first.secret)
    await ask('DELETE', `/${first.id}`)
    const { endpoints } = await ask('GET', '')
    expect(endpoints).toMatchObject([
      { id: first.id, disabled_at: expect.any(String) },
      { id: second.id, disabled_at: null },
    ])
  })
})
