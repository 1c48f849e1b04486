import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Report } from '../../../shared/attribution/report.ts'
import { createKey } from '../../access/make-key.ts'
import { SCOPES } from '../../db/access/scopes.ts'
import { connect, type Database, MIGRATIONS } from '../../db/connect.ts'
import { ensureMonths } from '../../db/events/partitions.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { MOST_NAMED } from '../../db/events/rollup-names.ts'
import type { ServerEnv } from '../../http/env.ts'
import { createLogSums } from '../../http/log-sums.ts'
import { frameRequest } from '../../http/request.ts'
import { createLog } from '../../process/log.ts'
import { reportRoutes } from '../../routes/report/report.ts'

/** A hundred times as many; BENCH_EVENTS is a smaller number for a machine that is busy. */
const LARGE = Number(process.env.BENCH_EVENTS ?? 4_000_000)
const SIZES = { small: 40_000, large: LARGE } as const
type Size = keyof typeof SIZES
const ROUNDS = 9
const PER_ROUND = 40

/** Reports read daily sums, so a hundred times as many events must not cost twice as much. */
const MOST_RATIO = 2
const MOST_P95_MS = 50

/**
 * A file of some 3,000 rows is made of the sums by surface and day, and takes about as long as
 * they.
 */
const MOST_CSV_RATIO = 1.5

/** 90 days, in three months of events. */
const FIRST = '2026-08-01'
const LAST = '2026-10-29'
const PATH = `/api/report?domain=shop.example&start=${FIRST}&end=${LAST}`

const now = () => new Date('2026-11-20T12:00:00Z')
const databases: Database[] = []
const names: string[] = []
const ask: Partial<Record<Size, (query: string) => Promise<Response>>> = {}
let server: Database
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  const config = { databaseUrl: process.env.DATABASE_URL, dataDir: folder }
  server = await connect({ ...config, migrations: null })
  for (const size of ['small', 'large'] as const) ask[size] = await open(size)
}, 1_200_000)

