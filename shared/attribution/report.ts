import * as z from 'zod'
import { isCurrency } from '../commerce/iso.ts'
import { Domain } from '../web/domain.ts'
import { DAY_MS } from '../web/moment.ts'
import { REQUIRED } from '../web/required.ts'

/** Spec, GET /api/report: the period of each row of `daily`. Weeks begin on Monday (ISO 8601). */
export const GRANULARITIES = ['day', 'week', 'month'] as const
export type Granularity = (typeof GRANULARITIES)[number]

// Unspecified: a report by day is of at most 400 days, one by week or month of ten years.
export const MAX_DAYS: Record<Granularity, number> = { day: 400, week: 3660, month: 3660 }

// Unspecified: a report may be of any day from the year 2000 to 2999, so that a typing error such
// as 0206 is told.
const FIRST_DAY = '2000-01-01'
const LAST_DAY = '2999-12-31'

/** Whether the day, `2026-11-30`, is one that a report may be of. */
export const isReportDay = (day: string): boolean => day >= FIRST_DAY && day <= LAST_DAY

const A_DAY = 'Send a date such as 2026-11-30.'

/** A calendar day in UTC; text in any other form gets one message, and not several. */
const ReportDay = z.iso
  .date({
    abort: true,
    error: ({ input }) => (input === undefined ? `${REQUIRED} ${A_DAY}` : A_DAY),
  })
  .refine(isReportDay, { abort: true, error: `Send a date from ${FIRST_DAY} to ${LAST_DAY}.` })

/** Query of `GET /api/report`. Dates are days in UTC, both included. */
export const ReportQuery = z
  .strictObject({
    /** A host name in its normal form. */
    domain: Domain,
    start: ReportDay,
    end: ReportDay,
    granularity: z.enum(GRANULARITIES).default('day'),
    // Unspecified: the query takes `compare`, `format` and `currency` as well: the period before,
    // CSV, and the currency of the summary.
    compare: z.enum(['previous'], 'Omit compare, or send previous.').optional(),
    format: z.enum(['json', 'csv']).default('json'),
    /** The currency of `summary`; the one with the most orders when it is left out. */
    currency: z
      .string()
      .refine(isCurrency, 'Send an ISO 4217 code in capitals, such as USD.')
      .optional(),
  })
  .superRefine(({ start, end, granularity }, context) => {
    const days = daysBetween(start, end)
    if (days < 0) {
      context.addIssue({
        code: 'custom',
        path: ['start'],
        message: 'start is after end. Swap them.',
      })
    }
    // Both days count, so a difference of as many days is one too many.
    if (days >= MAX_DAYS[granularity]) {
      context.addIssue({
        code: 'custom',
        path: ['end'],
        message: `With granularity ${granularity}, request at most ${MAX_DAYS[granularity]} days${granularity === 'day' ? ', or use week or month' : ''}.`,
      })
    }
  })
export type ReportQuery = z.infer<typeof ReportQuery>

/** Whole days from one date to another; NaN when one is not a date. */
export const daysBetween = (start: string, end: string): number =>
  (Date.parse(end) - Date.parse(start)) / DAY_MS

// Unspecified: the report's revenue is gross. Where refunds were made, it has their number, what they
// gave back and net revenue as well, each beside the revenue it is of; elsewhere it has no such field.
// A refund counts on its own day: net revenue is below 0 where more was refunded than sold.

/** Refunds over all currencies; amounts in the report's one. */
const Refunded = z.object({
  refunds: z.int(),
  refunded_cents: z.int(),
  /** Revenue less what was refunded. */
  net_revenue_cents: z.int(),
})
export type Refunded = z.infer<typeof Refunded>
const REFUNDED = Refunded.partial().shape

