import { sql } from 'drizzle-orm'
import type { DaySpan, DaySums } from '../../../shared/attribution/worth/figures.ts'
import type { Db, Transaction } from '../connect.ts'
import { MOST_NAMED } from '../events/rollup-names.ts'
import { IS_OF_AI } from '../events/rollups.ts'
import type { Dimension } from '../events/tables.ts'

type Counted = Record<Exclude<keyof DaySums, 'day' | 'currency'>, string>

const SUMS = sql`sum(sessions) as sessions, sum(viewed) as viewed, sum(completed) as orders,
  sum(revenue) as revenue`

const numbersOf = ({ sessions, viewed, orders, revenue }: Counted) => ({
  sessions: Number(sessions),
  viewed: Number(viewed),
  orders: Number(orders),
  revenue: Number(revenue),
})

/** What AI brought to a domain on each of these days. */
export async function readDaySums(
  db: Db | Transaction,
  domain: string,
  { from, to }: DaySpan,
): Promise<DaySums[]> {
  const rows = await db.execute<{ day: string; currency: string } & Counted>(sql`
    select day::text as day, currency, ${SUMS} from rollup_daily
    where domain = ${domain} and day between ${from}::date and ${to}::date and ${IS_OF_AI}
    group by 1, 2`)
  return rows.map(({ day, currency, ...sums }) => ({ day, currency, ...numbersOf(sums) }))
}

/** The same of one landing page or product. */
type NamedDaySums = DaySums & { name: string }

/**
 * What AI brought to these landing pages or products. Those that were not counted by name in some
 * month of the days are left out: their zeros would be no zeros.
 */
export async function readNamedDaySums(
  db: Db | Transaction,
  domain: string,
  { from, to }: DaySpan,
  { dimension, names }: { dimension: Dimension; names: readonly string[] },
): Promise<{ counted: Set<string>; rows: NamedDaySums[] }> {
  const asked = sql`select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb)`
  const of = sql`domain = ${domain} and dimension = ${dimension}`
  const [known, rows] = await Promise.all([
    // In a month with room for more, a name that is not kept brought nothing.
    db.execute<{ name: string }>(sql`
      with months as (
        select to_char(month, 'YYYY-MM') as month, (
          select count(*) from rollup_names kept
          where ${of} and kept.month = to_char(months.month, 'YYYY-MM')
        ) < ${MOST_NAMED} as has_room
        from generate_series(date_trunc('month', ${from}::timestamp), ${to}::timestamp, interval '1 month')
          as months(month)
      )
      select name from (${asked} as name) as asked
      where not exists (
        select from months where not has_room and not exists (
          select from rollup_names kept
          where ${of} and kept.month = months.month and kept.name = asked.name
        )
      )`),
    db.execute<{ name: string; day: string; currency: string } & Counted>(sql`
      select name, day::text as day, currency, ${SUMS} from rollup_named
      where ${of} and name in (${asked}) and day between ${from}::date and ${to}::date
        and ${IS_OF_AI}
      group by 1, 2, 3`),
  ])
  const counted = new Set(known.map(({ name }) => name))
  return {
    counted,
    rows: rows.flatMap(({ name, day, currency, ...sums }) =>
      counted.has(name) ? [{ name, day, currency, ...numbersOf(sums) }] : [],
    ),
  }
}
