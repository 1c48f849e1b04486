import { MODEL } from '../../../shared/attribution/classify/classify.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import type { TimeZones } from '../../db/attribution/domain-settings.ts'
import { type EventRow, findOrders, type KnownOrder, ledgerKeysOf } from '../../db/events/events.ts'
import { newEventId, orderKeys, waitingKey } from '../../db/events/ids.ts'
import type { AtShard } from '../../db/sharding/shards.ts'
import { FLOOR, kindOfSource, shopDayOf } from './classify-events.ts'
import { type IncomingEvent, isRefund, pairOf } from './event.ts'
import { LARGER_THAN_ORDER, otherCurrency, unknownOrder } from './notes.ts'

// Unspecified: a refund counts under the surface and the source of its order, on the day that it
// was made: as in analytics, and so that days that are over keep their figures. It opens no
// session.

// Unspecified: a refund of an order that nobody reported is kept, and not counted: its sale is in
// no figure that it could be taken from. It counts once the order is reported.

// Unspecified: a refund is of the order whose order_id it names, else of the one that has its
// session_id or checkout_id, which the refund's own order_id must not contradict. Where several
// have it, or a mere number is the cart of one and the number of another, it is of the one that
// was reported first: nothing else tells which.

/** A refund and its order; null: the order was not reported. */
interface MatchedRefund {
  event: IncomingEvent
  order: KnownOrder | null
}

/**
 * Finds the order of each refund of a batch, among those that are stored and the rows of its other
 * events, and adds the refunds' rows. A refund without an order becomes another event, under a key
 * of its own: so the key of the refund stays free.
 */
export async function addRefunds(
  at: AtShard,
  accepted: readonly IncomingEvent[],
  rows: readonly EventRow[],
  receivedAt: Date,
  zones: TimeZones,
): Promise<{ batch: IncomingEvent[]; rows: EventRow[] }> {
  const sent = rows.flatMap(ordersOf)
  const stored = await findOrders(at, [...accepted.filter(isRefund).flatMap(orderKeysOf), ...sent])
  // What is stored is named last: it counts before what the batch says of the same order.
  const orders = new Map([...sent, ...stored].map((each) => [pairOf(each.domain, each.key), each]))
  // An order of the batch that has a key of one that was erased is not stored.
  for (const row of rows) {
    const erased = ledgerKeysOf(row)
      .map((key) => ({ key, found: orders.get(pairOf(row.domain, key)) }))
      .find(
        ({ key, found }) =>
          found?.is_erased && !(found.is_numbered && row.shared_keys.includes(key)),
      )?.found
    if (erased === undefined) continue
    for (const { domain, key } of ordersOf(row)) orders.set(pairOf(domain, key), erased)
  }
  const matched: MatchedRefund[] = []
  const batch = accepted.map((event) => {
    if (!isRefund(event)) return event
    const order = orderOf(event, orders)
    const kept =
      order === null
        ? asUnmatched(event)
        : order.is_erased
          ? // It is new only if its order is, and is answered as that would be.
            { ...event, other_keys: [order.key] }
          : { ...event, notes: [...event.notes, ...contradictionsOf(event, order)] }
    matched.push({ event: kept, order })
    return kept
  })
  return { batch, rows: [...rows, ...refundRows(matched, receivedAt, zones)] }
}

/** What a refund says of its order. */
type Refund = Pick<IncomingEvent, 'domain' | 'session_id' | 'properties' | 'value' | 'currency'>

/** The keys under which the order of a refund may stand in the ledger. */
export const orderKeysOf = ({ domain, session_id, properties }: Refund) =>
  orderKeys({ session_id, ...properties }).map((key) => ({ domain, key }))

/** The order of a refund among these, by their domains and keys. */
export function orderOf(
  refund: Refund,
  orders: ReadonlyMap<string, KnownOrder>,
): KnownOrder | null {
  const keys = orderKeysOf(refund)
  const known = keys.flatMap(({ domain, key }) => orders.get(pairOf(domain, key)) ?? [])
  const possible =
    refund.properties.order_id === undefined
      ? known
      : known.filter(({ key, order_id }) => key === keys[0]?.key || order_id === null)
  return possible.find(({ session_id }) => session_id === refund.session_id) ?? possible[0] ?? null
}

/** The orders that a row brings, by each of their keys. */
const ordersOf = (row: EventRow): KnownOrder[] =>
  row.event !== 'ai_checkout_completed'
    ? []
    : [row.key, ...row.other_keys].map((key) => ({
        ...{ domain: row.domain, key, surface: row.surface, confidence: row.confidence },
        ...{ source: row.source, kind: row.kind, visit_id: row.visit_id },
        ...{ landing: row.landing, session_id: row.session_id },
        ...{ value: row.value ?? null, currency: row.currency ?? null, is_erased: false },
        is_numbered: row.shared_keys.includes(key),
        order_id: textOf(row.properties.order_id),
        first_visit_id: textOf(row.properties.first_visit_id),
      }))

const textOf = (id: unknown): string | null => (id === undefined ? null : String(id))

const asUnmatched = (event: IncomingEvent): IncomingEvent => ({
  ...event,
  event: 'ai_refund_unmatched',
  key: waitingKey(event.key),
  notes: [...event.notes, unknownOrder(event.session_id, event.domain)],
})

/** The notes where the amount of a refund cannot be a part of what its order came to. */
export function contradictionsOf({ value, currency }: Refund, order: KnownOrder): string[] {
  if (order.value === null || order.currency === null || currency === null) return []
  if (currency !== order.currency) return [otherCurrency(currency, order.currency)]
  return (value ?? 0) > order.value ? [LARGER_THAN_ORDER] : []
}

/** How a refund counts: as its order does. */
export const placeBeside = (
  refund: Pick<EventRow, 'source' | 'visit_id' | 'properties'>,
  order: KnownOrder | null,
): Pick<EventRow, 'source' | 'visit_id' | 'surface' | 'confidence' | 'kind' | 'properties'> & {
  landing: string | null
} => {
  const source = order?.source ?? refund.source
  // Of the first visit of its order, whatever it names itself.
  const { first_visit_id: _, ...properties } = refund.properties
  const first_visit_id = order?.first_visit_id
  return {
    properties: { ...properties, ...(first_visit_id && { first_visit_id }) },
    source,
    landing: order?.landing ?? null,
    // With the visit of its order it is erased, and under no other is it looked for.
    visit_id: order?.visit_id ?? refund.visit_id,
    surface: order?.surface ?? OTHER_AI,
    confidence: order?.confidence ?? FLOOR,
    kind: order?.kind ?? kindOfSource(source),
  }
}

/** Rows of the first refund under each key, in the order they came. */
function refundRows(
  matched: readonly MatchedRefund[],
  received_at: Date,
  zones: TimeZones,
): EventRow[] {
  const rows = new Map<string, EventRow>()
  for (const { event, order } of matched) {
    const pair = pairOf(event.domain, event.key)
    if (!rows.has(pair)) rows.set(pair, toRow(event, order, received_at, zones))
  }
  return [...rows.values()]
}

function toRow(
  event: IncomingEvent,
  order: KnownOrder | null,
  received_at: Date,
  zones: TimeZones,
): EventRow {
  const { signals: _, classification: __, ...fields } = event
  const { day, notes } = shopDayOf(event, received_at, zones)
  return {
    ...fields,
    double_key: null,
    began: null,
    opener: null,
    id: newEventId(),
    received_at,
    day,
    notes: [...event.notes, ...notes],
    ...placeBeside(event, order),
    model: MODEL,
  }
}
