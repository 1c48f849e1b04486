import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { type AtShard, runParts } from '../sharding/shards.ts'
import { countSaid, IS_OF_FEW, isOfFew } from './rollup-changes.ts'
import type { Dimension } from './tables.ts'

// Unspecified: of a month, a domain's report keeps thirty landing pages and thirty products by
// name. The first ones are, until there are thirty; from then on those with the most events, which
// is looked at again each day, and the others are counted together.

/** How many names of a dimension are kept of a domain and month. */
export const MOST_NAMED = 30

/**
 * The parts of ingestion's statement that decide which names are counted: `names`, with a row for
 * each that is, and `joining`, those that were not before. `said`, the part before, has rows like
 * those of `sumSaid`.
 */
export const ADMIT_NAMES = sql`
  asked as materialized (
    select distinct domain, dimension, to_char(day, 'YYYY-MM') as month, said as name
    from said where not dimension ${IS_OF_FEW}
  ), known as materialized (
    select asked.* from asked cross join lateral (
      select from rollup_names kept where kept.domain = asked.domain
        and kept.dimension = asked.dimension and kept.month = asked.month
        and kept.name = asked.name offset 0
    ) as found
  ), unknown as (
    select *, row_number() over (partition by domain, dimension, month order by name) as place
    from asked where (domain, dimension, month, name) not in (select * from known)
  ), room as (
    select domain, dimension, month, ${sql.raw(String(MOST_NAMED))} - (
      select count(*) from rollup_names kept where kept.domain = wanted.domain
        and kept.dimension = wanted.dimension and kept.month = wanted.month
    ) as places
    from (select distinct domain, dimension, month from unknown) as wanted
  ), joining as materialized (
    select domain, dimension, month, name
    from unknown join room using (domain, dimension, month) where place <= places
  ), admitted as (
    insert into rollup_names as kept (domain, dimension, month, name)
    select * from joining order by domain, dimension, month, name
    -- Changes nothing, and returns the row that another batch has just added.
    on conflict (domain, dimension, month, name) do update set name = excluded.name
    returning kept.domain, kept.dimension, kept.month, kept.name
  ), names as materialized (
    select * from known union all select * from admitted
  )`

/**
 * Names anew what has the most events in each month from `since` on, of the events that are kept.
 * The totals have to be rebuilt afterwards, in the same transaction. Customers have no names.
 */
export async function chooseNames(
  at: AtShard,
  domain: string,
  since: string,
  dimension: Dimension,
): Promise<void> {
  if (isOfFew(dimension)) return
  const events = sql`events where domain = ${domain} and ts >= ${`${since}-01`}::date - 1`
  await runParts(
    at,
    sql`
    with counted as (
      ${countSaid(dimension, events)}
    ), foremost as (
      -- With all that have as many as the last: few of tens of thousands are then ordered by name.
      select * from (
        select *, rank() over (partition by month order by events desc) as rank from counted
      ) as by_events where rank <= ${sql.raw(String(MOST_NAMED))}
    ), named as (
      select * from rollup_names where domain = ${domain} and dimension = ${dimension}
    ), ranked as (
      select of_month.*, row_number() over (
        partition by of_month.month
        -- Of two with as many, the one that is counted already stays.
        order by events desc, kept.name is null, of_month.name
      ) as place
      from (select to_char(month, 'YYYY-MM') as month, said as name, events from foremost) as of_month
      left join named kept on kept.month = of_month.month and kept.name = of_month.name
    ), head as (
      select * from ranked where place <= ${sql.raw(String(MOST_NAMED))} and month >= ${since}
    ), gone as (
      delete from rollup_names kept
      where domain = ${domain} and dimension = ${dimension} and month >= ${since}
        and exists (select from head where head.month = kept.month)
        and not exists (select from head where head.month = kept.month and head.name = kept.name)
    )
    insert into rollup_names (domain, dimension, month, name, chosen_at)
    select ${domain}, ${dimension}, month, name, now() from head order by 3, 4
    on conflict (domain, dimension, month, name) do update set chosen_at = excluded.chosen_at
    returning domain`,
  )
}

/**
 * The sums of what has more names in this month than are counted, and was not looked at for a day.
 */
const crowded = (month: string): SQL => sql`
  from rollup_listed listed
  where name = '' and span = 'week' and day >= ${`${month}-01`}::date
    and not exists (
      select from rollup_names kept
      where kept.domain = listed.domain and kept.dimension = listed.dimension
        and kept.month = ${month} and kept.chosen_at > now() - interval '1 day'
    )`

/** The domains to name anew, in a landing page or a product. */
export async function domainsToName(db: Db, month: string): Promise<string[]> {
  const rows = await db.execute<{ domain: string }>(
    sql`select distinct domain ${crowded(month)} order by domain`,
  )
  return rows.map(({ domain }) => domain)
}

/** Whether one of these dimensions of a domain is to be named anew. */
export async function isToName(
  at: AtShard,
  domain: string,
  month: string,
  dimensions: readonly Dimension[],
): Promise<boolean> {
  const [row] = await runParts<{ crowded: boolean }>(
    at,
    sql`select exists (
      select ${crowded(month)} and listed.domain = ${domain}
        and listed.dimension in (${sql.join(
          dimensions.map((each) => sql`${each}`),
          sql`, `,
        )})
    ) as crowded`,
  )
  return row?.crowded ?? false
}
