import { expect, test } from 'vitest'
import { listChannels, updateChannel } from '../../db/watch/channels.ts'
import { findWatch } from '../../db/watch/watches.ts'
import { testApp } from '../../testing/app.ts'

const { app, db, createTestKey } = await testApp()
const SHOP = 'shop.example'
const owner = (await createTestKey({ domains: [SHOP] })).key
const auditor = await createTestKey({ domains: [SHOP], scopes: ['audit'] })

const send = (bearer: string, method: string, path: string, body?: unknown) =>
  app.request(`/api/watches${path}`, {
    method,
    headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

test('only keys that may read reports say whether alerts tell what orders show', async () => {
  await send(owner, 'POST', '', { domain: SHOP })
  for (const with_report of [true, false]) {
    expect((await send(auditor.key, 'PATCH', `/${SHOP}`, { with_report })).status).toBe(403)
  }
  expect((await findWatch(db, SHOP))?.with_report).toBe(true)
  expect((await send(auditor.key, 'PATCH', `/${SHOP}`, { tags: ['a'] })).status).toBe(200)
})

test('what orders show is not for keys without report:read, whatever the watch tells', async () => {
  expect((await send(owner, 'PATCH', `/${SHOP}`, { with_report: false })).status).toBe(200)
  const asked = { kind: 'webhook', target: 'https://hook.example/' }
  const made = await (await send(auditor.key, 'POST', `/${SHOP}/channels`, asked)).json()
  expect(made.events).toEqual(['incident.opened', 'incident.closed', 'channel.off'])
  for (const event of ['signal', 'digest']) {
    const more = { ...asked, events: [event] }
    expect((await send(auditor.key, 'POST', `/${SHOP}/channels`, more)).status).toBe(403)
  }
  // Earlier builds gave it all while the watch did not tell it.
  const all = ['incident.opened', 'signal', 'digest'] as const
  await updateChannel(db, { domain: SHOP, id: made.id }, { events: [...all] })
  await send(owner, 'POST', `/${SHOP}/channels`, { kind: 'feed', events: all })
  await send(owner, 'PATCH', `/${SHOP}`, { with_report: true })
  const channels = await listChannels(db, SHOP)
  expect(channels.map(({ events }) => events)).toEqual([['incident.opened'], [...all]])
})
