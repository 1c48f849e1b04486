import type { Verified } from '../../../shared/attribution/classify/verified.ts'
import type {
  OriginRow,
  Refunded,
  Report,
  RowChange,
  Summary,
  SurfaceRow,
  Unattributed,
  Verification,
} from '../../../shared/attribution/report.ts'
import {
  addExactly,
  type OrderSums,
  type OriginSums,
  type Sums,
  type VerifiedSums,
} from '../../db/events/rollups.ts'

/** The sum of one figure over rows, at most 2^53 - 1. */
export const total = <Row>(rows: readonly Row[], figureOf: (row: Row) => number): number =>
  rows.reduce((sum, row) => addExactly(sum, figureOf(row)), 0)

/** Revenue in one currency, in its smallest unit: other currencies' is never added to it. */
const revenueIn = (rows: readonly OrderSums[], currency: string | null): number =>
  total(
    rows.filter((row) => row.currency === currency),
    ({ revenue }) => revenue,
  )

/** Refunds over all currencies, and in one what they gave back and what is left of its revenue. */
export function refundedIn(rows: readonly OrderSums[], currency: string | null): Refunded {
  const refunded_cents = total(
    rows.filter((row) => row.currency === currency),
    ({ refunded }) => refunded,
  )
  return {
    refunds: total(rows, ({ refunds }) => refunds),
    refunded_cents,
    net_revenue_cents: revenueIn(rows, currency) - refunded_cents,
  }
}

/** `refundedIn` if anything was refunded, in any currency. */
function refundsIfAny(rows: readonly OrderSums[], currency: string | null): Partial<Refunded> {
  const refunded = refundedIn(rows, currency)
  return refunded.refunds === 0 ? {} : refunded
}

/**
 * The figures of rollup rows under the API's names. Counts are over all currencies, revenue is in
 * one.
 */
export const countsOf = (rows: readonly OrderSums[], currency: string | null) => ({
  sessions: total(rows, ({ sessions }) => sessions),
  checkouts: total(rows, ({ initiated }) => initiated),
  orders: total(rows, ({ completed }) => completed),
  revenue_cents: revenueIn(rows, currency),
  ...refundsIfAny(rows, currency),
})

/** The same, with the orders that the revenue is of. */
export const countsIn = (rows: readonly OrderSums[], currency: string | null) => ({
  ...countsOf(rows, currency),
  orders_in_currency: ordersIn(rows, currency),
})

/**
 * What is derived from counts: ratios are 0 where there is nothing to divide by. The average is
 * over the orders in the currency alone.
 */
function ratesOf(rows: readonly OrderSums[], currency: string | null) {
  const sessions = total(rows, (row) => row.sessions)
  const orders = total(rows, ({ completed }) => completed)
  const orders_in_currency = ordersIn(rows, currency)
  return {
    orders_in_currency,
    // A product may have more orders than sessions: each is counted by what its event names.
    conversion_rate: sessions === 0 ? 0 : Math.min(1, orders / sessions),
    avg_order_value_cents:
      orders_in_currency === 0 ? 0 : Math.round(revenueIn(rows, currency) / orders_in_currency),
  }
}

/** Orders that came with a value in a currency. */
const ordersIn = (rows: readonly OrderSums[], currency: string | null): number =>
  total(
    rows.filter((row) => row.currency === currency),
    ({ completed }) => completed,
  )

/** The summary (spec, Attribution report) in one currency; null: nothing was sold. */
export function summaryOf(rows: readonly OrderSums[], currency: string | null): Summary {
  const { sessions, checkouts, orders, revenue_cents } = countsOf(rows, currency)
  const { refunds, refunded_cents, net_revenue_cents } = refundedIn(rows, currency)
  const { conversion_rate, avg_order_value_cents } = ratesOf(rows, currency)
  return {
    ai_sessions: sessions,
    ai_checkouts: checkouts,
    ai_orders: orders,
    ai_revenue_cents: revenue_cents,
    ai_conversion_rate: conversion_rate,
    avg_order_value_cents,
    ...(refunds > 0 && {
      ai_refunds: refunds,
      ai_refunded_cents: refunded_cents,
      ai_net_revenue_cents: net_revenue_cents,
    }),
  }
}

/** The figures of rows of one day, surface or name. */
export const originRowOf = (rows: readonly OrderSums[], currency: string | null): OriginRow => ({
  ...countsOf(rows, currency),
  ...ratesOf(rows, currency),
})

/** Sessions and orders of agents by what proves whose they are; what is left is claimed. */
export function verificationOf(
  rows: readonly OrderSums[],
  verified: readonly VerifiedSums[],
): Verification {
  const of = (by: Verified['by']) => {
    const proved = verified.filter((row) => row.by === by)
    return {
      sessions: total(proved, ({ sessions }) => sessions),
      orders: total(proved, ({ orders }) => orders),
    }
  }
  const counted = { signature: of('signature'), platform: of('platform'), address: of('address') }
  const left = (all: number, figure: 'sessions' | 'orders') =>
    Math.max(0, all - total(Object.values(counted), (each) => each[figure]))
  const claimed = {
    sessions: left(
      total(rows, ({ sessions }) => sessions),
      'sessions',
    ),
    orders: left(
      total(rows, ({ completed }) => completed),
      'orders',
    ),
  }
  return { ...counted, claimed }
}

