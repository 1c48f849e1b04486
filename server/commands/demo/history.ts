import type { AttributionEvent } from '../../../shared/attribution/events.ts'
import type { LogLine } from '../../../shared/attribution/fetches/fetch.ts'
import { DAY_MS, dayOf } from '../../../shared/web/moment.ts'
import { BUILT_IN_COPIES, PUBLISHED_LISTS } from '../../attribution/agents/published-lists.ts'
import { createAddressVerifier } from '../../attribution/agents/verify-address.ts'
import { visitEvent } from '../../attribution/beacon/visit-event.ts'
import { createIntake } from '../../attribution/fetches/intake.ts'
import { createFetchVerifier } from '../../attribution/fetches/verify-fetch.ts'
import type { Ingest } from '../../attribution/ingest/ingest.ts'
import { readEvent } from '../../attribution/ingest/read-event.ts'
import { saveTotals } from '../../db/attribution/shop-totals.ts'
import type { shop_totals } from '../../db/attribution/tables.ts'
import type { Db } from '../../db/connect.ts'

/** The parameters of a history. */
interface HistoryPlan {
  domain: string
  /** The same seed makes the same history. */
  seed: number
  days: number
  /** About how many visits come on the last day. */
  visitsPerDay: number
  /** Nothing happens after this moment. */
  until: Date
}

/** A visit that a browser reports. */
export interface HistoryVisit {
  id: string
  at: Date
  surface: string
  kind: 'referral' | 'agent'
  referrer: string
  userAgent: string
  /** The path of the page that it begins on. */
  landing: string
}

/** An event that the store's server reports, and what brought its buyer. */
interface HistoryEvent {
  at: Date
  surface: string
  /** Null for a checkout over a protocol. */
  visit: HistoryVisit | null
  body: AttributionEvent
}

interface ShopHistory {
  visits: HistoryVisit[]
  /** By time. */
  events: HistoryEvent[]
  totals: (typeof shop_totals.$inferInsert)[]
  /** The requests of agents in the log of its server. */
  fetches: LogLine[]
}

/** A surface from a store's point of view: its share of visits, its growth, how well it sells. */
interface Trend {
  surface: string
  referrer: string
  weight: number
  /** Visits on the first day for each one on the last. */
  from: number
  conversion: number
  /** The dialect of its own checkouts, and how many it makes for each hundred visits. */
  protocol?: { source: 'ucp' | 'acp'; per100: number }
  agent?: string
}

const TRENDS: readonly Trend[] = [
  {
    surface: 'chatgpt',
    referrer: 'https://chatgpt.com/',
    weight: 40,
    from: 0.55,
    conversion: 0.055,
    protocol: { source: 'acp', per100: 7 },
    agent: 'ChatGPT-User/1.0',
  },
  {
    surface: 'perplexity',
    referrer: 'https://www.perplexity.ai/',
    weight: 18,
    from: 0.9,
    conversion: 0.045,
    agent: 'Perplexity-User/1.0',
  },
  {
    surface: 'gemini',
    referrer: 'https://gemini.google.com/',
    weight: 14,
    from: 0.35,
    conversion: 0.035,
    protocol: { source: 'ucp', per100: 9 },
  },
  {
    surface: 'copilot',
    referrer: 'https://copilot.microsoft.com/',
    weight: 10,
    from: 1.2,
    conversion: 0.06,
    protocol: { source: 'acp', per100: 4 },
  },
  {
    surface: 'claude',
    referrer: 'https://claude.ai/',
    weight: 8,
    from: 0.4,
    conversion: 0.05,
    agent: 'Claude-User/1.0',
  },
  {
    surface: 'google_ai_mode',
    referrer: '',
    weight: 6,
    from: 0.2,
    conversion: 0,
    protocol: { source: 'ucp', per100: 100 },
  },
  {
    surface: 'meta_ai',
    referrer: 'https://www.meta.ai/',
    weight: 3,
    from: 1,
    conversion: 0.015,
  },
  {
    surface: 'deepseek',
    referrer: 'https://chat.deepseek.com/',
    weight: 3,
    from: 2.5,
    conversion: 0.02,
  },
]

