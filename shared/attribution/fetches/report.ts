import * as z from 'zod'
import { DAY_MS } from '../../web/moment.ts'
import { daysBetween, MAX_DAYS, ReportQuery } from '../report.ts'
import { FETCH_PURPOSES, type FetchPurpose } from '../surfaces.ts'
import { FETCH_PROOFS } from './fetch.ts'
import { FOR_A_PERSON } from './kept.ts'

const count = (description: string) => z.int().describe(description)
const unknown = (description: string) => z.int().nullable().describe(description)

/** What one agent did in a range, as far as it is proved alike. */
const AgentSums = z.object({
  agent: z.string().describe('Its name in the User-Agent'),
  operator: z.string().describe('Who runs it'),
  surface: z.string().describe('Whose assistant it reads for, as in the report'),
  purpose: z.enum(FETCH_PURPOSES).describe('What it reads for'),
  verified: z
    .enum(FETCH_PROOFS)
    .describe('Whether it is proved; `forged`: its operator publishes other addresses alone'),
  fetches: count('Its requests'),
  read: count('Answered with a page'),
  refused: count('401, 403, 429 and challenges'),
  missing: count('404 and 410'),
  failed: count('5xx, and no answer'),
  robots: count('Of robots.txt'),
  days: count('On how many days it came'),
  last_at: z.string().describe('When it came last'),
})
export type AgentSums = z.infer<typeof AgentSums>

const PriceSeen = z.object({
  operator: z.string().describe('Whose crawler it was'),
  last_at: z.string().describe('When it read the page last'),
  price: z
    .enum(['current', 'earlier', 'unknown'])
    .describe('`earlier`: it has changed since. `unknown`: no audit of that time says so'),
  days: unknown(
    'For how many days the price had been what it was, or has been another; null: unknown',
  ),
})
export type PriceSeen = z.infer<typeof PriceSeen>

/** A page or product: read by crawlers and for answers, then clicked, then bought. */
const PageRow = z.object({
  path: z.string().describe('As landing pages are named'),
  name: z
    .string()
    .nullable()
    .describe('What the store calls its product; null: no audit knows one with this page'),
  product_ids: z.array(z.string()).describe('The products of this page, as audits know them'),
  answers: count('How often it was read for an answer or an action'),
  crawls: count('How often it was read for an index or a model'),
  clicked: unknown('Visits that began here; null: the report does not count this page by its name'),
  bought: unknown(
    'Orders of the product, or, of a page without one, of visits that began here; null as above',
  ),
  seen: z
    .array(PriceSeen)
    .describe('Which price the crawlers of each operator saw when they read it last'),
})
export type PageRow = z.infer<typeof PageRow>

/** What was refused to verified agents, or was not there. */
const Wall = z.object({
  agent: z.string().describe('Its name in the User-Agent'),
  path: z.string().describe('What it asked for'),
  status: count('Of the answer; 0: none came, 1: a challenge'),
  fetches: count('How often'),
  last_at: z.string().describe('When last'),
})
export type Wall = z.infer<typeof Wall>

/** What agents read of a store, and what came of it. */
export const FetchFigures = z.object({
  domain: z.string().describe('The store'),
  start: z.string().describe('The first day, in its time zone'),
  end: z.string().describe('The last day'),
  agents: z.array(AgentSums).describe('What each agent did, the busiest first'),
  days: z
    .array(
      z.object({
        day: z.string().describe('In the store’s time zone'),
        purpose: z.enum(FETCH_PURPOSES).describe('What agents read for'),
        fetches: count('Their requests'),
      }),
    )
    .describe('Requests per day and purpose'),
  surfaces: z
    .array(
      z.object({
        surface: z.string().describe('As in the report'),
        answers: count('Pages that were read for people'),
        sessions: count('Visits in the same days'),
        orders: count('Orders in the same days'),
      }),
    )
    .describe('What was read for people of one surface, and what came of it'),
  pages: z
    .array(PageRow)
    .describe('The 200 pages that are read most for answers, then by crawlers'),
  walls: z.array(Wall).describe('The requests of verified agents that brought no page'),
  over: count('Requests of agents that were not counted, as their hours were full'),
})

const { domain, start, end, format } = ReportQuery.shape

/** Query of `GET /api/fetches`: days in the store's time zone, both included. */
export const FetchReportQuery = z
  .strictObject({ domain, start, end, format })
  .refine((range) => range.start <= range.end, {
    error: 'start is after end. Swap them.',
    path: ['start'],
  })
  .refine((range) => !(daysBetween(range.start, range.end) >= MAX_DAYS.day), {
    error: `Request at most ${MAX_DAYS.day} days.`,
    path: ['end'],
  })

/** What a verified agent asked for, and how much of it is refused, or answered with a challenge. */
export interface RefusedAgent {
  agent: string
  asked: number
  refused: number
  challenged: number
}

/** Whether a person waited for it, or had an agent do it. */
export const isForAPerson = ({ purpose }: { purpose: FetchPurpose }): boolean =>
  FOR_A_PERSON.some((each) => each === purpose)

/** What a product's price is known to have been, and when. */
interface KnownPrice {
  price_since: Date | null
  other_price_at: Date | null
}

/** Which price was to be seen at a time. */
export function priceSeenAt(
  at: Date,
  known: KnownPrice | undefined,
  now: Date,
): Pick<PriceSeen, 'price' | 'days'> {
  const since = known?.price_since ?? null
  const other = known?.other_price_at ?? null
  if (since === null) return { price: 'unknown', days: null }
  const daysFrom = (from: Date, to: Date) => Math.floor((to.getTime() - from.getTime()) / DAY_MS)
  if (at >= since) return { price: 'current', days: daysFrom(since, at) }
  if (other !== null && at <= other) return { price: 'earlier', days: daysFrom(since, now) }
  return { price: 'unknown', days: null }
}
