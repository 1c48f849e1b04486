import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { createProperty } from '../attribution/properties.ts'
import { prepareSnippet, snippetTags } from '../attribution/snippet/asset.ts'
import { ensureMonths } from '../db/events/partitions.ts'
import { events } from '../db/tables.ts'
import { testApp } from '../testing/app.ts'

const snippet = await prepareSnippet('x')
const { app, db, sql, key, createTestKey } = await testApp({ snippet })

const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 12, minute))
const shop = await createProperty(db, { domain: 'shop.example' }, at(1))
const blog = await createProperty(
  db,
  { domain: 'shop.example', origins: ['https://blog.example', 'https://blog.example'] },
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

const ask = (bearer: string | null) =>
  app.request('/api/properties', {
    headers: bearer === null ? {} : { Authorization: `Bearer ${bearer}` },
  })
const listed = async (bearer: string) => (await (await ask(bearer)).json()).properties

test('the operator sees all, newest first, each with its tags and when it last heard', async () => {
  expect(await listed(key)).toEqual([
    {
      id: other.id,
      domain: 'other.example',
      origins: ['https://other.example', 'https://*.other.example'],
      currency: null,
      created_at: at(3).toISOString(),
      ...snippetTags(snippet, 'https://aisle.example', other.id),
      last_event_at: null,
    },
    {
      id: blog.id,
      domain: 'shop.example',
      origins: ['https://blog.example'],
      currency: null,
      created_at: at(2).toISOString(),
      ...snippetTags(snippet, 'https://aisle.example', blog.id),
      last_event_at: at(50).toISOString(),
    },
    {
      id: shop.id,
      domain: 'shop.example',
      origins: ['https://shop.example', 'https://*.shop.example'],
      currency: null,
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
  expect((await ask(writer)).status).toBe(403)
  expect((await ask(null)).status).toBe(401)
})
