import { expect, test } from 'vitest'
import { createSchema } from '../db/schema/schema.ts'
import { COLUMN, FIRST, INDEX, releaseOf } from '../db/testing/made-release.ts'
import { testDatabase } from '../testing/app.ts'
import { migrateCommand, statusCommand } from './schema.ts'
import { readTerminal } from './testing/read-terminal.ts'

const { sql, url } = await testDatabase()
const build = async (...texts: string[]) => createSchema(sql, url, await releaseOf(...texts))
let schema = await build(FIRST)
await schema.migrate()
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
      /^Applied {3}1, up to 0000_m0\nThis release works with the database\.$/,
    ),
  })
  expect(await migrate(false)).toEqual({ code: 0, text: 'Nothing was pending.' })
})

test('what is missing is named, and applied', async () => {
  schema = await build(FIRST, COLUMN, INDEX)
  const { code, text } = await status(false)
  expect(code).toBe(1)
  expect(text).toContain('Pending   0001_m1: this release needs it\n')
  expect(text).toContain('Pending   0002_m2: an index, which makes')
  expect(text).toMatch(/\nThe database is not migrated yet: .* Run "aisle db migrate"\.$/)
  const before = await status(true)
  expect(before.code).toBe(1)
  expect(JSON.parse(before.text)).toMatchObject({
    fits: false,
    fault: expect.stringContaining('0001_m1'),
    pending: [
      { migration: '0001_m1', kind: 'expand' },
      { migration: '0002_m2', kind: 'index' },
    ],
    unknown: [],
  })
  const done = await migrate(true)
  expect(done.code).toBe(0)
  expect(JSON.parse(done.text)).toEqual({
    applied: ['0001_m1', '0002_m2'],
    fits: true,
    fault: null,
  })
  expect((await status(true)).code).toBe(0)
})

test('a migration of a newer release is named; one that this release does not survive ends in 1', async () => {
  const add = (tag: string, when: number, serves: number | null) => sql`
    insert into drizzle.test_migrations (hash, created_at, tag, serves)
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
