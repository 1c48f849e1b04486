import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '../../../shared/testing/median.ts'
import { createKey } from '../../access/make-key.ts'
import { bundle } from '../../build/bundler.ts'
import { SCOPES } from '../../db/access/scopes.ts'
import { connect, type Database, MIGRATIONS } from '../../db/connect.ts'
import { ensureMonths, monthOf } from '../../db/events/partitions.ts'
import { createProperty } from '../properties.ts'
import { PLAIN_TABLE } from './testing/plain-route.ts'
import { secondsOf } from './testing/processor-time.ts'

const CLIENTS = 64

/** Where groups have one shop's events, and where each has those of many. */
const MANY_SHOPS = 64

/** Of each shop where there is one, so that none comes to its bound on sessions. */
const PROPERTIES = 20

/** Rounds that count; the figure is the median of their ratios, as one round alone is noise. */
const ROUNDS = Number(process.env.ROUNDS ?? 7)

/** Until the code is compiled: some twenty thousand requests. */
const WARM_UP = 2

/** How long one contestant runs before the next, so that all meet the same load of the machine. */
const SLICE_MS = 1500

const run = promisify(execFile)
let folder: string
let out: string
let database: Database
/** Ours, and the plain routes, which would share what V8 has learnt of ours. */
const programs: Program[] = []
let key: string
/** Of the first shop, and one of each. */
let properties: { id: string; domain: string }[]
let propertiesOfAll: typeof properties
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
  const make = (length: number, domainOf: (n: number) => string) =>
    Promise.all(
      Array.from({ length }, async (_, n) => {
        const domain = domainOf(n)
        const { id } = await createProperty(database.db, { domain }, now)
        return { id, domain }
      }),
    )
  properties = await make(PROPERTIES, () => 'shop0.example')
  propertiesOfAll = await make(MANY_SHOPS, (n) => `shop${n}.example`)
  await database.sql.unsafe(PLAIN_TABLE)
  // Below dist/, so that the bundle finds the packages.
  await mkdir('dist', { recursive: true })
  out = await mkdtemp('dist/bench-')
  const sources = {
    contestants: 'server/attribution/ingest/testing/contestants.ts',
    plain: 'server/attribution/ingest/testing/plain.ts',
  }
  await bundle(sources, out)
  for (const name of Object.keys(sources)) programs.push(await startProgram(`${out}/${name}.js`))
  const [set] = await database.sql`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit`
  process.stdout.write(
    `Node ${process.version}, Postgres ${set?.version} (fsync ${set?.fsync}, synchronous_commit ${set?.commit}), ${cpus().length} CPUs, load ${loadavg()[0]?.toFixed(1)}\n`,
  )
})

afterAll(async () => {
  for (const { child } of programs) {
    child.kill()
    await once(child, 'exit')
  }
  await database.close()
  for (const each of [folder, out]) await rm(each, { recursive: true, force: true })
})

/** A process of contestants, and the port of each. */
interface Program {
  child: ChildProcess
  ports: Record<string, number>
}