/** The figures of a range (spec, Attribution report). Amounts in one currency only. */
export const Summary = z.object({
  /** Visits that began in the range, and orders outside of the session that their visit began with. */
  ai_sessions: z.int(),
  ai_checkouts: z.int(),
  ai_orders: z.int(),
  /** In the smallest unit of the report's `currency`. */
  ai_revenue_cents: z.int(),
  /** Orders divided by sessions, from 0 to 1; 0 without sessions. */
  ai_conversion_rate: z.number(),
  /** Of the orders in the report's `currency`; 0 without any. */
  avg_order_value_cents: z.int(),
  ai_refunds: z.int().optional(),
  ai_refunded_cents: z.int().optional(),
  ai_net_revenue_cents: z.int().optional(),
})
export type Summary = z.infer<typeof Summary>

/** The figures of one AI surface, or of one source. */
const SurfaceRow = z.object({
  sessions: z.int(),
  orders: z.int(),
  // Unspecified: each surface also has its checkouts, its revenue and how its sessions came.
  checkouts: z.int(),
  revenue_cents: z.int(),
  /** Sessions by how they came. */
  kind: z.object({ referral: z.int(), agent: z.int(), protocol: z.int() }),
  ...REFUNDED,
})
export type SurfaceRow = z.infer<typeof SurfaceRow>

/** Days in UTC, both included. */
export const Period = z.object({ start: z.iso.date(), end: z.iso.date() })

/** The figures of one day, week or month. Periods without any event are listed with zeros. */
const DailyRow = z.object({
  /** The day; the Monday of the week; the first of the month; never before the range's start. */
  date: z.iso.date(),
  sessions: z.int(),
  checkouts: z.int(),
  orders: z.int(),
  revenue_cents: z.int(),
  ...REFUNDED,
})
export type DailyRow = z.infer<typeof DailyRow>

/**
 * Events of each kind: `viewed` may be lower than `initiated`, since a shop need not report views.
 */
const Funnel = z.object({
  viewed: z.int(),
  initiated: z.int(),
  completed: z.int(),
  failed: z.int(),
})

/**
 * Sessions of one day that a storefront's address seems to have sent, and that are in no other
 * figure: there were too many from one address, from one network, or for one property.
 */
const SetAside = z.object({
  date: z.iso.date(),
  /** The sum of the others. */
  sessions: z.int(),
  by_address: z.int(),
  by_network: z.int(),
  by_property: z.int(),
})
export type SetAside = z.infer<typeof SetAside>

/** Answer of `GET /api/report` (spec, Attribution report). */
export const Report = z.object({
  domain: z.string(),
  period: Period,
  summary: Summary,
  // Unspecified: the three surfaces that are always there, beside `other_ai`, are `chatgpt`,
  // `google_ai_mode` and `perplexity`; others come as soon as they have a session.
  by_surface: z.record(z.string(), SurfaceRow),
  daily: z.array(DailyRow),
  // Unspecified: what follows `daily` is added to the specification's report; its own fields are as
  // it names them.
  granularity: z.enum(GRANULARITIES),
  /** The currency of every `…_cents`; null when nothing was sold or refunded. */
  currency: z.string().nullable(),
  /** By ISO 4217 code: amounts are never summed over currencies. */
  revenue_by_currency: z.record(
    z.string(),
    z.object({ orders: z.int(), revenue_cents: z.int(), ...REFUNDED }),
  ),
  by_source: z.object({ ucp: SurfaceRow, acp: SurfaceRow, web: SurfaceRow }),
  funnel: Funnel,
  /** The days on which sessions were set aside, as they are too many to be real; empty for none. */
  set_aside: z.array(SetAside),
  /** Only with `compare=previous`: the period before, of as many whole months or days. */
  previous: z
    .object({
      period: Period,
      summary: Summary,
      funnel: Funnel,
      daily: z.array(DailyRow),
      /** Relative change per figure of the summary, 0.25 for a quarter more; null from nothing. */
      change: z.record(z.string(), z.number().nullable()),
    })
    .optional(),
})
export type Report = z.infer<typeof Report>
