import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AttributionEvent } from '../../shared/report.ts'
import { createApp, type Deps } from '../app.ts'
import { createKey, SCOPES } from '../auth.ts'
import { connect, type Database, MIGRATIONS } from '../db/connect.ts'
import { findSessions } from '../db/events.ts'
import { ensureMonths, monthOf } from '../db/partitions.ts'
import { createLog } from '../log.ts'
import { ASSETS_WITHOUT_CONTENT, prepareAssets } from '../pages/assets.ts'
import { prepareSnippet } from '../snippet-asset.ts'
import { createIngest, type IncomingEvent, type Ingest, type Recorded } from './ingest.ts'
import { placeEvents } from './place-events.ts'
import { storeEvents } from './store-events.ts'

const CLIENTS = 64
const ROUNDS = 7
const SLICE_MS = 1500

const run = promisify(execFile)
const now = () => new Date()
const servers: ReturnType<typeof serve>[] = []
const ports: Record<string, number> = {}
let folder: string
let database: Database
let key: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  const config = { databaseUrl: process.env.DATABASE_URL, dataDir: folder, migrations: MIGRATIONS }
  database = await connect(config)
  const { db, sql } = database
  await ensureMonths(sql, [monthOf(now())])
  const request = { name: 'bench', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  key = (await createKey(db, request, now())).key
  // As in production, each line is a write.
  const log = createLog(pino.destination({ dest: '/dev/null', sync: true }))
  const deps: Omit<Deps, 'ingest'> = {
    db,
    retentionMonths: 13,
    now,
    log,
    baseUrl: 'https://aisle.example',
    snippet: await prepareSnippet(''),
    trustedProxies: [],
    isShuttingDown: () => false,
    audit: () => Promise.reject(new Error('not here')),
    validateManifest: () => Promise.reject(new Error('not here')),
    readPage: () => Promise.reject(new Error('not here')),
    assets: await prepareAssets(ASSETS_WITHOUT_CONTENT),
    help: { text: null, email: null },
  }
  const app = (ingest: Ingest) => createApp({ ...deps, ingest })
  const grouped = createIngest({ sql, now, log })
  const sink = (record: (event: IncomingEvent) => Promise<Recorded>) => ({ ...grouped, record })
  const same = { replayed: false, conflict: false, surface: 'chatgpt', confidence: 0.85 }

  await listen('grouped', app(grouped))
  await listen(
    'alone',
    app(
      sink(async (event) => {
        const known = await findSessions(sql, [event])
        const [recorded] = await storeEvents(sql, [event], placeEvents([event], known, now()))
        return recorded!
      }),
    ),
  )
  await listen(
    'plain',
    app(
      sink(async (event) => {
        const [row] = placeEvents([event], [], now())
        await sql.unsafe(
          `insert into events select * from jsonb_populate_record(null::events, $1::jsonb)`,
          [JSON.stringify({ ...row, opens_session: true })],
          { prepare: true },
        )
        return { ...same, event_id: row!.id }
      }),
    ),
  )
  const [row] = await sql`select * from api_keys`
  const noop = sink(async () => ({ ...same, event_id: randomUUID() }))
  await listen('noop', createApp({ ...deps, ingest: noop, db: answering(db, [row]) }))
  await listen(
    'bare',
    new Hono().post('/api/report', async (c) => c.json(AttributionEvent.parse(await c.req.json()))),
  )
})

/** A database without a wire, that has one answer. */
const answering = (db: Database['db'], rows: unknown[]) =>
  Object.assign(Object.create(db), { $client: { unsafe: async () => rows } })

async function listen(name: string, { fetch }: Pick<Hono, 'fetch'>) {
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const started = serve({ fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(started))
  })
  servers.push(server)
  ports[name] = (server.address() as AddressInfo).port
}

afterAll(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

/** Answers per second of one slice; every one of them a 200. */
async function load(name: string): Promise<number> {
  const asked = { port: ports[name], key, clients: CLIENTS, ms: SLICE_MS, round: randomUUID() }
  const { stdout } = await run(process.execPath, [
    'server/ingest/load/testing.ts',
    JSON.stringify(asked),
  ])
  const { answers, seconds } = JSON.parse(stdout)
  expect(Object.keys(answers)).toEqual(['200'])
  return answers['200'] / seconds
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Rounds of slices in turning order, so that no contestant has the better minutes. */
async function race(names: string[]): Promise<Record<string, number>[]> {
  const rounds: Record<string, number>[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const turned = names.map((_, n) => names[(n + round) % names.length]!)
    const rates: Record<string, number> = {}
    for (const name of turned) rates[name] = await load(name)
    // The first warms up.
    if (round > 0) rounds.push(rates)
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

test('storing in groups is at least 2.5 times storing one by one', async () => {
  const rounds = await race(['grouped', 'alone', 'plain'])
  tell(rounds, 'grouped', 'plain')
  expect(tell(rounds, 'grouped', 'alone')).toBeGreaterThanOrEqual(2.5)
})

test('without the database, the route costs at most as much again as a bare one that parses the same', async () => {
  const rounds = await race(['noop', 'bare'])
  expect(tell(rounds, 'noop', 'bare')).toBeGreaterThanOrEqual(0.5)
})
