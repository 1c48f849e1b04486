import * as z from 'zod'
import { compareScores } from '../../../../shared/audit/result/compare.ts'
import {
  SEVERITIES,
  Severity,
  severityRank,
  worstFirst,
} from '../../../../shared/audit/vocabulary.ts'
import { relativeChange } from '../../../../shared/view/report/figures.ts'
import {
  isAlerting,
  isLate,
  keepsFromBuying,
  statusOfWatch,
  WATCH_STATUSES,
  type WatchStatus,
} from '../../../../shared/watch/status.ts'
import { dayOf, shiftDay } from '../../../../shared/web/moment.ts'
import { coveredBy } from '../../../access/covered-domains.ts'
import type { Db } from '../../../db/connect.ts'
import { judgedScore } from '../../../db/watch/checks.ts'
import { type OpenIncident, openIncidentsAmong } from '../../../db/watch/incidents.ts'
import {
  type AiRevenue,
  countOpenAmong,
  type DayScore,
  type ListedWatch,
  listWatchesInShort,
  type OpenCount,
  type RevenueDays,
  readRevenueAmong,
  readScoresAmong,
} from '../../../db/watch/portfolio.ts'
import { isVisible } from './visible.ts'

// Unspecified: the portfolio has 50 domains on a page, and compares the last 30 days, today
// included, with the 30 before. Days are in UTC, so that one query serves stores of all time zones.
const SHOWN = 50
const PORTFOLIO_DAYS = 30

// Unspecified: revenue is summed over at most 2,000 domains. With more, which only an operator has,
// it is shown only for the domains of the page, and the list is not sorted by it.
const MOST_SUMMED = 2000

export const PORTFOLIO_SORTS = ['worst', 'name', 'score', 'revenue', 'change', 'looked'] as const
export type PortfolioSort = (typeof PORTFOLIO_SORTS)[number]

/** The query of the portfolio. A value that cannot be read counts as left out. */
const PortfolioQuery = z.object({
  q: z.string().trim().max(200).optional().catch(undefined),
  state: z.enum(WATCH_STATUSES).optional().catch(undefined),
  severity: Severity.optional().catch(undefined),
  tag: z.string().max(200).optional().catch(undefined),
  sort: z.enum(PORTFOLIO_SORTS).default('worst').catch('worst'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).catch(1),
})
export type PortfolioQuery = z.infer<typeof PortfolioQuery>

/** Reads the query of an address; empty fields of a form are left out. */
export const readPortfolioQuery = (parameters: Record<string, string>): PortfolioQuery =>
  PortfolioQuery.parse(
    Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== '')),
  )

/** The address of this request, without default values. */
export function portfolioHref(action: string, asked: Partial<PortfolioQuery>): string {
  const { sort, page, ...rest } = asked
  const given = Object.entries({
    ...rest,
    ...(sort !== 'worst' && { sort }),
    ...(page !== 1 && page !== undefined && { page: String(page) }),
  }).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
  const query = String(new URLSearchParams(given))
  return query === '' ? action : `${action}?${query}`
}

/** One watched domain in the portfolio. */
interface PortfolioWatch extends ListedWatch {
  status: WatchStatus
  isLate: boolean
  /** New since the watch began, and of a notified severity. */
  incidents: number
  /** The severity of the worst of these incidents. */
  worst: Severity | null
  /** Gaps that were there at the first check, or are below the notified severity. */
  otherGaps: number
  /** Its checks find something that keeps AI agents from buying. */
  isBlocked: boolean
  /** By currency, that with the most orders first; null if it was not read. */
  revenue: AiRevenue[] | null
}

/** A row of the page: with the names of what is open, and its scores. */
export interface PortfolioEntry extends PortfolioWatch {
  open: OpenIncident[]
  /** What keeps AI agents from buying and was there at first, so that no alert was sent. */
  blocking: OpenIncident[]
  /** The score of each of the last 30 days; null if there is none that compares with the last. */
  scores: (number | null)[]
  /** Since the first of these; null without two. */
  change: number | null
}

export interface Portfolio {
  asked: PortfolioQuery
  /** All watches of the key. */
  watched: number
  /** Domains that the key names and that are not watched. */
  unwatched: string[]
  /** The number of domains per state, after all other filters. */
  statuses: Record<WatchStatus, number>
  /** In how many of those AI agents cannot buy. */
  blocked: number
  late: number
  /** Whether the key may read what orders show. */
  hasRevenue: boolean
  /**
   * AI revenue of those by currency, that with the most orders first; null if there are too many.
   */
  revenue: Omit<AiRevenue, 'domain'>[] | null
  /** All tags of the key's watches. */
  tags: string[]
  /** How many domains pass the filters. */
  found: number
  pages: number
  entries: PortfolioEntry[]
  days: RevenueDays
}

interface PortfolioDeps {
  db: Db
  now: () => Date
}

interface Reader {
  /** The domains of the key; `*` is all. */
  domains: readonly string[]
  mayReadReport: boolean
}

