import * as z from 'zod'
import { isCurrency } from '../commerce/iso.ts'
import { Domain } from '../web/address/domain.ts'
import { isStorable, NOT_STORABLE } from '../web/json/json.ts'
import { REQUIRED } from '../web/json/required.ts'
import { wholeNumber } from '../web/json/whole-number.ts'
import { DAY_MS } from '../web/moment.ts'
import { MAX_LANDING } from './kept-path.ts'
import { SURFACE_ID } from './surfaces.ts'

/** Spec, GET /api/report: the period of each row of `daily`. Weeks begin on Monday (ISO 8601). */
export const GRANULARITIES = ['day', 'week', 'month'] as const
export type Granularity = (typeof GRANULARITIES)[number]

// Unspecified: a report by day covers at most 400 days, one by week or month ten years.
export const MAX_DAYS: Record<Granularity, number> = { day: 400, week: 3660, month: 3660 }

// Unspecified: a report may cover any day from the year 2000 to 2999, so that a typing error such
// as 0206 is noticed.
const FIRST_DAY = '2000-01-01'
const LAST_DAY = '2999-12-31'

/** Whether the day, `2026-11-30`, is one that a report may cover. */
export const isReportDay = (day: string): boolean => day >= FIRST_DAY && day <= LAST_DAY

const A_DAY = 'Send a date such as 2026-11-30.'

/** A calendar day in UTC; text in any other form gets one message instead of several. */
const ReportDay = z.iso
  .date({
    abort: true,
    error: ({ input }) => (input === undefined ? `${REQUIRED} ${A_DAY}` : A_DAY),
  })
  .refine(isReportDay, { abort: true, error: `Send a date from ${FIRST_DAY} to ${LAST_DAY}.` })

