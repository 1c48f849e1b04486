import type { AtShard } from '../sharding/shards.ts'
import { ADD_SUMS, dayInUtc, type EventRow, lookUp, notesText, rowLists } from './events.ts'
import { AWAITED_ORDER, shortKey } from './ids.ts'
import { packEvent, STORED_AI_SURFACE, STORED_PROPERTIES, STORED_VISIT } from './packed.ts'

// A refund that came before its order waits for it under each key that the order may have. Where
// no key is taken, the refund leaves `AWAITED_ORDER` there: so the statement that stores the order
// finds it without looking for it, and each of the two that come at the same time waits for the
// other's commit, and one of them sees both.

/** A refund and a key that its order may have. */
interface Wait {
  domain: string
  key: string
  event_id: string
}

const WAITS = rowLists<Wait>({
  domain: ['text', ({ domain }) => domain],
  order_key: ['text', ({ key }) => shortKey(key)],
  event_id: ['uuid', ({ event_id }) => event_id],
})

/** Stores that refunds wait under these keys. Doing so again changes nothing. */
export async function awaitOrders(
  at: AtShard,
  waits: readonly Wait[],
  receivedAt: Date,
): Promise<void> {
  await at(
    `
    with given as materialized (select * from (${WAITS.query}) as given),
    waiting as (
      insert into waiting_refunds (domain, order_key, event_id, received_at)
      select domain, order_key, event_id, $2::timestamptz from given
      order by domain, order_key, event_id
      on conflict do nothing
      returning event_id
    )
    insert into event_keys (domain, key, event_id, fingerprint, surface, confidence, received_at)
    select distinct domain, order_key, '${AWAITED_ORDER}'::uuid, 0, '', 0, ${dayInUtc('$2::timestamptz')}
    from given
    -- Always true, and makes this part run after the one that it names.
    where (select count(*) from waiting) >= 0
    order by domain, order_key
    on conflict do nothing
    returning domain`,
    [JSON.stringify(waits.map(WAITS.list)), receivedAt.toISOString()],
  )
}

/** A refund that waits, as it is stored. */
export interface WaitingRefund {
  domain: string
  id: string
  source: NonNullable<EventRow['source']>
  session_id: string
  visit_id: string
  ai_surface: string | null
  model: string
  value: number | null
  currency: string | null
  properties: Record<string, unknown>
}

/** The refunds that wait under these keys. */
export async function findWaiting(
  at: AtShard,
  asked: readonly { domain: string; key: string }[],
): Promise<WaitingRefund[]> {
  const found = await lookUp<WaitingRefund>(
    at,
    {
      from: 'waiting_refunds',
      by: 'order_key',
      columns: `refund.id, refund.source, refund.session_id, refund.whole_visit as visit_id,
        refund.declared as ai_surface, refund.model, refund.value::float8 as value,
        refund.currency, refund.whole as properties`,
      join: `cross join lateral (
          select *, ${STORED_VISIT} as whole_visit, ${STORED_AI_SURFACE} as declared,
            ${STORED_PROPERTIES} as whole
          from events own where own.domain = found.domain and own.id = found.event_id
            and event = 'ai_refund_unmatched'
        ) as refund`,
    },
    asked,
  )
  return [...new Map(found.map(({ key: _, ...refund }) => [refund.id, refund])).values()]
}

/** A refund that waited, with what its order gives it. */
export interface FoundRefund
  extends WaitingRefund,
    Pick<EventRow, 'surface' | 'kind' | 'confidence' | 'landing' | 'fingerprint' | 'notes'> {
  key: string
  /** Those that it waited under. */
  order_keys: readonly string[]
}

const FOUND = rowLists<FoundRefund>({
  domain: ['text', ({ domain }) => domain],
  id: ['uuid', ({ id }) => id],
  key: ['text', ({ key }) => shortKey(key)],
  order_keys: ['text[]', ({ order_keys }) => order_keys.map(shortKey)],
  fingerprint: ['int', ({ fingerprint }) => fingerprint],
  notes: ['text', ({ notes }) => notesText(notes)],
  source: ['text', ({ source }) => source],
  stored_visit: ['text', (refund) => packEvent(refund).stored_visit],
  stored_ai_surface: ['text', (refund) => packEvent(refund).stored_ai_surface],
  properties: ['jsonb', (refund) => packEvent(refund).properties],
  surface: ['text', ({ surface }) => surface],
  kind: ['text', ({ kind }) => kind],
  confidence: ['float8', ({ confidence }) => confidence],
  landing: ['text', ({ landing }) => landing],
})

/**
 * Counts refunds that waited, in one statement, and ends their waiting. One whose own key is taken
 * was sent again meanwhile, and counts as that.
 */
export async function countWaiting(at: AtShard, refunds: readonly FoundRefund[]): Promise<void> {
  await at(
    `
    with given as materialized (select * from (${FOUND.query}) as given),
    claimed as (
      insert into event_keys
        (domain, key, event_id, fingerprint, surface, confidence, received_at, notes)
      select domain, key, id, fingerprint, surface, confidence, 'infinity', notes
      from given order by domain, key
      on conflict do nothing
      returning event_id
    ), over as (
      delete from waiting_refunds kept using given
      where kept.domain = given.domain and kept.order_key = any(given.order_keys)
        and kept.event_id = given.id
    ), placed as (
      update events kept set event = 'ai_order_refunded', source = given.source,
        visit_id = given.stored_visit, ai_surface = given.stored_ai_surface,
        properties = given.properties, surface = given.surface, kind = given.kind,
        confidence = given.confidence, landing = given.landing
      from given
      where kept.domain = given.domain and kept.id = given.id
        and kept.event = 'ai_refund_unmatched' and kept.id in (select event_id from claimed)
      returning kept.*
    ), ${ADD_SUMS}
    select id from placed`,
    [JSON.stringify(refunds.map(FOUND.list))],
  )
}
