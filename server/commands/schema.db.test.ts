import { expect, test } from 'vitest'
import { testDatabase } from '../testing/app.ts'
import { migrateCommand, statusCommand } from './schema.ts'
import { readTerminal } from './testing/read-terminal.ts'

const { sql, schema } = await testDatabase()
const { terminal, read } = readTerminal()
const status = async (json: boolean) => ({
  code: await statusCommand({ json }, schema, terminal),
  text: read(),
})
const migrate = async (json: boolean) => ({
  code: await migrateCommand({ json, wait: '1' }, schema, terminal),
  text: read(),
})

test('a database that is up to date', async () => {
  expect(await status(false)).toEqual({
    code: 0,
    text: expect.stringMatching(
      /^Applied {3}\d+, up to 00\d\d_\w+\nThis release works with the database\.$/,
    ),
  })
  expect(await migrate(false)).toEqual({ code: 0, text: 'Nothing was pending.' })
})

test('what is missing is named, and applied', async () => {
  await sql`alter table properties drop column currency`
  await sql`alter table event_keys drop column notes`
  await sql`drop index beacon_days_age`
  await sql`delete from drizzle.aisle_migrations where tag in ('0006_currencies', '0009_beacon_days_age')`
  const { code, text } = await status(false)
  expect(code).toBe(1)
  expect(text).toContain('Pending   0006_currencies: this release needs it\n')
  expect(text).toContain('Pending   0009_beacon_days_age: an index, which makes')
  expect(text).toMatch(/\nThe database is not migrated yet: .* Run "aisle db migrate"\.$/)
  const before = await status(true)
  expect(before.code).toBe(1)
  expect(JSON.parse(before.text)).toMatchObject({
    fits: false,
    fault: expect.stringContaining('0006_currencies'),
    pending: [
      { migration: '0006_currencies', kind: 'expand' },
      { migration: '0009_beacon_days_age', kind: 'index' },
    ],
    unknown: [],
  })
  const done = await migrate(true)
  expect(done.code).toBe(0)
  expect(JSON.parse(done.text)).toEqual({
    applied: ['0006_currencies', '0009_beacon_days_age'],
    fits: true,
    fault: null,
  })
  expect((await status(true)).code).toBe(0)
})

test('a migration of a newer release is named; one that this release does not survive ends in 1', async () => {
  const add = (tag: string, when: number, serves: number | null) => sql`
    insert into drizzle.aisle_migrations (hash, created_at, tag, serves)
    values ('', ${when}, ${tag}, ${serves})`
  await add('0100_new', 4_000_000_000_000, null)
  const { code, text } = await status(false)
  expect(code).toBe(0)
  expect(text).toContain(
    'Unknown   0100_new, of 2096-10-02T07:06:40.000Z: a newer release applied it\n',
  )
  await add('0101_gone', 4_000_000_000_001, 4_000_000_000_000)
  expect(await status(false)).toEqual({
    code: 1,
    text: expect.stringContaining('what this one needs (0101_gone). Start that release'),
  })
  expect((await migrate(false)).code).toBe(1)
})

test('a wait that is not a number is refused', async () => {
  const wrong = migrateCommand({ wait: 'long' }, schema, terminal)
  await expect(wrong).rejects.toThrow('--wait is "long"')
})
