import { sql } from 'drizzle-orm'
import type { CountedKind } from '../../../shared/attribution/classify/visit.ts'
import type { ReportedSource } from '../../../shared/attribution/events.ts'
import { MISTAKEN_VISIT } from '../connection/failures.ts'
import type { AtShard } from '../sharding/shards.ts'
import { AWAITED_ORDER, ERASED_EVENT, isKeptForGood, shortKey } from './ids.ts'
import { type PackedColumns, packEvent, STORED_ORDER_ID, STORED_VISIT } from './packed.ts'
import {
  addToRollup,
  DAILY,
  NAMED,
  nameSaid,
  OF_NAMED,
  statementText,
  sumEvents,
  sumNamed,
  sumSaid,
} from './rollup-changes.ts'
import { ADMIT_NAMES } from './rollup-names.ts'
import type { event_keys, events, StoredEvent } from './tables.ts'

/** An event as it is stored, except for `opens_session`, which the database determines. */
export type EventRow = Omit<typeof events.$inferInsert, 'opens_session'> & {
  key: string
  /** Whether it can be the beginning of a session. */
  may_open: boolean
  /**
   * The id of the row, of the same batch, that its visit is taken to begin with: its own, or that
   * of one before. Null where its visit is stored, or decides nothing about it.
   */
  opener: string | null
  /** The event is new only if these are as well; they then stand for it too. */
  other_keys: string[]
  /** But for those that another order has as well, if that one and this have an order_id each. */
  shared_keys: string[]
  fingerprint: number
  notes: string[]
  /** Its moment, if a session may begin with it. */
  began: number | null
  /** Of an order with a value: what two reports of one sale would have in common. */
  double_key: string | null
  /** In the zone of its shop. */
  day: string
  landing: string | null
}

/** A stored session, as far as it decides where its later events came from. */
export interface KnownSession {
  domain: string
  session_id: string
  surface: string
  kind: CountedKind
  confidence: number
  /** The path of the page that it began on. */
  landing: string | null
  /** As they are stored: `namedOf` says what they mean. */
  began: number | null
  named: number | null
}

/** What is kept of an accepted event under its key, for retries. */
export type KeyedEvent = Omit<
  typeof event_keys.$inferSelect,
  'received_at' | 'is_numbered' | 'notes'
> & { notes: string[] }

/** Types of Postgres that a column may have. */
type ColumnType =
  | 'bigint'
  | 'boolean'
  | 'date'
  | 'float8'
  | 'int'
  | 'jsonb'
  | 'text'
  | 'text[]'
  | 'timestamptz'
  | 'uuid'

/**
 * How rows are sent, many at a time, as the first parameter of a statement: the `query` for them,
 * as in `from (${query}) as given`, and a row as it is sent, in which undefined is null. A row is
 * an array in JSON: with a name before each value, as `jsonb_to_recordset` takes them, Postgres
 * needs half as long again to read them (27 columns: 12.2 instead of 8.0 µs a row).
 */
export function rowLists<Row>(
  columns: Readonly<Record<string, readonly [ColumnType, (row: Row) => unknown]>>,
): { query: string; list: (row: Row) => unknown[] } {
  const all = Object.entries(columns)
  const read = all.map(([name, [type]], n) => `${readColumn(type, n)} as ${name}`)
  return {
    query: `select ${read.join(', ')} from jsonb_array_elements($1::jsonb) as each_row(list)`,
    list: (row) => all.map(([, [type, of]]) => (type === 'text[]' ? arrayText(of(row)) : of(row))),
  }
}

function readColumn(type: ColumnType, n: number): string {
  if (type === 'text') return `list->>${n}`
  return type === 'jsonb' ? `nullif(list->${n}, 'null')` : `(list->>${n})::${type}`
}

/**
 * An array of texts as Postgres reads it
 * (https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO).
 */
const arrayText = (texts: unknown): string | null =>
  Array.isArray(texts)
    ? `{${texts.map((text) => `"${String(text).replaceAll(/["\\]/g, '\\$&')}"`).join()}}`
    : null

/** What is looked for, by a number of its own. */
const ASKED = rowLists<{ n: number; domain: string; key: string }>({
  n: ['int', ({ n }) => n],
  domain: ['text', ({ domain }) => domain],
  key: ['text', ({ key }) => shortKey(key)],
})

