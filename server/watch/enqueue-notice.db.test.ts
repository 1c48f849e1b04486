import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { NoticeEvent, WatchNotice } from '../../shared/watch/notice.ts'
import { watch_channels } from '../db/watch/tables.ts'
import { testDatabase } from '../testing/app.ts'
import { enqueueNotice, recallNotice } from './enqueue-notice.ts'

const { db, sql } = await testDatabase()
const DOMAIN = 'shop.example'
const NIGHT = { from: '22:00', to: '07:00' }
const at = (time: string) => new Date(`2026-11-25T${time}:00Z`)

const channel = async (change: Partial<typeof watch_channels.$inferInsert> = {}) => {
  const id = randomUUID()
  await db.insert(watch_channels).values({
    id,
    domain: DOMAIN,
    kind: 'webhook',
    target: 'https://hooks.example/',
    events: ['incident.opened', 'incident.closed'],
    key_id: 'key',
    created_at: at('09:00'),
    confirmed_at: at('09:00'),
    ...change,
  })
  return id
}
const noticeOf = (event: NoticeEvent, incident = randomUUID()): WatchNotice => ({
  id: randomUUID(),
  domain: DOMAIN,
  at: at('10:00').toISOString(),
  event,
  severity: 'high',
  title: 'shop.example: The catalog is empty',
  lines: [],
  facts: [],
  url: 'https://aisle.example/watches/shop.example',
  data: { incident: { id: incident } },
})
const send = (notice: WatchNotice, now: Date, quiet_hours: typeof NIGHT | null = null) =>
  db.transaction((tx) =>
    enqueueNotice(tx, { domain: DOMAIN, quiet_hours, time_zone: 'UTC' }, notice, now),
  )
const waiting = async (notice: WatchNotice) =>
  (
    await sql<{ channel_id: string; next_at: string }[]>`
      select channel_id, next_at from watch_deliveries where notice_id = ${notice.id}`
  ).map(({ channel_id, next_at }) => [channel_id, new Date(next_at).toISOString()])

test('a notice goes to the channels that want it, and to no others', async () => {
  await sql`truncate watch_channels`
  const wants = await channel()
  await channel({ events: ['digest'] })
  await channel({ confirmed_at: null })
  await channel({ disabled_at: at('09:30') })
  await channel({ kind: 'feed' })
  await channel({ domain: 'other.example' })
  const notice = noticeOf('incident.opened')
  await send(notice, at('10:00'))
  expect(await waiting(notice)).toEqual([[wants, '2026-11-25T10:00:00.000Z']])
})

test('in quiet hours it waits for their end, and what is over until then is not told', async () => {
  await sql`truncate watch_channels`
  await channel()
  const incident = randomUUID()
  const opened = noticeOf('incident.opened', incident)
  const other = noticeOf('incident.opened')
  for (const each of [opened, other]) await send(each, at('23:00'), NIGHT)
  expect((await waiting(opened))[0]?.[1]).toBe('2026-11-26T07:00:00.000Z')
  expect(await db.transaction((tx) => recallNotice(tx, DOMAIN, incident))).toHaveLength(1)
  expect(await waiting(opened)).toEqual([])
  expect(await waiting(other)).toHaveLength(1)
})

test('what has been sent, or is being sent, is not taken back: its end is told as well', async () => {
  await sql`truncate watch_channels`
  await channel()
  for (const change of [
    sql`delivered_at = now(), next_at = null`,
    sql`attempts = 1`,
    sql`leased_until = now() + interval '1 minute'`,
  ]) {
    const incident = randomUUID()
    const notice = noticeOf('incident.opened', incident)
    await send(notice, at('10:00'))
    await sql`update watch_deliveries set ${change} where notice_id = ${notice.id}`
    expect(await db.transaction((tx) => recallNotice(tx, DOMAIN, incident))).toEqual([])
  }
})

test('what is not committed is told nobody', async () => {
  await sql`truncate watch_channels`
  await channel()
  const notice = noticeOf('incident.opened')
  const failing = db.transaction(async (tx) => {
    await enqueueNotice(
      tx,
      { domain: DOMAIN, quiet_hours: null, time_zone: 'UTC' },
      notice,
      at('10:00'),
    )
    throw new Error('It failed.')
  })
  await expect(failing).rejects.toThrow('It failed.')
  expect(await waiting(notice)).toEqual([])
})
