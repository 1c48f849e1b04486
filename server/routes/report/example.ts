import type { OriginRow, Report, SurfaceRow } from '../../../shared/attribution/report.ts'

/** The report of the API's documentation: a day on which all visits came from ChatGPT. */

const COUNTED = { sessions: 40, checkouts: 6, orders: 3, revenue_cents: 74_700 }
const RATES = { orders_in_currency: 3, conversion_rate: 0.075, avg_order_value_cents: 24_900 }
const ROW: OriginRow = { ...COUNTED, ...RATES }
const NOTHING: OriginRow = {
  sessions: 0,
  checkouts: 0,
  orders: 0,
  revenue_cents: 0,
  orders_in_currency: 0,
  conversion_rate: 0,
  avg_order_value_cents: 0,
}
const CLICKED: SurfaceRow = { ...ROW, kind: { referral: 40, agent: 0, protocol: 0 } }
const NO_KIND: SurfaceRow = { ...NOTHING, kind: { referral: 0, agent: 0, protocol: 0 } }
const NO_ORDERS = { orders_in_currency: 0, orders: 0, revenue_cents: 0, avg_order_value_cents: 0 }
const DAY = '2026-11-20'

export const REPORT: Report = {
  domain: 'shop.example',
  period: { start: DAY, end: DAY },
  summary: {
    ai_sessions: COUNTED.sessions,
    ai_checkouts: COUNTED.checkouts,
    ai_orders: COUNTED.orders,
    ai_revenue_cents: COUNTED.revenue_cents,
    ai_conversion_rate: RATES.conversion_rate,
    avg_order_value_cents: RATES.avg_order_value_cents,
  },
  by_surface: {
    chatgpt: CLICKED,
    google_ai_mode: NO_KIND,
    perplexity: NO_KIND,
    other_ai: NO_KIND,
  },
  daily: [
    {
      date: DAY,
      ...COUNTED,
      orders_in_currency: RATES.orders_in_currency,
      partial: false,
    },
  ],
  granularity: 'day',
  time_zone: 'America/New_York',
  touch: 'last',
  lookback_days: 1,
  complete_through: DAY,
  currency: 'USD',
  revenue_by_currency: {
    USD: {
      orders: COUNTED.orders,
      revenue_cents: COUNTED.revenue_cents,
      avg_order_value_cents: RATES.avg_order_value_cents,
      conversion_rate: RATES.conversion_rate,
    },
  },
  orders_without_value: 0,
  verification: {},
  by_source: { ucp: NO_KIND, acp: NO_KIND, web: CLICKED },
  by_kind: { click: ROW, agent: NOTHING, protocol: NOTHING },
  by_landing: {
    rows: [{ ...ROW, landing: '/products/boot' }],
    total: 1,
    next_offset: null,
    other: null,
  },
  by_product: {
    rows: [
      {
        product_id: 'boot',
        name: 'Winter boot',
        views: 31,
        checkouts: COUNTED.checkouts,
        orders: COUNTED.orders,
        revenue_cents: COUNTED.revenue_cents,
        orders_in_currency: RATES.orders_in_currency,
        avg_order_value_cents: RATES.avg_order_value_cents,
      },
    ],
    total: 1,
    next_offset: null,
    other: null,
  },
  by_customer: {
    new: { orders: 2, revenue_cents: 49_800, orders_in_currency: 2, avg_order_value_cents: 24_900 },
    returning: {
      orders: 1,
      revenue_cents: 24_900,
      orders_in_currency: 1,
      avg_order_value_cents: 24_900,
    },
    unknown: NO_ORDERS,
  },
  share: {
    days: 1,
    orders: 214,
    revenue_cents: 1_069_786,
    ai_orders: COUNTED.orders,
    ai_revenue_cents: COUNTED.revenue_cents,
    of_orders: 0.014,
    of_revenue: 0.0698,
  },
  unattributed: { checkouts: 0, ...NO_ORDERS },
  funnel: { viewed: 31, initiated: 6, completed: 3, failed: 1 },
  totals_currencies: ['USD'],
  set_aside: [],
}