// Postgres takes any list from JSON for a hundred rows, and would rather read all of a table of
// some ten thousand than look up each: with `offset 0` a lateral part is a look-up of its own
// (src/backend/optimizer/prep/prepjointree.c, is_simple_subquery).

/**
 * Rows of a table by their domain and the text whose hash is in the column `by`, in any order, each
 * with the text that it was asked for by; what is not stored is left out.
 * `columns` are of `found`, and of what is joined to it. The join with a list from JSON stays one
 * prepared statement for any number of rows.
 */
export async function lookUp<Found>(
  at: AtShard,
  { from = 'event_keys', by = 'key', columns, join = '' }: LookUp,
  asked: readonly { domain: string; key: string }[],
): Promise<(Found & { domain: string; key: string })[]> {
  if (asked.length === 0) return []
  const found = await at<Found & { n: number; domain: string }>(
    `
    select asked.n, found.domain, ${columns}
    from (${ASKED.query}) as asked
    cross join lateral (
      select * from ${from} kept
      where kept.domain = asked.domain and kept.${by} = asked.key offset 0
    ) as found ${join}`,
    [JSON.stringify(asked.map(({ domain, key }, n) => ASKED.list({ n, domain, key })))],
  )
  return found.map((row) => ({ ...row, key: asked[row.n]?.key ?? '' }))
}

/** By keys of the ledger, unless it says otherwise. */
interface LookUp {
  from?: string
  by?: string
  columns: string
  /** What follows `from`, conditions included. */
  join?: string
}

/** The stored sessions that these events belong to. */
export async function findSessions(
  at: AtShard,
  asked: readonly { domain: string; visit_id: string }[],
): Promise<KnownSession[]> {
  const found = await lookUp<Omit<KnownSession, 'session_id' | 'domain'>>(
    at,
    {
      from: 'ai_sessions',
      by: 'session_id',
      columns:
        'found.surface, found.kind, found.confidence, found.landing, found.began::float8, found.named::float8',
    },
    asked.map(({ domain, visit_id }) => ({ domain, key: visit_id })),
  )
  return found.map((session) => ({ ...session, session_id: session.key }))
}

/** An order in the ledger, by one of its keys: where its refunds came from. */
export interface KnownOrder {
  domain: string
  key: string
  surface: string
  confidence: number
  /** Nothing of it is kept or counted any more, and nothing is of its refunds. */
  is_erased: boolean
  /** Others may have the key as well, if each has an order_id. */
  is_numbered: boolean
  /** These nine are null once its month was dropped. */
  session_id: string | null
  source: ReportedSource | null
  kind: CountedKind | null
  visit_id: string | null
  landing: string | null
  value: number | null
  currency: string | null
  order_id: string | null
  /** The first of its visits, where it is of two. */
  first_visit_id: string | null
}

/** Leaves out what stands for an order that was not reported. */
const REPORTED = `where found.event_id <> '${AWAITED_ORDER}'`

/** The stored orders with these keys. */
export const findOrders = (
  at: AtShard,
  asked: readonly { domain: string; key: string }[],
): Promise<KnownOrder[]> =>
  lookUp<Omit<KnownOrder, 'key' | 'domain'>>(
    at,
    {
      // A session that is settled changes its rows, and not the ledger.
      columns: `coalesce(ordered.surface, found.surface) as surface,
        coalesce(ordered.confidence, found.confidence::text::float8) as confidence, found.event_id = '${ERASED_EVENT}' as is_erased,
        found.is_numbered, ordered.source, ordered.kind,
        ordered.whole_visit as visit_id, ordered.session_id, ordered.landing,
        ordered.value::float8 as value, ordered.currency, ordered.order_id,
        ordered.properties->>'first_visit_id' as first_visit_id`,
      join: `left join lateral (
          select *, ${STORED_VISIT} as whole_visit, ${STORED_ORDER_ID} as order_id from events own
          where own.domain = found.domain and own.id = found.event_id
        ) as ordered on true ${REPORTED}`,
    },
    asked,
  )

/**
 * Adds up the rows of `placed`, in all rollups. Postgres runs unread parts from the last to the
 * first (src/backend/executor/nodeModifyTable.c, `es_auxmodifytables`), so these write in the order
 * of `rebuildRollup`: daily totals, named ones, their sums. In another order the two would wait for
 * each other.
 */
