import {
  and,
  count,
  eq,
  gt,
  isNotNull,
  isNull,
  lte,
  min,
  or,
  type SQL,
  sql,
  sum,
} from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import type { OrderStatus, Protocol } from '../db/statuses.ts'
import { orders, sessions, webhook_deliveries, webhook_endpoints } from '../db/tables.ts'
import { countOpenReviews } from '../orders/reviews.ts'
import { isDue } from '../outbox/deliveries.ts'

/** Sessions and their results count by the end of their time, over the last day. */
const SESSION_WINDOW_MS = 24 * 60 * 60_000

/** Longer than a delivery is tried. */
const DELIVERY_WINDOW_MS = 7 * SESSION_WINDOW_MS

/** Figures from the database, the same for every replica. */
export interface Figures {
  sessions: {
    protocol: Protocol
    open: number
    completed: number
    expired: number
    canceled: number
  }[]
  /** Tries that the PSP declined in those sessions. */
  declines: { protocol: Protocol; count: number }[]
  orders: { protocol: Protocol; status: OrderStatus; count: number }[]
  deliveries: { delivered: number; waiting: number; given_up: number }
  disabledEndpoints: number
  /** Payments that a person must check. */
  openReviews: number
  /** How long the most overdue delivery has been due. */
  overdueSeconds: number
}

/** Reads all figures in parallel; each query has its own snapshot of the database. */
export async function readFigures(db: Db, now: Date): Promise<Figures> {
  const [ended, placed, deliveries, disabledEndpoints, overdueSeconds, open] = await Promise.all([
    readSessions(db, now),
    readOrders(db, now),
    readDeliveries(db, now),
    db.$count(webhook_endpoints, isNotNull(webhook_endpoints.disabled_at)),
    readOverdue(db, now),
    countOpenReviews(db),
  ])
  return {
    sessions: ended.map(({ declines, ...states }) => states),
    declines: ended.map(({ protocol, declines }) => ({ protocol, count: declines })),
    orders: placed,
    deliveries,
    disabledEndpoints,
    overdueSeconds,
    openReviews: open,
  }
}

const isRecent = (now: Date) => gt(sessions.expires_at, new Date(now.getTime() - SESSION_WINDOW_MS))

/** A session whose time is over counts as expired, even before the sweeper has stored that. */
async function readSessions(db: Db, now: Date) {
  const { status, expires_at, protocol, declines } = sessions
  const isLate = and(eq(status, 'pending_confirmation'), lte(expires_at, now))
  const rows = await db
    .select({
      protocol,
      all: count(),
      completed: countWhere(eq(status, 'completed')),
      expired: countWhere(or(eq(status, 'expired'), isLate)),
      canceled: countWhere(eq(status, 'canceled')),
      declines: sum(declines).mapWith(Number),
    })
    .from(sessions)
    .where(isRecent(now))
    .groupBy(protocol)
  return rows.map(({ all, ...row }) => ({
    ...row,
    open: all - row.completed - row.expired - row.canceled,
  }))
}

const countWhere = (condition: SQL | undefined) =>
  sql<number>`count(*) filter (where ${condition})`.mapWith(Number)

const readOrders = (db: Db, now: Date) =>
  db
    .select({ protocol: sessions.protocol, status: orders.status, count: count() })
    .from(orders)
    .innerJoin(sessions, eq(sessions.id, orders.session_id))
    .where(isRecent(now))
    .groupBy(sessions.protocol, orders.status)

async function readDeliveries(db: Db, now: Date) {
  const { delivered_at, next_at, created_at } = webhook_deliveries
  const [row] = await db
    .select({
      delivered: countWhere(isNotNull(delivered_at)),
      waiting: countWhere(and(isNull(delivered_at), isNotNull(next_at))),
      given_up: countWhere(and(isNull(delivered_at), isNull(next_at))),
    })
    .from(webhook_deliveries)
    .where(gt(created_at, new Date(now.getTime() - DELIVERY_WINDOW_MS)))
  return row ?? { delivered: 0, waiting: 0, given_up: 0 }
}

async function readOverdue(db: Db, now: Date): Promise<number> {
  const [row] = await db
    .select({ since: min(webhook_deliveries.next_at) })
    .from(webhook_deliveries)
    .innerJoin(webhook_endpoints, eq(webhook_endpoints.id, webhook_deliveries.endpoint_id))
    .where(and(isNull(webhook_endpoints.disabled_at), isDue(db, now)))
  return row?.since ? (now.getTime() - row.since.getTime()) / 1000 : 0
}
