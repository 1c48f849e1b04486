import { MODEL } from '../../../shared/attribution/classify/classify.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import type { TimeZones } from '../../db/attribution/time-zones.ts'
import { type EventRow, findOrders, type KnownOrder } from '../../db/events/events.ts'
import { newEventId, orderKeys } from '../../db/events/ids.ts'
import type { AtShard } from '../../db/sharding/shards.ts'
import { FLOOR, shopDayOf } from './classify-events.ts'
import { type IncomingEvent, isRefund, pairOf } from './event.ts'
import { LARGER_THAN_ORDER, otherCurrency, unknownOrder } from './notes.ts'

// Unspecified: a refund counts under the surface and the source of its order, on the day that it
// was made: as in analytics, and so that days that are over keep their figures. It opens no
// session.

// Unspecified: a refund of an order that nobody reported is kept, and not counted: its sale is in
// no figure that it could be taken from. Its repeat counts once the order is reported.

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
  const stored = await findOrders(at, accepted.filter(isRefund).flatMap(orderKeysOf))
  // What is stored is named last: it counts before what the batch says of the same order.
  const orders = new Map(
    [...rows.flatMap(ordersOf), ...stored].map((each) => [pairOf(each.domain, each.key), each]),
  )
  const matched: MatchedRefund[] = []
  const batch = accepted.map((event) => {
    if (!isRefund(event)) return event
    const known = orderKeysOf(event).flatMap(
      ({ domain, key }) => orders.get(pairOf(domain, key)) ?? [],
    )
    // A mere number may be the cart of one order and the number of another.
    const order = known.find(({ session_id }) => session_id === event.session_id) ?? known[0]
    const kept =
      order === undefined
        ? asUnmatched(event)
        : order.is_erased
          ? // It is new only if its order is, and is answered as that would be.
            { ...event, other_keys: [order.key] }
          : besideOrder(event, order)
    matched.push({ event: kept, order: order ?? null })
    return kept
  })
  return { batch, rows: [...rows, ...refundRows(matched, receivedAt, zones)] }
}

/** The keys under which the order of a refund may stand in the ledger. */
const orderKeysOf = ({ domain, session_id, properties }: IncomingEvent) =>
  orderKeys({ session_id, ...properties }).map((key) => ({ domain, key }))

/** The orders that a row brings, by each of their keys. */
const ordersOf = (row: EventRow): KnownOrder[] =>
  row.event !== 'ai_checkout_completed'
    ? []
    : [row.key, ...row.other_keys].map((key) => ({
        ...{ domain: row.domain, key, surface: row.surface, confidence: row.confidence },
        ...{ source: row.source, kind: row.kind, visit_id: row.visit_id },
        ...{ landing: row.landing, session_id: row.session_id },
        ...{ value: row.value ?? null, currency: row.currency ?? null, is_erased: false },
      }))

const asUnmatched = (event: IncomingEvent): IncomingEvent => ({
  ...event,
  event: 'ai_refund_unmatched',
  key: `unmatched:${event.key}`,
  notes: [...event.notes, unknownOrder(event.session_id, event.domain)],
})

/**
 * A refund beside its order, with a note where its amount cannot be a part of what the order came
 * to.
 */
function besideOrder(event: IncomingEvent, order: KnownOrder): IncomingEvent {
  const note = contradictionOf(event, order)
  return note === null ? event : { ...event, notes: [...event.notes, note] }
}

function contradictionOf(event: IncomingEvent, order: KnownOrder): string | null {
  if (order.value === null || order.currency === null || event.currency === null) return null
  if (event.currency !== order.currency) return otherCurrency(event.currency, order.currency)
  return (event.value ?? 0) > order.value ? LARGER_THAN_ORDER : null
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
  const source = order?.source ?? event.source
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
    landing: order?.landing ?? null,
    // With the visit of its order it is erased, and under no other is it looked for.
    visit_id: order?.visit_id ?? event.visit_id,
    surface: order?.surface ?? OTHER_AI,
    confidence: order?.confidence ?? FLOOR,
    kind: order?.kind ?? (source === 'web' ? 'referral' : 'protocol'),
    source,
    model: MODEL,
  }
}
