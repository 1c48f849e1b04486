import { expect, test } from 'vitest'
import { storeDatabase } from '../store/db/testing/database.ts'
import { statsCommand } from './db.ts'
import { readTerminal } from './testing/read-terminal.ts'

const { db, sql } = await storeDatabase()
const { terminal, read } = readTerminal()
const stats = async (json: boolean) => {
  await statsCommand({ json }, db, { auditRetentionDays: 30 }, terminal)
  return read()
}

test('the tables are listed with rows, size, oldest and what is kept', async () => {
  await sql`
    insert into audits (domain, checks, engine_version, result, checked_at)
    select 'shop.example', '{}', '1', '{}', '2026-08-20T00:00:00Z' from generate_series(1, 1234)`
  const text = await stats(false)
  const line = text.split('\n').find((each) => each.startsWith('audits '))
  expect(line).toMatch(/^audits +1,234 +\d+(\.\d)? [kM]B {2}2026-08-20 {2}those of 30 days/)
  expect(text).toMatch(/^store\.idempotency_keys +0 +\d+ kB {2}- {11}24 hours/m)
  expect(text).toContain('~ an estimate')
  const all = JSON.parse(await stats(true))
  expect(all[0]).toEqual({
    table: 'audits',
    rows: 1234,
    estimated: false,
    bytes: expect.any(Number),
    oldest: '2026-08-20T00:00:00.000Z',
    grows: 'with each audit',
    kept: expect.stringContaining('30 days'),
  })
})
