import { expect, test } from 'vitest'
import { noRetentionYet } from '../db/retention/retention.ts'
import type { Migration } from '../db/schema/migrations.ts'
import type { MigrationState } from '../db/schema/state.ts'
import type { WatchFigures } from '../db/watch/figures.ts'
import { readScrape } from '../metrics/testing/scrape.ts'
import { testApp } from '../testing/app.ts'
import { createServiceMetrics, type MetricsSources } from './metrics.ts'
import { NO_CHECKS, NO_LOAD, NO_WALKS, NO_WATCHES } from './testing/no-load.ts'

const MIGRATION: Migration = {
  tag: '0000_first',
  when: 1,
  hash: '',
  kind: 'expand',
  serves: null,
  statements: [],
  isConcurrent: false,
}
const SCHEMA: MigrationState = {
  applied: Array(8).fill(MIGRATION),
  pending: [],
  unknown: [{ tag: '0001_later', when: 2, serves: null }],
  fault: null,
}

function metricsOf(change: Partial<MetricsSources> = {}) {
  const metrics = createServiceMetrics({
    ingest: {
      counts: { received: 10, accepted: 4, duplicate: 3, rejected: 2, shed: 1 },
      batches: { stored: 5, failed: 1, seconds: 0.25 },
      load: () => ({ items: 17, bytes: 17_000 }),
    },
    sums: { totals: new Map([['over_network', 6]]) },
    engine: () => ({
      slots: {
        key: { running: 6, waiting: 2, slots: 8 },
        stranger: { running: 1, waiting: 0, slots: 4 },
        watch: { running: 0, waiting: 0, slots: 4 },
      },
      judges: { workers: 2, waiting: 3, most: 4, tasks: { ...NO_LOAD.judges.tasks, memory: 1 } },
    }),
    walks: () => ({ ...NO_WALKS, running: 3, waiting: 5, leftOpen: 2 }),
    pool: () => ({ inUse: 10, waiting: 7, max: 10 }),
    reachedNodes: () => 2,
    looks: () => ({ ...NO_CHECKS, running: 1, late: 3, missed: 1 }),
    readSchema: async () => SCHEMA,
    readWatches: async () => ({
      ...NO_WATCHES,
      watches: { active: 20, paused: 2 },
      due: 4,
      queueAge: 12.5,
      deliveries: { due: 3, dueAge: 7, failing: 2 },
      channels: { working: 5, failing: 1, off: 1 },
      incidents: { gap: 6, unseen: 1, signal: 2 },
    }),
    retention: {
      succeededAt: new Date(1_800_000_000_000),
      failed: 1,
      months: 2,
      rows: new Map([['audits', 30]]),
    },
    ...change,
  })
  return { ...metrics, scrape: async () => readScrape(await metrics.text()) }
}

