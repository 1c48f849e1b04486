import { and, asc, eq, gte, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { type ProtocolSource, REPORTED_AS } from '../db/statuses.ts'
import { orders, refunds } from '../db/tables.ts'
import { domainOfHost } from '../http/store-request.ts'

/**
 * `ai_order_refunded` as the store sends it: with the session under which its order was reported.
 */
export interface RefundEvent {
  event: 'ai_order_refunded'
  domain: string
  session_id: string
  source: ProtocolSource
  /** `value` in the smallest unit of `currency`. */
  properties: { refund_id: string; value: number; currency: string }
  timestamp: string
}

export interface RefundReporting {
  db: Db
  /** Returns immediately, and never throws. */
  report: (event: RefundEvent) => void
}

/** At most a quarter of what may wait to be reported: orders may be half of it. */
const MOST = 250

/** Reports a refund that the PSP has made. */
export async function reportRefund(deps: RefundReporting, id: string): Promise<void> {
  await reportThose(deps, eq(refunds.id, id))
}

/**
 * Reports again what the PSP has made since then, the oldest 250 of it: what waits in memory to be
 * reported is lost when a store dies, and the hosted API counts each refund once. Returns the
 * moment to go on from; null: there is no more.
 */
export const reportRefundsSince = (deps: RefundReporting, since: Date): Promise<Date | null> =>
  reportThose(deps, gte(refunds.settled_at, since))

async function reportThose({ db, report }: RefundReporting, those: SQL): Promise<Date | null> {
  const rows = await db
    .select({
      id: refunds.id,
      amount: refunds.amount,
      currency: refunds.currency,
      at: refunds.settled_at,
      host: orders.host,
      session_id: orders.session_id,
      protocol: orders.protocol,
    })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.order_id))
    .where(and(eq(refunds.status, 'succeeded'), those))
    .orderBy(asc(refunds.settled_at))
    .limit(MOST)
  for (const { id, amount, currency, at, host, session_id, protocol } of rows) {
    if (at === null) continue
    report({
      event: 'ai_order_refunded',
      domain: domainOfHost(host),
      session_id,
      source: REPORTED_AS[protocol],
      properties: { refund_id: id, value: amount, currency },
      // When the refund was made, so that a repeat is the same to the letter.
      timestamp: at.toISOString(),
    })
  }
  return rows.length < MOST ? null : (rows.at(-1)?.at ?? null)
}