/** Products with their prices in the smallest unit of either currency, most popular first. */
const PRODUCTS = [
  { id: 'ao-1101', path: '/products/trail-boot', price: 14_900 },
  { id: 'ao-1102', path: '/products/day-pack', price: 8900 },
  { id: 'ao-1103', path: '/products/rain-shell', price: 19_900 },
  { id: 'ao-1104', path: '/products/wool-socks', price: 1900 },
  { id: 'ao-1105', path: '/products/camp-stove', price: 6900 },
  { id: 'ao-1106', path: '/products/two-person-tent', price: 34_900 },
  { id: 'ao-1107', path: '/products/head-torch', price: 4500 },
  { id: 'ao-1108', path: '/products/water-filter', price: 3900 },
  { id: 'ao-1109', path: '/products/sleeping-mat', price: 7900 },
  { id: 'ao-1110', path: '/products/trekking-poles', price: 9900 },
] as const
const PAGES = [
  ...PRODUCTS.map(({ path }) => path),
  '/',
  '/collections/boots',
  '/guides/how-to-choose-a-tent',
  '/guides/layering-for-winter',
  '/collections/sale',
] as const

/** Agents that read the store: how much a day for each hundred visits of the last day, and what. */
interface Reader {
  token: string
  per100: number
  /** Crawlers read page by page; the others what people ask for. */
  crawls?: true
  /** For how many of the last days a firewall answers most of its requests so. */
  walled?: { days: number; status: number; challenged?: true }
}

const READERS: readonly Reader[] = [
  { token: 'ChatGPT-User', per100: 90 },
  { token: 'OAI-SearchBot', per100: 30, crawls: true },
  { token: 'GPTBot', per100: 40, crawls: true },
  { token: 'Perplexity-User', per100: 35, walled: { days: 6, status: 403 } },
  { token: 'PerplexityBot', per100: 15, crawls: true },
  { token: 'Claude-User', per100: 20, walled: { days: 3, status: 403, challenged: true } },
  { token: 'Claude-SearchBot', per100: 10, crawls: true },
  { token: 'Googlebot', per100: 50, crawls: true },
  { token: 'bingbot', per100: 25, crawls: true },
  { token: 'meta-externalagent', per100: 12, crawls: true },
]

/** A page that is gone, to which agents still come. */
const GONE = '/products/canvas-tent'

/** How much sells on the seven days from Monday on: weekends sell more. */
const WEEKDAYS = [0.95, 0.9, 0.92, 0.95, 1, 1.15, 1.2]

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** In euros, the rest in dollars. */
const EURO_SHARE = 0.3
const NEW_SHARE = 0.62
const REFUNDED_SHARE = 0.06
/** How many orders the store has for each that AI brought. */
const ALL_PER_AI = 14

/**
 * Days of a store to which eight assistants send visitors and orders, in two currencies: visits by
 * people and agents, views, checkouts that fail or end in an order, some on a later day, checkouts
 * over protocols, refunds, the store's totals, and what agents read that run no script.
 */
