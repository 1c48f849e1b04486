import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '../../shared/testing/median.ts'
import { CHECK_PERIODS, type CheckPeriod, PERIOD_MS } from '../../shared/watch/period.ts'
import { DAY_MS } from '../../shared/web/moment.ts'
import { NO_ACCESS } from '../access/testing/no-access.ts'
import { createEngine, type Engine } from '../audit/engine.ts'
import { parseTestHosts } from '../audit/probe/fetch/test-hosts.ts'
import { createWalks } from '../audit/walk/jobs.ts'
import { connect, type Database, MIGRATIONS } from '../db/connect.ts'
import { updateWatch } from '../db/watch/watches.ts'
import { readScrape } from '../metrics/testing/scrape.ts'
import { createLog } from '../process/log.ts'
import { freePort } from '../testing/free-port.ts'
import { checkWatched } from './check.ts'
import { createWatch } from './set-up.ts'

// What one watch costs: requests to the store, and processor time of this process (with its judging
// workers) and of its connections to Postgres. The store is a process of its own and not counted.

const WARM_UP = 3
const CHECKS = 15
const WALKED_CHECKS = 5
const TOKEN = 'a-token-of-the-operator'
const MONTH_MS = 30 * DAY_MS

let folder: string
let database: Database
let store: ChildProcess
let port: number
let engine: Engine
const print = (line: string) => process.stdout.write(`${line}\n`)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  const databaseUrl = process.env.DATABASE_URL
  database = await connect({ databaseUrl, dataDir: folder, migrations: MIGRATIONS })
  port = await freePort()
  store = spawn(process.execPath, ['dist/store/main.js'], {
    env: {
      ...process.env,
      DATABASE_URL: '',
      DATA_DIR: join(folder, 'store'),
      STORE_PORT: String(port),
      STORE_TRUST_PROFILES: 'true',
      METRICS_TOKEN: TOKEN,
      // Over official UCP the store fetches the profile of its caller, which is served here.
      TEST_HOSTS: `*.example=http://127.0.0.1:${port}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(store, 'exit').then(() => Promise.reject(new Error('The store ended.')))
  if (store.stdout) await Promise.race([once(store.stdout, 'data'), ended])
  const testHosts = parseTestHosts(`*.example=http://127.0.0.1:${port}`, undefined)
  engine = createEngine({ baseUrl: 'https://aisle.example', testHosts }, () => new Date())
})

afterAll(async () => {
  await engine.close()
  store.kill()
  await once(store, 'exit')
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

/** Requests that the store has answered. */
async function answered(): Promise<number> {
  const headers = { Authorization: `Bearer ${TOKEN}` }
  const scrape = readScrape(
    await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text(),
  )
  const counts = [...scrape].filter(
    ([series]) =>
      series.startsWith('aisle_store_http_request_seconds_count') && !series.includes('"/metrics"'),
  )
  return counts.reduce((sum, [, count]) => sum + count, 0)
}

/**
 * How long a process was on a processor, in milliseconds; 0 if it cannot be read. The ticks of
 * proc_pid_stat(5) miss short work; this counts nanoseconds
 * (https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat).
 */
async function cpuOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')
  return Number(text.split(' ')[0]) / 1e6
}

async function used() {
  const { user, system } = process.cpuUsage()
  const backends = await database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database()`
  const postgres = await Promise.all(backends.map(({ pid }) => cpuOf(pid)))
  return {
    requests: await answered(),
    process: (user + system) / 1000,
    postgres: postgres.reduce((sum, each) => sum + each, 0),
  }
}

type Cost = Awaited<ReturnType<typeof used>> & { seconds: number }

/** The median of the samples; for Postgres, which also works between them, the mean. */
async function costOf(domain: string, walk: boolean, looks: number): Promise<Cost> {
  const { db, sql } = database
  const now = () => new Date()
  const log = createLog({ write: () => {} })
  const baseUrl = 'https://aisle.example'
  const walks = createWalks({ ...engine, db, now, log, baseUrl, siteAccess: NO_ACCESS })
  const deps = { db, now, log, baseUrl, walks, siteAccess: NO_ACCESS, audit: engine.audit }
  await createWatch({ db, now }, { domain, walk }, { keyId: 'k', mayReadReport: false })
  const costs: Cost[] = []
  let first = await used()
  for (let n = -WARM_UP; n < looks; n++) {
    const lease = randomUUID()
    const at = new Date(Date.now() + n)
    const row = await updateWatch(db, domain, {
      lease,
      leased_until: new Date(Date.now() + 600_000),
      slot_at: at,
      look: 0,
    })
    if (row === null) throw new Error('not watched')
    if (n === 0) first = await used()
    const before = await used()
    const started = performance.now()
    expect(await checkWatched(deps, { ...row, lease }, new AbortController().signal)).toBe('seen')
    const seconds = (performance.now() - started) / 1000
    const after = await used()
    if (n < 0) continue
    costs.push({
      requests: after.requests - before.requests,
      process: after.process - before.process,
      postgres: 0,
      seconds,
    })
  }
  const last = await used()
  await walks.stop(1000)
  await sql`delete from watches where domain = ${domain}`
  const middle = (what: keyof Cost) => median(costs.map((cost) => cost[what]))
  return {
    requests: middle('requests'),
    process: middle('process'),
    postgres: (last.postgres - first.postgres) / looks,
    seconds: middle('seconds'),
  }
}

const checksAMonth = (period: CheckPeriod) => MONTH_MS / PERIOD_MS[period]

test('what a watch costs a month, with and without a walk', async () => {
  print(`Node ${process.version}, ${cpus().length} CPUs, load ${loadavg()[0]?.toFixed(1)}`)
  const costs: Cost[] = []
  for (const [name, walk, looks] of [
    ['a look', false, CHECKS],
    ['a look with a walk', true, WALKED_CHECKS],
  ] as const) {
    const cost = await costOf('shop.example', walk, looks)
    costs.push(cost)
    const { requests, process, postgres, seconds } = cost
    print(
      `${name}: ${requests} requests, ${process.toFixed(0)} ms of the process, ${postgres.toFixed(0)} ms of Postgres, ${seconds.toFixed(1)} s`,
    )
    for (const period of CHECK_PERIODS) {
      const many = checksAMonth(period)
      const minutes = (many * (process + postgres)) / 60_000
      print(
        `  ${period}: ${many.toFixed(0)} looks, ${(many * requests).toFixed(0)} requests, ${minutes.toFixed(1)} CPU minutes a month`,
      )
    }
  }
  const [plain, walked] = costs
  // A check creates nothing, and requests what an audit requests.
  expect(plain?.requests).toBeLessThan(200)
  expect(walked?.requests ?? 0).toBeGreaterThan(plain?.requests ?? 0)
})
