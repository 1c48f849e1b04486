import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AisleResult } from '../../../aisle-node/index.d.ts'
import type { Db } from '../../db/connect.ts'
import type { MetricsText } from '../../metrics/port.ts'
import { type CountAnswer, countAnswersIn } from '../../metrics/requests.ts'
import { ORDER_STATUSES, PROTOCOLS } from '../db/statuses.ts'
import { type Figures, readFigures } from './figures.ts'

const SESSION_STATES = ['open', 'completed', 'expired', 'canceled']
/** The results of a complete or confirm. */
const COMPLETION_STATUSES = ['200', '202', '402', '404', '409', '410', '422', '429', '500', '503']

/** A slow database must not block the metrics. */
const DATABASE_MS = 2000

export interface Metrics extends MetricsText {
  /** The full duration of a complete or confirm, and its final HTTP status. */
  observeCompletion(seconds: number, status: number): void
  countReport(result: AisleResult): void
  countAnswer: CountAnswer
  registry: Registry
}

/**
 * The spec's operational figures. Those that replicas share are read from the database at each
 * scrape, and are the same on all; the others are this process's own and have to be summed.
 */
export function createMetrics({ db, now }: { db: Db; now: () => Date }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const gauge = <T extends string>(name: string, help: string, ...labelNames: T[]) =>
    new Gauge({ name: `aisle_store_${name}`, help, labelNames, registers })

  const databaseUp = gauge('database_up', 'Whether the database answers in time.')
  const sessions = gauge(
    'sessions',
    'Checkout sessions that expired in the last 24 hours or are open.',
    'protocol',
    'state',
  )
  const declines = gauge('declines', 'Declined payments in those sessions.', 'protocol')
  const orders = gauge('orders', 'Orders of those sessions.', 'protocol', 'status')
  const deliveries = gauge('webhook_deliveries', 'Webhook deliveries of the last 7 days.', 'state')
  const disabled = gauge('webhook_endpoints_disabled', 'Webhook endpoints that were disabled.')
  const reviews = gauge('payment_reviews_open', 'Payments that a person must look at.')
  const overdue = gauge('webhook_overdue_seconds', 'How long the oldest due delivery has waited.')
  const completion = new Histogram({
    name: 'aisle_store_completion_seconds',
    help: 'Time from a complete or confirm until it ended, by the HTTP status that it ended with.',
    labelNames: ['status'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 30, 60],
    registers,
  })
  const reports = new Counter({
    name: 'aisle_store_reports_total',
    help: 'Attribution events by result.',
    labelNames: ['result'],
    registers,
  })
  for (const result of ['sent', 'refused', 'dropped'] as const) reports.inc({ result }, 0)

  // A missing series makes a ratio empty, and an alert silent: all exist from the start.
  for (const status of COMPLETION_STATUSES) completion.zero({ status })
  const perDatabase = [sessions, declines, orders, deliveries, disabled, overdue, reviews]
  const clear = () => {
    for (const each of perDatabase) each.reset()
    // Without labels a reset leaves a zero, which would be a figure.
    for (const each of [disabled, overdue, reviews]) each.remove()
  }
  const zero = () => {
    for (const protocol of PROTOCOLS) {
      declines.set({ protocol }, 0)
      for (const state of SESSION_STATES) sessions.set({ protocol, state }, 0)
      for (const status of ORDER_STATUSES) orders.set({ protocol, status }, 0)
    }
  }

  function show(figures: Figures) {
    zero()
    for (const { protocol, ...states } of figures.sessions) {
      for (const [state, count] of Object.entries(states)) sessions.set({ protocol, state }, count)
    }
    for (const { count, ...labels } of figures.declines) declines.set(labels, count)
    for (const { count, ...labels } of figures.orders) orders.set(labels, count)
    for (const [state, count] of Object.entries(figures.deliveries)) {
      deliveries.set({ state }, count)
    }
    disabled.set(figures.disabledEndpoints)
    overdue.set(figures.overdueSeconds)
    reviews.set(figures.openReviews)
  }

  let reading: Promise<void> | null = null
  async function read() {
    const late = sleep(DATABASE_MS, null, { ref: false })
    const figures = await Promise.race([readFigures(db, now()).catch(() => null), late])
    databaseUp.set(figures === null ? 0 : 1)
    clear()
    if (figures !== null) show(figures)
  }

  return {
    registry,
    contentType: registry.contentType,
    countAnswer: countAnswersIn(registry, 'aisle_store'),
    observeCompletion(seconds, status) {
      completion.observe({ status: String(status) }, seconds)
    },
    countReport(result) {
      reports.inc({ result })
    },
    async text() {
      // Scrapes during a query share its result.
      reading ??= read().finally(() => {
        reading = null
      })
      await reading
      return registry.metrics()
    },
  }
}
