import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createProperty } from '../../attribution/properties.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { EVENT, reportingApp } from '../testing/reporting-app.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const at = new Date('2026-11-21T12:00:00.000Z')
const { send, db, newShop } = await reportingApp({ now: () => at })
const later = (ms: number) => new Date(at.getTime() + ms).toISOString()

test.each<[string, string | undefined, string, boolean]>([
  ['left out: now', undefined, '2026-11-21 12:00:00+00', false],
  ['a minute ahead', later(MINUTE), '2026-11-21 12:01:00+00', false],
  ['five minutes ahead', later(5 * MINUTE), '2026-11-21 12:05:00+00', false],
  ['further ahead: now', later(5 * MINUTE + 1), '2026-11-21 12:00:00+00', true],
  ['years ahead: now', '9999-12-31T23:59:59Z', '2026-11-21 12:00:00+00', true],
  ['with an offset', '2026-11-21T00:30:00+05:30', '2026-11-20 19:00:00+00', false],
  ['a day', '2026-11-20', '2026-11-20 10:00:00+00', false],
  ['a day without hyphens', '20261120', '2026-11-20 10:00:00+00', false],
  ['to the minute', '2026-11-20T10:00Z', '2026-11-20 10:00:00+00', false],
  ['with an offset in digits', '2026-11-20T10:00:00+0100', '2026-11-20 09:00:00+00', false],
  ['without an offset: UTC', '2026-11-20T10:00:00', '2026-11-20 10:00:00+00', false],
  ['400 days old', later(-400 * DAY), '2025-10-17 12:00:00+00', false],
])('%s', async (_, timestamp, ts, noted) => {
  const domain = newShop()
  const { status, said } = await send({ ...EVENT, domain, ...(timestamp && { timestamp }) })
  expect(status).toBe(200)
  expect(said.notes).toEqual(
    noted ? ['The timestamp is in the future, so the time of arrival was used.'] : undefined,
  )
  const rows = await db.execute(
    sql`select ts::text, ai_sessions.day::text, events.received_at::text as came, event_keys.received_at::text
      as noted from events join ai_sessions on ai_sessions.domain = events.domain
      join event_keys on event_keys.domain = events.domain and event_id = id
      where events.domain = ${domain}`,
  )
  const came = '2026-11-21 12:00:00+00'
  expect(rows).toEqual([{ ts, day: ts.slice(0, 10), came, noted: '2026-11-21' }])
})

test.each([
  ['Pacific/Pago_Pago', '2026-11-19'],
  ['Pacific/Honolulu', '2026-11-19'],
  ['America/Los_Angeles', '2026-11-20'],
  ['Asia/Tokyo', '2026-11-20'],
  ['Pacific/Auckland', '2026-11-20'],
  ['Pacific/Chatham', '2026-11-20'],
  ['Pacific/Kiritimati', '2026-11-20'],
])('a day alone is that day in %s, where it is already %s', async (time_zone, today) => {
  const early = await reportingApp({ now: () => new Date('2026-11-20T09:50:00Z') })
  const domain = early.newShop()
  await createProperty(early.db, { domain, time_zone }, at)
  const counted: unknown[] = []
  for (const [n, timestamp] of ['2026-11-18', '20261119', '2026-11-20', '2026-11-21'].entries()) {
    const { said } = await early.send({ ...EVENT, domain, session_id: `s${n}`, timestamp })
    const [row] = await early.db.execute(
      sql`select coalesce(day, ts::date)::text as day from events where id = ${said.event_id}`,
    )
    counted.push([row?.day, said.notes])
  }
  const note = ['The timestamp is in the future, so the time of arrival was used.']
  expect(counted).toEqual(
    ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'].map((day) =>
      day > today ? [today, note] : [day, undefined],
    ),
  )
  const days = (await early.sumsOf(domain)).map(({ day }) => day)
  expect(days).toEqual(['2026-11-18', '2026-11-19', '2026-11-20'].filter((day) => day <= today))
})

test('a day alone that has begun in the shop, and not yet in UTC, is that day', async () => {
  const early = await reportingApp({ now: () => new Date('2026-11-20T20:00:00Z') })
  const domain = early.newShop()
  await createProperty(early.db, { domain, time_zone: 'Pacific/Tongatapu' }, at)
  const order = { ...EVENT, domain, event: 'ai_checkout_completed', timestamp: '2026-11-21' }
  expect((await early.send(order)).said.notes).toBeUndefined()
  const refund = {
    ...order,
    event: 'ai_order_refunded',
    properties: { ...EVENT.properties, refund_id: 'r' },
  }
  expect((await early.send(refund)).said.notes).toBeUndefined()
  const late = {
    ...refund,
    timestamp: '2026-11-22',
    properties: { ...refund.properties, refund_id: 's' },
  }
  expect((await early.send(late)).said.notes).toHaveLength(1)
  expect((await early.sumsOf(domain)).map(({ day }) => day)).toEqual(['2026-11-21'])
  const rebuild = { domain, since: '2026-11', dryRun: true }
  expect(await rebuildRollup(early.db, rebuild)).toEqual([])
})

const refusal = async (to: ReturnType<typeof reportingApp>, timestamp: string) => {
  const { status, said } = await (await to).send({ ...EVENT, timestamp })
  return [status, said.error?.details]
}
const tooOld = (oldest: string) => [
  422,
  [
    {
      field: 'timestamp',
      code: 'too_old',
      message: `Events older than ${oldest} are not accepted. Drop this one.`,
    },
  ],
]

test('of more than 400 days is refused', async () => {
  const own = reportingApp({ now: () => at })
  expect(await refusal(own, later(-400 * DAY - 1))).toEqual(tooOld('2025-10-17T12:00:00.000Z'))
})

test('of a month that is not kept is refused, as its events would be dropped', async () => {
  const own = reportingApp({ now: () => at, retentionMonths: 2 })
  expect(await refusal(own, '2026-08-31T23:59:59.999Z')).toEqual(tooOld('2026-09-01T00:00:00.000Z'))
  expect(await refusal(own, '2026-09-01')).toEqual([200, undefined])
})

test('of a month that was dropped, or before one, is refused', async () => {
  const own = reportingApp({ now: () => at, completeFrom: '2026-06' })
  expect(await refusal(own, '2026-05-31T23:59:59Z')).toEqual(tooOld('2026-06-01T00:00:00.000Z'))
  expect((await refusal(own, '2026-06-01T00:00:00Z'))[0]).toBe(200)
})