/** The ranges of days that revenue is compared over. */
function revenueDays(now: Date): RevenueDays {
  const end = dayOf(now.getTime())
  return {
    before: shiftDay(end, 1 - 2 * PORTFOLIO_DAYS),
    start: shiftDay(end, 1 - PORTFOLIO_DAYS),
    end,
  }
}

/** One page of the portfolio of a key. */
export async function readPortfolio(
  deps: PortfolioDeps,
  reader: Reader,
  asked: PortfolioQuery,
): Promise<Portfolio> {
  const { all, matching, chosen, days, isSummed, sort } = await choose(deps, reader, asked)
  const pages = Math.max(1, Math.ceil(chosen.length / SHOWN))
  const page = Math.min(asked.page, pages)
  const shown = chosen.slice((page - 1) * SHOWN, page * SHOWN)
  return {
    asked: { ...asked, sort, page },
    watched: all.length,
    unwatched: unwatchedOf(reader.domains, all),
    statuses: countStatuses(matching),
    blocked: matching.filter((each) => each.isBlocked).length,
    late: matching.filter((each) => each.isLate).length,
    hasRevenue: reader.mayReadReport,
    revenue: isSummed ? sumRevenue(matching) : null,
    tags: [...new Set(all.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b)),
    found: chosen.length,
    pages,
    entries: await withDetails(deps, reader, shown),
    days,
  }
}

/** All that pass the filters, for a file. */
export async function readWholePortfolio(
  deps: PortfolioDeps,
  reader: Reader,
  asked: PortfolioQuery,
): Promise<PortfolioEntry[]> {
  const { chosen } = await choose(deps, reader, asked)
  return withDetails(deps, reader, chosen)
}

async function choose(
  { db, now }: PortfolioDeps,
  { domains, mayReadReport }: Reader,
  asked: PortfolioQuery,
) {
  const at = now()
  const days = revenueDays(at)
  const listed = await listWatchesInShort(db, coveredBy(domains))
  const named = listed.filter((watch) => isNamed(watch, asked))
  const names = named.map(({ domain }) => domain)
  const isSummed = mayReadReport && names.length <= MOST_SUMMED
  // What was not read cannot be sorted by.
  const isByRevenue = asked.sort === 'revenue' || asked.sort === 'change'
  const sort = isByRevenue && !isSummed ? 'worst' : asked.sort
  const [open, revenue] = await Promise.all([
    countOpenAmong(db, names),
    isSummed ? readRevenueAmong(db, names, days) : null,
  ])
  const openOf = Map.groupBy(
    open.filter((each) => isVisible(each, mayReadReport)),
    ({ domain }) => domain,
  )
  const revenueOf = revenue && Map.groupBy(revenue, ({ domain }) => domain)
  const matching = named
    .map((watch) =>
      describe(watch, {
        now: at,
        open: openOf.get(watch.domain) ?? [],
        revenue: revenueOf && mostFirst(revenueOf.get(watch.domain)),
      }),
    )
    .filter(
      ({ worst }) =>
        asked.severity === undefined ||
        (worst !== null && severityRank(worst) <= severityRank(asked.severity)),
    )
  const chosen = matching
    .filter(({ status }) => asked.state === undefined || status === asked.state)
    .sort(BY[sort])
  return { all: listed, matching, chosen, days, isSummed, sort }
}

function unwatchedOf(domains: readonly string[], all: readonly ListedWatch[]): string[] {
  const watched = new Set(all.map(({ domain }) => domain))
  return domains.filter((domain) => domain !== '*' && !watched.has(domain))
}

const isNamed = ({ domain, tags }: ListedWatch, { q, tag }: PortfolioQuery): boolean => {
  if (tag !== undefined && !tags.includes(tag)) return false
  if (q === undefined) return true
  const wanted = q.toLowerCase()
  return domain.includes(wanted) || tags.some((each) => each.toLowerCase().includes(wanted))
}

function describe(
  watch: ListedWatch,
  { now, open, revenue }: { now: Date; open: OpenCount[]; revenue: AiRevenue[] | null },
): PortfolioWatch {
  const alerting = open.filter((each) => isAlerting(each, watch.severity))
  const others = open.filter((each) => !alerting.includes(each) && each.kind === 'gap')
  return {
    ...watch,
    status: statusOfWatch(watch, open),
    isLate: isLate(watch, now),
    incidents: total(alerting),
    worst: SEVERITIES.find((each) => alerting.some(({ severity }) => severity === each)) ?? null,
    otherGaps: total(others),
    // The state of a paused watch is not known.
    isBlocked: watch.paused_at === null && open.some(keepsFromBuying),
    revenue,
  }
}

const mostFirst = (revenue: readonly AiRevenue[] = []): AiRevenue[] =>
  revenue.toSorted((a, b) => b.orders - a.orders)

const total = (counts: readonly OpenCount[]) => counts.reduce((sum, { count }) => sum + count, 0)

function countStatuses(all: readonly PortfolioWatch[]): Record<WatchStatus, number> {
  const counts = { broken: 0, blocked: 0, unseen: 0, waiting: 0, fine: 0, paused: 0 }
  for (const { status } of all) counts[status] += 1
  return counts
}

