import {
  and,
  asc,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
} from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { isFree } from '../../db/leases/rows.ts'
import { changeOfTry } from '../../jobs/outbox.ts'
import { type DeliveryOutcome, judgeReceiver } from '../../jobs/schedule.ts'
import { type Tx, type WebhookFormat, webhook_deliveries, webhook_endpoints } from '../db/tables.ts'
import { disableEndpoint, type WebhookEndpointRow } from './endpoints.ts'

export type Delivery = typeof webhook_deliveries.$inferSelect

/** Simultaneous deliveries to one endpoint. */
const BATCH = 4

const LISTED = 100

/**
 * Deliveries that can be made now. One of an order waits until those before it are delivered or
 * dropped, so that a receiver never takes an old state for the newest.
 */
export function isDue(db: Db | Tx, now: Date) {
  const { id, endpoint_id, order_id, place, next_at } = webhook_deliveries
  // Read once, for any number of waiting rows: a receiver that is down for a day has many.
  const firsts = db
    .selectDistinctOn([endpoint_id, order_id], { id })
    .from(webhook_deliveries)
    .where(and(isNotNull(order_id), isNotNull(next_at)))
    .orderBy(endpoint_id, order_id, place)
  return and(
    lte(next_at, now),
    isFree(webhook_deliveries, now),
    or(isNull(order_id), inArray(id, firsts)),
  )
}

/** Endpoints that something is due for. */
export async function dueEndpoints(db: Db, now: Date): Promise<WebhookEndpointRow[]> {
  const due = db
    .select({ one: sql`1` })
    .from(webhook_deliveries)
    .where(and(eq(webhook_deliveries.endpoint_id, webhook_endpoints.id), isDue(db, now)))
  return db
    .select()
    .from(webhook_endpoints)
    .where(and(isNull(webhook_endpoints.disabled_at), exists(due)))
}

/**
 * Leases the due deliveries of an endpoint. Other replicas skip them until the lease is over,
 * without waiting; after a crash they are simply due again.
 */
export function claimDue(
  db: Db,
  endpointId: string,
  { now, until }: { now: Date; until: Date },
): Promise<Delivery[]> {
  const { id, endpoint_id, next_at } = webhook_deliveries
  const due = db
    .select({ id })
    .from(webhook_deliveries)
    .where(and(eq(endpoint_id, endpointId), isDue(db, now)))
    .orderBy(asc(next_at))
    .limit(BATCH)
    .for('update', { skipLocked: true })
  // As an array it is read once: Postgres may read a list of `in` anew for each row, and each time
  // the next ones are taken, beyond the limit.
  return db
    .update(webhook_deliveries)
    .set({ leased_until: until })
    .where(sql`${id} = any(array(${due}))`)
    .returning()
}

/**
 * Records the result of an attempt. If two processes attempted the same delivery, the first record
 * counts. The endpoint is locked first, because disabling it also ends its other deliveries.
 */
export async function recordAttempt(
  db: Db,
  delivery: Delivery,
  verdict: DeliveryOutcome,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [endpoint] = await tx
      .select()
      .from(webhook_endpoints)
      .where(eq(webhook_endpoints.id, delivery.endpoint_id))
      .for('update')
    const noted = await tx
      .update(webhook_deliveries)
      .set(changeOfTry(delivery, verdict, now))
      .where(
        and(
          eq(webhook_deliveries.id, delivery.id),
          eq(webhook_deliveries.attempts, delivery.attempts),
          isNull(webhook_deliveries.delivered_at),
        ),
      )
      .returning({ id: webhook_deliveries.id })
    if (endpoint !== undefined && noted.length > 0) {
      const waited_since = delivery.created_at
      await judgeEndpoint(tx, endpoint, verdict, { now, waited_since })
    }
  })
}

/**
 * A success resets the failures of an endpoint; one that is gone, or fails for days, is disabled. A
 * platform's is not, because its next order may name an address that works: only the delivery is
 * dropped.
 */
async function judgeEndpoint(
  tx: Tx,
  endpoint: WebhookEndpointRow,
  verdict: DeliveryOutcome,
  when: { now: Date; waited_since: Date },
) {
  if (verdict.is === 'unsent') return
  const { failing_since, isOver } = judgeReceiver(endpoint.failing_since, verdict, when)
  await tx
    .update(webhook_endpoints)
    .set({ failing_since })
    .where(eq(webhook_endpoints.id, endpoint.id))
  if ((isOver && endpoint.format !== 'ucp') || endpoint.disabled_at !== null)
    await disableEndpoint(tx, endpoint.id, when.now)
}

/** A delivery as the merchant sees it, with its target; null if the receiver no longer exists. */
type ListedDelivery = Omit<Delivery, 'payload' | 'place' | 'leased_until'> & {
  url: string | null
  format: WebhookFormat | null
}

/** The newest deliveries, without their payloads. */
export async function listDeliveries(db: Db): Promise<ListedDelivery[]> {
  const { payload: _, leased_until: __, place, ...columns } = getTableColumns(webhook_deliveries)
  const { id, url, format } = webhook_endpoints
  return db
    .select({ ...columns, url, format })
    .from(webhook_deliveries)
    .leftJoin(webhook_endpoints, eq(id, webhook_deliveries.endpoint_id))
    .orderBy(desc(webhook_deliveries.created_at), desc(place), asc(webhook_deliveries.id))
    .limit(LISTED)
}

/**
 * Sends a delivery once more, under its old id, with a new schedule. `superseded`: a later one of
 * its order has arrived, so the receiver would take this old state for the newest.
 */
export async function redeliver(
  db: Db,
  id: string,
  now: Date,
): Promise<'queued' | 'not_found' | 'endpoint_disabled' | 'superseded'> {
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({
        ...getTableColumns(webhook_deliveries),
        disabled_at: webhook_endpoints.disabled_at,
      })
      .from(webhook_deliveries)
      .innerJoin(webhook_endpoints, eq(webhook_endpoints.id, webhook_deliveries.endpoint_id))
      .where(eq(webhook_deliveries.id, id))
    if (found === undefined) return 'not_found'
    if (found.disabled_at !== null) return 'endpoint_disabled'
    if (await isSuperseded(tx, found)) return 'superseded'
    await tx
      .update(webhook_deliveries)
      .set({ attempts: 0, next_at: now, delivered_at: null, last_status: null, last_error: null })
      .where(eq(webhook_deliveries.id, id))
    return 'queued'
  })
}

async function isSuperseded(tx: Tx, { endpoint_id, order_id, place }: Delivery): Promise<boolean> {
  if (order_id === null || place === null) return false
  const arrived = and(
    eq(webhook_deliveries.endpoint_id, endpoint_id),
    eq(webhook_deliveries.order_id, order_id),
    gt(webhook_deliveries.place, place),
    isNotNull(webhook_deliveries.delivered_at),
  )
  return (await tx.$count(webhook_deliveries, arrived)) > 0
}