export const ADD_SUMS = statementText(sql`
    said as materialized (
      ${sumSaid(sql`placed`)}
    ), ${ADMIT_NAMES}, named as materialized (
      ${nameSaid(sql`said`, sql`names`)}
    ), named_sums as materialized (
      ${sumNamed(sql`named`)}
    ), ${sql.join(
      OF_NAMED.map(
        ({ rollup, sumsOf }, n) => sql`summed_${sql.raw(String(n))} as (
      ${addToRollup(rollup, sql`(${sumsOf(sql`named_sums`)}) as sums`)}
    )`,
      ).toReversed(),
      sql`, `,
    )}, summed_named as (
      ${addToRollup(NAMED, sql`named_sums`)}
    ), summed as (
      ${addToRollup(DAILY, sql`(${sumEvents(sql`placed`)}) as sums`)}
    )`)

// Unspecified: a session counts once, on the day and under the surface that it began with, and an
// order on the day that it was paid, as in web analytics. So the sums over days, surfaces and
// months are exact, and a day may have more orders than sessions, as some began the evening before.

/** Ids of rows. */
interface Inserted {
  /** Those that were new. */
  fresh: Set<string>
  /** Those of them whose `double_key` was not. */
  doubles: Set<string>
  /** Those that report a visit of which other events came before. */
  late: Set<string>
  /** Those of them that are orders for which a refund waits. */
  awaited: Set<string>
}

/**
 * The event that needs no key of its own: the report of a visit is new if the visit is, of which
 * there is one row, or if that began without one.
 */
export const UNKEYED: StoredEvent = 'ai_session'

/** A row, and what is made of it for `STORING`. */
interface Given {
  row: EventRow
  packed: PackedColumns
  n: number
  /** Those of the rows by their ids. */
  numbers: ReadonlyMap<string, number>
}

/** All that a row puts into the ledger. */
export const ledgerKeysOf = ({
  key,
  other_keys,
}: Pick<EventRow, 'key' | 'other_keys'>): string[] => [key, ...other_keys]

/** The keys that no other order has. */
const ownKeysOf = ({ key, other_keys, shared_keys }: EventRow): string[] =>
  [key, ...other_keys].filter((each) => !shared_keys.includes(each))

const isKeyed = ({ event }: EventRow) => event !== UNKEYED

/** Notes as the ledger keeps them. */
export const notesText = (notes: readonly string[]): string =>
  notes.length === 0 ? '' : JSON.stringify(notes)

const shortKeyOrNull = (text: string | null) => (text === null ? null : shortKey(text))
/** Null for an empty list, so that most rows send none. */
const shortKeysOrNull = (keys: readonly string[]) => keys.length > 0 && keys.map(shortKey)

/** What `STORING` is given of each row. */
const GIVEN = rowLists<Given>({
  n: ['int', ({ n }) => n],
  domain: ['text', ({ row }) => row.domain],
  id: ['uuid', ({ row }) => row.id],
  ts: ['timestamptz', ({ row }) => row.ts],
  received_at: ['timestamptz', ({ row }) => row.received_at],
  event: ['text', ({ row }) => row.event],
  source: ['text', ({ row }) => row.source],
  session_id: ['text', ({ row }) => row.session_id],
  stored_visit: ['text', ({ packed }) => packed.stored_visit],
  surface: ['text', ({ row }) => row.surface],
  kind: ['text', ({ row }) => row.kind],
  confidence: ['float8', ({ row }) => row.confidence],
  stored_model: ['text', ({ packed }) => packed.stored_model],
  stored_ai_surface: ['text', ({ packed }) => packed.stored_ai_surface],
  value: ['bigint', ({ row }) => row.value],
  currency: ['text', ({ row }) => row.currency],
  properties: ['jsonb', ({ packed }) => packed.properties],
  landing: ['text', ({ row }) => row.landing],
  day: ['date', ({ row }) => row.day],
  session_key: ['text', ({ row }) => (row.may_open ? shortKey(row.visit_id) : null)],
  keys: ['text[]', ({ row }) => isKeyed(row) && ledgerKeysOf(row).map(shortKey)],
  own_keys: ['text[]', ({ row }) => row.shared_keys.length > 0 && ownKeysOf(row).map(shortKey)],
  shared: ['text[]', ({ row }) => shortKeysOrNull(row.shared_keys)],
  opener: ['int', ({ row, numbers }) => numbers.get(row.opener ?? '')],
  stays: ['boolean', ({ row }) => isKeptForGood(row.key)],
  fingerprint: ['int', ({ row }) => row.fingerprint],
  notes: ['text', ({ row }) => notesText(row.notes)],
  began: ['bigint', ({ row }) => row.began],
  double_key: ['text', ({ row }) => shortKeyOrNull(row.double_key)],
})