test('every figure stands where it belongs', async () => {
  const { scrape } = metricsOf()
  const own = [...(await scrape())].filter(([series]) => series.startsWith('aisle_'))
  expect(Object.fromEntries(own)).toEqual({
    'aisle_ingest_events_total{outcome="accepted"}': 4,
    'aisle_ingest_events_total{outcome="duplicate"}': 3,
    'aisle_ingest_events_total{outcome="rejected"}': 2,
    'aisle_ingest_events_total{outcome="shed"}': 1,
    'aisle_ingest_batches_total{result="stored"}': 5,
    'aisle_ingest_batches_total{result="failed"}': 1,
    aisle_ingest_batch_seconds_total: 0.25,
    aisle_ingest_queue_events: 17,
    aisle_ingest_queue_events_limit: 20_000,
    aisle_ingest_queue_bytes: 17_000,
    aisle_ingest_queue_bytes_limit: 33_554_432,
    'aisle_beacons_total{outcome="over_address"}': 0,
    'aisle_beacons_total{outcome="over_network"}': 6,
    'aisle_beacons_total{outcome="over_property"}': 0,
    'aisle_audits_under_way{caller="key"}': 6,
    'aisle_audits_under_way{caller="stranger"}': 1,
    'aisle_audits_under_way{caller="watch"}': 0,
    'aisle_audits_waiting{caller="key"}': 2,
    'aisle_audits_waiting{caller="stranger"}': 0,
    'aisle_audits_waiting{caller="watch"}': 0,
    'aisle_audits_places{caller="key"}': 8,
    'aisle_audits_places{caller="stranger"}': 4,
    'aisle_audits_places{caller="watch"}': 4,
    aisle_judging_workers: 2,
    aisle_judging_workers_limit: 4,
    aisle_judging_tasks_waiting: 3,
    'aisle_judging_tasks_total{result="done"}': 0,
    'aisle_judging_tasks_total{result="time"}': 0,
    'aisle_judging_tasks_total{result="memory"}': 1,
    'aisle_judging_tasks_total{result="starved"}': 0,
    'aisle_judging_tasks_total{result="failed"}': 0,
    aisle_walks_under_way: 3,
    aisle_walks_waiting: 5,
    aisle_walks_places: 4,
    'aisle_walks_total{outcome="ended"}': 0,
    'aisle_walks_total{outcome="cancelled"}': 0,
    'aisle_walks_total{outcome="stopped"}': 0,
    'aisle_walks_total{outcome="failed"}': 0,
    aisle_walk_sessions_left_open: 2,
    aisle_database_up: 1,
    aisle_database_pool_in_use: 10,
    aisle_database_pool_waiting: 7,
    aisle_database_pool_limit: 10,
    aisle_database_nodes_reached: 2,
    aisle_schema_migrations_applied: 9,
    aisle_schema_migrations_known: 8,
    aisle_schema_fits: 1,
    'aisle_watches{state="active"}': 20,
    'aisle_watches{state="paused"}': 2,
    aisle_watch_looks_due: 4,
    aisle_watch_queue_age_seconds: 12.5,
    aisle_watch_looks_under_way: 1,
    aisle_watch_looks_places: 4,
    'aisle_watch_looks_total{outcome="seen"}': 0,
    'aisle_watch_looks_total{outcome="unseen"}': 0,
    'aisle_watch_looks_total{outcome="failed"}': 0,
    'aisle_watch_looks_total{outcome="lost"}': 0,
    aisle_watch_looks_late_total: 3,
    aisle_watch_periods_missed_total: 1,
    aisle_watch_digests_overdue_seconds: 0,
    'aisle_watch_deliveries{state="due"}': 3,
    'aisle_watch_deliveries{state="failing"}': 2,
    aisle_watch_deliveries_overdue_seconds: 7,
    'aisle_watch_channels{state="working"}': 5,
    'aisle_watch_channels{state="failing"}': 1,
    'aisle_watch_channels{state="off"}': 1,
    'aisle_incidents_open{kind="gap"}': 6,
    'aisle_incidents_open{kind="unseen"}': 1,
    'aisle_incidents_open{kind="signal"}': 2,
    aisle_retention_last_success_timestamp_seconds: 1_800_000_000,
    aisle_retention_failures_total: 1,
    'aisle_retention_rows_total{table="audits"}': 30,
    aisle_retention_months_total: 2,
  })
})

test('figures of another moment are read anew', async () => {
  const load = { items: 1, bytes: 1 }
  const ingest = {
    counts: { received: 1, accepted: 1, duplicate: 0, rejected: 0, shed: 0 },
    batches: { stored: 1, failed: 0, seconds: 1 },
    load: () => load,
  }
  const { scrape } = metricsOf({ ingest, retention: noRetentionYet() })
  expect((await scrape()).get('aisle_retention_last_success_timestamp_seconds')).toBe(0)
  load.items = 5
  ingest.counts.accepted = 3
  const now = await scrape()
  expect(now.get('aisle_ingest_queue_events')).toBe(5)
  expect(now.get('aisle_ingest_events_total{outcome="accepted"}')).toBe(3)
})

test.each([
  ['fails', () => Promise.reject(new Error('gone'))],
  ['is silent', () => new Promise<never>(() => {})],
])('metrics come without a database that %s, and say so', async (_, readSchema) => {
  let asked = 0
  const { scrape } = metricsOf({
    readSchema: () => {
      asked += 1
      return readSchema()
    },
  })
  const [one, other] = await Promise.all([scrape(), scrape()])
  expect(asked).toBe(1)
  for (const all of [one, other]) {
    expect(all.get('aisle_database_up')).toBe(0)
    expect([...all.keys()].filter((name) => name.startsWith('aisle_schema'))).toEqual([])
    expect(all.get('aisle_ingest_queue_events')).toBe(17)
  }
})

