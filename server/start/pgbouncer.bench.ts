import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '../../shared/testing/median.ts'
import { createKey } from '../access/make-key.ts'
import { bundle } from '../build/bundler.ts'
import { SCOPES } from '../db/access/scopes.ts'
import { connect, type Database, MIGRATIONS } from '../db/connect.ts'
import { findPgbouncer, startPgbouncer } from '../testing/pgbouncer.ts'
import { prepareReplica, type Replica } from '../testing/replicas.ts'

const ROUNDS = 7
/** Warm-up, until the code is compiled. */
const WARM_UP = 1
const SLICE_MS = 2000
const CLIENTS = 64
const REPORTS = 200
const POOL = 20

/** What PgBouncer may cost at most: statements that are parsed each time, and one more hop. */
const LEAST_EVENTS = 0.5
const MOST_REPORT = 2

const PGBOUNCER = findPgbouncer()
const run = promisify(execFile)
let folder: string
let out: string
let database: Database
let key: string
let pgbouncer: Awaited<ReturnType<typeof startPgbouncer>>
const replicas: Record<string, Replica> = {}

beforeAll(async () => {
  if (PGBOUNCER === null) return
  folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  const config = { databaseUrl: process.env.DATABASE_URL, dataDir: folder, migrations: MIGRATIONS }
  database = await connect(config)
  const request = { name: 'bench', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  key = (await createKey(database.db, request, new Date())).key
  // Below dist/, so that the bundle finds the packages.
  await mkdir('dist', { recursive: true })
  out = await mkdtemp('dist/bench-')
  await bundle({ main: 'server/main.ts', 'judging-worker': 'server/audit/judging/worker.ts' }, out)
  pgbouncer = await startPgbouncer(PGBOUNCER, database.url, POOL)
  for (const [name, url] of Object.entries({ direct: database.url, pgbouncer: pgbouncer.url })) {
    const env = { DATABASE_URL: url, BASE_URL: '', LOG_REQUESTS: 'errors' }
    replicas[name] = await prepareReplica(`${out}/main.js`, env)
    await replicas[name].start()
  }
  const [set] = await database.sql`
    select current_setting('server_version') as version, current_setting('fsync') as fsync`
  process.stdout.write(
    `Node ${process.version}, Postgres ${set?.version} (fsync ${set?.fsync}), ${cpus().length} CPUs, load ${loadavg()[0]?.toFixed(1)}\n`,
  )
})

afterAll(async () => {
  if (PGBOUNCER === null) return
  for (const { kill } of Object.values(replicas)) await kill()
  await pgbouncer.stop()
  await database.close()
  for (const each of [folder, out]) await rm(each, { recursive: true, force: true })
})

/** Events stored in a second. */
async function events(name: string): Promise<number> {
  const asked = {
    port: replicas[name]?.port,
    key,
    clients: CLIENTS,
    ms: SLICE_MS,
    shops: 8,
  }
  const { stdout } = await run(process.execPath, [
    'server/attribution/ingest/testing/load.ts',
    JSON.stringify(asked),
  ])
  const { answers, seconds } = JSON.parse(stdout)
  expect(Object.keys(answers)).toEqual(['200'])
  return answers['200'] / seconds
}

/** The 95th percentile in milliseconds of reports that are sent one after the other. */
async function reportP95(name: string, domain: string): Promise<number> {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const url = `http://127.0.0.1:${replicas[name]?.port}/api/report?domain=${domain}&start=${day(-29)}&end=${day(0)}`
  const took: number[] = []
  for (let n = 0; n < REPORTS; n += 1) {
    const from = performance.now()
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    await answer.text()
    took.push(performance.now() - from)
  }
  return took.sort((a, b) => a - b)[Math.ceil(REPORTS * 0.95) - 1] ?? 0
}

test.skipIf(PGBOUNCER === null)('what PgBouncer costs, in events and reports', async () => {
  const ratios: Record<'events' | 'report', number[]> = { events: [], report: [] }
  const figures: Record<string, number[]> = {}
  const note = (name: string, value: number) => {
    figures[name] = [...(figures[name] ?? []), value]
  }
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const names = round % 2 === 0 ? ['direct', 'pgbouncer'] : ['pgbouncer', 'direct']
    const stored: Record<string, number> = {}
    const p95: Record<string, number> = {}
    for (const name of names) stored[name] = await events(name)
    const [row] = await database.sql<{ domain: string }[]>`select domain from rollup_daily limit 1`
    for (const name of names) p95[name] = await reportP95(name, row?.domain ?? '')
    if (round < WARM_UP) continue
    for (const name of names) {
      note(`${name}, events/s`, stored[name] ?? 0)
      note(`${name}, report p95 ms`, p95[name] ?? 0)
    }
    ratios.events.push((stored.pgbouncer ?? 0) / (stored.direct ?? 1))
    ratios.report.push((p95.pgbouncer ?? 0) / (p95.direct ?? 1))
  }
  for (const [name, values] of Object.entries(figures)) {
    process.stdout.write(`${name}: ${median(values).toFixed(1)}\n`)
  }
  for (const [name, values] of Object.entries(ratios)) {
    const range = `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`
    process.stdout.write(`${name}: ${median(values).toFixed(2)} times (${range})\n`)
  }
  expect(median(ratios.events)).toBeGreaterThanOrEqual(LEAST_EVENTS)
  expect(median(ratios.report)).toBeLessThanOrEqual(MOST_REPORT)
})