export function makeHistory({ domain, seed, days, visitsPerDay, until }: HistoryPlan): ShopHistory {
  const random = createRandom(seed)
  const visits: HistoryVisit[] = []
  const events: HistoryEvent[] = []
  let checkouts = 0

  /** One of a list whose first items are by far the most popular, as in any store. */
  function pick<T>(list: readonly T[]): T {
    const found = list[Math.floor(list.length * random() ** 2.2)]
    if (found === undefined) throw new Error('there is nothing to pick from')
    return found
  }

  /** A checkout of one product, up to its order, and perhaps a refund. */
  function checkOut(trend: Trend, visit: HistoryVisit | null, started: number) {
    const session_id = `history-${seed}-${++checkouts}`
    const product = pick(PRODUCTS)
    const currency = random() < EURO_SHARE ? 'EUR' : 'USD'
    const value = product.price * (random() < 0.12 ? 2 : 1)
    const of = { domain, session_id, source: trend.protocol?.source ?? ('acp' as const) }
    const who = visit
      ? { ...of, source: 'web' as const, visit: { visit_id: visit.id } }
      : { ...of, ai_surface: trend.surface, visit: {} }
    const { visit: joined, ...common } = who
    const tell = (event: AttributionEvent['event'], at: number, properties: object) => {
      events.push({
        at: new Date(at),
        surface: trend.surface,
        visit,
        body: {
          ...common,
          event,
          timestamp: new Date(at).toISOString(),
          properties: { product_id: product.id, value, currency, ...joined, ...properties },
        },
      })
    }
    tell('ai_checkout_initiated', started, {})
    // Some buyers wait for a night.
    const ended = started + (random() < 0.06 ? DAY_MS : 1000 * (60 + Math.floor(random() * 600)))
    if (random() < 0.18) return tell('ai_checkout_failed', ended, {})
    tell('ai_checkout_completed', ended, { new_customer: random() < NEW_SHARE })
    if (random() >= REFUNDED_SHARE) return
    const refunded = random() < 0.5 ? value : Math.round(value / 2)
    const refund = { refund_id: `${session_id}-refund`, value: refunded }
    tell('ai_order_refunded', ended + DAY_MS * (2 + Math.floor(random() * 9)), refund)
  }

  const firstDay = Math.floor(until.getTime() / DAY_MS) - days + 1
  for (let n = 0; n < days; n += 1) {
    const midnight = (firstDay + n) * DAY_MS
    // The epoch was a Thursday, the fourth day of its week.
    const weekday = WEEKDAYS[(firstDay + n + 3) % 7] ?? 1
    for (const trend of TRENDS) {
      const grown = trend.from + ((1 - trend.from) * n) / Math.max(1, days - 1)
      const expected = (visitsPerDay * trend.weight * grown * weekday) / 100
      const count = Math.round(expected * (0.75 + random() * 0.5))
      for (let each = 0; each < count; each += 1) {
        // No purchases at night: between six and midnight.
        const at = midnight + Math.floor((0.25 + 0.74 * random()) * DAY_MS)
        if (random() * 100 < (trend.protocol?.per100 ?? 0)) {
          checkOut(trend, null, at)
          continue
        }
        if (trend.referrer === '') continue
        const isAgent = trend.agent !== undefined && random() < 0.1
        const visit: HistoryVisit = {
          id: `history-${seed}-visit-${visits.length}`,
          at: new Date(at),
          surface: trend.surface,
          kind: isAgent ? 'agent' : 'referral',
          referrer: isAgent ? '' : trend.referrer,
          userAgent: isAgent ? `Mozilla/5.0 (compatible; ${trend.agent})` : CHROME,
          landing: pick(PAGES),
        }
        visits.push(visit)
        const seen = PRODUCTS.find(({ path }) => path === visit.landing)
        if (seen !== undefined) {
          events.push({
            at: new Date(at + 1000),
            surface: trend.surface,
            visit,
            body: {
              event: 'ai_product_viewed',
              domain,
              session_id: visit.id,
              source: 'web',
              timestamp: new Date(at + 1000).toISOString(),
              properties: { product_id: seen.id, visit_id: visit.id },
            },
          })
        }
        if (random() < trend.conversion * 1.5) checkOut(trend, visit, at + 120_000)
      }
    }
  }
  const isPast = ({ at }: { at: Date }) => at <= until
  const told = {
    visits: visits.filter(isPast).sort((a, b) => a.at.getTime() - b.at.getTime()),
    events: events.filter(isPast).sort((a, b) => a.at.getTime() - b.at.getTime()),
  }
  return {
    ...{ ...told, totals: totalsOf(domain, told.events, random) },
    fetches: fetchesOf({ domain, seed, days, visitsPerDay, until }),
  }
}

