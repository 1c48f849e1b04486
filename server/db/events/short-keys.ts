import { hash } from 'node:crypto'
import type { ISql, Sql } from 'postgres'
import { runSweep, slicePages } from '../retention/sweep.ts'
import type { WithRows } from '../shards/shards.ts'
import { orderKey, refundKey } from './sale-keys.ts'

// Keys of events and ids of sessions are kept as the first 96 bits of their SHA-256, which are 16
// characters, within their domain. Of a billion keys of one domain two are alike with a chance of
// one in 10^11; the second event would then be counted as a repeat of the first. A sender who
// searches for such a pair on purpose finds one among the keys of their own domain, and loses an
// event of their own. Until release 0.1.0 the texts themselves were kept. All of them have a colon,
// and no hash has: a check of the tables keeps texts out, so that a build which writes them is
// refused, instead of counting twice. A database that such a build has made is changed by
// `aisle db compact`, once none runs any more.

/** What has a check, and the column that it is of. */
const CHECKED = [
  { table: 'event_keys', column: 'key' },
  { table: 'ai_sessions', column: 'session_id' },
] as const

const checkOf = (table: string): string => `${table}_short`

/**
 * What the tables hold, by their checks:
 * - `texts`: texts alone. There are no checks, because a build until 0.1.0 may still write.
 * - `both`: new rows have hashes, older ones may have texts. The checks are for new rows.
 * - `hashes`: hashes alone. The checks hold for all rows.
 */
type KeyForm = 'texts' | 'both' | 'hashes'

/** A short hash that stands for a key or a session's id. */
export const shortKey = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16)

/** `shortKey` as an expression of Postgres. */
export const shortKeyIn = (text: string): string =>
  `translate(encode(substring(sha256(convert_to(${text}, 'UTF8')) from 1 for 12), 'base64'), '+/', '-_')`

/**
 * Hexadecimal digits of a fingerprint that are kept: of repeats with other fields one in 2^32 is
 * not told.
 */
const FINGERPRINT = 8

/** A fingerprint as it is kept. */
export const shortFingerprint = (fingerprint: string): string => fingerprint.slice(0, FINGERPRINT)

/** Whether fingerprints, each of which may be short, are of the same fields. */
export const areAlike = (one: string, other: string): boolean =>
  shortFingerprint(one) === shortFingerprint(other)

/** How keys begin, as texts, that stay when their month is dropped. */
const STAYING = [orderKey(''), refundKey('')]

/** Whether a key stays, as a text. */
export const isStaying = (key: string): boolean => STAYING.some((start) => key.startsWith(start))

/** `isStaying` as a condition of Postgres, for a key that is stored. */
const IS_STAYING = STAYING.map((start) => `starts_with(kept.key, '${start}')`).join(' or ')

/**
 * What goes of keys with a month, whose first instant is the parameter. A hash does not say whose
 * it is, and builds until 0.1.0 would delete it: so those that stay have arrived at no time
 * (`isStaying`).
 */
export const AGED_KEYS = `kept.received_at < $1::timestamptz and not (${IS_STAYING})`

/**
 * Keys with notes whose event goes with its month, or has gone: notes name visits in clear, and
 * what no event knows is not found to be erased. A count is asked row by row, where Postgres would
 * join `not exists` with all events.
 */
export const AGED_NOTES = `kept.notes is not null and (
  select count(*) from events own
  where own.domain = kept.domain and own.id = kept.event_id and own.ts >= $1::timestamptz
) = 0`

/** What makes a hash of a text in a row of a table. */
const SHORTEN = {
  event_keys: `update event_keys kept set key = ${shortKeyIn('kept.key')},
    fingerprint = left(kept.fingerprint, ${FINGERPRINT}),
    received_at = case when ${IS_STAYING} then 'infinity' else kept.received_at end`,
  ai_sessions: `update ai_sessions kept set session_id = ${shortKeyIn('kept.session_id')}`,
}