/** The day of a moment: nodes of a cluster may be in zones of their own. */
export const dayInUtc = (moment: string): string => `(${moment} at time zone 'UTC')::date`

/** What the report of an order replaces of what stood for it (`AWAITED_ORDER`). */
const TAKEN_OVER = ['event_id', 'fingerprint', 'surface', 'confidence', 'received_at', 'notes']
  .map(
    (column) =>
      `${column} = case kept.event_id when '${AWAITED_ORDER}' then excluded.${column} else kept.${column} end`,
  )
  .join(', ')

/**
 * What stores rows, in one statement, so that an event is in all tables or in none. Each part
 * writes in key order, and the parts run in a fixed order: concurrent batches wait for each other,
 * but cannot deadlock. The second parameter is how long it waits for a lock, in milliseconds; null:
 * as long as it takes. It is not part of the text, since each text would be planned by itself,
 * which takes longer than storing.
 */
const STORING = `
    with given as materialized (
      select * from (${GIVEN.query}) as given
      -- Always true.
      where (
        select set_config('lock_timeout', coalesce($2, current_setting('lock_timeout')), true)
      ) is not null
    ), keyed as (
      insert into event_keys as kept
        (domain, key, event_id, is_numbered, fingerprint, surface, confidence, received_at, notes)
      select domain, each_key, id, coalesce(each_key = any(shared), false), fingerprint, surface,
        confidence, case when stays then 'infinity' else ${dayInUtc('received_at')} end, notes
      from given cross join unnest(keys) as each_key
      where event <> '${UNKEYED}' order by domain, each_key
      on conflict (domain, key) do update set
        is_numbered = kept.is_numbered or excluded.is_numbered, ${TAKEN_OVER}
      where kept.event_id = '${AWAITED_ORDER}' or excluded.is_numbered and not kept.is_numbered
      -- A row that was there has been locked by this transaction.
      returning domain, event_id, key, xmax <> 0 as is_awaited
    ), numbered as materialized (
      -- Shared keys of others that a sale with an order_id is the first to have.
      select domain, key from keyed where event_id not in (select id from given)
    ), fresh as materialized (
      select given.*, won.is_awaited, session_key is not null
        and row_number() over (partition by domain, session_key order by n) = 1 as is_first
      from given
      left join (
        select event_id, array_agg(key) as keys, bool_or(is_awaited) as is_awaited
        from keyed group by event_id
      ) as won on won.event_id = given.id
      where case
        when event = '${UNKEYED}' then true
        when shared is null then cardinality(won.keys) = cardinality(given.keys)
        -- Who has a shared key has an order_id as well.
        else own_keys <@ won.keys and not exists (
          select from numbered where numbered.domain = given.domain and key = any(shared)
        )
      end
    ), marked as (
      insert into event_keys (domain, key, event_id, fingerprint, surface, confidence, received_at)
      -- That it is there is all that is asked of it, and whose it is when that is erased.
      select domain, double_key, id, 0, '', 0, ${dayInUtc('received_at')}
      from fresh where double_key is not null order by domain, double_key, n
      on conflict do nothing
      returning event_id, key
    ), opened as (
      insert into ai_sessions
        (domain, session_id, day, surface, kind, source, confidence, landing, began)
      select domain, session_key, day, surface, kind, source, confidence, landing, began
      from fresh where is_first
        -- Always true, and makes this part run after the one that it names.
        and (select count(*) from marked) >= 0
      order by domain, session_key
      on conflict do nothing
      returning domain, session_id
    ), reported as (
      update ai_sessions kept set began = fresh.began from fresh
      where event = '${UNKEYED}' and is_first and kept.domain = fresh.domain
        and kept.session_id = fresh.session_key and kept.began > 0
        -- As above: after that part.
        and (select count(*) from opened) >= 0
      returning kept.domain, kept.session_id
    ), judged as materialized (
      -- Not by joins: Postgres takes all parts for a few rows, and would compare each with each.
      select fresh.*,
        is_first and (domain, session_key) in (select domain, session_id from opened) as is_opener,
        event = '${UNKEYED}' and is_first
          and (domain, session_key) in (select domain, session_id from reported) as is_late,
        double_key is not null
          and (id, double_key) not in (select event_id, key from marked) as is_double
      from fresh
    ), placed as materialized (
      select *, is_opener as opens_session from judged where (event <> '${UNKEYED}' or is_opener or is_late)
        -- What a visit was taken to begin with is known already, or the visit was begun by somebody
        -- else meanwhile: then nothing is stored (\`isVisitMistaken\`). A row counts by what its
        -- visit began with, and is to count as if it had come alone.
        and case when opener is null or opener in (select n from judged where is_opener) then true
          else current_setting('${MISTAKEN_VISIT}') is null end
    ), stored as (
      insert into events (domain, id, ts, received_at, event, source, session_id, visit_id,
        opens_session, surface, kind, confidence, model, ai_surface, value, currency, properties,
        landing, day)
      select domain, id, ts, received_at, event, source, session_id, stored_visit,
        opens_session, surface, kind, confidence, stored_model, stored_ai_surface, value, currency, properties,
        landing, nullif(day, (ts at time zone 'UTC')::date)
      from placed
    ), ${ADD_SUMS}
    select id, is_double, is_late, is_awaited from placed`

