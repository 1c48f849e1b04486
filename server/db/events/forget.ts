import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { runParts } from '../sharding/shards.ts'
import { dayInUtc } from './events.ts'
import {
  AWAITED_ORDER,
  ERASED_EVENT,
  orderKeys,
  sessionOf,
  shortKey,
  shortKeyIn,
  visitOf,
} from './ids.ts'
import { STORED_VISIT } from './packed.ts'
import {
  addToRollup,
  changeTotals,
  DAILY,
  deleteEmptyRows,
  eachFigure,
  NAMED,
  nameSaid,
  OF_NAMED,
  type Rollup,
  sumEvents,
  sumNamed,
  sumSaid,
} from './rollup-changes.ts'

const VISIT = sql.raw(STORED_VISIT)

/** How much was erased. */
export interface Erased {
  events: number
  /** Rows of sessions, of which one may have had several events. */
  sessions: number
  orders: number
  /** Orders whose events had been dropped, so only their keys were left: the totals keep them. */
  dropped_orders: number
  /** Entries of the ledger. */
  keys: number
}

/**
 * The domains that know the session, by the merchant's id of it or the browser's. Reads events
 * without a domain, which no index serves: hence no time limit.
 */
export async function domainsOfSession(db: Db, sessionId: string): Promise<string[]> {
  const rows = await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`)
    return tx.execute<{ domain: string }>(sql`
      select domain from events where session_id = ${sessionId} or ${VISIT} in ${visitsOf(sessionId)}
      union select domain from ai_sessions where session_id in ${visitsOf(sessionId).map(shortKey)}
      union select domain from event_keys
        where key in ${orderKeys({ session_id: sessionId }).map(shortKey)} and event_id <> ${ERASED_EVENT}::uuid
      order by domain`)
  })
  return rows.map(({ domain }) => domain)
}

// Unspecified: with a session, all that belongs to the same person is erased: a visit and its
// orders, and a merchant's session with the id of the visit. Their keys are erased as well, so that
// a retry after that counts as new; of orders and refunds a mark stays (`ERASED_EVENT`). What was
// set aside has no ids: nothing to erase.

/**
 * Erases a session of a domain and takes it out of the daily sums, in one transaction. Keys go
 * before sessions, the order that ingestion and retention use as well, which prevents deadlocks.
 */
export const forgetSession = (db: Db, domain: string, sessionId: string): Promise<Erased> =>
  changeTotals(db, domain, async (at) => {
    const [erased] = await runParts<Record<keyof Erased, string>>(
      at,
      sql`
      with orders as materialized (
        select event_id from event_keys
        where domain = ${domain} and key in ${orderKeys({ session_id: sessionId }).map(shortKey)}
          and event_id not in (${ERASED_EVENT}::uuid, ${AWAITED_ORDER}::uuid)
      ), awaited as materialized (
        -- Keys of its order, if a refund waits for that.
        select order_key from waiting_refunds
        where domain = ${domain} and (
          order_key in ${orderKeys({ session_id: sessionId }).map(shortKey)}
          or event_id in (
            select id from events where domain = ${domain} and session_id = ${sessionId}
              and event = 'ai_refund_unmatched'
          )
        )
      ), waiting as materialized (
        select event_id from waiting_refunds
        where domain = ${domain} and order_key in (select order_key from awaited)
      ), visits as materialized (
        -- Of an array Postgres expects few rows, and hashes them. Else it would read all of them for
        -- each event.
        select unnest(array(
          select kind || id from (
            select unnest(array[
              substr(${VISIT}, strpos(${VISIT}, ':') + 1), properties->>'first_visit_id'
            ]) as id from events
            where domain = ${domain}
              and (session_id = ${sessionId} or id in (select event_id from orders)
                or ${VISIT} in ${visitsOf(sessionId)}
                or jsonb_exists(properties, 'first_visit_id')
                  and properties->>'first_visit_id' = ${sessionId})
            union select ${sessionId}
          ) as known, (values (${visitOf('')}), (${sessionOf('')})) as kinds(kind)
        )) as visit_id
      ), gone as (
        delete from events
        where domain = ${domain}
          and (session_id = ${sessionId} or ${VISIT} in (select visit_id from visits)
            or id in (select event_id from orders union all select event_id from waiting))
        returning *
      ), over as (
        delete from waiting_refunds
        where domain = ${domain} and event_id in (select event_id from waiting)
        returning order_key
      ), unawaited as (
        delete from event_keys kept where domain = ${domain} and event_id = ${AWAITED_ORDER}::uuid
          and key in (select order_key from over) and not exists (
            select from waiting_refunds other
            where other.domain = kept.domain and other.order_key = kept.key
              and other.event_id not in (select event_id from waiting)
          )
      ), keys as (
        delete from event_keys
        where domain = ${domain}
          and event_id in (select id from gone union all select event_id from orders)
        returning domain, key, event_id, is_numbered, received_at
      ), marks as (
        -- Those of orders and refunds (\`isKeptForGood\`).
        insert into event_keys
          (domain, key, event_id, is_numbered, fingerprint, surface, confidence, received_at)
        select domain, key, ${ERASED_EVENT}::uuid, is_numbered, 0, '', 0, ${sql.raw(dayInUtc('now()'))} from keys
        where received_at = 'infinity'
      ), sessions as (
        delete from ai_sessions
        where domain = ${domain} and session_id in (
          select ${sql.raw(shortKeyIn('visit_id'))} from visits
        )
        returning session_id
      ), named as (
        ${nameSaid(sql`(${sumSaid(sql`gone`)})`, sql`(select * from rollup_names where domain = ${domain})`)}
      ), named_sums as (
        ${sumNamed(sql`named`)}
      ), ${sql.join(
        // From the last to the first, as `ADD_SUMS` says.
        OF_NAMED.map(
          ({ rollup, sumsOf }, n) => sql`subtracted_${sql.raw(String(n))} as (
        ${subtract(rollup, sumsOf(sql`named_sums`))}
      )`,
        ).toReversed(),
        sql`, `,
      )}, subtracted_named as (
        ${subtract(NAMED, sql`select * from named_sums`)}
      ), subtracted as (
        ${subtract(DAILY, sumEvents(sql`gone`))}
      )
      select (select count(*) from gone) as events,
        (select count(*) from keys) as keys,
        (select count(*) from sessions) as sessions,
        (select count(*) from gone where event = 'ai_checkout_completed') as orders,
        (select count(*) from keys
          where key in ${orderKeys({ session_id: sessionId }).map(shortKey)} and event_id not in (select id from gone)
        ) as dropped_orders`,
    )
    await deleteEmptyRows(at, domain)
    return {
      events: Number(erased?.events ?? 0),
      sessions: Number(erased?.sessions ?? 0),
      orders: Number(erased?.orders ?? 0),
      dropped_orders: Number(erased?.dropped_orders ?? 0),
      keys: Number(erased?.keys ?? 0),
    }
  })

/** Takes sums out of a rollup. */
const subtract = (rollup: Rollup, sums: SQL): SQL =>
  addToRollup(
    rollup,
    sql`(select ${rollup.key}, ${eachFigure((figure) => sql`-${figure} as ${figure}`)}
      from (${sums}) as sums) as negative`,
  )

/** The id may be the browser's or the merchant's: the person who has it cannot know which. */
const visitsOf = (id: string) => [visitOf(id), sessionOf(id)]
