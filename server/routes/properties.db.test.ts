import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { createProperty } from '../attribution/properties.ts'
import { prepareSnippet, snippetTags } from '../attribution/snippet/asset.ts'
import { ensureMonths } from '../db/events/partitions.ts'
import { events } from '../db/events/tables.ts'
import { testApp } from '../testing/app.ts'

const snippet = await prepareSnippet('x')
const { app, ask, db, sql, key, createTestKey } = await testApp({ snippet })

const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 12, minute))
const shop = await createProperty(db, { domain: 'shop.example' }, at(1))
const blog = await createProperty(
  db,
  { domain: 'shop.example', origins: ['https://blog.example'] },
  at(2),
)
const other = await createProperty(db, { domain: 'other.example' }, at(3))

await ensureMonths(sql, ['2026-10', '2026-11'])
const received = (domain: string, ts: string, received_at: Date) => ({
  domain,
  id: uuidv7({ msecs: received_at.getTime() }),
  ts: new Date(ts),
  received_at,
  event: 'ai_product_viewed' as const,
  source: 'acp' as const,
  session_id: 's',
  visit_id: 'session:s',
  opens_session: true,
  surface: 'chatgpt',
  kind: 'protocol' as const,
  confidence: 0.85,
  model: 'test',
  properties: {},
})
await db
  .insert(events)
  .values([
    received('shop.example', '2026-10-31', at(50)),
    received('shop.example', '2026-11-01', at(40)),
    received('third.example', '2026-11-01', at(55)),
  ])

const list = (as: string | null) => ask('/api/properties', { key: as })
const listed = async (as: string) => (await (await list(as)).json()).properties

test('the operator sees all, newest first, each with its tags and when it last heard', async () => {
  expect(await listed(key)).toEqual([
    {
      id: other.id,
      domain: 'other.example',
      origins: ['https://other.example', 'https://*.other.example'],
      currency: null,
      time_zone: 'UTC',
      lookback_days: 1,
      created_at: at(3).toISOString(),
      ...snippetTags(snippet, 'https://aisle.example', other.id),
      last_event_at: null,
    },
    {
      id: blog.id,
      domain: 'shop.example',
      origins: ['https://blog.example'],
      currency: null,
      time_zone: 'UTC',
      lookback_days: 1,
      created_at: at(2).toISOString(),
      ...snippetTags(snippet, 'https://aisle.example', blog.id),
      last_event_at: at(50).toISOString(),
    },
    {
      id: shop.id,
      domain: 'shop.example',
      origins: ['https://shop.example', 'https://*.shop.example'],
      currency: null,
      time_zone: 'UTC',
      lookback_days: 1,
      created_at: at(1).toISOString(),
      ...snippetTags(snippet, 'https://aisle.example', shop.id),
      last_event_at: at(50).toISOString(),
    },
  ])
  expect(shop.id).toMatch(/^prop_[0-9A-Za-z]{20}$/)
})

test.each([
  [['shop.example'], () => [blog.id, shop.id]],
  [['other.example', 'shop.example'], () => [other.id, blog.id, shop.id]],
  [['nothing.example'], () => []],
  [['www.shop.example'], () => [blog.id, shop.id]],
  [['blog.shop.example'], () => []],
  [[], () => []],
])('a key of %j sees its own', async (domains, ids) => {
  const { key: own } = await createTestKey({ domains, scopes: ['report:read'] })
  expect((await listed(own)).map(({ id }: { id: string }) => id)).toEqual(ids())
})

test('a key without the scope sees nothing', async () => {
  const { key: writer } = await createTestKey({ scopes: ['report:write', 'audit', 'manifest'] })
  expect((await list(writer)).status).toBe(403)
  expect((await list(null)).status).toBe(401)
})

