import { expect, test } from 'vitest'
import { askPromtool, testWithPromtool } from '../metrics/testing/promtool.ts'
import { type Input, playAlerts, readRules, SERVICE_RULES } from '../metrics/testing/rules.ts'

const RULES = readRules(SERVICE_RULES)

/** An idle replica, for five hours. */
const HEALTHY: Input = {
  'up{job="aisle",instance="a"}': '1x300',
  'process_start_time_seconds{job="aisle",instance="a"}': '7x300',
  'process_resident_memory_bytes{job="aisle",instance="a"}': '150000000x300',
  'nodejs_eventloop_lag_p99_seconds{job="aisle",instance="a"}': '0.021x300',
  aisle_database_up: '1x300',
  aisle_schema_fits: '1x300',
  aisle_database_pool_waiting: '0x300',
  'aisle_http_request_seconds_count{route="/api/report",status="2xx"}': '0+600x300',
  'aisle_http_request_seconds_count{route="/api/report",status="5xx"}': '0x300',
  'aisle_http_request_seconds_bucket{route="/api/report",le="0.1"}': '0+600x300',
  'aisle_http_request_seconds_bucket{route="/api/report",le="+Inf"}': '0+600x300',
  aisle_ingest_queue_events: '40x300',
  aisle_ingest_queue_events_limit: '20000x300',
  aisle_ingest_queue_bytes: '40000x300',
  aisle_ingest_queue_bytes_limit: '33554432x300',
  'aisle_ingest_events_total{outcome="accepted"}': '0+600x300',
  'aisle_ingest_events_total{outcome="rejected"}': '0+6x300',
  'aisle_ingest_events_total{outcome="shed"}': '0x300',
  'aisle_ingest_batches_total{result="stored"}': '0+60x300',
  'aisle_ingest_batches_total{result="failed"}': '0x300',
  'aisle_beacons_total{outcome="recorded"}': '0+60x300',
  'aisle_beacons_total{outcome="over_address"}': '0+1x300',
  'aisle_audits_waiting{caller="key"}': '0x300',
  'aisle_audits_waiting{caller="stranger"}': '0x300',
  'aisle_walk_sessions_left_open{instance="a"}': '0x300',
  'aisle_watch_queue_age_seconds{instance="a"}': '2x300',
  'aisle_watch_looks_due{instance="a"}': '1x300',
  'aisle_watch_looks_total{outcome="seen",instance="a"}': '0+60x300',
  'aisle_watch_looks_total{outcome="failed",instance="a"}': '0x300',
  'aisle_watch_deliveries_overdue_seconds{instance="a"}': '1x300',
  'aisle_watch_channels{state="working",instance="a"}': '20x300',
  'aisle_watch_channels{state="failing",instance="a"}': '1x300',
  'aisle_watch_digests_overdue_seconds{instance="a"}': '0x300',
  'aisle_judging_tasks_total{result="done"}': '0+60x300',
  'aisle_judging_tasks_total{result="time"}': '0+1x300',
  aisle_retention_last_success_timestamp_seconds: '60x60 3660x60 7260x60 10860x60 14460x60',
}

/** What differs from the healthy replica when an alert fires, and when it just does not. */
interface Around {
  fires: Input
  silent: Input
  minutes?: number
}

const without = (...names: string[]): Input =>
  Object.fromEntries(
    Object.keys(HEALTHY)
      .filter((series) => names.some((name) => series.startsWith(name)))
      .map((series) => [series, '']),
  )

