import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNull } from 'drizzle-orm'
import * as z from 'zod'
import { checkUrl } from '../../audit/probe/fetch/address.ts'
import type { Db } from '../../db/connect.ts'
import { type Tx, webhook_deliveries, webhook_endpoints } from '../db/tables.ts'
import { ORDER_EVENTS } from '../orders/events.ts'

export type WebhookEndpointRow = typeof webhook_endpoints.$inferSelect

/** An endpoint as it may be shown. */
export type WebhookEndpoint = Omit<WebhookEndpointRow, 'secret'>

/** Each event of an order writes a row for each of them. */
export const MAX_ENDPOINTS = 20

const A_TARGET = 'expected a public https URL without user, password or fragment'

/**
 * Unspecified: a fulfillment webhook's target is told of all events unless some are named when it
 * is registered.
 */
export const NewEndpoint = z.object({
  url: z.string(A_TARGET).max(2000).refine(isTarget, A_TARGET),
  events: z
    .array(z.enum(ORDER_EVENTS))
    .min(1)
    .transform((events) => [...new Set(events)])
    .default([...ORDER_EVENTS]),
})
export type NewEndpoint = z.infer<typeof NewEndpoint>

/** By the check of each delivery, which tests what the name leads to as well. */
function isTarget(text: string): boolean {
  try {
    const { protocol, port, hash } = checkUrl(text)
    return protocol === 'https:' && port === '' && hash === ''
  } catch {
    return false
  }
}

/**
 * Registers a target; null at the maximum. The same URL can be registered twice, so that a receiver
 * changes its secret without a gap: register it again, then remove the old one.
 */
export async function createEndpoint(
  db: Db,
  { url, events }: NewEndpoint,
  now: Date,
): Promise<WebhookEndpointRow | null> {
  const row = {
    id: `whe_${crypto.randomUUID()}`,
    url,
    events: [...events],
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    created_at: now,
    failing_since: null,
    disabled_at: null,
  }
  const active = await db.$count(webhook_endpoints, isNull(webhook_endpoints.disabled_at))
  if (active >= MAX_ENDPOINTS) return null
  await db.insert(webhook_endpoints).values(row)
  return row
}

/** Oldest first. */
export async function listEndpoints(db: Db): Promise<WebhookEndpoint[]> {
  const rows = await db.select().from(webhook_endpoints).orderBy(asc(webhook_endpoints.created_at))
  return rows.map(withoutSigningSecret)
}

/** Leaves out the secret: it is shown once, at the registration. */
export const withoutSigningSecret = ({
  secret: _,
  ...endpoint
}: WebhookEndpointRow): WebhookEndpoint => endpoint

/** Ends an endpoint, and the tries that wait for it. Null when there is none of this id. */
export async function disableEndpoint(
  db: Db | Tx,
  id: string,
  now: Date,
): Promise<WebhookEndpoint | null> {
  await db
    .update(webhook_endpoints)
    .set({ disabled_at: now })
    .where(and(eq(webhook_endpoints.id, id), isNull(webhook_endpoints.disabled_at)))
  const [row] = await db.select().from(webhook_endpoints).where(eq(webhook_endpoints.id, id))
  if (row === undefined) return null
  await db
    .update(webhook_deliveries)
    .set({ next_at: null })
    .where(eq(webhook_deliveries.endpoint_id, id))
  return withoutSigningSecret(row)
}
