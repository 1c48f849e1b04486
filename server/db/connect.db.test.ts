import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../testing/app.ts'
import { connect, MIGRATIONS } from './connect.ts'
import { lockFile } from './embedded/file-lock.ts'
import { testOnOnePostgres } from './testing/locks.ts'

const folder = await mkdtemp(join(tmpdir(), 'aisle-lock-'))
afterAll(() => rm(folder, { recursive: true }))

testOnOnePostgres('replicas that start at once migrate once', async () => {
  const { sql, url } = await testDatabase()
  await sql`drop schema drizzle cascade`
  await sql`drop schema public cascade`
  await sql`create schema public`
  const all = await Promise.all(
    [1, 2, 3].map(() => connect({ databaseUrl: url, dataDir: '', migrations: MIGRATIONS })),
  )
  const [row] = await sql`select count(*)::int as n from drizzle.aisle_migrations`
  expect(row?.n).toBeGreaterThan(0)
  expect([...(await sql`select count(*)::int as n from api_keys`)]).toEqual([{ n: 0 }])
  await Promise.all(all.map(({ close }) => close()))
})

test('a hung statement ends', async () => {
  const { sql } = await testDatabase()
  const [row] = await sql`select current_setting('statement_timeout') as timeout`
  expect(row?.timeout).toBe('15s')
})

test('shared holders exclude an exclusive one and the other way round', async () => {
  const path = join(folder, 'lock')
  const [one, two] = [await lockFile(path, 'shared', 0), await lockFile(path, 'shared', 0)]
  expect(await lockFile(path, 'exclusive', 0)).toBeNull()
  one?.release()
  expect(await lockFile(path, 'exclusive', 50)).toBeNull()
  const waiting = lockFile(path, 'exclusive', 10_000)
  two?.release()
  const alone = await waiting
  expect(await lockFile(path, 'shared', 0)).toBeNull()
  alone?.release()
  expect(await lockFile(path, 'shared', 0)).not.toBeNull()
})
