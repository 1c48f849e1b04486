import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { keepMonths } from '../retention.ts'
import { connectAgain, testDatabase } from '../testing.ts'
import { dropBefore, ensureMonths, listMonths, monthOf, shiftMonth } from './partitions.ts'

test.each([
  ['2026-11', 1, '2026-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -13, '2024-12'],
])('%s and %d months is %s', (month, by, expected) => {
  expect(shiftMonth(month, by)).toBe(expected)
})

test('the month of an instant is that in UTC', () => {
  expect(monthOf(new Date('2026-10-31T23:30:00-02:00'))).toBe('2026-11')
})

test('many that make the same months at once make them once', async () => {
  const { sql, url } = await testDatabase()
  const { sql: other } = await connectAgain(url)
  const months = ['2026-11', '2025-02', '2026-12', '2026-11']
  await Promise.all([sql, other, sql, other].map((each) => ensureMonths(each, months)))
  expect(await listMonths(sql)).toEqual(['2025-02', '2026-11', '2026-12'])
  await sql`insert into events values ('a.example', gen_random_uuid(), '2026-12-31 23:59:59.999Z',
    now(), 'ai_session', 'web', 's', 's', true, 'chatgpt', 'referral', 1, 'm', null, null, null, '{}')`
  expect(await sql`select count(*)::int as held from events_2026_12`).toEqual([{ held: 1 }])
})

/** A month's event, its session and what the ledger and the report say of it. */
async function fill(sql: Awaited<ReturnType<typeof testDatabase>>['sql'], month: string) {
  await ensureMonths(sql, [month])
  const at = `${month}-15T00:00:00Z`
  await sql`insert into events values ('a.example', gen_random_uuid(), ${at}, ${at},
    'ai_session', 'web', ${month}, ${month}, true, 'chatgpt', 'referral', 1, 'm', null, null, null,
    '{}')`
  await sql`insert into ai_sessions values ('a.example', ${month}, ${at}, 'chatgpt', 'referral',
    'web', 1)`
  for (const key of ['session', 'ai_checkout_completed']) {
    await sql`insert into event_keys values ('a.example', ${`${key}:${month}`}, gen_random_uuid(),
      '', 'chatgpt', 1, ${at})`
  }
  await sql`insert into rollup_daily values ('a.example', ${at}, 'chatgpt', 'referral', 'web', '',
    1, 0, 0, 0, 0, 0, ${at})`
}

test('old months go with what only they need; orders and sums stay', async () => {
  const { sql } = await testDatabase()
  for (const month of ['2025-09', '2025-10', '2025-11']) await fill(sql, month)
  expect(await dropBefore(sql, '2025-11')).toEqual(['2025-09', '2025-10'])
  expect(await dropBefore(sql, '2025-11')).toEqual([])
  expect(await listMonths(sql)).toEqual(['2025-11'])
  expect(await sql`select session_id from events`).toEqual([{ session_id: '2025-11' }])
  expect(await sql`select session_id from ai_sessions`).toEqual([{ session_id: '2025-11' }])
  expect(await sql`select key from event_keys order by key`).toEqual([
    { key: 'ai_checkout_completed:2025-09' },
    { key: 'ai_checkout_completed:2025-10' },
    { key: 'ai_checkout_completed:2025-11' },
    { key: 'session:2025-11' },
  ])
  expect(await sql`select count(*)::int as days from rollup_daily`).toEqual([{ days: 3 }])
})

test('a day’s work keeps so many months beside this one, and makes the next', async () => {
  const { sql } = await testDatabase()
  for (const month of ['2026-07', '2026-08', '2026-09']) await ensureMonths(sql, [month])
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  await keepMonths({ sql, months: 2, now: () => new Date('2026-11-30T23:59:59Z'), log })
  expect(await listMonths(sql)).toEqual(['2026-09', '2026-11', '2026-12'])
  expect(JSON.parse(lines.join(''))).toMatchObject({ months: ['2026-07', '2026-08'] })
})