const ALERTS: Record<string, Around> = {
  AisleDown: {
    fires: { 'up{job="aisle",instance="b"}': '1x10 0x300' },
    silent: { 'up{job="aisle",instance="b"}': '1x10 0 1x300', 'up{job="other"}': '0x300' },
    minutes: 14,
  },
  AisleAbsent: {
    fires: { ...without('up'), 'up{job="aisle-store"}': '1x300' },
    silent: { ...without('up'), 'up{job="aisle",instance="b"}': '0x300' },
  },
  AisleRestarts: {
    fires: { 'process_start_time_seconds{job="aisle",instance="b"}': '1 2 3 4 5 5x300' },
    silent: { 'process_start_time_seconds{job="aisle",instance="b"}': '1 2 3 4 4 4x300' },
    minutes: 10,
  },
  AisleDatabaseDown: {
    fires: { 'aisle_database_up{instance="b"}': '1x10 0x300' },
    silent: { 'aisle_database_up{instance="b"}': '1x10 0 1x300' },
    minutes: 14,
  },
  AisleSchemaBehind: {
    fires: { 'aisle_schema_fits{instance="b"}': '0x300' },
    silent: { 'aisle_schema_fits{instance="b"}': '0x4 1x300' },
    minutes: 8,
  },
  AislePoolExhausted: {
    fires: { 'aisle_database_pool_waiting{instance="b"}': '1x300' },
    silent: { 'aisle_database_pool_waiting{instance="b"}': '50 50 0 50 50 50 0 50 50 50 0 50 50' },
    minutes: 12,
  },
  AisleErrors: {
    fires: { 'aisle_http_request_seconds_count{route="/api/report",status="5xx"}': '0+15x300' },
    silent: {
      'aisle_http_request_seconds_count{route="/api/report",status="5xx"}': '0+10x300',
      'aisle_http_request_seconds_count{route="/readyz",status="5xx"}': '0+600x300',
    },
  },
  AisleSlow: {
    fires: {
      'aisle_http_request_seconds_bucket{route="/api/report",le="2.5"}': '0+660x300',
      'aisle_http_request_seconds_bucket{route="/api/report",le="+Inf"}': '0+660x300',
    },
    silent: {
      'aisle_http_request_seconds_bucket{route="/api/audit",le="30"}': '0+600x300',
      'aisle_http_request_seconds_bucket{route="/api/audit",le="+Inf"}': '0+600x300',
    },
  },
  AisleIngestFilling: {
    fires: { aisle_ingest_queue_bytes: '20000000x300' },
    silent: { aisle_ingest_queue_events: '10000x300', aisle_ingest_queue_bytes: '16777216x300' },
  },
  AisleIngestShedding: {
    fires: { 'aisle_ingest_events_total{outcome="shed"}': '0+1x300' },
    silent: { 'aisle_ingest_events_total{outcome="shed"}': '0x50 90x300' },
  },
  AisleIngestBatchesFailing: {
    fires: { 'aisle_ingest_batches_total{result="failed"}': '0x52 20x300' },
    silent: { 'aisle_ingest_batches_total{result="failed"}': '0x52 2x300' },
  },
  AisleEventsRejected: {
    fires: { 'aisle_ingest_events_total{outcome="rejected"}': '0+200x300' },
    silent: { 'aisle_ingest_events_total{outcome="rejected"}': '0+140x300' },
    minutes: 90,
  },
  AisleBeaconsSetAside: {
    fires: { 'aisle_beacons_total{outcome="over_network"}': '0+10x300' },
    silent: { 'aisle_beacons_total{outcome="over_network"}': '0+5x300' },
    minutes: 120,
  },
  AisleAuditsWaiting: {
    fires: { 'aisle_audits_waiting{caller="key"}': '1x300' },
    silent: { 'aisle_audits_waiting{caller="key"}': '30x15 0 30x15 0 30x15 0 30x15' },
    minutes: 20,
  },
  AisleWalkSessionsLeftOpen: {
    fires: { 'aisle_walk_sessions_left_open{instance="b"}': '2x300' },
    silent: { 'aisle_walk_sessions_left_open{instance="b"}': '2x50 0 2x50 0 2x50' },
    minutes: 100,
  },
  AisleWatchQueueOld: {
    fires: { 'aisle_watch_queue_age_seconds{instance="b"}': '400x300' },
    silent: { 'aisle_watch_queue_age_seconds{instance="b"}': '400x8 2 400x8 2 400x8 2 400x300' },
    minutes: 30,
  },
  AisleNoLooks: {
    fires: {
      'aisle_watch_looks_total{outcome="seen",instance="a"}': '60x300',
      'aisle_watch_looks_total{outcome="failed",instance="a"}': '0x300',
    },
    silent: {
      'aisle_watch_looks_total{outcome="seen",instance="a"}': '60x300',
      'aisle_watch_looks_due{instance="a"}': '0x300',
    },
    minutes: 100,
  },
  AisleLooksFailing: {
    fires: { 'aisle_watch_looks_total{outcome="failed",instance="b"}': '0+10x300' },
    silent: {
      'aisle_watch_looks_total{outcome="failed",instance="b"}': '0+5x300',
      'aisle_watch_looks_total{outcome="unseen",instance="b"}': '0+500x300',
    },
    minutes: 100,
  },
  AisleWatchDeliveriesLate: {
    fires: { 'aisle_watch_deliveries_overdue_seconds{instance="b"}': '301x300' },
    silent: { 'aisle_watch_deliveries_overdue_seconds{instance="b"}': '400x4 0 400x4 0 400x4 0' },
    minutes: 14,
  },
  AisleWatchDeliveriesFailing: {
    fires: { 'aisle_watch_channels{state="failing",instance="a"}': '6x300' },
    silent: {
      'aisle_watch_channels{state="working",instance="a"}': '2x300',
      'aisle_watch_channels{state="failing",instance="a"}': '4x300',
    },
    minutes: 60,
  },
  AisleDigestsLate: {
    fires: { 'aisle_watch_digests_overdue_seconds{instance="b"}': '1801x300' },
    silent: { 'aisle_watch_digests_overdue_seconds{instance="b"}': '1801x10 0 1801x10 0x300' },
    minutes: 40,
  },
  AisleJudgingExceeded: {
    fires: { 'aisle_judging_tasks_total{result="memory"}': '0+10x300' },
    silent: { 'aisle_judging_tasks_total{result="memory"}': '0+5x300' },
    minutes: 120,
  },
  AisleRetentionLate: {
    fires: { aisle_retention_last_success_timestamp_seconds: '60x300' },
    silent: { 'aisle_retention_last_success_timestamp_seconds{instance="new"}': '0x300' },
    minutes: 220,
  },
  AisleEventLoopBlocked: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{job="aisle",instance="b"}': '0.5x300' },
    silent: {
      'nodejs_eventloop_lag_p99_seconds{job="aisle",instance="b"}': '2 0.02 2 2 0.02 2 2 0.02x300',
      'nodejs_eventloop_lag_p99_seconds{job="aisle-store"}': '0.5x300',
    },
    minutes: 10,
  },
  AisleMemoryHigh: {
    fires: { 'process_resident_memory_bytes{job="aisle",instance="b"}': '460000000x300' },
    silent: { 'process_resident_memory_bytes{job="aisle",instance="b"}': '440000000x300' },
  },
}

