import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect, MIGRATIONS } from '../connect.ts'

declare module 'vitest' {
  interface ProvidedContext {
    givenDatabaseUrl: string | null
    /** A migrated database that each test file copies. */
    templateUrl: string
  }
}

/** One Postgres for the whole run: the one that DATABASE_URL names, else a private one. */
export default async function setUp(project: TestProject) {
  const given = project.config.provide.givenDatabaseUrl ?? undefined
  const dataDir = await mkdtemp(join(tmpdir(), 'aisle-test-'))
  const server = await connect({ databaseUrl: given, dataDir, migrations: null })
  const template = `aisle_test_${randomBytes(6).toString('hex')}`
  await server.sql.unsafe(`create database ${template}`)
  const url = new URL(server.url)
  url.pathname = template
  const migrated = await connect({ databaseUrl: url.href, dataDir, migrations: MIGRATIONS })
  await migrated.close()
  project.provide('templateUrl', url.href)

  return async () => {
    const names = await server.sql<{ name: string }[]>`
      select datname as name from pg_database where starts_with(datname, ${template})`
    for (const { name } of names) await server.sql.unsafe(`drop database ${name} with (force)`)
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
