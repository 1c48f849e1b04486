import { expect, test } from 'vitest'
import { incidents } from '../../db/watch/tables.ts'
import { findWatch } from '../../db/watch/watches.ts'
import { testApp } from '../../testing/app.ts'
import { hasIncident } from '../../watch/testing/watched.ts'

const { ask, db, createTestKey } = await testApp()
const SHOP = 'shop.example'
const owner = (await createTestKey({ domains: [SHOP] })).key
const auditor = await createTestKey({ domains: [SHOP], scopes: ['audit'] })

const send = (key: string, method: string, path: string, body?: unknown) =>
  ask(`/api/watches${path}`, { key, method, body })

test('only keys that may read reports say whether alerts tell what orders show', async () => {
  await send(owner, 'POST', '', { domain: SHOP })
  for (const with_report of [true, false]) {
    expect((await send(auditor.key, 'PATCH', `/${SHOP}`, { with_report })).status).toBe(403)
  }
  expect((await findWatch(db, SHOP))?.with_report).toBe(true)
  expect((await send(auditor.key, 'PATCH', `/${SHOP}`, { tags: ['a'] })).status).toBe(200)
})

test('a look that is refused does not count as an audit of the key', async () => {
  const domain = 'looked.example'
  const { key } = await createTestKey({ domains: [domain] })
  const look = async () => {
    const { status, headers } = await send(key, 'POST', `/${domain}/look`)
    return [status, headers.get('X-RateLimit-Remaining')]
  }
  expect(await look()).toEqual([404, null])
  await send(key, 'POST', '', { domain })
  await send(key, 'PATCH', `/${domain}`, { paused: true })
  expect(await look()).toEqual([409, null])
  await send(key, 'PATCH', `/${domain}`, { paused: false })
  expect(await look()).toEqual([200, '59'])
})

test('what orders show is not for keys without report:read, whatever the watch tells', async () => {
  expect((await send(owner, 'PATCH', `/${SHOP}`, { with_report: false })).status).toBe(200)
  const asked = { kind: 'webhook', target: 'https://hook.example/' }
  const made = await (await send(auditor.key, 'POST', `/${SHOP}/channels`, asked)).json()
  expect(made.events).toEqual([
    'incident.opened',
    'incident.closed',
    'access.ending',
    'channel.off',
  ])
  for (const event of ['signal', 'digest']) {
    const more = { ...asked, events: [event] }
    expect((await send(auditor.key, 'POST', `/${SHOP}/channels`, more)).status).toBe(403)
  }
})

/** What is wrong with a change, by field. */
async function wrongWith(change: object) {
  const answer = await send(owner, 'PATCH', `/${SHOP}`, change)
  expect(answer.status).toBe(422)
  const { details } = (await answer.json()).error
  return details.map(({ field, message }: Record<string, string>) => [field, message])
}

test.each(['25:00-07:00', '22:00-07:00', { from: '22:00' }])(
  'quiet hours that cannot be read say what to send: %j',
  async (quiet_hours) => {
    expect(await wrongWith({ quiet_hours })).toEqual([
      [
        'quiet_hours',
        'Send both times of day, such as {"from": "22:00", "to": "07:00"}, or "none".',
      ],
    ])
  },
)

test('so does every other text that is refused', async () => {
  const incident = await send(owner, 'GET', `/${SHOP}/incidents/abc`)
  expect(incident.status).toBe(422)
  expect((await incident.json()).error.details[0].message).toMatch(/^Send the id of an incident/)
  const made = await send(owner, 'POST', '', {
    domain: 'new.example',
    quiet_hours: { from: '25:00', to: '07:00' },
  })
  expect((await made.json()).error.details).toEqual([
    expect.objectContaining({ message: 'Send a time of day such as 22:00.' }),
  ])
})

test.each(['a\u0000b', 'a\ud800b'])('what cannot be stored is refused: %j', async (text) => {
  expect(await wrongWith({ tags: [text] })).toEqual([
    ['tags.0', 'Leave out U+0000 and unpaired surrogates.'],
  ])
  const asked = { kind: 'slack', target: `https://hook.example/${text}` }
  const made = await send(owner, 'POST', `/${SHOP}/channels`, asked)
  expect((await made.json()).error.details).toContainEqual(
    expect.objectContaining({ field: 'target' }),
  )
})

test('signals take no place of what a key without report:read may see', async () => {
  const now = new Date()
  const about = { now, closed_at: now } as const
  const gap = await hasIncident(db, SHOP, { ...about, opened_at: new Date(0) })
  const rows = Array.from({ length: 500 }, () => ({
    ...gap,
    id: crypto.randomUUID(),
    kind: 'signal' as const,
    opened_at: now,
  }))
  await db.insert(incidents).values(rows)
  const listed = await (await send(auditor.key, 'GET', `/${SHOP}/incidents`)).json()
  expect(listed.incidents.map(({ id }: { id: string }) => id)).toEqual([gap.id])
})