function sumRevenue(all: readonly PortfolioWatch[]): Omit<AiRevenue, 'domain'>[] {
  const sums = new Map<string, Omit<AiRevenue, 'domain'>>()
  for (const { revenue } of all) {
    for (const { currency, ...each } of revenue ?? []) {
      const sum = sums.get(currency)
      if (sum === undefined) sums.set(currency, { currency, ...each })
      else {
        sum.orders += each.orders
        sum.revenue += each.revenue
        sum.revenue_before += each.revenue_before
      }
    }
  }
  return [...sums.values()].sort((a, b) => b.orders - a.orders)
}

type Order = (a: PortfolioWatch, b: PortfolioWatch) => number

const byName: Order = (a, b) => (a.domain < b.domain ? -1 : 1)

/** The order in which domains need attention. */
const URGENCY: Record<WatchStatus, number> = {
  broken: 0,
  blocked: 1,
  unseen: 2,
  waiting: 3,
  fine: 4,
  paused: 5,
}

const scoreOf = ({ score }: PortfolioWatch) => score ?? Number.POSITIVE_INFINITY
/**
 * The first revenue. Amounts in different currencies are compared as they are, only to have an
 * order.
 */
const mainRevenueOf = ({ revenue }: PortfolioWatch) => revenue?.[0]?.revenue ?? -1
const changeOf = ({ revenue }: PortfolioWatch): number => {
  const [main] = revenue ?? []
  return main === undefined
    ? Number.POSITIVE_INFINITY
    : (relativeChange(main.revenue, main.revenue_before) ?? 1e9)
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)

const BY: Record<PortfolioSort, Order> = {
  worst: (a, b) =>
    URGENCY[a.status] - URGENCY[b.status] ||
    Number(b.isBlocked) - Number(a.isBlocked) ||
    severityRank(a.worst ?? 'low') - severityRank(b.worst ?? 'low') ||
    b.incidents - a.incidents ||
    compare(scoreOf(a), scoreOf(b)) ||
    byName(a, b),
  name: byName,
  score: (a, b) => compare(scoreOf(a), scoreOf(b)) || byName(a, b),
  revenue: (a, b) => compare(mainRevenueOf(b), mainRevenueOf(a)) || byName(a, b),
  change: (a, b) => compare(changeOf(a), changeOf(b)) || byName(a, b),
  looked: (a, b) =>
    compare(a.looked_at?.getTime() ?? 0, b.looked_at?.getTime() ?? 0) || byName(a, b),
}

async function withDetails(
  { db, now }: PortfolioDeps,
  { mayReadReport }: Reader,
  shown: readonly PortfolioWatch[],
): Promise<PortfolioEntry[]> {
  const domains = shown.map(({ domain }) => domain)
  const from = shiftDay(dayOf(now().getTime()), 1 - PORTFOLIO_DAYS)
  const unread = shown.flatMap(({ domain, revenue }) => (revenue === null ? [domain] : []))
  const [open, scores, sold] = await Promise.all([
    openIncidentsAmong(db, domains),
    readScoresAmong(db, domains, { from: `${from}T00:00:00Z`, days: PORTFOLIO_DAYS }),
    mayReadReport ? readRevenueAmong(db, unread, revenueDays(now())) : [],
  ])
  const soldOf = Map.groupBy(sold, ({ domain }) => domain)
  const openOf = Map.groupBy(open, ({ domain }) => domain)
  const scoresOf = Map.groupBy(scores, ({ domain }) => domain)
  return shown.map((watch) => {
    const visible = (openOf.get(watch.domain) ?? [])
      .filter((each) => isVisible(each, mayReadReport))
      .sort(worstFirst)
    return {
      ...watch,
      revenue: watch.revenue ?? (mayReadReport ? mostFirst(soldOf.get(watch.domain)) : null),
      open: visible.filter((each) => isAlerting(each, watch.severity)),
      blocking: visible.filter(
        (each) => keepsFromBuying(each) && !isAlerting(each, watch.severity),
      ),
      ...scoresOver(scoresOf.get(watch.domain) ?? []),
    }
  })
}

/** Of days, those whose scores compare with the last, and the change since the first of these. */
function scoresOver(days: readonly DayScore[]): Pick<PortfolioEntry, 'scores' | 'change'> {
  const judged = days.flatMap(({ day, ...row }) => {
    const score = judgedScore(row)
    return score === null ? [] : [{ ...score, day }]
  })
  const last = judged.reduce<(typeof judged)[number] | undefined>(
    (newest, each) => (newest === undefined || each.day > newest.day ? each : newest),
    undefined,
  )
  const alike = judged
    .flatMap((each) => {
      const change = last && each !== last ? compareScores(each, last).change : null
      return each === last || change !== null ? [{ ...each, change }] : []
    })
    .toSorted((a, b) => a.day - b.day)
  const byDay = new Map(alike.map(({ day, score }) => [day, score]))
  return {
    scores: Array.from({ length: PORTFOLIO_DAYS }, (_, day) => byDay.get(day) ?? null),
    change: alike[0]?.change ?? null,
  }
}