/** How the database keeps its keys at this moment, by the checks that its tables have. */
export async function findKeyForm(sql: ISql): Promise<KeyForm> {
  const rows = await sql<{ valid: boolean }[]>`
    select convalidated as valid from pg_constraint
    where conname = any(${CHECKED.map(({ table }) => checkOf(table))})
      and conrelid in ('event_keys'::regclass, 'ai_sessions'::regclass)`
  if (rows.length < CHECKED.length) return 'texts'
  return rows.every(({ valid }) => valid) ? 'hashes' : 'both'
}

/**
 * For so long a form is taken for what it was, in milliseconds: also the last one, as a dump may be
 * restored.
 */
const REMEMBERED_MS = 30_000

/** `findKeyForm` that asks seldom; `forget` starts anew, after texts were refused. */
export function rememberKeyForm(sql: Sql, clock = () => performance.now()) {
  let known: { form: KeyForm; since: number } | undefined
  return {
    async form(): Promise<KeyForm> {
      if (known === undefined || clock() - known.since > REMEMBERED_MS) {
        known = { form: await findKeyForm(sql), since: clock() }
      }
      return known.form
    },
    forget() {
      known = undefined
    },
  }
}

/** What is stored of events, and in which form their keys are. */
export interface EventLedger {
  withRows: WithRows
  form: KeyForm
  /** How a key stands in the tables. */
  kept: (key: string) => string
  /** How a session's id is kept, which is asked for again and again. */
  keptVisit: (visitId: string) => string
}

/** For one batch: it makes the hash of a session's id once. */
export function eventLedger(withRows: WithRows, form: KeyForm): EventLedger {
  if (form === 'texts') return { withRows, form, kept: (key) => key, keptVisit: (id) => id }
  const visits = new Map<string, string>()
  const keptVisit = (id: string): string => {
    const known = visits.get(id)
    if (known !== undefined) return known
    const short = shortKey(id)
    visits.set(id, short)
    return short
  }
  return { withRows, form, kept: shortKey, keptVisit }
}

/**
 * Makes hashes of those of these texts that are still in the tables, so that they are found as
 * such.
 */
export async function shortenKeys(
  { withRows, form }: EventLedger,
  textsOf: () => readonly { domain: string; text: string }[],
): Promise<void> {
  if (form !== 'both') return
  const texts = textsOf()
  if (texts.length === 0) return
  await withRows(
    `
    with asked as materialized (
      select distinct domain, text from jsonb_to_recordset($1::jsonb) as given(domain text, text text)
    ), keys as (
      ${SHORTEN.event_keys} from asked where kept.domain = asked.domain and kept.key = asked.text
      returning 1
    ), sessions as (
      ${SHORTEN.ai_sessions} from asked
      where kept.domain = asked.domain and kept.session_id = asked.text
      returning 1
    )
    select (select count(*) from keys) + (select count(*) from sessions) as rows`,
    texts,
  )
}

/**
 * What makes a table refuse texts. The setting does not exist: builds until 0.1.0 answer 500 to
 * that.
 */
export const refuseTexts = (table: string, column: string): string =>
  `alter table ${table} add constraint ${checkOf(table)} check
    (strpos(${column}, ':') = 0 or current_setting('aisle.texts_are_refused') is null) not valid`

/**
 * Refuses texts from now on, and makes hashes of those that are there, a slice at a time, while
 * events come in. Run again, it does what is left. Returns how many rows it changed, and whether
 * all is done: else another process is at it.
 */
export async function compactKeys(sql: Sql): Promise<{ rows: number; isDone: boolean }> {
  const form = await findKeyForm(sql)
  if (form === 'hashes') return { rows: 0, isDone: true }
  if (form === 'texts') {
    await sql.begin(async (tx) => {
      await tx`set local lock_timeout = '2s'`
      for (const { table, column } of CHECKED) await tx.unsafe(refuseTexts(table, column))
    })
  }
  let rows = 0
  let isDone = true
  for (const { table, column } of CHECKED) {
    const swept = await runSweep(
      sql,
      table,
      slicePages(table, `strpos(kept.${column}, ':') > 0`, [], SHORTEN[table]),
    )
    rows += swept.rows
    isDone &&= swept.isDone
  }
  if (!isDone) return { rows, isDone }
  for (const { table } of CHECKED) {
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`
      await tx.unsafe(`alter table ${table} validate constraint ${checkOf(table)}`)
    })
  }
  return { rows, isDone }
}