/** What is counted apart from AI. */
export function unattributedOf(rows: readonly OrderSums[], currency: string | null): Unattributed {
  const { sessions: _, conversion_rate: __, ...row } = originRowOf(rows, currency)
  return row
}

/** Rows of a report, of the range and of the period before it, and the days that are compared. */
interface Spanned {
  earlier: boolean
  compared: boolean
}

/** The change between the rows of both ranges that are compared. */
export function rowChangeOf(
  rows: readonly (OrderSums & Spanned)[],
  currency: string | null,
): RowChange {
  const compared = rows.filter((row) => row.compared)
  const of = (earlier: boolean) =>
    originRowOf(
      compared.filter((row) => row.earlier === earlier),
      currency,
    )
  const [now, before] = [of(false), of(true)]
  return {
    sessions: relative(now.sessions, before.sessions),
    checkouts: relative(now.checkouts, before.checkouts),
    orders: relative(now.orders, before.orders),
    revenue_cents: relative(now.revenue_cents, before.revenue_cents),
    conversion_rate: relative(now.conversion_rate, before.conversion_rate),
    avg_order_value_cents: relative(now.avg_order_value_cents, before.avg_order_value_cents),
  }
}

/**
 * Rows of which orders, revenue and refunds are in one currency only. Sessions, views, checkouts
 * and failures are of none, so they stay.
 */
export const onlyIn = <Row extends OrderSums>(rows: readonly Row[], currency: string): Row[] =>
  rows.map((row) =>
    row.currency === currency ? row : { ...row, completed: 0, revenue: 0, refunds: 0, refunded: 0 },
  )

/** Events of each kind, over all currencies. */
export const funnelOf = (rows: readonly Sums[]): Report['funnel'] => ({
  viewed: total(rows, ({ viewed }) => viewed),
  initiated: total(rows, ({ initiated }) => initiated),
  completed: total(rows, ({ completed }) => completed),
  failed: total(rows, ({ failed }) => failed),
})

/** The figures of one surface or source, with its sessions by how they came. */
export function surfaceRowOf(rows: readonly OriginSums[], currency: string | null): SurfaceRow {
  const sessionsOf = (kind: OriginSums['kind']) =>
    total(
      rows.filter((row) => row.kind === kind),
      ({ sessions }) => sessions,
    )
  return {
    ...originRowOf(rows, currency),
    kind: {
      referral: sessionsOf('referral'),
      agent: sessionsOf('agent'),
      protocol: sessionsOf('protocol'),
    },
  }
}

/** Rows of each currency that something was sold or refunded in, most orders first. */
function byCurrency<Row extends OrderSums>(rows: readonly Row[]): [string, Row[]][] {
  const sold = Map.groupBy(
    rows.filter(({ currency, completed, refunds }) => currency !== '' && completed + refunds > 0),
    ({ currency }) => currency,
  )
  // Unspecified: of two currencies with as many orders, the first in the alphabet goes first.
  return [...sold].sort(
    ([a, one], [b, other]) => ordersIn(other, b) - ordersIn(one, a) || (a < b ? -1 : 1),
  )
}

/**
 * Orders and revenue in each currency that something was sold or refunded in, most orders first.
 */
export function revenueByCurrency(rows: readonly OrderSums[]): Report['revenue_by_currency'] {
  const sessions = total(rows, (row) => row.sessions)
  return Object.fromEntries(
    byCurrency(rows).map(([currency, group]) => {
      const orders = ordersIn(group, currency)
      const revenue_cents = revenueIn(group, currency)
      return [
        currency,
        {
          orders,
          revenue_cents,
          avg_order_value_cents: orders === 0 ? 0 : Math.round(revenue_cents / orders),
          conversion_rate: sessions === 0 ? 0 : Math.min(1, orders / sessions),
          ...refundsIfAny(group, currency),
        },
      ]
    }),
  )
}

/** The currency with the most orders; null when nothing was sold or refunded. */
export const mainCurrency = (rows: readonly OrderSums[]): string | null =>
  byCurrency(rows)[0]?.[0] ?? null

/** Relative change per figure, 0.25 for a quarter more; null where there was nothing before. */
export const changeOf = (now: Summary, before: Summary): Record<string, number | null> => ({
  ai_sessions: relative(now.ai_sessions, before.ai_sessions),
  ai_checkouts: relative(now.ai_checkouts, before.ai_checkouts),
  ai_orders: relative(now.ai_orders, before.ai_orders),
  ai_revenue_cents: relative(now.ai_revenue_cents, before.ai_revenue_cents),
  ai_conversion_rate: relative(now.ai_conversion_rate, before.ai_conversion_rate),
  avg_order_value_cents: relative(now.avg_order_value_cents, before.avg_order_value_cents),
})

/** 0.25 for a quarter more. From nothing there is no ratio, and JSON has no infinity. */
const relative = (now: number, before: number): number | null =>
  before === 0 ? null : (now - before) / before