/** What agents read: of a day always the same, so that another run adds only what is new. */
function fetchesOf({ domain, seed, days, visitsPerDay, until }: HistoryPlan): LogLine[] {
  const today = Math.floor(until.getTime() / DAY_MS)
  return Array.from({ length: days }, (_, n) => today - n).flatMap((day) => {
    const random = createRandom(seed * 100_000 + day)
    const pick = <T>(list: readonly T[], steepness: number): T | undefined =>
      list[Math.floor(list.length * random() ** steepness)]
    return READERS.flatMap(({ token, per100, crawls, walled }) => {
      const count = Math.round(((visitsPerDay * per100) / 100) * (0.75 + random() * 0.5))
      const isWalled = walled !== undefined && today - day < walled.days
      return Array.from({ length: count }, (_, n): LogLine => {
        const at = day * DAY_MS + Math.floor(random() * DAY_MS)
        const path =
          n === 0 && crawls
            ? '/robots.txt'
            : random() < 0.03
              ? GONE
              : (pick(PAGES, crawls ? 1 : 2.2) ?? '/')
        const isStopped = isWalled && random() < 0.85
        return {
          ...{ at, method: 'GET', host: domain, path, userAgent: `compatible; ${token}/1.0` },
          status: isStopped ? walled.status : path === GONE ? 404 : 200,
          ...(isStopped && walled.challenged && { challenged: true }),
          ...{ bytes: 5000, id: `history-${day}-${token}-${n}`, ...addressOf(token) },
        }
      })
    }).filter(({ at }) => Number(at) <= until.getTime())
  })
}

/** An address that the operator publishes for the agent, if it does. */
function addressOf(token: string): Pick<LogLine, 'address'> {
  const list = PUBLISHED_LISTS.find(({ tokens }) => tokens.includes(token))
  const prefix = BUILT_IN_COPIES.findLast((copy) => copy.list === list?.id)?.prefixes[0]
  return prefix === undefined ? { address: '203.0.113.7' } : { address: prefix.split('/')[0] ?? '' }
}

/** The store's totals of the days that are over: far more than came from AI. */
function totalsOf(
  domain: string,
  events: readonly HistoryEvent[],
  random: () => number,
): ShopHistory['totals'] {
  const sold = events.filter(({ body }) => body.event === 'ai_checkout_completed')
  const days = Map.groupBy(
    sold,
    ({ at, body }) => `${dayOf(at.getTime())} ${body.properties?.currency}`,
  )
  return [...days].map(([key, group]) => {
    const [day = '', currency = ''] = key.split(' ')
    const revenue = group.reduce((sum, { body }) => sum + (body.properties?.value ?? 0), 0)
    const times = ALL_PER_AI * (0.8 + 0.4 * random())
    return {
      domain,
      day,
      currency,
      orders: Math.round(group.length * times),
      revenue: Math.round(revenue * times),
      reported_at: group[0]?.at ?? new Date(0),
    }
  })
}

/** Numbers from 0 to 1 that look random and are always the same (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Below what may wait in memory. */
const AT_A_TIME = 2000

/** Records a history, oldest first. Existing events count once. */
export async function recordHistory(
  { visits, events, totals, fetches }: ShopHistory,
  { db, ingest, domain }: { db: Db; ingest: Pick<Ingest, 'record'>; domain: string },
): Promise<void> {
  const now = new Date()
  const recorded = [
    ...visits.map(({ id, at, surface, referrer, userAgent, landing }) => ({
      at,
      event: visitEvent(
        { id, referrer, landing: `https://${domain}/?#${landing}`, surface, model: 'history' },
        { domain, property_id: 'history', ts: at, caller: { userAgent, signatureAgent: null } },
      ),
    })),
    ...events.map(({ at, body }) => ({
      at,
      event: readEvent(
        body,
        { idempotencyKey: null, text: null },
        { now: at > now ? at : now, retentionMonths: 13, completeFrom: '2000-01' },
      ),
    })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
  for (let n = 0; n < recorded.length; n += AT_A_TIME) {
    const part = recorded.slice(n, n + AT_A_TIME)
    await Promise.all(part.map(({ event }) => ingest.record(event)))
  }
  if (totals.length > 0) await saveTotals(db, totals)
  const ranges = createAddressVerifier(BUILT_IN_COPIES)
  const verifierFor = createFetchVerifier({
    ...{ addresses: async () => ranges, names: null, callers: null },
  })
  // As if each log came when it was written: old lines are not taken.
  const last = fetches.reduce((newest, { at }) => Math.max(newest, Number(at)), 0)
  const written = () => new Date(last)
  const intake = createIntake({ db, now: written, retentionMonths: 13, verifierFor })
  for (let n = 0; n < fetches.length; n += AT_A_TIME) {
    await intake.take(domain, fetches.slice(n, n + AT_A_TIME))
  }
}
