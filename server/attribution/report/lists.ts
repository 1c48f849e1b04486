import type {
  AiShare,
  CustomerRow,
  LandingList,
  ListSort,
  OriginRow,
  ProductList,
  Report,
} from '../../../shared/attribution/report.ts'
import { readTitles } from '../../db/attribution/product-titles.ts'
import type { TotalSums } from '../../db/attribution/shop-totals.ts'
import type { Db } from '../../db/connect.ts'
import type { NamedSums, Sums } from '../../db/events/rollups.ts'
import { originRowOf, rowChangeOf, total } from './figures.ts'

/** How the lists of a report are shown. */
interface ListOptions {
  sort: ListSort
  limit: number
  offset: number
  currency: string | null
  withChange: boolean
}

/** The landing pages of a report, or the rest of them. */
export const landingListOf = (rows: readonly NamedSums[], options: ListOptions): LandingList =>
  listOf(
    rows,
    options,
    (name, group) => ({ landing: name, ...rowOf(group, options) }),
    (group) => rowOf(group, options),
  )

/**
 * The products of a report, still without names. A view opens no session, so they are sorted by
 * views in its place.
 */
export function productListOf(rows: readonly NamedSums[], options: ListOptions): ProductList {
  const productRow = (group: readonly NamedSums[]) => {
    const { sessions: _, conversion_rate: __, ...row } = rowOf(group, options)
    return { ...row, views: total(ownOf(group), ({ viewed }) => viewed) }
  }
  return listOf(
    rows,
    options,
    (product_id, group) => ({ product_id, name: null, ...productRow(group) }),
    productRow,
  )
}

/** A list of products with what the store calls them, as far as that is known. */
export async function withTitles(db: Db, domain: string, list: ProductList): Promise<ProductList> {
  const ids = list.rows.map(({ product_id }) => product_id)
  const titles = await readTitles(db, domain, ids)
  const rows = list.rows.map((row) => ({ ...row, name: titles.get(row.product_id) ?? null }))
  return { ...list, rows }
}

/** The rows of the range itself, without those of the period before. */
const ownOf = <Row extends { earlier: boolean }>(rows: readonly Row[]): Row[] =>
  rows.filter(({ earlier }) => !earlier)

const rowOf = (group: readonly NamedSums[], { currency, withChange }: ListOptions): OriginRow => ({
  ...originRowOf(ownOf(group), currency),
  ...(withChange && { change: rowChangeOf(group, currency) }),
})

/** Whether anything was counted. */
const isSome = (row: Sums): boolean =>
  row.sessions + row.viewed + row.initiated + row.completed + row.failed + row.refunds > 0

/** What a list is sorted by; equal ones are in the order of their names. */
const SORTED_BY: Record<
  ListSort,
  (row: { revenue_cents: number; orders: number; sessions?: number; views?: number }) => number
> = {
  revenue: (row) => row.revenue_cents,
  orders: (row) => row.orders,
  sessions: (row) => row.sessions ?? row.views ?? 0,
}

function listOf<Row extends Omit<OriginRow, 'sessions' | 'conversion_rate'>, Rest>(
  rows: readonly NamedSums[],
  { sort, limit, offset }: ListOptions,
  nameRow: (name: string, group: readonly NamedSums[]) => Row,
  restRow: (group: readonly NamedSums[]) => Rest,
) {
  const groups = Map.groupBy(rows, ({ name }) => name)
  const rest = groups.get('') ?? []
  groups.delete('')
  const named = [...groups]
    .filter(([, group]) => ownOf(group).some(isSome))
    .map(([name, group]) => ({ name, row: nameRow(name, group) }))
    .sort(
      (a, b) =>
        SORTED_BY[sort](b.row) - SORTED_BY[sort](a.row) ||
        b.row.orders - a.row.orders ||
        (a.name < b.name ? -1 : 1),
    )
  return {
    rows: named.slice(offset, offset + limit).map(({ row }) => row),
    total: named.length,
    next_offset: offset + limit < named.length ? offset + limit : null,
    other: ownOf(rest).some(isSome) ? restRow(rest) : null,
  }
}

/** Orders by kind of customer; what the shop did not say of is all of `rows` that is left. */
export function customersOf(
  said: readonly NamedSums[],
  rows: readonly Sums[],
  currency: string | null,
): NonNullable<Report['by_customer']> {
  const rowOf = (group: readonly Sums[]): CustomerRow => {
    const { orders, revenue_cents, orders_in_currency, avg_order_value_cents } = originRowOf(
      group,
      currency,
    )
    return { orders, revenue_cents, orders_in_currency, avg_order_value_cents }
  }
  const ofKind = (kind: string) => said.filter(({ name, earlier }) => name === kind && !earlier)
  const [isNew, returning] = [rowOf(ofKind('new')), rowOf(ofKind('returning'))]
  const all = rowOf(rows)
  const left = (figure: 'orders' | 'revenue_cents' | 'orders_in_currency') =>
    Math.max(0, all[figure] - isNew[figure] - returning[figure])
  const [revenue_cents, orders_in_currency] = [left('revenue_cents'), left('orders_in_currency')]
  return {
    new: isNew,
    returning,
    unknown: {
      orders: left('orders'),
      revenue_cents,
      orders_in_currency,
      avg_order_value_cents:
        orders_in_currency === 0 ? 0 : Math.round(revenue_cents / orders_in_currency),
    },
  }
}

/** The currencies of a shop's totals, that of most orders first. */
export const totalsCurrenciesOf = (totals: readonly TotalSums[]): string[] =>
  totals
    .toSorted((a, b) => b.orders - a.orders || (a.currency < b.currency ? -1 : 1))
    .map(({ currency }) => currency)

/** The share of AI in a shop's sales in a currency; null if it reported no day in that currency. */
export function aiShareOf(totals: readonly TotalSums[], currency: string | null): AiShare | null {
  const told = totals.find((row) => row.currency === currency)
  if (told === undefined) return null
  const { days, orders, revenue, ai_orders, ai_revenue } = told
  return {
    days,
    orders,
    revenue_cents: revenue,
    ai_orders,
    ai_revenue_cents: ai_revenue,
    of_orders: shareIn(ai_orders, orders),
    of_revenue: shareIn(ai_revenue, revenue),
  }
}

/** A total below the sales from AI was reported before some of its orders. */
const shareIn = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(1, part / whole)
