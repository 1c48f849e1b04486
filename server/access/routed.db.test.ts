import { expect, inject, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { eventually } from '../../shared/testing/wait.ts'
import { createProperty } from '../attribution/properties.ts'
import { listAudits, saveAudit } from '../db/audit/audits.ts'
import { TENANT_TABLES } from '../db/sharding/placement.ts'
import { runsAtShard } from '../db/sharding/shards.ts'
import { recordStatements } from '../db/testing/recorded.ts'
import { endOf, MINE, NOON, sharedPath, testPages } from '../pages/account/testing/pages.ts'
import { cleanResult, connectAgain, testDatabase } from '../testing/app.ts'
import { watchedChannel } from '../watch/channels/testing/world.ts'
import { hasIncident, watchedDomain } from '../watch/testing/watched.ts'
import { ownRequests } from './testing/signed-in.ts'

// On a cluster a request of one domain asks one node. There Citus itself refuses what would ask
// several; on one Postgres this reads the statements: each is sent to the shard of its domains, or
// says for each table of tenants which domain it is about, in the form by which Citus routes it.

const isCluster = inject('citusUrl') !== null
const made = await testDatabase()
if (isCluster) {
  const { pathname } = new URL(made.url)
  await made.sql.unsafe(
    `alter database ${pathname.slice(1)} set citus.multi_task_query_log_level = 'error'`,
  )
}
const { database, statements } = recordStatements(isCluster ? await connectAgain(made.url) : made)
const { app, db, signIn, nobody, walks, channels } = await testPages({ database })

const { id: property } = await createProperty(db, { domain: MINE }, NOON)
for (const at of [new Date('2026-11-01T09:00:00Z'), NOON]) {
  await saveAudit(db, cleanResult(MINE, DEFAULT_CHECKS, at), [{ product_id: '1', title: 'One' }])
}
await watchedDomain(db, MINE, { now: NOON })
const { id: incident } = await hasIncident(db, MINE, { now: NOON })
const { id: ownChannel } = await channels.add(MINE, { kind: 'feed' }, { id: 'k', scopes: [] })
const audits = (await listAudits(db, MINE)).map(({ id }) => id)
const browser = await signIn({ domains: [MINE, `other.${MINE}`] })

const ask = async (method: string, path: string, body?: object) => {
  const text = body === undefined ? null : JSON.stringify(body)
  const answer = await app.request(path, {
    method,
    headers: {
      Authorization: `Bearer ${browser.key}`,
      ...(text !== null && {
        'Content-Type': 'application/json',
        'Content-Length': String(text.length),
      }),
    },
    body: text,
  })
  // What is refused or not found says less than what is there.
  expect([200, 201, 202, 204], `${method} ${path}: ${await answer.clone().text()}`).toContain(
    answer.status,
  )
  return answer
}
const RANGE = `domain=${MINE}&start=2026-11-01&end=2026-11-30`
const event = (name: string, more: object = {}) => ({
  event: name,
  domain: MINE,
  session_id: crypto.randomUUID(),
  source: 'acp',
  ai_surface: 'chatgpt',
  ...more,
})
const sold = { properties: { value: 100, currency: 'USD', order_id: 'o-1' } }

test('every request of a domain asks for it alone', async () => {
  await ask('POST', '/api/report', event('ai_checkout_initiated'))
  await ask('POST', '/api/report', event('ai_checkout_completed', sold))
  await ask('POST', '/api/report', [
    event('ai_product_viewed'),
    event('ai_order_refunded', sold),
    { ...event('ai_product_viewed'), domain: `other.${MINE}` },
  ])
  for (const more of [
    '',
    '&format=csv',
    '&compare=previous',
    '&surface=chatgpt',
    '&kind=agent',
    '&granularity=week',
  ]) {
    await ask('GET', `/api/report?${RANGE}${more}`)
  }
  await ask('PUT', '/api/totals', {
    domain: MINE,
    totals: [{ date: '2026-11-20', currency: 'USD', orders: 2, revenue_cents: 300 }],
  })
  await ask('POST', '/api/audit', { domain: MINE })
  await ask('POST', '/api/audit', { domain: MINE, dry_run: true })
  await ask('GET', '/api/audits')
  await ask('GET', `/api/audits/history?domain=${MINE}`)
  await ask('GET', `/api/audits/${audits[0]}`)
  await ask('GET', `/api/audits/${audits[0]}/changes`)
  const intents = ['cheapest_variant'] as const
  const order = { domain: MINE, mode: 'look', intents, pages: {} } as const
  const { id: walk } = await walks.start(order, browser.id)
  await eventually(async () => (await ask('GET', `/api/walk/${walk}`)).json()).toMatchObject({
    state: 'ended',
  })
  await ask('GET', `/api/walk?domain=${MINE}`)
  await ask('GET', `/api/walk/${walk}`)
  await ask('POST', `/api/walk/${walk}/links`, { days: 7 })
  await ask('GET', `/api/walk/${walk}/links`)
  await ask('GET', `/api/walk/${walk}/pictures/1`)
  await ask('GET', '/api/properties')
  const { id: channel } = await watchedChannel(db, MINE)
  const channels = `/api/watches/${MINE}/channels`
  const { feed_url: feed } = await (await ask('POST', channels, { kind: 'feed' })).json()
  await ask('GET', channels)
  await ask('PATCH', `${channels}/${channel}`, { events: ['digest'] })
  await ask('POST', `${channels}/${channel}/test`)
  await ask('GET', `${channels}/${channel}/deliveries`)
  await ask('GET', new URL(feed).pathname)
  await ask('DELETE', `${channels}/${channel}`)
  await ask('PATCH', `/api/properties/${property}`, { currency: 'USD' })

  for (const { method, path, fields } of ownRequests(MINE, {
    property,
    audits,
    walk,
    incident,
    channel: ownChannel,
  })) {
    const answer = await (method === 'GET' ? browser.get(path) : browser.post(path, fields ?? {}))
    expect(answer.status, `${method} ${path}`).toBeLessThan(500)
    if (path.endsWith('/status')) await nobody.get(`/status/${MINE}`)
    if (path.endsWith('/look')) {
      await browser.get('/watches?tag=none')
      await browser.get('/watches.csv')
    }
    if (path === '/shares') await nobody.get(await sharedPath(answer))
  }
  await endOf(nobody, await nobody.post('/runs', { domain: MINE }))
  await nobody.get(`/badge/${MINE}.svg`)
  await ask('DELETE', `/api/properties/${property}`)

  const tenant = new RegExp(
    `\\b(?:from|join|into|update)\\s+(?:only\\s+)?"?(${TENANT_TABLES.join('|')})"?(?![\\w.])`,
    'gi',
  )
  const named = [...statements].filter((text) => text.search(tenant) >= 0)
  const asked = new Set(named.flatMap((text) => [...text.matchAll(tenant)].map(([, name]) => name)))
  expect(asked.size).toBeGreaterThan(12)
  const unrouted = named.filter((text) => {
    if (runsAtShard(text)) return false
    const tables = text.match(tenant)?.length ?? 0
    const routes =
      text.match(/"?domain"?\s*=\s*\$\d+|into\s+"\w+"\s*\([^)]*"domain"/gi)?.length ?? 0
    return routes < tables
  })
  expect(unrouted).toEqual([])
})