describe('over the API', () => {
  const DOMAIN = 'own.example'
  const send = async (method: string, path: string, body?: unknown, as?: string) => {
    const answer = await ask(`/api/properties${path}`, { key: as ?? (await owner), method, body })
    return { status: answer.status, body: await answer.json() }
  }
  const owner = createTestKey({ domains: [DOMAIN] }).then((made) => made.key)
  const preflight = async (id: string, origin: string) => {
    const headers = { Origin: origin }
    return (await app.request(`/sessions?id=${id}`, { method: 'OPTIONS', headers })).status
  }

  test('a property is created, changed and deleted by the owner of its domain', async () => {
    const made = await send('POST', '', { domain: 'www.OWN.example', currency: 'EUR' })
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({
      domain: 'www.own.example',
      origins: ['https://own.example', 'https://*.own.example'],
      currency: 'EUR',
      last_event_at: null,
    })
    const { id, tag } = made.body
    expect(tag).toContain(`attribution.js?id=${id}`)
    const change = async (body: object) => (await send('PATCH', `/${id}`, body)).body
    const shop = 'https://shop.own.example'
    expect(await change({ origins: [shop, shop.toUpperCase()] })).toEqual({
      ...made.body,
      origins: [shop],
    })
    expect(await change({ currency: 'JPY' })).toMatchObject({ origins: [shop], currency: 'JPY' })
    expect(await change({ currency: 'none', origins: null })).toMatchObject({
      origins: [shop],
      currency: null,
    })
    expect(await preflight(id, shop)).toBe(204)
    expect(await preflight(id, 'https://own.example')).toBe(403)
    expect(await send('DELETE', `/${id}`)).toEqual({ status: 200, body: { id } })
    expect(await preflight(id, shop)).toBe(404)
    expect((await send('DELETE', `/${id}`)).status).toBe(404)
    expect((await send('PATCH', `/${id}`, { currency: 'EUR' })).body.error.code).toBe(
      'property_not_found',
    )
    expect(await listed(await owner)).toEqual([])
  })

  test.each([
    ['POST', { domain: 'https://own.example' }, 'domain'],
    ['POST', { domain: DOMAIN, origins: [] }, 'origins'],
    ['POST', { domain: DOMAIN, origins: ['own.example'] }, 'origins.0'],
    ['POST', { domain: DOMAIN, currency: 'euro' }, 'currency'],
    ['POST', { domain: DOMAIN, name: 'Shop' }, 'name'],
    ['POST', {}, 'domain'],
    ['PATCH', {}, 'body'],
    ['PATCH', { currency: null }, 'body'],
    ['PATCH', { currency: 'euro' }, 'currency'],
    ['PATCH', { domain: 'other.example' }, 'domain'],
    ['PATCH', { origins: Array.from({ length: 51 }, (_, n) => `https://${n}.example`) }, 'origins'],
  ])('%s %j is refused for %s', async (method, body, field) => {
    const made = await createProperty(db, { domain: DOMAIN }, at(4))
    const { status, body: said } = await send(method, method === 'PATCH' ? `/${made.id}` : '', body)
    expect(status).toBe(422)
    expect(said.error.details[0].field).toBe(field)
    expect(said.error.details[0].message).toMatch(/\.$/)
    expect((await send('DELETE', `/${made.id}`)).status).toBe(200)
  })

  test('of others there are none, and none can be made', async () => {
    const foreign = await createProperty(db, { domain: 'theirs.example' }, at(5))
    for (const [method, body] of [['PATCH', { currency: 'EUR' }], ['DELETE']] as const) {
      const { status, body: said } = await send(method, `/${foreign.id}`, body)
      expect([status, said.error.code]).toEqual([404, 'property_not_found'])
    }
    expect((await send('POST', '', { domain: 'theirs.example' })).status).toBe(403)
    expect((await send('POST', '', { domain: 'sub.own.example' })).status).toBe(403)
    const { key: reader } = await createTestKey({ domains: [DOMAIN], scopes: ['report:read'] })
    expect((await send('POST', '', { domain: DOMAIN }, reader)).status).toBe(403)
    expect((await send('DELETE', `/${foreign.id}`, undefined, reader)).status).toBe(403)
    expect(await listed(key)).toContainEqual(
      expect.objectContaining({ id: foreign.id, currency: null }),
    )
  })

  test('a domain has fifty at most, also of those that are made at the same time', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 55 }, () => createProperty(db, { domain: 'parallel.example' }, at(6))),
    )
    expect(made.filter((each) => each.status === 'fulfilled')).toHaveLength(50)
  })

  test('a domain has fifty at most', async () => {
    const { key: many } = await createTestKey({ domains: ['many.example'] })
    for (let n = 0; n < 50; n += 1) await createProperty(db, { domain: 'many.example' }, at(6))
    const { status, body } = await send('POST', '', { domain: 'many.example' }, many)
    expect([status, body.error.code]).toEqual([409, 'too_many_properties'])
  })
})
