import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, Registry } from 'prom-client'
import { INGEST_LIMITS, type Ingest } from '../attribution/ingest/ingest.ts'
import type { EngineLoad } from '../audit/engine.ts'
import type { SlotLoad } from '../audit/slots.ts'
import type { WalksLoad } from '../audit/walk/jobs.ts'
import type { PoolLoad } from '../db/connection/pool.ts'
import type { RetentionFigures } from '../db/retention/retention.ts'
import type { MigrationState } from '../db/schema/state.ts'
import type { WatchFigures } from '../db/watch/figures.ts'
import type { LogSums } from '../http/log-sums.ts'
import type { MetricsText } from '../metrics/port.ts'
import { type CountAnswer, countAnswersIn } from '../metrics/requests.ts'
import { type Samples, samplesIn } from '../metrics/samples.ts'
import type { WatchesLoad } from '../watch/scheduler.ts'

/** The sources of the figures. */
export interface MetricsSources {
  ingest: Pick<Ingest, 'counts' | 'batches' | 'load'>
  sums: Pick<LogSums, 'totals'>
  engine: () => EngineLoad
  walks: () => WalksLoad
  pool: () => PoolLoad
  /** Nodes of a cluster that batches of events go to directly. */
  reachedNodes: () => number
  /** The checks of watches in this process. */
  looks: () => WatchesLoad
  readSchema: () => Promise<MigrationState>
  readWatches: () => Promise<WatchFigures>
  retention: RetentionFigures
}

/** A silent database must not silence the metrics. */
const DATABASE_MS = 2000

/** They exist from the start: a series that appears later shows no growth when it does. */
const SET_ASIDE = ['over_address', 'over_network', 'over_property']

/**
 * The metrics of this process, to be summed over replicas. Callers cannot choose a label's value,
 * so there are few series. Figures are read from their source at each scrape.
 */
