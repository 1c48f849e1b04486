import { describe, expect, test } from 'vitest'
import { inspectAny } from '../../../../../shared/manifest/ucp/profile.ts'
import { testStore } from '../../../testing/store.ts'

const { ask } = await testStore({ official: true })

const LEAF = '/.well-known/ucp/2026-04-08'
const read = async (path: string, host = 'ucp.example') => JSON.parse((await ask(path, host)).body)

describe.each([
  ['/.well-known/ucp', '2026-08-25'],
  [LEAF, '2026-04-08'],
])('%s', (path, version) => {
  test('is valid, shoppable and cacheable', async () => {
    const { status, headers, body } = await ask(path, 'ucp.example')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('etag')).toMatch(/^"\w+"$/)
    expect(inspectAny(JSON.parse(body), { domain: 'ucp.example' })).toMatchObject({
      dialect: version,
      errors: [],
      shoppable: true,
      dropped: [],
      services: [
        { transport: 'rest', endpoint: 'https://ucp.example/ucp/v1' },
        { transport: 'mcp', endpoint: 'https://ucp.example/ucp/mcp' },
      ],
      capabilities: [
        'dev.ucp.shopping.checkout',
        'dev.ucp.shopping.fulfillment',
        'dev.ucp.shopping.cart',
        'dev.ucp.shopping.order',
        'dev.ucp.shopping.catalog.search',
        'dev.ucp.shopping.catalog.lookup',
        ...(version === '2026-08-25'
          ? [
              'dev.ucp.common.payment.authentication',
              'dev.ucp.common.payment.ap2_mandate',
              'dev.ucp.shopping.permalink',
            ]
          : ['dev.ucp.shopping.ap2_mandate']),
      ],
    })
  })

  test('has all that the schema of its version requires, each of that version', async () => {
    const { ucp } = await read(path)
    expect(ucp.version).toBe(version)
    const entries = [...Object.values(ucp.services), ...Object.values(ucp.capabilities)].flat()
    expect(entries).toHaveLength(version === '2026-08-25' ? 11 : 9)
    for (const entry of entries) {
      expect(entry).toMatchObject({
        version,
        schema: expect.stringMatching(`^https://ucp.dev/${version}/.*\\.json$`),
      })
    }
    expect(ucp.capabilities['dev.ucp.shopping.fulfillment'][0].extends).toEqual([
      'dev.ucp.shopping.checkout',
    ])
  })

  test('offers the ways to pay, each with a schema of the host that its name is of', async () => {
    const { ucp } = await read(path)
    expect(Object.keys(ucp.payment_handlers)).toEqual(['example.ucp.test_tokens'])
    const [handler] = ucp.payment_handlers['example.ucp.test_tokens']
    expect(handler).toMatchObject({ id: 'test_tokens', config: { environment: 'test' } })
    const schema = await read(new URL(handler.schema).pathname)
    expect(schema).toMatchObject({ $id: handler.schema, name: 'example.ucp.test_tokens' })
    expect((await ask('/ucp/handlers/other.json', 'ucp.example')).status).toBe(404)
  })
})

test.each([
  ['ucp-my-shop.example', 'example.ucp_my_shop.test_tokens'],
  ['pay.4-ever.example', 'example.n4_ever.pay.test_tokens'],
])('a handler of %s has a name that the version before can spell', async (host, name) => {
  const profile = JSON.parse((await ask(LEAF, host)).body)
  expect(inspectAny(profile).errors).toEqual([])
  const { payment_handlers } = profile.ucp
  expect(Object.keys(payment_handlers)).toEqual([name])
  // Whoever owns that name vouches for no schema of this host.
  expect(payment_handlers[name][0]).not.toHaveProperty('schema')
})

test('both publish the same public key, where their version has it', async () => {
  const { keys, signing_keys: none } = await read('/.well-known/ucp')
  const { keys: nothing, signing_keys } = await read(LEAF)
  expect([none, nothing]).toEqual([undefined, undefined])
  expect(signing_keys).toEqual(keys)
  expect(keys.map((key: object) => Object.keys(key).sort().join(' '))).toEqual([
    'alg crv kid kty use x y',
  ])
})

test('the profile names its leaf, and the leaf names no other', async () => {
  const { ucp } = await read('/.well-known/ucp')
  expect(ucp.supported_versions).toEqual({ '2026-04-08': `https://ucp.example${LEAF}` })
  expect((await read(LEAF)).ucp).not.toHaveProperty('supported_versions')
})

test.each([
  ['ucp.example', {}, true],
  ['www.ucp.example', {}, true],
  ['ucp-parts-dropped.example', {}, true],
  ['shop.example', {}, false],
  ['ucp.com', {}, false],
  ['shop.example', { official: true }, true],
  ['localhost:8788', { official: true }, true],
  ['catalog-empty.example', { official: true }, false],
])('%s with %o speaks official UCP: %s', async (host, options, official) => {
  const store = await testStore(options)
  const { body } = await store.ask('/.well-known/ucp', host)
  expect('ucp' in JSON.parse(body)).toBe(official)
  const rest = await store.ask('/ucp/v1/checkout-sessions', host, { method: 'OPTIONS' })
  expect(rest.status).toBe(official ? 204 : 404)
  expect((await store.ask(LEAF, host)).status).toBe(official ? 200 : 404)
})

describe('each fault of the profile is the one that it is named after', () => {
  const inspect = async (host: string) => inspectAny(await read('/.well-known/ucp', host))
  test('a private key', async () => {
    const { errors } = await inspect('ucp-private-key-published.example')
    expect(errors.map(({ field, code }) => [field, code])).toEqual([['keys.0.d', 'private_key']])
  })
  test('an extension without its parent', async () => {
    expect(await inspect('ucp-parts-dropped.example')).toMatchObject({
      errors: [],
      shoppable: true,
      dropped: ['dev.ucp.shopping.fulfillment'],
    })
  })
  test('no catalog', async () => {
    expect(await inspect('ucp-catalog-undeclared.example')).toMatchObject({
      errors: [],
      shoppable: true,
      capabilities: [
        'dev.ucp.shopping.checkout',
        'dev.ucp.shopping.fulfillment',
        'dev.ucp.shopping.cart',
        'dev.ucp.shopping.order',
        'dev.ucp.common.payment.authentication',
        'dev.ucp.common.payment.ap2_mandate',
        'dev.ucp.shopping.permalink',
      ],
    })
  })
  test('empty registries', async () => {
    expect(await inspect('ucp-not-shoppable.example')).toMatchObject({
      errors: [],
      shoppable: false,
      services: [],
      capabilities: [],
    })
  })
})
