import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { scratchFolder } from '../../../shared/testing/scratch.ts'
import { STORE_MIGRATIONS } from '../../store/db/migrations.ts'
import { seed } from '../../store/shop/seed.ts'
import { connect, type Database, MIGRATIONS } from '../connect.ts'
import { SHARD_KEY, TENANT_TABLES } from '../sharding/placement.ts'
import { createClusterTemplate, dropDatabase, findNodes } from './citus.ts'

declare module 'vitest' {
  interface ProvidedContext {
    givenDatabaseUrl: string | null
    /** A migrated database that each test file copies. */
    templateUrl: string
    /** The same with the store's tables, its shelves full. */
    storeTemplateUrl: string
    /** On a cluster, a URL of each node, the coordinator's first; else none. */
    nodeUrls: string[]
    /** The coordinator's of a Citus cluster, on which all tests run then. */
    citusUrl: string | null
  }
}

/** Runs once for all projects. These need neither database nor folder. */
const WITHOUT = ['layout']

/**
 * One Postgres for the whole run: the cluster that CITUS_URL names, or the Postgres of
 * DATABASE_URL, else a private one.
 */
export default async function setUp(project: TestProject) {
  const names = project.vitest.projects.map(({ name }) => name)
  if (names.every((name) => WITHOUT.includes(name))) return

  // Below dist/, so that programs that are built there find the packages.
  await mkdir('dist', { recursive: true })
  const runFolder = resolve(await mkdtemp('dist/test-'))
  project.provide('runFolder', runFolder)

  const citusUrl = project.config.provide.citusUrl ?? undefined
  const nodes = citusUrl === undefined ? [] : await findNodes(citusUrl)
  project.provide('nodeUrls', nodes)
  const given = citusUrl ?? project.config.provide.givenDatabaseUrl ?? undefined
  const dataDir = await mkdtemp(join(scratchFolder(), 'aisle-test-'))
  const server = await connect({ databaseUrl: given, dataDir, migrations: null })
  if (given === undefined) await hurry(server)
  const template = `aisle_test_${randomBytes(6).toString('hex')}`
  const create = async (name: string, from: string, fill: (url: string) => Promise<Database>) => {
    await server.sql.unsafe(`create database ${name} template ${from}`)
    const url = new URL(server.url)
    url.pathname = name
    const filled = await fill(url.href)
    await filled.close()
    return url.href
  }
  const migrated = (databaseUrl: string) =>
    connect({ databaseUrl, dataDir, migrations: MIGRATIONS })
  const plainUrl = await create(template, 'template1', async (databaseUrl) => {
    const database = await migrated(databaseUrl)
    if (nodes.length === 0) await forbidMoves(database)
    return database
  })
  project.provide(
    'templateUrl',
    nodes.length === 0
      ? plainUrl
      : await createClusterTemplate(nodes, `${template}_citus`, async (url) =>
          (await migrated(url)).close(),
        ),
  )
  const storeTemplateUrl = await create(`${template}_store`, template, async (databaseUrl) => {
    const store = await connect({ databaseUrl, dataDir, migrations: STORE_MIGRATIONS })
    await seed(store.db)
    return store
  })
  project.provide('storeTemplateUrl', storeTemplateUrl)

  return async () => {
    // A private one is deleted with all that is in it.
    for (const url of nodes.length > 0 ? nodes : given ? [given] : []) await dropAll(url, template)
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
    await rm(runFolder, { recursive: true, force: true })
  }
}

/**
 * As on a cluster, no statement may name the column by which rows are placed among those that it
 * changes, not even to leave it as it is.
 */
async function forbidMoves({ sql }: Database): Promise<void> {
  await sql.unsafe(`
    create function refuse_to_move() returns trigger language plpgsql as
    $$ begin raise exception '% may not be changed', tg_argv[0]; end $$`)
  for (const table of TENANT_TABLES) {
    await sql.unsafe(`
      create trigger stays_in_place before update of ${SHARD_KEY} on ${table}
      for each statement execute function refuse_to_move('${table}.${SHARD_KEY}')`)
  }
}

/**
 * Nothing here outlives the machine, nor lasts long enough to be vacuumed. A password of 256 random
 * bits needs no thousands of rounds, which every connection would go through.
 */
async function hurry({ sql, url }: Database): Promise<void> {
  for (const name of ['fsync', 'full_page_writes', 'autovacuum']) {
    await sql.unsafe(`alter system set ${name} = off`)
  }
  await sql`select pg_reload_conf()`
  const { username, password } = new URL(url)
  await sql.unsafe(`set scram_iterations = 1; alter role ${username} password '${password}'`)
}

/** Deletes every database of this run, those that a failed test has left included. */
async function dropAll(url: string, prefix: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const made = await sql<{ name: string }[]>`
    select datname as name from pg_database where starts_with(datname, ${prefix})`
  await sql.end()
  for (const { name } of made) await dropDatabase(url, name)
}