export function createServiceMetrics({
  ingest,
  sums,
  engine,
  walks,
  pool,
  reachedNodes,
  looks,
  readSchema,
  readWatches,
  retention,
}: MetricsSources): MetricsText & { countAnswer: CountAnswer; registry: Registry } {
  const registry = new Registry()
  const { gauge, counter } = samplesIn(registry)
  const refusals = new Counter({
    name: 'aisle_refusals_total',
    help: 'Answers that are an error, by its code: rate limits, overload, invalid requests.',
    labelNames: ['code'],
    registers: [registry],
  })

  counter(
    'aisle_ingest_events_total',
    'Events by what became of them; shed ones were answered 503 or 500.',
    () => {
      const { accepted, duplicate, rejected, shed } = ingest.counts
      return by('outcome', { accepted, duplicate, rejected, shed })
    },
    'outcome',
  )
  counter(
    'aisle_ingest_batches_total',
    'Batches of events: each is one commit.',
    () => by('result', { stored: ingest.batches.stored, failed: ingest.batches.failed }),
    'result',
  )
  counter(
    'aisle_ingest_batch_seconds_total',
    'How long batches took in all.',
    () => ingest.batches.seconds,
  )
  gauge('aisle_ingest_queue_events', 'Events that wait for a batch.', () => ingest.load().items)
  gauge(
    'aisle_ingest_queue_events_limit',
    'How many may wait before senders get 503.',
    () => INGEST_LIMITS.items,
  )
  gauge(
    'aisle_ingest_queue_bytes',
    'Memory of events until their batch is done.',
    () => ingest.load().bytes,
  )
  gauge(
    'aisle_ingest_queue_bytes_limit',
    'How much of it may be held before senders get 503.',
    () => INGEST_LIMITS.bytes,
  )
  counter(
    'aisle_beacons_total',
    'Requests to /sessions by outcome; over_… were set aside.',
    () => {
      const counts = Object.fromEntries(SET_ASIDE.map((outcome) => [outcome, 0]))
      return by('outcome', { ...counts, ...Object.fromEntries(sums.totals) })
    },
    'outcome',
  )

  const slots = (what: keyof SlotLoad) => () => {
    const { key, stranger, watch } = engine().slots
    return by('caller', { key: key[what], stranger: stranger[what], watch: watch[what] })
  }
  gauge(
    'aisle_audits_under_way',
    'Audits, validations and pages that are being read, by whether the caller has a key.',
    slots('running'),
    'caller',
  )
  gauge('aisle_audits_waiting', 'Those that wait for a slot.', slots('waiting'), 'caller')
  gauge('aisle_audits_places', 'How many may be under way.', slots('slots'), 'caller')
  gauge('aisle_judging_workers', 'Judging workers alive.', () => engine().judges.workers)
  gauge('aisle_judging_workers_limit', 'The most of them.', () => engine().judges.most)
  gauge(
    'aisle_judging_tasks_waiting',
    'Tasks that wait for a judging worker.',
    () => engine().judges.waiting,
  )
  counter(
    'aisle_judging_tasks_total',
    'Judging tasks that were done, or given up for their time or memory, because they failed, or because our machine was too busy.',
    () => by('result', engine().judges.tasks),
    'result',
  )

  gauge('aisle_walks_under_way', 'Walks through stores that are under way.', () => walks().running)
  gauge('aisle_walks_waiting', 'Walks that wait for a slot.', () => walks().waiting)
  gauge('aisle_walks_places', 'How many may be under way.', () => walks().slots)
  counter(
    'aisle_walks_total',
    'Walks that are over: ended by themselves, cancelled, stopped for time, size or a restart, failed on our side.',
    () => by('outcome', walks().outcomes),
    'outcome',
  )
  gauge(
    'aisle_walk_sessions_left_open',
    'Sessions in stores that dead walks left open, at the last sweep of this process.',
    () => walks().leftOpen,
  )

  let schema: MigrationState | null = null
  gauge('aisle_database_up', 'Whether the database answers in time.', () => (schema ? 1 : 0))
  gauge('aisle_database_pool_in_use', 'Connections in use.', () => pool().inUse)
  gauge('aisle_database_pool_waiting', 'Work that waits for a connection.', () => pool().waiting)
  gauge('aisle_database_pool_limit', 'The most connections.', () => pool().max)
  gauge(
    'aisle_database_nodes_reached',
    'Nodes of a Citus cluster that batches of events go to directly, not through the coordinator.',
    reachedNodes,
  )
  gauge('aisle_schema_migrations_applied', 'Migrations that the database has.', () =>
    schema ? schema.applied.length + schema.unknown.length : [],
  )
  gauge('aisle_schema_migrations_known', 'Migrations that this release knows.', () =>
    schema ? schema.applied.length + schema.pending.length : [],
  )
  gauge('aisle_schema_fits', 'Whether the database has all that this release needs.', () =>
    schema ? Number(schema.fault === null) : [],
  )

  let watches: WatchFigures | null = null
  const shared = (read: (figures: WatchFigures) => Samples) => () => (watches ? read(watches) : [])
  gauge(
    'aisle_watches',
    'Watched domains, the same on all replicas.',
    shared((figures) => by('state', figures.watches)),
    'state',
  )
  gauge(
    'aisle_watch_looks_due',
    'Audits of watches that are due and that no replica has begun, the same on all replicas.',
    shared(({ due }) => due),
  )
  gauge(
    'aisle_watch_queue_age_seconds',
    'How long the oldest of them has been due.',
    shared(({ queueAge }) => queueAge),
  )
  gauge(
    'aisle_watch_looks_under_way',
    'Audits of watches that are under way.',
    () => looks().running,
  )
  gauge('aisle_watch_looks_places', 'How many may be under way.', () => looks().slots)
  counter(
    'aisle_watch_looks_total',
    'Audits of watches by how they ended; lost ones were taken over by another replica.',
    () => by('outcome', looks().ends),
    'outcome',
  )
  counter(
    'aisle_watch_looks_late_total',
    'Audits of watches that began after a tenth of their period.',
    () => looks().late,
  )
  counter(
    'aisle_watch_periods_missed_total',
    'Audits of watches that began only after their period.',
    () => looks().missed,
  )
  gauge(
    'aisle_watch_digests_overdue_seconds',
    'How long the oldest digest has been due, the same on all replicas.',
    shared(({ digestAge }) => digestAge),
  )
  gauge(
    'aisle_watch_deliveries',
    'Notices on their way, the same on all replicas: due now, or failing and to be tried again.',
    shared(({ deliveries: { due, failing } }) => by('state', { due, failing })),
    'state',
  )
  gauge(
    'aisle_watch_deliveries_overdue_seconds',
    'How long the oldest of those that are due has waited.',
    shared(({ deliveries }) => deliveries.dueAge),
  )
  gauge(
    'aisle_watch_channels',
    'Where notices go, the same on all replicas: off are those that were switched off.',
    shared(({ channels }) => by('state', channels)),
    'state',
  )
  gauge(
    'aisle_incidents_open',
    'Open incidents of watched domains, the same on all replicas.',
    shared(({ incidents }) => by('kind', incidents)),
    'kind',
  )

  gauge(
    'aisle_retention_last_success_timestamp_seconds',
    'When a run of retention last ended without a failure; 0 before the first.',
    () => (retention.succeededAt?.getTime() ?? 0) / 1000,
  )
  counter('aisle_retention_failures_total', 'Steps of it that failed.', () => retention.failed)
  counter(
    'aisle_retention_rows_total',
    'Rows that it deleted.',
    () => by('table', Object.fromEntries(retention.rows)),
    'table',
  )
  counter(
    'aisle_retention_months_total',
    'Months of events that it dropped.',
    () => retention.months,
  )

  let asking: Promise<void> | null = null
  let reading: Promise<WatchFigures> | null = null
  /** Waits for an earlier query: a slow database gets no more work. */
  const readOnce = () => {
    reading ??= readWatches().finally(() => {
      reading = null
    })
    return reading
  }
  async function askDatabase() {
    const late = sleep(DATABASE_MS, null, { ref: false })
    const inTime = <T>(read: Promise<T>) => Promise.race([read.catch(() => null), late])
    ;[schema, watches] = await Promise.all([inTime(readSchema()), inTime(readOnce())])
  }
  return {
    registry,
    countAnswer: countAnswersIn(registry, 'aisle', refusals),
    contentType: registry.contentType,
    async text() {
      // One query for all concurrent scrapes.
      asking ??= askDatabase().finally(() => {
        asking = null
      })
      await asking
      return registry.metrics()
    },
  }
}

/** A sample for each name, which is the value of one label. */
const by = (label: string, values: Record<string, number>) =>
  Object.entries(values).map(([name, value]) => [{ [label]: name }, value] as const)
