import { sql } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { IS_OF_AI } from '../events/rollups.ts'
import { shop_totals } from './tables.ts'

type ShopTotal = typeof shop_totals.$inferSelect

/** Keeps totals of days; one of a day and currency that is there already is replaced. */
export const saveTotals = (db: Db, totals: ShopTotal[]): Promise<unknown> =>
  db
    .insert(shop_totals)
    .values(totals)
    .onConflictDoUpdate({
      target: [shop_totals.domain, shop_totals.day, shop_totals.currency],
      set: {
        orders: sql`excluded.orders`,
        revenue: sql`excluded.revenue`,
        reported_at: sql`excluded.reported_at`,
      },
    })

/** What a shop sold in a currency on its reported days, and how much of it came from AI. */
export interface TotalSums {
  currency: string
  days: number
  orders: number
  revenue: number
  ai_orders: number
  ai_revenue: number
}

/** The totals of a range of days, both included, per currency. */
export async function readTotals(
  db: Db,
  { domain, start, end }: { domain: string; start: string; end: string },
): Promise<TotalSums[]> {
  const rows = await db.execute<Record<keyof TotalSums, string>>(sql`
    select told.currency, count(*) as days, sum(told.orders) as orders,
      sum(told.revenue) as revenue, coalesce(sum(ai.orders), 0) as ai_orders,
      coalesce(sum(ai.revenue), 0) as ai_revenue
    from shop_totals told left join (
      select day, currency, sum(completed) as orders, sum(revenue) as revenue from rollup_daily
      where domain = ${domain} and day between ${start}::date and ${end}::date and ${IS_OF_AI}
      group by day, currency
    ) as ai using (day, currency)
    where told.domain = ${domain} and told.day between ${start}::date and ${end}::date
    group by told.currency`)
  return rows.map(({ currency, ...sums }) => ({
    currency,
    days: Number(sums.days),
    orders: Number(sums.orders),
    revenue: Number(sums.revenue),
    ai_orders: Number(sums.ai_orders),
    ai_revenue: Number(sums.ai_revenue),
  }))
}
