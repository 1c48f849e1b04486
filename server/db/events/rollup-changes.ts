import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Transaction } from '../connect.ts'

/** One key and the sums of it, as both `rollup_daily` and `sumEvents` name them. */
export const ROLLUP_KEY = sql.raw('domain, day, surface, kind, source, currency')

/** The columns of the rollup that are sums. */
const FIGURES = [
  'sessions',
  'viewed',
  'initiated',
  'completed',
  'failed',
  'revenue',
  'refunds',
  'refunded',
] as const
export type Figure = (typeof FIGURES)[number]

/** A list in SQL of what `each` makes of every figure's name. */
export const eachFigure = (each: (figure: SQL) => SQL): SQL =>
  sql.join(
    FIGURES.map((figure) => each(sql.raw(figure))),
    sql`, `,
  )

/** A query for the rollup's rows of these events: what ingestion adds, batch by batch. */
export const sumEvents = (events: SQL): SQL => sql`
  select domain, (ts at time zone 'UTC')::date as day, surface, kind, source,
    coalesce(currency, '') as currency,
    count(*) filter (where opens_session) as sessions,
    count(*) filter (where event = 'ai_product_viewed') as viewed,
    count(*) filter (where event = 'ai_checkout_initiated') as initiated,
    count(*) filter (where event = 'ai_checkout_completed') as completed,
    count(*) filter (where event = 'ai_checkout_failed') as failed,
    coalesce(sum(value) filter (where event = 'ai_checkout_completed'), 0) as revenue,
    count(*) filter (where event = 'ai_order_refunded') as refunds,
    coalesce(sum(value) filter (where event = 'ai_order_refunded'), 0) as refunded
  from ${events} group by 1, 2, 3, 4, 5, 6`

/**
 * Adds rows like those of `sumEvents` to the rollup. Concurrent additions are kept, and writing in
 * key order prevents deadlocks.
 */
export const addToRollup = (rows: SQL): SQL => sql`
  insert into rollup_daily as kept (${ROLLUP_KEY}, ${eachFigure((figure) => figure)})
  select ${ROLLUP_KEY}, ${eachFigure((figure) => figure)}
  from ${rows} order by ${ROLLUP_KEY}
  on conflict (${ROLLUP_KEY}) do update set
    ${eachFigure((figure) => sql`${figure} = kept.${figure} + excluded.${figure}`)}`

/** A query without parameters, for a statement that is sent as it is. */
export const statementText = (query: SQL): string => new PgDialect().sqlToQuery(query).sql

/** Deletes rows whose figures are all zero. */
export const deleteEmptyRows = (tx: Transaction, domain: string) =>
  tx.execute(sql`
    delete from rollup_daily where domain = ${domain} and (${eachFigure((figure) => figure)})
      = (${eachFigure(() => sql`0`)})`)

/** Rebuilding and erasing take turns on the totals of a domain; adding events needs no lock. */
export async function lockRollup(tx: Transaction, domain: string): Promise<void> {
  await tx.execute(sql`set local statement_timeout = 0`)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('rollup_daily'), hashtext(${domain}))`)
}