afterAll(async () => {
  for (const { close } of databases) await close()
  for (const name of names) await server.sql.unsafe(`drop database ${name} with (force)`)
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** A database of its own with this many events, and the API on it. */
async function open(size: Size) {
  const name = `aisle_bench_${randomBytes(6).toString('hex')}`
  await server.sql.unsafe(`create database ${name}`)
  names.push(name)
  const url = new URL(server.url)
  url.pathname = name
  const database = await connect({ databaseUrl: url.href, dataDir: '', migrations: MIGRATIONS })
  databases.push(database)

  const { db, sql } = database
  const filling = performance.now()
  await fill(sql, SIZES[size])
  await sql`analyze events`
  const rebuilding = performance.now()
  const rows = await rebuildRollup(db, { domain: 'shop.example', since: '2026-07', dryRun: false })
  const done = performance.now()
  await sql`analyze`
  process.stdout.write(
    `${SIZES[size]} events: filled in ${seconds(rebuilding - filling)}, rollup of ${rows.length} rows rebuilt in ${seconds(done - rebuilding)}\n`,
  )

  const request = { name: 'bench', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  const { key } = await createKey(db, request, now())
  const log = createLog({ write: () => {} })
  const countAnswer = () => {}
  const deps = {
    loggedRequests: { share: 1 },
    db,
    now,
    log,
    sums: createLogSums(log),
    baseUrl: 'https://aisle.example',
    countAnswer,
  }
  const app = new OpenAPIHono<ServerEnv>()
  app.use(frameRequest(deps))
  app.route('/', reportRoutes(deps))
  return async (query: string) =>
    app.request(PATH + query, { headers: { Authorization: `Bearer ${key}` } })
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Of which a report keeps thirty each by name. */
const LANDINGS = 50_000
const PRODUCTS = 10_000

/**
 * Four events to a session, from a dozen surfaces of unequal share, in two currencies, on pages and
 * of products of which some are far more popular than most.
 */
async function fill(sql: Sql, count: number): Promise<void> {
  await ensureMonths(sql, ['2026-08', '2026-09', '2026-10'])
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      insert into events (domain, id, ts, received_at, event, source, session_id, visit_id,
        opens_session, surface, kind, confidence, model, value, currency, landing, properties)
      select 'shop.example', lpad(to_hex(n), 32, '0')::uuid, at, at,
        (array['ai_product_viewed', 'ai_checkout_initiated', 'ai_checkout_completed',
          'ai_checkout_failed'])[n % 4 + 1],
        (array['ucp', 'acp', 'web'])[session % 3 + 1], 's' || session, 's' || session,
        n % 4 = 0, (array['chatgpt', 'perplexity', 'claude', 'gemini', 'copilot', 'grok',
          'google_ai_mode', 'meta_ai', 'mistral', 'deepseek', 'you', 'my_own_bot'])
          [1 + floor(12 * power(session * 617 % 997 / 997.0, 2))::int],
        (array['referral', 'agent', 'protocol'])[session % 3 + 1], 0.9, '1',
        case when n % 4 = 2 then n % 10000 end,
        case when n % 4 = 2 then (array['USD', 'EUR'])[session % 5 / 4 + 1] end,
        '/page-' || floor(${LANDINGS} * power(session * 7919 % 99991 / 99991.0, 6))::int,
        jsonb_build_object('product_id',
          'p' || floor(${PRODUCTS} * power(session * 104729 % 99991 / 99991.0, 6))::int)
      from generate_series(0, ${count - 1}::int) n,
        lateral (select (n / 4)::bigint as session,
          ${FIRST}::timestamptz + interval '90 days' * (n / ${count}::float8) as at) placed`
  })
}

async function time(size: Size, query = ''): Promise<number> {
  const started = performance.now()
  const answer = await ask[size]?.(query)
  await answer?.text()
  expect(answer?.status).toBe(200)
  return performance.now() - started
}

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

const BY_SURFACE = '&series=surface'
const CSV = '&format=csv'

test('the report counts every event', async () => {
  const answer = await ask.large?.('&limit=100')
  const { summary, funnel, daily, by_landing, by_product } = Report.parse(await answer?.json())
  for (const list of [by_landing, by_product]) {
    // Each month has its own.
    expect(list?.total).toBeGreaterThanOrEqual(MOST_NAMED)
    expect(list?.total).toBeLessThanOrEqual(3 * MOST_NAMED)
    expect(list?.other?.orders).toBeGreaterThan(0)
    const named = list?.rows.reduce((sum, { orders }) => sum + orders, list.other?.orders ?? 0)
    if ((list?.total ?? 0) <= 100) expect(named).toBe(SIZES.large / 4)
  }
  expect(summary.ai_sessions).toBe(SIZES.large / 4)
  expect(Object.values(funnel)).toEqual(Array(4).fill(SIZES.large / 4))
  expect(daily).toHaveLength(90)
})

test.each([
  ['by day', ''],
  ['by week, compared', '&granularity=week&compare=previous'],
  ['by surface and day', BY_SURFACE],
  ['of one surface, compared', '&surface=chatgpt&compare=previous'],
  ['of one kind', '&kind=click'],
  ['of one landing page', '&landing=/page-0'],
  ['of one product', '&product_id=p0'],
  ['as CSV', CSV],
])(
  `90 days %s take as long with ${SIZES.large} events as with ${SIZES.small}`,
  async (name, query) => {
    const ratios: number[] = []
    const medians: number[] = []
    const p95s: number[] = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const times: Record<Size, number[]> = { small: [], large: [] }
      for (let n = 0; n < PER_ROUND; n += 1) {
        for (const size of n % 2 ? (['small', 'large'] as const) : (['large', 'small'] as const)) {
          times[size].push(await time(size, query))
        }
      }
      if (round === 0) continue
      ratios.push(quantile(times.large, 0.5) / quantile(times.small, 0.5))
      medians.push(quantile(times.large, 0.5))
      p95s.push(quantile(times.large, 0.95))
    }
    const ratio = quantile(ratios, 0.5)
    // That of the middle round: another program that wants the machine spoils some.
    const p95 = quantile(p95s, 0.5)
    process.stdout.write(
      `${name}: p50 ${quantile(medians, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; ${ratio.toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}) times the small one\n`,
    )
    expect(ratio).toBeLessThan(MOST_RATIO)
    // The file is held to a ratio instead: see below.
    if (query !== CSV) expect(p95).toBeLessThan(MOST_P95_MS)
  },
)

test(`a file takes at most ${MOST_CSV_RATIO} times as long as the same sums as JSON`, async () => {
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const times: Record<string, number[]> = { [CSV]: [], [BY_SURFACE]: [] }
    for (let n = 0; n < PER_ROUND; n += 1) {
      for (const query of n % 2 ? [CSV, BY_SURFACE] : [BY_SURFACE, CSV]) {
        times[query]?.push(await time('large', query))
      }
    }
    if (round === 0) continue
    ratios.push(quantile(times[CSV] ?? [], 0.5) / quantile(times[BY_SURFACE] ?? [], 0.5))
  }
  const ratio = quantile(ratios, 0.5)
  process.stdout.write(
    `as CSV ${ratio.toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}) times as JSON\n`,
  )
  expect(ratio).toBeLessThan(MOST_CSV_RATIO)
})