test('while the database has not said what is watched it is not asked again, and the rest is there', async () => {
  let asked = 0
  let answer = (_: WatchFigures) => {}
  const { scrape } = metricsOf({
    readWatches: () => {
      asked += 1
      return new Promise((resolve) => {
        answer = resolve
      })
    },
  })
  const first = await scrape()
  expect(first.has('aisle_watch_looks_due')).toBe(false)
  expect(first.get('aisle_schema_fits')).toBe(1)
  const second = scrape()
  answer({ ...NO_WATCHES, due: 9 })
  expect((await second).get('aisle_watch_looks_due')).toBe(9)
  expect(asked).toBe(1)
})

test('a database ahead of this release fits, one behind it does not', async () => {
  const { app, sql } = await testApp({ metricsToken: 'a-token-of-the-operator' })
  const scrape = async () => {
    const headers = { Authorization: 'Bearer a-token-of-the-operator' }
    return readScrape(await (await app.request('/metrics', { headers })).text())
  }
  const fits = (all: Awaited<ReturnType<typeof scrape>>) => all.get('aisle_schema_fits')
  const first = await scrape()
  const known = first.get('aisle_schema_migrations_known') ?? 0
  expect(known).toBeGreaterThan(0)
  expect([fits(first), first.get('aisle_schema_migrations_applied')]).toEqual([1, known])
  await sql`insert into drizzle.aisle_migrations (hash, created_at, tag) values ('', 9000000000000, '9000_later')`
  const ahead = await scrape()
  expect([fits(ahead), ahead.get('aisle_schema_migrations_applied')]).toEqual([1, known + 1])
  await sql`delete from drizzle.aisle_migrations where id = (select min(id) from drizzle.aisle_migrations)`
  expect(fits(await scrape())).toBe(0)
})

test('requests are counted by the pattern of their route and not by what was sent', async () => {
  const { app, ask, post } = await testApp({ metricsToken: 'a-token-of-the-operator' })
  await post({ domain: 'one.example' })
  await post({ domain: 'two.example' })
  await post({ domain: 'no domain' })
  await app.request('/gaps/catalog_empty')
  await app.request('/gaps/none_such')
  for (let n = 0; n < 20; n += 1) await app.request(`/nothing/${n}`)
  await app.request('/livez', { method: 'POST' })
  await app.request('/livez', { method: 'PROPFIND' })
  await ask('/api/report', { body: '{' })
  await ask('/api/report', { key: null, body: '{' })
  await app.request('/sessions?id=none', { method: 'POST' })
  const headers = { Authorization: 'Bearer a-token-of-the-operator' }
  const all = readScrape(await (await app.request('/metrics', { headers })).text())
  const counts = [...all].filter(([series]) =>
    /^aisle_(http_request_seconds_count|refusals_total|beacons_total)/.test(series),
  )
  expect(Object.fromEntries(counts)).toEqual({
    'aisle_http_request_seconds_count{method="POST",route="/api/audit",status="2xx"}': 2,
    'aisle_http_request_seconds_count{method="POST",route="/api/audit",status="4xx"}': 1,
    'aisle_http_request_seconds_count{method="GET",route="/gaps/:id",status="2xx"}': 1,
    'aisle_http_request_seconds_count{method="GET",route="/gaps/:id",status="4xx"}': 1,
    'aisle_http_request_seconds_count{method="GET",route="none",status="4xx"}': 20,
    'aisle_http_request_seconds_count{method="POST",route="none",status="4xx"}': 1,
    'aisle_http_request_seconds_count{method="other",route="none",status="4xx"}': 1,
    'aisle_http_request_seconds_count{method="POST",route="/api/report",status="4xx"}': 2,
    'aisle_http_request_seconds_count{method="POST",route="/sessions",status="4xx"}': 1,
    'aisle_refusals_total{code="invalid_request"}': 1,
    'aisle_refusals_total{code="not_found"}': 21,
    'aisle_refusals_total{code="method_not_allowed"}': 2,
    'aisle_refusals_total{code="malformed_json"}': 1,
    'aisle_refusals_total{code="missing_key"}': 1,
    'aisle_refusals_total{code="unknown_property"}': 1,
    'aisle_beacons_total{outcome="over_address"}': 0,
    'aisle_beacons_total{outcome="over_network"}': 0,
    'aisle_beacons_total{outcome="over_property"}': 0,
    'aisle_beacons_total{outcome="unknown_property"}': 1,
  })
})
