import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '../../../shared/testing/median.ts'
import { createKey } from '../../access/auth.ts'
import { bundle } from '../../build/bundler.ts'
import { connect, type Database, MIGRATIONS } from '../../db/connect.ts'
import { ensureMonths, monthOf } from '../../db/events/partitions.ts'
import { SCOPES } from '../../db/scopes.ts'

const CLIENTS = 64

/** Rounds that count; the figure is the median of their ratios, as one round alone is noise. */
const ROUNDS = 7

/** Until the code is compiled: some twenty thousand requests. */
const WARM_UP = 2

/** How long one contestant runs before the next, so that all meet the same load of the machine. */
const SLICE_MS = 1500

const run = promisify(execFile)
let folder: string
let out: string
let database: Database
let contestants: ChildProcess
let ports: Record<string, number>
let key: string
/** How many answers said that an event is stored. */
let acknowledged = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  const config = { databaseUrl: process.env.DATABASE_URL, dataDir: folder, migrations: MIGRATIONS }
  database = await connect(config)
  const now = new Date()
  await ensureMonths(database.sql, [monthOf(now)])
  const request = { name: 'bench', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  key = (await createKey(database.db, request, now)).key
  // Below dist/, so that the bundle finds the packages.
  await mkdir('dist', { recursive: true })
  out = await mkdtemp('dist/bench-')
  await bundle({ contestants: 'server/attribution/ingest/testing/contestants.ts' }, out)
  const program = `${out}/contestants.js`
  // As `npm start` sets the memory.
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const flags: string[] = scripts.start.match(/--[\w-]+=\d+/g)
  contestants = spawn(process.execPath, [...flags, program, database.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: contestants.stdout! }), 'line')
  ports = JSON.parse(line)
  const [set] = await database.sql`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit`
  process.stdout.write(
    `Node ${process.version}, Postgres ${set?.version} (fsync ${set?.fsync}, synchronous_commit ${set?.commit}), ${cpus().length} CPUs, load ${loadavg()[0]?.toFixed(1)}\n`,
  )
})

afterAll(async () => {
  contestants.kill()
  await once(contestants, 'exit')
  await database.close()
  for (const each of [folder, out]) await rm(each, { recursive: true, force: true })
})

interface Entry {
  name: string
  contestant: string
  /** Whose events they are, in turn. */
  shops: number
}

/** Answers per second of one slice; every one of them a 200. */
async function load({ contestant, shops }: Entry): Promise<number> {
  const port = ports[contestant]
  const asked = { port, key, clients: CLIENTS, ms: SLICE_MS, round: randomUUID(), shops }
  const { stdout } = await run(process.execPath, [
    'server/attribution/ingest/testing/load.ts',
    JSON.stringify(asked),
  ])
  const { answers, seconds } = JSON.parse(stdout)
  expect(Object.keys(answers)).toEqual(['200'])
  acknowledged += answers['200']
  return answers['200'] / seconds
}

/** Rounds of slices in turning order, so that no contestant has the better minutes. */
async function race(entries: Entry[]): Promise<Record<string, number>[]> {
  const rounds: Record<string, number>[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const turned = entries.map((_, n) => entries[(n + round) % entries.length]!)
    const rates: Record<string, number> = {}
    for (const entry of turned) rates[entry.name] = await load(entry)
    if (round >= WARM_UP) rounds.push(rates)
  }
  return rounds
}

function tell(rounds: Record<string, number>[], one: string, other: string): number {
  const ratios = rounds.map((rates) => rates[one]! / rates[other]!)
  const rate = (name: string) => median(rounds.map((rates) => rates[name]!)).toFixed(0)
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  process.stdout.write(
    `${one} ${rate(one)}/s, ${other} ${rate(other)}/s: ${median(ratios).toFixed(2)} times (${range})\n`,
  )
  return median(ratios)
}

const of = (contestant: string, shops = 1): Entry => ({
  name: shops === 1 ? contestant : `${contestant} of ${shops} shops`,
  contestant,
  shops,
})

test('storing in groups is at least 2.5 times storing one by one', async () => {
  const rounds = await race([
    of('grouped'),
    of('alone'),
    of('grouped', 64),
    of('alone', 64),
    // For comparison: what it would cost to store the event and nothing else.
    of('row'),
  ])
  const [stored] = await database.sql<{ count: string }[]>`select count(*) from events`
  expect(Number(stored?.count)).toBe(acknowledged)
  tell(rounds, 'grouped', 'row')
  expect(tell(rounds, 'grouped', 'alone')).toBeGreaterThanOrEqual(2.5)
  // Where no two requests wait for the same day's sums.
  expect(tell(rounds, 'grouped of 64 shops', 'alone of 64 shops')).toBeGreaterThanOrEqual(2.5)
})

test('without the database, the route costs at most as much again as a bare one that parses the same', async () => {
  const rounds = await race([of('noop'), of('bare')])
  expect(tell(rounds, 'noop', 'bare')).toBeGreaterThanOrEqual(0.5)
})
