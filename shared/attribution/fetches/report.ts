import { DAY_MS } from '../../web/moment.ts'
import type { FetchPurpose } from '../surfaces.ts'
import type { FetchProof } from './fetch.ts'
import { FOR_A_PERSON } from './kept.ts'

/** What one agent did in a range, as far as it is proved alike. */
export interface AgentSums {
  agent: string
  operator: string
  surface: string
  purpose: FetchPurpose
  verified: FetchProof
  fetches: number
  /** Answered with a page. */
  read: number
  /** 401, 403, 429 and challenges. */
  refused: number
  /** 404 and 410. */
  missing: number
  /** 5xx, and no answer. */
  failed: number
  robots: number
  /** On how many days. */
  days: number
  last_at: string
}

/** A page or product: read by crawlers and for answers, then clicked, then bought. */
export interface PageRow {
  path: string
  /** What the store calls its product; null: no audit knows one with this page. */
  name: string | null
  product_ids: string[]
  answers: number
  crawls: number
  /** Visits that began here; null: the report does not count this page by its name. */
  clicked: number | null
  /** Orders of the product, or, of a page without one, of visits that began here. */
  bought: number | null
  /** Which price the crawlers of each operator saw when they read it last. */
  seen: PriceSeen[]
}

export interface PriceSeen {
  operator: string
  last_at: string
  /** `earlier`: it has changed since. `unknown`: no audit of that time says so. */
  price: 'current' | 'earlier' | 'unknown'
  /** For how many days the price had been what it was, or has been another; null: unknown. */
  days: number | null
}

/** What was refused to verified agents, or was not there. */
export interface Wall {
  agent: string
  path: string
  status: number
  fetches: number
  last_at: string
}

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