test('each alert has its cases, and says in words what is wrong and what to do', () => {
  expect(Object.keys(ALERTS).toSorted()).toEqual(RULES.map(({ alert }) => alert).toSorted())
  for (const { alert, text } of RULES) {
    expect(text, alert).toMatch(/^ {10}severity: (critical|warning)$/m)
    expect(text, alert).toMatch(/^ {10}summary: \S.+$/m)
    expect(text, alert).toMatch(/^ {10}description: \S.+\.$/m)
  }
})

/** An empty text removes a series of the healthy replica. */
const input = (change: Input): Input =>
  Object.fromEntries(Object.entries({ ...HEALTHY, ...change }).filter(([, values]) => values))

testWithPromtool('the rules are valid', async () => {
  expect(await askPromtool('check', 'rules', SERVICE_RULES)).toContain(
    `${RULES.length} rules found`,
  )
  const example = ['check', 'config', '--syntax-only', 'server/ops/prometheus.yml']
  expect(await askPromtool(...example)).toContain('SUCCESS')
})

testWithPromtool('each alert fires, and is silent', async () => {
  const cases = Object.entries(ALERTS).flatMap(([looked, { fires, silent, minutes = 60 }]) => [
    { name: `${looked} fires`, input: input(fires), minutes, firing: [looked], looked },
    { name: `${looked} is silent`, input: input(silent), minutes, firing: [], looked },
  ])
  await playAlerts(SERVICE_RULES, cases)
})

testWithPromtool('all are silent as long as nothing happens', async () => {
  const minutes = [1, 10, 60, 180, 290]
  await playAlerts(SERVICE_RULES, [{ name: 'healthy', input: HEALTHY, minutes, firing: [] }])
})

testWithPromtool('where nothing is known, that is said', async () => {
  const cases = [
    { name: 'no job', input: { 'up{job="other"}': '1x60' }, minutes: 30, firing: ['AisleAbsent'] },
    { name: 'down', input: { 'up{job="aisle"}': '0x60' }, minutes: 30, firing: ['AisleDown'] },
  ]
  await playAlerts(SERVICE_RULES, cases)
})