async function startProgram(file: string): Promise<Program> {
  // As `npm start` sets the memory.
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const flags: string[] = scripts.start.match(/--[\w-]+=\d+/g)
  const child = spawn(process.execPath, [...flags, file, database.url], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [line] = await once(createInterface({ input: child.stdout! }), 'line')
  return { child, ports: JSON.parse(line) }
}

interface Entry {
  name: string
  contestant: string
  /** Whose events they are, in turn. */
  shops: number
  /** Sessions of browsers instead of orders. */
  isSessions?: boolean
  clients?: number
  /** How long a slice is, in milliseconds. */
  ms?: number
}

/**
 * What a contestant answered, per second, and the processor's time of each thousand, in seconds, of
 * its own process and of Postgres: that of the machine's other work is not in it.
 */
interface Pace {
  rate: number
  server: number
  postgres: number
  /** Of both. */
  cpu: number
}

/** The processor's time that each process has used so far, in seconds. */
type Used = Map<number | 'server', number>

/**
 * Of a contestant's process and of all connections to Postgres; without these where there is no
 * /proc.
 */
async function readUsed({ child }: Program): Promise<Used> {
  child.send('cpu')
  const [{ user, system }] = await once(child, 'message')
  const used: Used = new Map([['server', (user + system) / 1e6]])
  const backends = await database.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  for (const { pid } of backends) used.set(pid, await secondsOf(pid))
  return used
}

/** What was used between: a connection that was closed meanwhile had nothing to do. */
function usedSince(before: Used, after: Used): { server: number; postgres: number } {
  const used = { server: 0, postgres: 0 }
  for (const [name, seconds] of after) {
    used[name === 'server' ? name : 'postgres'] += seconds - (before.get(name) ?? 0)
  }
  return used
}

/** One slice; every answer a 200. */
async function load(entry: Entry): Promise<Pace> {
  const { contestant, shops, isSessions, clients = CLIENTS, ms = SLICE_MS } = entry
  const program = programs.find(({ ports }) => contestant in ports)
  if (program === undefined) throw new Error(`No program has ${contestant}.`)
  const port = program.ports[contestant]
  const asked = {
    ...{ port, key, clients, ms, shops },
    properties: isSessions ? (shops === 1 ? properties : propertiesOfAll) : [],
  }
  const before = await readUsed(program)
  const { stdout } = await run(process.execPath, [
    'server/attribution/ingest/testing/load.ts',
    JSON.stringify(asked),
  ])
  const { answers, seconds } = JSON.parse(stdout)
  expect(Object.keys(answers)).toEqual(['200'])
  if (STORED.has(contestant)) acknowledged += answers['200']
  const { server, postgres } = usedSince(before, await readUsed(program))
  const thousands = answers['200'] / 1000
  return {
    rate: answers['200'] / seconds,
    server: server / thousands,
    postgres: postgres / thousands,
    cpu: (server + postgres) / thousands,
  }
}

/** Those that write to the service's own tables. */
const STORED = new Set(['grouped', 'alone', 'row'])

type Round = Record<string, Pace>

/** Rounds of slices in turning order, so that no contestant has the better minutes. */
async function race(entries: Entry[]): Promise<Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const turned = entries.map((_, n) => entries[(n + round) % entries.length]!)
    const paces: Round = {}
    for (const entry of turned) paces[entry.name] = await load(entry)
    if (round >= WARM_UP) rounds.push(paces)
  }
  return rounds
}

/** The median of a figure of one contestant by that of another, round by round. */
function tell(rounds: Round[], one: string, other: string, figure: keyof Pace = 'rate'): number {
  const ratios = rounds.map((paces) => paces[one]![figure] / paces[other]![figure])
  const show = (name: string) => {
    const middle = median(rounds.map((paces) => paces[name]![figure]))
    return figure === 'rate'
      ? `${name} ${middle.toFixed(0)}/s`
      : `${name} ${middle.toFixed(3)} s of ${figure} per 1,000`
  }
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  process.stdout.write(
    `${show(one)}, ${show(other)}: ${median(ratios).toFixed(2)} times (${range})\n`,
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

// With few clients a group is small, and each waits for two answers of Postgres in turn.
const CONDITIONS = [
  { clients: 64, least: 1, most: 1 },
  { clients: 256, least: 1.2, most: 0.85 },
].flatMap((each) => [1, MANY_SHOPS].map((shops) => ({ ...each, shops })))

// What is stored of each event is classified, in a session and in all sums of the report; a plain
// one inserts a row. Requests are logged as they are by default.
test.each(CONDITIONS)(
  'with $clients clients and $shops shops both routes store more events than a plain Express that inserts, for less of the processor',
  async ({ clients, shops, least, most }) => {
    const entry = (name: string, contestant: string, isSessions = false): Entry => ({
      ...{ name, contestant, shops, isSessions, clients },
    })
    const rounds = await race([
      entry('report', 'grouped'),
      entry('sessions', 'grouped', true),
      entry('plain', 'plain'),
      entry('tuned', 'tuned'),
    ])
    process.stdout.write(`${clients} clients, ${shops} shops\n`)
    for (const route of ['report', 'sessions']) {
      const by = (other: string) => {
        for (const figure of ['server', 'postgres'] as const) tell(rounds, route, other, figure)
        return { rate: tell(rounds, route, other), cpu: tell(rounds, route, other, 'cpu') }
      }
      const [plain, tuned] = [by('plain'), by('tuned')]
      expect.soft(plain.rate).toBeGreaterThanOrEqual(least)
      expect.soft(plain.cpu).toBeLessThanOrEqual(most)
      expect.soft(tuned.rate).toBeGreaterThanOrEqual(0.75 * least)
      expect.soft(tuned.cpu).toBeLessThanOrEqual(1.2 * most)
    }
    expect.soft(tell(rounds, 'sessions', 'report', 'cpu')).toBeLessThanOrEqual(1.15)
  },
)

// By the processor's time: the rate of a route that does next to nothing is that of the machine's
// other work, the load's included.
test('without the database, the route costs at most 2.5 times a bare one that parses the same', async () => {
  const rounds = await race([of('noop'), of('bare')])
  tell(rounds, 'noop', 'bare')
  expect(tell(rounds, 'noop', 'bare', 'server')).toBeLessThanOrEqual(2.5)
})