/**
 * Stores the rows that are new; resolves after COMMIT. No two rows may have a key in common, but
 * for one that is taken by an erased order. Keys of a row that another key shows to be known are
 * stored for it all the same: see `amendKeys`.
 * Rejects with `lock_not_available` where a row is locked for longer than `patienceMs`; null: it
 * waits. Rejects (`isVisitMistaken`) where an `opener` of a new row begins no visit.
 */
export async function insertEvents(
  at: AtShard,
  rows: readonly EventRow[],
  patienceMs: number | null = null,
): Promise<Inserted> {
  const numbers = new Map(rows.map(({ id }, n) => [id, n]))
  const given = rows.map((row, n) => GIVEN.list({ row, packed: packEvent(row), n, numbers }))
  const stored = await at<{
    id: string
    is_double: boolean
    is_late: boolean
    is_awaited: boolean | null
  }>(STORING, [JSON.stringify(given), patienceMs])
  const idsOf = (found: typeof stored) => new Set(found.map(({ id }) => id))
  return {
    fresh: idsOf(stored),
    doubles: idsOf(stored.filter(({ is_double }) => is_double)),
    late: idsOf(stored.filter(({ is_late }) => is_late)),
    awaited: idsOf(stored.filter(({ is_awaited }) => is_awaited)),
  }
}

/** The stored events with these keys, including those that others have just committed. */
export async function findEventKeys(
  at: AtShard,
  asked: readonly { domain: string; key: string }[],
): Promise<FoundKey[]> {
  const found = await lookUp<Omit<FoundKey, 'key' | 'domain' | 'notes'> & { notes: string }>(
    at,
    {
      columns: `found.event_id, found.fingerprint, found.surface, found.confidence, found.notes,
        exists (
          select from waiting_refunds waiting
          where waiting.domain = found.domain and waiting.order_key = found.key
        ) as is_awaited`,
      join: REPORTED,
    },
    asked,
  )
  return found.map((each) => ({
    ...each,
    notes: each.notes === '' ? [] : JSON.parse(each.notes),
  }))
}

/** The key of an event that is stored, and whether a refund waits for an order under it. */
export type FoundKey = KeyedEvent & { is_awaited: boolean }

/**
 * Writes anew what is kept under keys that are stored, all but the time of arrival: that of a
 * further key of an erased order is now, so that it goes in time.
 */
export async function amendKeys(at: AtShard, amended: readonly KeyedEvent[]): Promise<void> {
  if (amended.length === 0) return
  await at(
    `
    update event_keys kept set event_id = given.event_id, fingerprint = given.fingerprint,
      surface = given.surface, confidence = given.confidence, notes = given.notes,
      received_at = case given.event_id when '${ERASED_EVENT}' then ${dayInUtc('now()')} else kept.received_at end
    from jsonb_to_recordset($1::jsonb) as given(
      domain text, key text, event_id uuid, fingerprint int, surface text, confidence float8,
      notes text
    )
    where kept.domain = given.domain and kept.key = given.key
    returning kept.key`,
    [
      JSON.stringify(
        amended.map((each) => ({
          ...each,
          key: shortKey(each.key),
          notes: notesText(each.notes),
        })),
      ),
    ],
  )
}
