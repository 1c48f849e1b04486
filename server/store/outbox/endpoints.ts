import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import * as z from 'zod'
import { isWebhookUrl } from '../../audit/probe/fetch/webhook.ts'
import type { Db } from '../../db/connect.ts'
import { type Tx, webhook_deliveries, webhook_endpoints } from '../db/tables.ts'
import { ORDER_EVENTS } from '../orders/states.ts'

export type WebhookEndpointRow = typeof webhook_endpoints.$inferSelect

/** An endpoint as it may be shown. */
type WebhookEndpoint = Omit<WebhookEndpointRow, 'secret' | 'told_at' | 'platform'>

/** The most endpoints of the merchant. Each event of an order writes a row for each of them. */
export const MAX_ENDPOINTS = 20

/** The longest address that is stored. */
export const MAX_URL = 2000
const A_SECRET = 'expected 8 to 200 characters of ASCII without spaces'
const A_KEY = 'expected the key that the agent calls with, for the format "acp" alone'
const A_TARGET = 'expected a public https URL without user, password or fragment'

/**
 * Unspecified: a fulfillment webhook's target gets all events unless some are named when it is
 * registered.
 */
export const NewEndpoint = z
  .object({
    url: z.string(A_TARGET).max(MAX_URL).refine(isWebhookUrl, A_TARGET),
    // Unspecified: ACP leaves it to agent and merchant where webhooks go, so the merchant registers
    // the agent's address with the format `acp`, and the secret that the agent gave out.
    format: z.enum(['standard', 'acp']).optional(),
    // Unspecified: the id of a checkout opens its page, so an address only gets the orders of one
    // agent: of the one that calls with this key.
    key: z
      .string(A_KEY)
      .regex(/^\S{1,500}$/, A_KEY)
      .optional(),
    /** ACP only, which sends every change. */
    secret: z
      .string(A_SECRET)
      .regex(/^[\x21-\x7e]{8,200}$/, A_SECRET)
      .optional(),
    events: z
      .array(z.enum(ORDER_EVENTS))
      .min(1)
      .transform((events) => [...new Set(events)])
      .default([...ORDER_EVENTS]),
  })
  .refine(({ format, secret }) => format === 'acp' || secret === undefined, {
    path: ['secret'],
    message: 'expected none: the store makes the secret, except for the format "acp"',
  })
  .refine(({ format, key }) => (format === 'acp') === (key !== undefined), {
    path: ['key'],
    message: A_KEY,
  })
export type NewEndpoint = z.infer<typeof NewEndpoint>

/** The registration, with the agent that has the key. */
type EndpointToBe = Omit<NewEndpoint, 'key'> & { platform?: string | null }

const isOfMerchant = ne(webhook_endpoints.format, 'ucp')

/**
 * Registers a target; null at the maximum. The same URL can be registered twice, so that a receiver
 * changes its secret without a gap: register it again, then remove the old one.
 */
export async function createEndpoint(
  db: Db,
  { url, events, format = 'standard', secret, platform = null }: EndpointToBe,
  now: Date,
): Promise<WebhookEndpointRow | null> {
  const row = {
    id: `whe_${crypto.randomUUID()}`,
    url,
    format,
    events: format === 'acp' ? [] : [...events],
    platform,
    secret: secret ?? `whsec_${randomBytes(32).toString('base64')}`,
    created_at: now,
    failing_since: null,
    disabled_at: null,
    told_at: null,
  }
  return db.transaction(async (tx) => {
    // Simultaneous registrations queue here, so that each counts those before it.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('store.webhook_endpoints'))`)
    const active = await tx.$count(
      webhook_endpoints,
      and(isOfMerchant, isNull(webhook_endpoints.disabled_at)),
    )
    if (active >= MAX_ENDPOINTS) return null
    await tx.insert(webhook_endpoints).values(row)
    return row
  })
}

/** The merchant's own, oldest first. */
export async function listEndpoints(db: Db): Promise<WebhookEndpoint[]> {
  const rows = await db
    .select()
    .from(webhook_endpoints)
    .where(isOfMerchant)
    .orderBy(asc(webhook_endpoints.created_at))
  return rows.map(withoutSigningSecret)
}

/** Leaves out the secret, which is only shown at the registration, and the data of platforms. */
export const withoutSigningSecret = ({
  secret: _,
  told_at: __,
  platform: ___,
  ...endpoint
}: WebhookEndpointRow): WebhookEndpoint => endpoint

/** Removes an endpoint and its waiting deliveries. Null for an unknown id. */
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
