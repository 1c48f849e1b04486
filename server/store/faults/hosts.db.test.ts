import { expect, test } from 'vitest'
import { readStoreConfig } from '../config.ts'
import { ADDRESS, acpAgent, testStore } from '../testing/store.ts'

const create = {
  items: [{ product_id: 'ao-1101', quantity: 1 }],
  shipping_address: ADDRESS,
  idempotency_key: 'one-key',
}

test('a store answers for its own hosts alone', async () => {
  const { ask } = await testStore({ hosts: ['shop.test', '*.shop.test', 'localhost:8788'] })
  for (const host of [
    'shop.test',
    'SHOP.test',
    'www.shop.test',
    'a.b.shop.test',
    'localhost:8788',
  ]) {
    expect((await ask('/', host)).status, host).toBe(200)
  }
  for (const host of [
    'evil.test',
    'evilshop.test',
    'shop.test.evil.test',
    'shop.test:81',
    'localhost',
  ]) {
    const page = await ask('/', host)
    expect([page.status, page.headers.get('content-type')], host).toEqual([
      421,
      'text/html; charset=utf-8',
    ])
    const ucp = await ask('/ucp/products', host)
    expect([ucp.status, JSON.parse(ucp.body).error.code]).toEqual([421, 'misdirected_request'])
    const acp = await ask('/acp/search', host)
    expect([acp.status, JSON.parse(acp.body).code]).toEqual([421, 'misdirected_request'])
  }
})

test('metrics and the PSP’s deliveries come by any name', async () => {
  const { ask, send } = await testStore({ hosts: ['shop.test'], metricsToken: 'the-metrics-token' })
  const headers = { authorization: 'Bearer the-metrics-token' }
  expect((await ask('/metrics', '10.0.0.7:8788', { headers })).status).toBe(200)
  expect((await send('POST', '/webhooks/psp', {}, '127.0.0.1:8788')).status).toBe(400)
})

test('without a list it answers for any', async () => {
  const { ask } = await testStore()
  expect((await ask('/', 'anything.test:1234')).status).toBe(200)
})

test('a key of one host says nothing of another', async () => {
  const { send } = await testStore()
  for (const [path, headers] of [
    ['/acp/checkout/create', {}],
    ['/ucp/checkout', { 'idempotency-key': 'one-key' }],
  ] as const) {
    const on = async (host: string) => {
      const { headers: said, body } = await send('POST', path, create, host, headers)
      return { replayed: said.get('idempotent-replayed'), id: JSON.parse(body).checkout_id }
    }
    const first = await on('a.test')
    expect(await on('a.test')).toEqual({ ...first, replayed: 'true' })
    const other = await on('b.test')
    expect(other.replayed).toBeNull()
    expect(other.id).not.toBe(first.id)
  }
})

test('an order’s receipt is on the host that the session was made on', async () => {
  const { send } = await testStore({ hosts: ['shop.test'] })
  const agent = acpAgent((method, path, body) => send(method, path, body, 'shop.test'))
  const { said } = await agent.complete(await agent.open())
  expect(said.receipt_url).toMatch(/^https:\/\/shop\.test\/receipts\//)
})

test.each<[Record<string, string>, readonly string[] | undefined]>([
  [{}, undefined],
  [{ STORE_HOSTS: ' ' }, undefined],
  [{ STORE_HOSTS: 'Shop.example, *.shop.example' }, ['shop.example', '*.shop.example']],
  [{ STORE_HOSTS: 'localhost:8788' }, ['localhost:8788']],
])('%o', (env, hosts) => {
  expect(readStoreConfig(env).hosts).toEqual(hosts)
})

test.each(['https://shop.example', 'shop.example/', '*', '*example', 'a,*.', 'shop.example:99999'])(
  'STORE_HOSTS=%s is refused',
  (text) => {
    expect(() => readStoreConfig({ STORE_HOSTS: text })).toThrow(
      /^STORE_HOSTS: ".+" is not a host name/,
    )
  },
)

test('in production it must be set', () => {
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' }
  const env = { NODE_ENV: 'production', ...stripe }
  expect(() => readStoreConfig(env)).toThrow('STORE_HOSTS is not set.')
  expect(readStoreConfig({ ...env, STORE_HOSTS: 'shop.example' }).hosts).toEqual(['shop.example'])
})