/** How a visit came, in the names of reports: `click` is the stored `referral`. */
export const REPORT_KINDS = ['click', 'agent', 'protocol'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

/** For which of its visits an order of two counts. */
export const TOUCHES = ['last', 'first'] as const
export type TouchChoice = (typeof TOUCHES)[number]

/** The figures that rows of `by_landing` and `by_product` can be sorted by. */
const LIST_SORTS = ['revenue', 'orders', 'sessions'] as const
export type ListSort = (typeof LIST_SORTS)[number]

/** `currency=main`: the currency with the most orders, as a filter. */
export const MAIN_CURRENCY = 'main'

// Unspecified: a report lists 20 landing pages and products by default, and 100 at most; `offset`
// has the rest.
const LIST_LIMIT = 20
export const MOST_LISTED = 100
const MOST_OFFSET = 10_000

/** Query of `GET /api/report`. Dates are days of the report's `time_zone`, both included. */
export const ReportQuery = z
  .strictObject({
    /** A host name in its normal form. */
    domain: Domain,
    start: ReportDay.meta({
      description: `The first day, from ${FIRST_DAY} to ${LAST_DAY}.`,
      example: '2026-11-01',
    }),
    end: ReportDay.meta({
      description: `The last day, included, until ${LAST_DAY}. The range has at most ${MAX_DAYS.day} days with \`granularity\` day, and ${MAX_DAYS.month} with week or month.`,
      example: '2026-11-30',
    }),
    granularity: z
      .enum(GRANULARITIES)
      .default('day')
      .meta({ description: 'The period of each row of `daily` and `series`.', example: 'day' }),
    // Unspecified: the query also takes `compare`, `format`, `currency`, `money_in`, `series`,
    // `touch`, the filters `surface`, `kind`, `landing` and `product_id`, and for its lists `sort`,
    // `limit` and `offset`.
    compare: z.enum(['previous'], 'Omit compare, or send previous.').optional().meta({
      description: '`previous` adds the preceding period and the change against it.',
      example: 'previous',
    }),
    format: z
      .enum(['json', 'csv'])
      .default('json')
      .meta({ description: '`csv` returns a file for spreadsheets.', example: 'json' }),
    /** Only its orders and revenue count; by default revenue in the one with the most orders. */
    currency: z
      .string()
      .refine(
        (code) => code === MAIN_CURRENCY || isCurrency(code),
        'Send an ISO 4217 code in capitals, such as USD.',
      )
      .optional()
      .meta({
        description:
          'Counts only orders, revenue and refunds in this currency (ISO 4217); `main` is the one with the most orders. Without it, orders count in all currencies and revenue is in the main one.',
        example: 'USD',
      }),
    // Unspecified: `money_in` says the currency of amounts where orders count in all of them.
    money_in: z
      .string()
      .refine(isCurrency, 'Send an ISO 4217 code in capitals, such as USD.')
      .optional()
      .meta({
        description:
          'The currency of revenue and refunds, while orders and conversion count in all; by default the one with the most orders.',
        example: 'USD',
      }),
    series: z.enum(['surface'], 'Omit series, or send surface.').optional().meta({
      description: '`surface` adds `series`: one row per period and surface.',
      example: 'surface',
    }),
    surface: z
      .string()
      .regex(SURFACE_ID, 'Send the id of a surface, such as chatgpt.')
      .optional()
      .meta({ description: 'Only what this surface brought.', example: 'chatgpt' }),
    kind: z.enum(REPORT_KINDS).optional().meta({
      description:
        'Only visits that came this way: a person who clicked, an agent that fetched the page, or a checkout over a protocol.',
      example: 'click',
    }),
    // Unspecified: `touch`. Where an order names two visits within the look-back of its store, it
    // counts for the last of them, as in analytics, or for the first, which made the store known.
    touch: z.enum(TOUCHES, 'Send last or first.').default('last').meta({
      description:
        'For which of its two visits an order counts, where a store looks back further than a day: the last before it, or the first. Sessions count for themselves.',
      example: 'first',
    }),
    landing: z
      .string()
      .regex(/^\//, 'Send the path of a landing page, such as /products/boot.')
      .max(MAX_LANDING, `Send at most ${MAX_LANDING} characters.`)
      .refine(isStorable, NOT_STORABLE)
      .optional()
      .meta({
        description: 'Only visits that began on this page, as `by_landing` names it.',
        example: '/products/boot',
      }),
    product_id: z
      .string()
      .min(1, 'Send the id of a product.')
      .max(200, 'Send at most 200 characters.')
      .refine(isStorable, NOT_STORABLE)
      .optional()
      .meta({
        description: 'Only events of this product, as `by_product` names it.',
        example: 'boot',
      }),
    sort: z.enum(LIST_SORTS).default('revenue').meta({
      description:
        'What the rows of `by_landing` and `by_product` are sorted by, most first; with `sessions`, products are sorted by views.',
      example: 'revenue',
    }),
    limit: wholeNumber(1, MOST_LISTED)
      .default(LIST_LIMIT)
      .meta({ description: 'How many rows `by_landing` and `by_product` list.', example: 20 }),
    offset: wholeNumber(0, MOST_OFFSET).default(0).meta({
      description: 'How many rows of these lists to pass: `next_offset` of the answer before.',
      example: 0,
    }),
  })
  .superRefine(({ landing, product_id }, context) => {
    // Unspecified: landing pages and products are counted separately: a report is filtered by a
    // page or a product, not both.
    if (landing === undefined || product_id === undefined) return
    context.addIssue({
      code: 'custom',
      path: ['product_id'],
      message: 'Send landing or product_id, and not both.',
    })
  })
  .refine(({ currency, money_in }) => currency === undefined || money_in === undefined, {
    error: 'Send currency or money_in, and not both.',
    path: ['money_in'],
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

/** Whole days from one date to another; NaN if one is not a date. */
export const daysBetween = (start: string, end: string): number =>
  (Date.parse(end) - Date.parse(start)) / DAY_MS

// Unspecified: the report's revenue is gross. If refunds were made, it also has their number, their
// sum and the net revenue; otherwise these fields are left out. A refund counts on its own day, so
// net revenue can be below 0.

const count = (description: string, example: number) => z.int().meta({ description, example })
const cents = (description: string, example: number) =>
  z.int().meta({
    description: `${description} In the smallest unit of the report's \`currency\`.`,
    example,
  })
const ratio = (description: string, example: number) => z.number().meta({ description, example })
const day = (description: string, example: string) => z.iso.date().meta({ description, example })

/** Refunds over all currencies; amounts in the report's one. */
const Refunded = z.object({
  refunds: count('Refunds that were made.', 1),
  refunded_cents: cents('What they gave back.', 4999),
  net_revenue_cents: cents('Revenue less what was refunded.', 44_991),
})
export type Refunded = z.infer<typeof Refunded>
const REFUNDED = Refunded.partial().shape

/** Relative change of a figure, 0.25 for a quarter more. */
const relative = (figure: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({
      description: `Relative change of ${figure}: 0.25 is a quarter more; null from nothing.`,
      example,
    })

/** Change of one row compared with the period before. */
export const RowChange = z.object({
  sessions: relative('sessions', 0.25),
  checkouts: relative('checkouts', 0.1),
  orders: relative('orders', 0.2),
  revenue_cents: relative('revenue', 0.18),
  conversion_rate: relative('the conversion rate', -0.04),
  avg_order_value_cents: relative('the average order', -0.02),
})
export type RowChange = z.infer<typeof RowChange>

/** The figures of a range (spec, Attribution report). Amounts in one currency only. */
export const Summary = z.object({
  ai_sessions: count(
    'Sessions that began in the range. Each counts once, on the day that it began.',
    1200,
  ),
  ai_checkouts: count('Checkouts that were started.', 90),
  ai_orders: count('Orders that were completed.', 36),
  ai_revenue_cents: cents('What the orders came to.', 179_964),
  ai_conversion_rate: ratio('Orders divided by sessions, from 0 to 1; 0 without sessions.', 0.03),
  avg_order_value_cents: cents("Of the orders in the report's currency; 0 without any.", 4999),
  ai_refunds: count('Refunds that were made; left out without any.', 1).optional(),
  ai_refunded_cents: cents('What they gave back.', 4999).optional(),
  ai_net_revenue_cents: cents('Revenue less what was refunded.', 174_965).optional(),
})
export type Summary = z.infer<typeof Summary>

const COUNTED = {
  sessions: count('Sessions, as in `summary.ai_sessions`.', 400),
  checkouts: count('Checkouts that were started.', 30),
  orders: count('Orders that were completed.', 12),
  revenue_cents: cents('What the orders came to.', 59_988),
  ...REFUNDED,
}

const IN_CURRENCY = count(
  "The orders in the report's `currency`: those that `revenue_cents` is the sum of.",
  12,
)

/** Figures by any property that tells orders apart. */
const OriginRow = z.object({
  ...COUNTED,
  orders_in_currency: IN_CURRENCY,
  conversion_rate: ratio('Orders divided by sessions, from 0 to 1; 0 without sessions.', 0.03),
  avg_order_value_cents: cents("Of the orders in the report's currency; 0 without any.", 4999),
  change: RowChange.optional().meta({
    description: 'Only with `compare=previous`: over the days in `previous.compared`.',
  }),
})
export type OriginRow = z.infer<typeof OriginRow>

const VerifiedCounts = z.object({
  sessions: count('Sessions.', 5),
  orders: count('Orders that were completed.', 2),
})

/** Sessions and orders of agents, by what proves whose they are. */
const Verification = z.object({
  signature: VerifiedCounts.meta({
    description: "Signed by the agent, with a key of its operator's directory.",
  }),
  platform: VerifiedCounts.meta({ description: 'Signed by the platform that buys over UCP.' }),
  address: VerifiedCounts.meta({
    description: 'From an address that the operator publishes for its agent.',
  }),
  claimed: VerifiedCounts.meta({
    description: 'All others: the agent says whose it is, and nothing proves it.',
  }),
})
export type Verification = z.infer<typeof Verification>

/** The figures of one AI surface, or of one source. */
// Unspecified: each surface also has its checkouts, its revenue and how its sessions came.
const SurfaceRow = OriginRow.extend({
  kind: z
    .object({
      referral: count('Sessions of people who clicked.', 380),
      agent: count('Sessions of agents that fetched the page.', 12),
      protocol: count('Sessions that came over UCP or ACP.', 8),
    })
    .meta({ description: 'Sessions by how they came.' }),
})
export type SurfaceRow = z.infer<typeof SurfaceRow>

/** Days of the report's `time_zone`, both included. */
export const Period = z.object({
  start: day('The first day.', '2026-11-01'),
  end: day('The last day, included.', '2026-11-30'),
})

const PERIOD_ROW = {
  date: day(
    "The day; the Monday of the week; the first of the month; never before the range's start.",
    '2026-11-01',
  ),
  ...COUNTED,
  orders_in_currency: IN_CURRENCY,
  partial: z.boolean().meta({
    description:
      'Whether the row is of a part of its period only: some of its days are outside of the range, or not over yet.',
    example: false,
  }),
}

/** The figures of one day, week or month. Empty periods are listed with zeros. */
const DailyRow = z.object(PERIOD_ROW)
export type DailyRow = z.infer<typeof DailyRow>

/** The figures of one surface in one period. */
const SeriesRow = z.object({
  ...PERIOD_ROW,
  surface: z.string().meta({ description: 'The id of the surface.', example: 'chatgpt' }),
})
export type SeriesRow = z.infer<typeof SeriesRow>

/** Visits that began on one page. */
const LandingRow = OriginRow.extend({
  landing: z.string().meta({
    description: 'The path of the page, without its parameters.',
    example: '/products/boot',
  }),
})

/** Events of one product. */
const ProductRow = OriginRow.omit({ sessions: true, conversion_rate: true }).extend({
  product_id: z
    .string()
    .meta({ description: 'As the events name it, `properties.product_id`.', example: 'boot' }),
  name: z.string().nullable().meta({
    description:
      'What the store calls it, as an audit of the domain read it in the catalog or the feed; null where none did.',
    example: 'Winter boot',
  }),
  views: count('Views that were reported.', 250),
})

const listOf = <Row extends z.ZodType, Rest extends z.ZodType>(row: Row, rest: Rest) =>
  z.object({
    rows: z
      .array(row)
      .meta({ description: 'Sorted by `sort`, most first: `limit` from `offset`.' }),
    total: count('How many there are by name, over all pages of the list.', 2),
    next_offset: z
      .int()
      .nullable()
      .meta({ description: 'The `offset` of the rows that follow; null for none.', example: null }),
    other: rest.meta({
      description: 'What is kept without its name, as many others had more; null for nothing.',
    }),
  })

// Unspecified: only the landing pages and products with the most events are kept by name, some
// dozens a month; the others are counted together.
const LandingList = listOf(LandingRow, OriginRow.nullable())
const ProductList = listOf(ProductRow, ProductRow.omit({ product_id: true, name: true }).nullable())
export type LandingList = z.infer<typeof LandingList>
export type ProductList = z.infer<typeof ProductList>

/** Orders of customers of one kind. */
const CustomerRow = z.object({
  orders: count('Orders that were completed.', 8),
  revenue_cents: cents('What they came to.', 39_992),
  orders_in_currency: count("The orders in the report's `currency`.", 8),
  avg_order_value_cents: cents("Of the orders in the report's currency; 0 without any.", 4999),
})
export type CustomerRow = z.infer<typeof CustomerRow>

/** What the store's own checkout sold that nothing shows to be brought by AI. */
const Unattributed = OriginRow.pick({
  checkouts: true,
  orders: true,
  revenue_cents: true,
  orders_in_currency: true,
  avg_order_value_cents: true,
  refunds: true,
  refunded_cents: true,
  net_revenue_cents: true,
})
export type Unattributed = z.infer<typeof Unattributed>

/**
 * Events of each kind: `viewed` may be lower than `initiated`, because stores need not report
 * views.
 */
const Funnel = z.object({
  viewed: count('Products that were viewed, as far as the store reports views.', 700),
  initiated: count('Checkouts that were started.', 90),
  completed: count('Orders that were completed.', 36),
  failed: count('Checkouts that failed: a payment declined, or nothing left in stock.', 4),
})

/**
 * Sessions of one day that are in no other figure, because there were too many from one address,
 * from one network, or for one property.
 */
const SetAside = z.object({
  date: day('The day, in UTC.', '2026-11-01'),
  sessions: count('The sum of the others.', 12),
  by_address: count('Too many from one address.', 9),
  by_network: count('Too many from one network.', 2),
  by_property: count('Too many for one property.', 1),
})
export type SetAside = z.infer<typeof SetAside>

/** What AI brought of all that the store sold, on the days whose totals it reported. */
const AiShare = z.object({
  days: count(
    "The days of the range whose totals the store reported in the report's currency.",
    30,
  ),
  orders: count('Orders of all customers on these days.', 900),
  revenue_cents: cents('Revenue of all customers on these days.', 4_500_000),
  ai_orders: count("Of these, the orders that AI brought, in the report's currency.", 36),
  ai_revenue_cents: cents('Of this, the revenue that AI brought.', 179_964),
  of_orders: ratio('The share of orders, from 0 to 1; 0 where nothing was sold.', 0.04),
  of_revenue: ratio('The share of revenue, from 0 to 1; 0 where nothing was sold.', 0.04),
})
export type AiShare = z.infer<typeof AiShare>

/** Answer of `GET /api/report` (spec, Attribution report). */
export const Report = z.object({
  domain: z.string().meta({ description: 'The domain.', example: 'shop.example' }),
  period: Period.meta({ description: 'The range that was asked for.' }),
  summary: Summary.meta({ description: 'The figures of the whole range.' }),
  // Unspecified: besides `other_ai`, the three surfaces that are always listed are `chatgpt`,
  // `google_ai_mode` and `perplexity`; others appear with their first session.
  by_surface: z.record(z.string(), SurfaceRow).meta({
    description: 'By the id of the AI surface; `other_ai` is what is AI and no known one.',
  }),
  daily: z
    .array(DailyRow)
    .meta({ description: 'One row per period, also for those in which nothing happened.' }),
  // Unspecified: what follows `daily` is added to the specification's report, whose own fields keep
  // their names.
  granularity: z.enum(GRANULARITIES).meta({ description: 'The period of each row of `daily`.' }),
  time_zone: z.string().meta({
    description: "The IANA time zone that days are counted in: the property's, or UTC.",
    example: 'Europe/Berlin',
  }),
  touch: z.enum(TOUCHES).meta({
    description: 'For which of its two visits an order counts here, the last or the first.',
    example: 'last',
  }),
  lookback_days: z.int().meta({
    description:
      'For how many days after its visit an order counts, as the property says. With more than 1 an order may be of two visits.',
    example: 1,
  }),
  complete_through: z.iso.date().nullable().meta({
    description: 'The last day of the range that is over; null if none is.',
    example: '2026-11-22',
  }),
  currency: z.string().nullable().meta({
    description:
      'The currency of every `…_cents`: the one that was asked for, else that of most orders of AI, else that of most orders of the totals; null without any of them.',
    example: 'USD',
  }),
  revenue_by_currency: z
    .record(
      z.string(),
      z.object({
        orders: count('Orders in this currency.', 36),
        revenue_cents: z
          .int()
          .meta({ description: 'In the smallest unit of this currency.', example: 179_964 }),
        avg_order_value_cents: z
          .int()
          .meta({ description: 'In the smallest unit of this currency.', example: 4999 }),
        conversion_rate: ratio('Orders in this currency divided by all sessions.', 0.03),
        ...REFUNDED,
        change: RowChange.pick({
          orders: true,
          revenue_cents: true,
          conversion_rate: true,
          avg_order_value_cents: true,
        })
          .optional()
          .meta({ description: 'Only with `compare=previous`.' }),
      }),
    )
    .meta({
      description:
        'By ISO 4217 code, most orders first, regardless of `currency`: amounts are never summed over currencies.',
    }),
  orders_without_value: count('Orders that came without a value, and so are of no currency.', 0),
  // Unspecified: what is verified of a surface is told apart from what is only claimed. People who
  // clicked are in neither: nothing signs for them.
  verification: z.record(z.string(), Verification).nullable().meta({
    description:
      'Of each surface with agents or purchases over a protocol, their sessions and orders by what proves whose agent it was; null with the filters `landing` and `product_id`.',
  }),
  by_source: z
    .object({
      ucp: SurfaceRow.meta({ description: 'What was bought over UCP.' }),
      acp: SurfaceRow.meta({ description: 'What was bought over ACP.' }),
      web: SurfaceRow.meta({ description: 'What was bought in the checkout of the store.' }),
    })
    .meta({
      description: 'By where a checkout was made; `web` is the checkout of the store itself.',
    }),
  by_kind: z
    .object({
      click: OriginRow.meta({ description: 'People who clicked.' }),
      agent: OriginRow.meta({ description: 'Agents that fetched the page.' }),
      protocol: OriginRow.meta({ description: 'Checkouts over UCP or ACP.' }),
    })
    .meta({ description: 'By how a visit came.' }),
  by_landing: LandingList.nullable().meta({
    description:
      'Visits by the page that they began on, with what came of them; null with the filters `landing` and `product_id`. Visits whose page is not known are in no row.',
  }),
  by_product: ProductList.nullable().meta({
    description:
      'Events by the product that they name; null with the filters `landing` and `product_id`. Events without a `product_id` are in no row.',
  }),
  by_customer: z
    .object({
      new: CustomerRow.meta({ description: 'Customers who had not ordered before.' }),
      returning: CustomerRow.meta({ description: 'Customers who had.' }),
      unknown: CustomerRow.meta({ description: 'Orders of which the store did not say.' }),
    })
    .nullable()
    .meta({
      description:
        'Orders by whether the customer had ordered before, as the store says in `properties.new_customer`; null with the filters `landing` and `product_id`.',
    }),
  share: AiShare.nullable().meta({
    description:
      'What AI brought of all that the store sold, in one currency; null where the store reported no totals in that currency (`PUT /api/totals`), and with any filter but `currency`.',
  }),
  totals_currencies: z.array(z.string()).meta({
    description:
      'The currencies of the totals that the store reported of these days, that of most orders first; empty for none, and with any filter but `currency`.',
    example: ['USD'],
  }),
  // Unspecified: orders of the store's own checkout whose visit no browser reported, and which name
  // no surface, are in `unattributed` alone.
  unattributed: Unattributed.nullable().meta({
    description:
      'Orders of `source` `web` that name no known visit and no surface: they are in no other figure. Each moves to its visit once a browser has reported that. Null with any filter but `currency`.',
  }),
  funnel: Funnel.meta({ description: 'Events of each kind.' }),
  set_aside: z.array(SetAside).meta({
    description:
      'The days on which sessions were set aside, as they are too many to be real; empty for none.',
  }),
  series: z
    .array(SeriesRow)
    .optional()
    .meta({ description: 'Only with `series=surface`: one row per period and surface.' }),
  previous: z
    .object({
      period: Period.meta({ description: 'As many whole months or days, directly before.' }),
      summary: Summary.meta({ description: 'The figures of that whole period.' }),
      funnel: Funnel.meta({ description: 'Its events of each kind.' }),
      daily: z.array(DailyRow).meta({ description: 'Its rows.' }),
      compared: z
        .object({
          current: Period.meta({ description: 'The days of the range that are over.' }),
          previous: Period.meta({ description: 'The same part of the period before.' }),
          summary: Summary.meta({ description: 'The figures of `current`.' }),
          previous_summary: Summary.meta({ description: 'The figures of `previous`.' }),
        })
        .nullable()
        .meta({
          description:
            'What every change is between: days that are over, and the same part of the period before; null if no day of the range is over.',
        }),
      change: z.record(z.string(), z.number().nullable()).meta({
        description:
          'Relative change per figure of the summary over `compared`: 0.25 is a quarter more; null from nothing, and where no day is over.',
      }),
    })
    .optional()
    .meta({ description: 'Only with `compare=previous`: the period before.' }),
})
export type Report = z.infer<typeof Report>
