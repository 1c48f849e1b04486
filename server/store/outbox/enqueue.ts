import { hash } from 'node:crypto'
import { and, arrayContains, eq, isNull, sql } from 'drizzle-orm'
import {
  isOfficialProtocol,
  isPlaced,
  OFFICIAL_UCP,
  type OfficialProtocol,
} from '../db/statuses.ts'
import {
  type OfficialState,
  type Order,
  type Tx,
  webhook_deliveries,
  webhook_endpoints,
} from '../db/tables.ts'
import { type Enqueue, ORDER_EVENTS, type OrderChange, type OrderEvent } from '../orders/states.ts'
import { MAX_URL, type WebhookEndpointRow } from './endpoints.ts'
import { messageIdOf, payloadOf } from './message.ts'

/** Each official protocol's form of an order. */
type OrderRenderers = Readonly<Record<OfficialProtocol, (order: Order) => object>>

/**
 * Writes a change of an order to the outbox, in the transaction of the change, so that both exist
 * or neither. The merchant's endpoints get the events that they asked for; the platform that an
 * order was bought through gets every change.
 */
export const createEnqueue =
  (renderers: OrderRenderers): Enqueue =>
  async (tx, change, order, now) => {
    const deliveries = [
      ...(await toMerchant(tx, change, order, now)),
      ...(await toPlatform(tx, renderers, change, order, now)),
    ]
    if (deliveries.length === 0) return
    const rows = deliveries.map(({ endpoint, message_id, ...rest }) => ({
      ...rest,
      id: `${message_id}.${endpoint}`,
      endpoint_id: endpoint,
      message_id,
      event: change,
      next_at: now,
      created_at: now,
    }))
    await tx.insert(webhook_deliveries).values(rows).onConflictDoNothing()
  }

/** The parts of an outbox row that differ between receivers. */
type NewDelivery = Pick<
  typeof webhook_deliveries.$inferInsert,
  'message_id' | 'payload' | 'order_id'
> & {
  endpoint: string
  place?: ReturnType<typeof nextPlace>
}

async function toMerchant(
  tx: Tx,
  event: OrderChange,
  order: Order,
  now: Date,
): Promise<NewDelivery[]> {
  if (!isOrderEvent(event)) return []
  const { id, events, disabled_at } = webhook_endpoints
  const endpoints = await tx
    .select({ id })
    .from(webhook_endpoints)
    .where(and(isNull(disabled_at), arrayContains(events, [event])))
  if (endpoints.length === 0) return []
  const message_id = messageIdOf(event, order)
  const payload = payloadOf(event, order, now)
  return endpoints.map((endpoint) => ({ endpoint: endpoint.id, message_id, payload }))
}

const isOrderEvent = (change: OrderChange): change is OrderEvent =>
  ORDER_EVENTS.some((event) => event === change)

/** Written while the order's session is locked, so that a later change has a higher position. */
const nextPlace = () => sql<number>`nextval('store.webhook_places')`

async function toPlatform(
  tx: Tx,
  renderers: OrderRenderers,
  change: OrderChange,
  order: Order,
  now: Date,
): Promise<NewDelivery[]> {
  const { id: order_id, protocol, official } = order
  if (protocol === null || !isOfficialProtocol(protocol) || official === null) return []
  if (!isPlaced(order.status)) return []
  const isUcp = protocol === OFFICIAL_UCP
  const endpoints = isUcp
    ? [await platformEndpoint(tx, official, now)]
    : await acpEndpoints(tx, official)
  const open = endpoints.filter((each) => each !== null && each.disabled_at === null)
  if (open.length === 0) return []
  const type = change === 'order.confirmed' ? 'order_create' : 'order_update'
  const shown = renderers[protocol](order)
  const payload = JSON.stringify(isUcp ? shown : { type, data: shown })
  const message_id = crypto.randomUUID()
  return open.flatMap((each) =>
    each === null ? [] : [{ endpoint: each.id, message_id, payload, order_id, place: nextPlace() }],
  )
}

/** Those that were registered for the agent that the order was bought through. */
const acpEndpoints = (tx: Tx, { platform }: OfficialState) =>
  tx
    .select()
    .from(webhook_endpoints)
    .where(and(eq(webhook_endpoints.format, 'acp'), eq(webhook_endpoints.platform, platform)))

/** The resolution of `told_at`: a platform with many orders must not lock its row for each. */
const TOLD_MS = 24 * 60 * 60_000

/**
 * The receiver in a platform's profile, stored when it is first notified; null if the profile names
 * no usable one. Each platform has its own, even if two name the same address, because its failures
 * must not affect the other.
 */
async function platformEndpoint(
  tx: Tx,
  { platform, webhook_url: url }: OfficialState,
  now: Date,
): Promise<WebhookEndpointRow | null> {
  if (url === null || !isPlatformTarget(url)) return null
  const id = `whp_${hash('sha256', JSON.stringify([platform, url]))}`
  const [known] = await tx.select().from(webhook_endpoints).where(eq(webhook_endpoints.id, id))
  if (known?.told_at && now.getTime() - known.told_at.getTime() < TOLD_MS) return known
  const [row] = await tx
    .insert(webhook_endpoints)
    .values({ id, url, format: 'ucp', secret: '', events: [], created_at: now, told_at: now })
    .onConflictDoUpdate({ target: webhook_endpoints.id, set: { told_at: now } })
    .returning()
  return row ?? null
}

/**
 * Whether the guard of our requests may judge it. It only admits this machine if a developer allows
 * it, and then also without TLS.
 */
function isPlatformTarget(text: string): boolean {
  const { protocol, hostname } = URL.parse(text) ?? {}
  const isSafe = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost')
  return isSafe && text.length <= MAX_URL
}
