import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { VERIFIED_PROPERTY } from '../../../shared/attribution/classify/verified.ts'
import type { Db } from '../connect.ts'
import { type AtShard, runParts, shardsOf } from '../sharding/shards.ts'
import type { Dimension } from './tables.ts'

/** A table of sums, and the columns of its key. */
export interface Rollup {
  table: SQL
  key: SQL
}

const rollup = (table: string, key: string): Rollup => ({
  table: sql.raw(table),
  key: sql.raw(key),
})

/** What the whole report is read from. */
export const DAILY = rollup('rollup_daily', 'domain, day, surface, kind, source, currency')

/**
 * What the report's lists are read from: totals per landing page, product, kind of customer and
 * proof of who called.
 */
export const NAMED = rollup(
  'rollup_named',
  'domain, dimension, name, day, surface, kind, source, currency',
)

/**
 * `NAMED` over all surfaces and sources, per day and per week, which is what lists of all surfaces
 * read.
 */
const LISTED = rollup('rollup_listed', 'domain, dimension, span, day, name, kind, currency')

/** `NAMED` over all sources, per surface and week, which is what lists of one surface read. */
const WEEKLY = rollup('rollup_weekly', 'domain, dimension, surface, day, name, kind, currency')

/** The columns of the rollups that are sums. */
export const FIGURES = [
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

/** The figures of events, as the rollups hold them. */
const COUNTED = sql`
    (count(*) filter (where opens_session))::int as sessions,
    (count(*) filter (where event = 'ai_product_viewed'))::int as viewed,
    (count(*) filter (where event = 'ai_checkout_initiated'))::int as initiated,
    (count(*) filter (where event = 'ai_checkout_completed'))::int as completed,
    (count(*) filter (where event = 'ai_checkout_failed'))::int as failed,
    coalesce(sum(value) filter (where event = 'ai_checkout_completed'), 0)::bigint as revenue,
    (count(*) filter (where event = 'ai_order_refunded'))::int as refunds,
    coalesce(sum(value) filter (where event = 'ai_order_refunded'), 0)::bigint as refunded`

/** The figures of rows that are sums themselves, added up. */
const SUMMED = eachFigure((figure) => sql`sum(${figure})::bigint as ${figure}`)

/** The day of an event, which is stored where it is not that of `ts` in UTC. */
export const EVENT_DAY = sql`coalesce(day, (ts at time zone 'UTC')::date)`

/** A query for the rows of `DAILY` of these events: what ingestion adds, batch by batch. */
export const sumEvents = (events: SQL): SQL => sql`
  select domain, ${EVENT_DAY} as day, surface, kind, source, coalesce(currency, '') as currency,
    ${COUNTED}
  from ${events} group by 1, 2, 3, 4, 5, 6`

// Unspecified: an order is of a new or a returning customer if the shop says so. Nothing is stored
// in the browser that would tell.

/** What an event says of each dimension; null: nothing. */
const SAID: Readonly<Record<Dimension, SQL>> = {
  landing: sql`landing`,
  product: sql`properties->>'product_id'`,
  customer: sql`case when event = 'ai_checkout_completed' then
      case properties->>'new_customer'
        when 'true' then 'new' when 'false' then 'returning' end end`,
  // Proof of another surface than the one that it counts under is none of that.
  verification: sql`case when properties->'${sql.raw(VERIFIED_PROPERTY)}'->>'surface' = surface
      then properties->'${sql.raw(VERIFIED_PROPERTY)}'->>'by' end`,
}
const DIMENSIONS = Object.keys(SAID) as Dimension[]

/**
 * Few values each, and all of them are counted by name. The others are of any number: see
 * `rollup_names`.
 */
const OF_FEW: readonly Dimension[] = ['customer', 'verification']
export const isOfFew = (dimension: Dimension): boolean => OF_FEW.includes(dimension)

/** Whether a row's dimension has few values. */
export const IS_OF_FEW = sql.raw(`in (${OF_FEW.map((each) => `'${each}'`).join(', ')})`)

/** Whether an event counts by what it says. */
const COUNTS_BY_NAME = sql`event not in ('ai_test', 'ai_refund_unmatched')`

/** What each event says of a landing page, a product and a customer: a row for each. */
const saidByEvents = (events: SQL): SQL => sql`
  select of_event.domain, ${EVENT_DAY} as day, surface, kind, source,
    coalesce(currency, '') as currency, opens_session, event, value, dimension, said
  from (select * from ${events}) as of_event cross join lateral (values
    ${sql.join(
      DIMENSIONS.map((dimension) => sql`(${sql.raw(`'${dimension}'`)}, ${SAID[dimension]})`),
      sql`, `,
    )}
  ) as each_said(dimension, said)
  where said <> '' and ${COUNTS_BY_NAME}`

/** How many events say what of one dimension in each month. */
export const countSaid = (dimension: Dimension, events: SQL): SQL => sql`
  select month, said, sum(events) as events
  from (
    -- The month of each event would have to be worked out: a table has those of one.
    select coalesce(of_day, date_trunc('month', min(ts) at time zone 'UTC')) as month, said,
      count(*) as events
    from (
      select tableoid, date_trunc('month', day::timestamp) as of_day, ts, ${SAID[dimension]} as said
      from ${events} and ${COUNTS_BY_NAME} offset 0
    ) as said_by_events
    where said <> '' group by tableoid, of_day, said
  ) as of_table
  group by month, said`

/**
 * The figures of all that these events say, by what that is: a batch of orders says few things,
 * many times.
 */
export const sumSaid = (events: SQL): SQL => sql`
  select domain, day, surface, kind, source, currency, dimension, said, ${COUNTED}
  from (${saidByEvents(events)}) as said_by_events group by 1, 2, 3, 4, 5, 6, 7, 8`

/** Rows like those of `sumSaid`, each with the `name` that it is counted by: see `NAMED`. */
export const nameSaid = (said: SQL, names: SQL): SQL => sql`
  select said.*,
    case when said.dimension ${IS_OF_FEW} then said.said else coalesce(names.name, '') end as name
  from ${said} as said left join ${names} as names on names.domain = said.domain
    and names.dimension = said.dimension and names.month = to_char(said.day, 'YYYY-MM')
    and names.name = said.said`

// Whole months have millions of events, so they are read once, and what the rollups hold is added
// up of what that gives.

const saidColumn = (dimension: Dimension) => sql.raw(`said_${dimension}`)

/**
 * The figures of events of whole months, by the name that each dimension counts them by, null where
 * it does not. The names of at most one dimension are chosen ones.
 */
export function countNames(domain: string, dimensions: readonly Dimension[], events: SQL): SQL {
  const chosen = dimensions.filter((dimension) => !isOfFew(dimension))
  const named = dimensions.map((dimension) => {
    const said = saidColumn(dimension)
    const name = isOfFew(dimension) ? said : sql`coalesce(names.name, '')`
    return sql`case when ${said} <> '' and ${COUNTS_BY_NAME} then ${name} end as ${sql.raw(dimension)}`
  })
  // By day: the month of each event would have to be worked out.
  const names = chosen.map(
    (dimension) => sql`left join (
      select name, generate_series(
        (month || '-01')::timestamp, (month || '-01')::timestamp + '1 month - 1 day', '1 day'
      )::date as day
      from rollup_names where domain = ${domain} and dimension = ${dimension}
    ) as names on names.day = of_event.day and names.name = of_event.${saidColumn(dimension)}`,
  )
  return sql`
  select ${domain}::text as domain, of_event.day, surface, kind, source, currency,
    ${sql.join(named, sql`, `)}, ${COUNTED}
  from (
    select ${EVENT_DAY} as day, surface, kind, source, coalesce(currency, '') as currency, event,
      opens_session, value,
      ${sql.join(
        dimensions.map((dimension) => sql`${SAID[dimension]} as ${saidColumn(dimension)}`),
        sql`, `,
      )}
    -- Each is read once: what is said is compared, looked up and counted.
    from ${events} offset 0
  ) as of_event ${sql.join(names, sql` `)}
  group by ${sql.raw([...Array(6 + dimensions.length).keys()].map((n) => n + 1).join())}`
}

/** A query for the rows of `DAILY`, of what `countNames` counts. */
export const sumDays = (counted: SQL): SQL => sql`
  select ${DAILY.key}, ${SUMMED} from ${counted} group by ${DAILY.key}`

/** The same for the rows of `NAMED` of these dimensions. */
export const sumNames = (dimensions: readonly Dimension[], counted: SQL): SQL =>
  sql.join(
    dimensions.map((dimension) =>
      sumNamed(sql`(
        select *, ${dimension}::text as dimension, ${sql.raw(dimension)} as name
        from ${counted} where ${sql.raw(dimension)} is not null
      ) as of_dimension`),
    ),
    sql` union all `,
  )

/** A query for the rows of `NAMED`, of what was added up before: see `sumSaid`. */
export const sumNamed = (named: SQL): SQL => sql`
  select ${NAMED.key}, ${SUMMED} from ${named} group by ${NAMED.key}`

/** The first day of the week of a row, or of its month where that begins within the week. */
const FIRST_DAY = sql`
  greatest(date_trunc('week', day::timestamp), date_trunc('month', day::timestamp))::date`

/** A rollup whose rows are sums of those of `NAMED`, and the query for them. */
interface SumsOfNamed {
  rollup: Rollup
  sumsOf(named: SQL): SQL
}

/** What is added up further of the rows of `NAMED`, so that reports read fewer of them. */
export const OF_NAMED: readonly SumsOfNamed[] = [
  {
    rollup: LISTED,
    // Each row counts for its day and for its week.
    sumsOf: (named) => sql`
      select domain, dimension, span, first_day as day, name, kind, currency, ${SUMMED}
      from (
        select named.*, span, case span when 'day' then day else ${FIRST_DAY} end as first_day
        from ${named} as named cross join (values ('day'), ('week')) as spans(span)
      ) as spanned
      group by domain, dimension, span, first_day, name, kind, currency`,
  },
  {
    rollup: WEEKLY,
    sumsOf: (named) => sql`
      select domain, dimension, surface, first_day as day, name, kind, currency, ${SUMMED}
      from (select named.*, ${FIRST_DAY} as first_day from ${named} as named) as of_week
      group by domain, dimension, surface, first_day, name, kind, currency`,
  },
]

/**
 * Adds rows of sums to a rollup. Concurrent additions are kept, and writing in key order prevents
 * deadlocks.
 */
export const addToRollup = ({ table, key }: Rollup, rows: SQL): SQL => sql`
  insert into ${table} as kept (${key}, ${eachFigure((figure) => figure)})
  select ${key}, ${eachFigure((figure) => figure)}
  from ${rows} order by ${key}
  on conflict (${key}) do update set
    ${eachFigure((figure) => sql`${figure} = kept.${figure} + excluded.${figure}`)}`

/** A query without parameters, for a statement that is sent as it is. */
export const statementText = (query: SQL): string => new PgDialect().sqlToQuery(query).sql

/** Which totals may have become empty; all of them unless it says otherwise. */
interface Emptied {
  days?: { first: string; last: string }
  dimensions?: readonly Dimension[]
  daily?: boolean
}

/**
 * Deletes rows whose figures are all zero, but for those that somebody else is changing: what adds
 * to one may wait for totals that this transaction has changed.
 */
export async function deleteEmptyRows(
  at: AtShard,
  domain: string,
  { days, dimensions = DIMENSIONS, daily = true }: Emptied = {},
): Promise<void> {
  // A week, or a month that begins in it, is named by its first day.
  const among =
    days === undefined ? sql`` : sql`and day between ${days.first}::date - 6 and ${days.last}::date`
  const ofDimensions = sql`and dimension in (${sql.join(
    dimensions.map((each) => sql`${each}`),
    sql`, `,
  )})`
  const emptied = [
    ...(daily ? [{ ...DAILY, of: sql`` }] : []),
    ...[NAMED, ...OF_NAMED.map(({ rollup }) => rollup)].map((each) => ({
      ...each,
      of: ofDimensions,
    })),
  ]
  for (const { table, key, of } of emptied) {
    await runParts(
      at,
      sql`delete from ${table} where domain = ${domain} and (${key}) in (
          select ${key} from ${table} where domain = ${domain} ${among} ${of}
            and (${eachFigure((figure) => figure)}) = (${eachFigure(() => sql`0`)})
          for update skip locked
        ) returning domain`,
    )
  }
}

/** Totals that can be put right by themselves: no row of one is a sum of rows of another. */
export const TOTALS = ['landing', 'others'] as const
export type Totals = (typeof TOTALS)[number]

/**
 * A transaction that changes what a domain's totals are made of, all of them or these alone.
 * Rebuilding and erasing take turns; adding events needs no lock.
 */
export async function changeTotals<Result>(
  { $client: pool }: Db,
  domain: string,
  work: (at: AtShard) => Promise<Result>,
  totals: readonly Totals[] = TOTALS,
): Promise<Result> {
  const changed = await pool.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    for (const each of totals) {
      await tx`select pg_advisory_xact_lock(hashtext(${`rollup ${each}`}), hashtext(${domain}))`
    }
    // In a list the driver leaves what is not a promise alone.
    return [await work(shardsOf(pool).at([domain], tx))] as const
  })
  return changed[0]
}
