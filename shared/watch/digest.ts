import { METRIC_NAMES, QUESTIONS } from '../attribution/report-words.ts'
import { formatMoney } from '../commerce/product.ts'
import { daysText } from '../web/text/days-text.ts'
import { counted, englishCount } from '../web/text/english-count.ts'
import type { Incident } from './incident.ts'
import type { NoticeItem, WatchNotice } from './notice.ts'

/** The part of an incident that a digest shows. */
export type DigestIncident = Pick<
  Incident,
  'id' | 'kind' | 'severity' | 'label' | 'points' | 'opened_at' | 'closed_at'
>

/** A gap to close first. */
export interface DigestStep {
  label: string
  fix: string
  /** Points that closing it gains; null if unknown. */
  points: number | null
  /** An absolute URL: the tool that fixes it, or the page that explains it. */
  url: string
}

/**
 * What AI brought in the week, and in the week before. Revenue is per currency, in its smallest
 * unit.
 */
export interface DigestAi {
  sessions: number
  sessions_before: number
  orders: number
  orders_before: number
  failed: number
  failed_before: number
  /** Pages that agents read for people, as the logs of the store's server show it. */
  answers: number
  answers_before: number
  /** What verified agents were refused, or got a challenge for. */
  refused: number
  /** Orders without a known visit and without a surface, which are in no other figure. */
  unattributed: number
  revenue: { currency: string; amount: number; before: number }[]
  /** The first and last day in the store's time zone, if they differ from the digest's. */
  from?: string
  to?: string
}

/** The first rows of the tables of a report. */
export interface DigestSold {
  surfaces: NoticeItem[]
  converts: NoticeItem[]
}

/** The week of one watched domain; webhooks send it as `data.digest`. */
export interface Digest {
  domain: string
  /** The first and the last day, in the time zone of the watch. */
  from: string
  to: string
  score: number | null
  grade: string | null
  /** A week ago; null if the watch is younger. */
  score_before: number | null
  /** Points since then, on what both audits judged; null where there is no trend. */
  change: number | null
  /** Why the last check saw nothing; null if it saw the store. */
  unseen: string | null
  /** Incidents that opened and closed in the week, worst first, and those open at its end. */
  opened: DigestIncident[]
  closed: DigestIncident[]
  open: DigestIncident[]
  first: DigestStep[]
  /** Null if the watch may not say what orders show. */
  ai: DigestAi | null
  /** The most of it by surface, and by page and product; empty without `ai`. */
  sold: DigestSold
  /** What incidents cost, and what changed after fixes: sentences, numbers with intervals. */
  worth: string[]
  /** Gaps that are sometimes seen and gone right after: no alert was sent. */
  unsteady: { label: string; times: number }[]
  /** The page of the watch. */
  url: string
}

interface NoticeInput {
  id: string
  at: Date
}

/** How many incidents of a kind are named; the rest are counted. */
const MOST_NAMED = 5

/** The digest of one domain. After a quiet week it is one or two short sentences. */
export function digestNotice(digest: Digest, { id, at }: NoticeInput): WatchNotice {
  const { domain, first, ai } = digest
  const quiet = isQuiet(digest)
  const days = daysText(digest.from, digest.to)
  const stillOpen = digest.open.filter(({ id }) => !digest.opened.some((one) => one.id === id))
  return {
    id,
    domain,
    at: at.toISOString(),
    event: 'digest',
    severity: null,
    title: `${domain}: ${quiet ? 'a quiet week' : headlineOf(digest)}`,
    lines: [
      quiet
        ? `Nothing changed in the week of ${days}. Score ${scoreText(digest)}.`
        : `The week of ${days}.`,
      ...digest.worth,
      ...(digest.unseen === null ? [] : [`The last audit saw nothing: ${digest.unseen}`]),
      ...(ai?.from === undefined || ai.to === undefined
        ? []
        : [`What AI brought is of ${daysText(ai.from, ai.to)}, the store's days that are over.`]),
    ],
    // Money first, as in the report.
    facts: [
      ...(ai === null ? [] : aiFacts(ai)),
      ...(quiet ? [] : [{ label: 'Score', value: scoreText(digest) }]),
    ],
    sections: [
      { title: QUESTIONS.money, items: digest.sold.surfaces },
      { title: QUESTIONS.converts, items: digest.sold.converts },
      {
        title: quiet || first.length === 1 ? 'Most to gain' : 'Fix first',
        items: (quiet ? first.slice(0, 1) : first).map(({ label, fix, points, url }) => ({
          label: `${label}${pointsText(points)}`,
          text: fix,
          url,
        })),
      },
      { title: 'New this week', items: named(digest, digest.opened) },
      { title: 'Still open', items: named(digest, stillOpen) },
      { title: 'Over', items: named(digest, digest.closed) },
      {
        title: 'Unsteady',
        items: digest.unsteady.map(({ label, times }) => ({
          label,
          text: `seen ${englishCount(times)} times since the watch began, and gone a minute later`,
          url: null,
        })),
      },
    ].filter(({ items }) => items.length > 0),
    url: digest.url,
    data: { digest },
  }
}

/** Nothing opened or closed, the score is the same, and everything could be seen. */
const isQuiet = (digest: Digest): boolean =>
  digest.opened.length === 0 &&
  digest.closed.length === 0 &&
  digest.open.length === 0 &&
  digest.unsteady.length === 0 &&
  digest.unseen === null &&
  (digest.score_before === null || digest.change === 0)

function headlineOf({ score, change, opened, closed, open, unseen }: Digest): string {
  const parts = [
    score !== null && `score ${score}${changed(change)}`,
    opened.length > 0 && `${opened.length} new`,
    closed.length > 0 && `${closed.length} over`,
    open.length > 0 && `${open.length} open`,
    unseen !== null && 'last audit saw nothing',
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'no score yet' : parts.join(', ')
}

function named({ url }: Digest, incidents: readonly DigestIncident[]): NoticeItem[] {
  const left = incidents.length - MOST_NAMED
  return [
    ...incidents.slice(0, MOST_NAMED).map(({ id, label, severity, points }) => ({
      label,
      text: `${severity}${costText(points)}`,
      url: `${url}/incidents/${id}`,
    })),
    ...(left > 0 ? [{ label: `${englishCount(left)} more`, text: '', url }] : []),
  ]
}

const costText = (points: number | null): string =>
  points === null || points === 0 ? '' : `, costs ${counted(points, 'point')}`
const pointsText = (points: number | null): string =>
  points === null || points === 0 ? '' : ` (+${counted(points, 'point')})`

/** ` (+4)`; empty without a change. */
const changed = (change: number | null): string =>
  change === null || change === 0 ? '' : ` (${signed(change)})`

const scoreText = ({ score, grade, score_before, change }: Digest): string =>
  score === null
    ? 'not known yet'
    : `${score}${grade === null ? '' : ` (${grade})`}, ${
        score_before === null
          ? 'in the first week'
          : change === null
            ? `${score_before} a week ago, which cannot be compared`
            : change === 0
              ? 'as a week ago'
              : `${score_before} a week ago`
      }`

const signed = (by: number): string => (by > 0 ? `+${by}` : `−${-by}`)

function aiFacts({
  sessions,
  sessions_before,
  orders,
  orders_before,
  revenue,
  failed,
  failed_before,
  answers,
  answers_before,
  refused,
  unattributed,
}: DigestAi) {
  return [
    ...revenue.map(({ currency, amount, before }) => ({
      label: METRIC_NAMES.revenue,
      value: `${formatMoney({ amount, currency })}${changeText(amount, before)}`,
    })),
    { label: METRIC_NAMES.orders, value: countText(orders, orders_before) },
    { label: METRIC_NAMES.sessions, value: countText(sessions, sessions_before) },
    ...(answers + answers_before === 0
      ? []
      : [{ label: 'Pages read for answers', value: countText(answers, answers_before) }]),
    ...(refused === 0 ? [] : [{ label: 'Refused to AI agents', value: timesText(refused) }]),
    ...(failed + failed_before === 0
      ? []
      : [{ label: METRIC_NAMES.failed, value: countText(failed, failed_before) }]),
    ...(unattributed === 0
      ? []
      : [
          {
            label: 'Orders without a visit',
            value: `${englishCount(unattributed)}, not counted as AI's: see the report`,
          },
        ]),
  ]
}

const timesText = (times: number): string => (times === 1 ? 'once' : `${englishCount(times)} times`)

const countText = (now: number, before: number): string =>
  `${englishCount(now)}${changeText(now, before)}`

/** ` (+12%)`; empty if there is nothing to compare with. */
function changeText(now: number, before: number): string {
  if (before === 0) return now === 0 ? '' : ' (none the week before)'
  const by = Math.round(((now - before) / before) * 100)
  return by === 0 ? ' (±0%)' : ` (${signed(by)}%)`
}

/** One domain's row in the table of many. */
export interface DigestRow {
  domain: string
  score: number | null
  change: number | null
  opened: number
  closed: number
  open: number
  /** The worst open incident. */
  worst: DigestIncident | null
  first: Pick<DigestStep, 'label' | 'points'> | null
  ai: DigestAi | null
  unseen: boolean
  url: string
}

export const digestRow = (digest: Digest): DigestRow => ({
  domain: digest.domain,
  score: digest.score,
  change: digest.change,
  opened: digest.opened.length,
  closed: digest.closed.length,
  open: digest.open.length,
  worst: digest.open[0] ?? null,
  first: digest.first[0] ? { label: digest.first[0].label, points: digest.first[0].points } : null,
  ai: digest.ai,
  unseen: digest.unseen !== null,
  url: digest.url,
})

// Unspecified: a digest of many domains lists 40 of them, the worst first: more does not fit into a
// chat message.
const MOST_ROWS = 40

/** Whether a notice is a digest of several domains. */
export const isOfMany = ({ data }: WatchNotice): boolean => 'digests' in data

/** The rows that `digestOfMany` wrote. */
export const digestsOf = ({ data }: WatchNotice): DigestRow[] => data.digests as DigestRow[]

/** One digest for all domains of a receiver. `data.digests` has all the rows. */
export function digestOfMany(
  rows: readonly DigestRow[],
  { id, at, domain, url }: NoticeInput & { domain: string; url: string },
): WatchNotice {
  const sorted = rows.toSorted(
    (a, b) => worstness(b) - worstness(a) || (a.domain < b.domain ? -1 : 1),
  )
  const restless = sorted.filter((row) => worstness(row) > 0)
  const open = rows.reduce((sum, row) => sum + row.open, 0)
  const quiet = rows.length - restless.length
  const left = restless.length - MOST_ROWS
  return {
    id,
    domain,
    at: at.toISOString(),
    event: 'digest',
    severity: null,
    title: `${englishCount(rows.length)} domains: ${open === 0 ? 'nothing is open' : `${counted(open, 'incident')} open`}`,
    lines: [
      ...(restless.length === 0 ? ['Nothing changed in any of them this week.'] : []),
      ...(restless.length > 0 && quiet > 0
        ? [`In ${englishCount(quiet)} of them nothing changed this week.`]
        : []),
      ...(left > 0
        ? [`The worst ${MOST_ROWS} are listed; ${englishCount(left)} more changed.`]
        : []),
      ...totalsOf(rows),
    ],
    facts: [],
    sections: [
      {
        title: 'The worst first',
        items: restless
          .slice(0, MOST_ROWS)
          .map((row) => ({ label: row.domain, text: rowText(row), url: row.url })),
      },
    ].filter(({ items }) => items.length > 0),
    url,
    data: { digests: sorted },
  }
}

const WEIGHTS = { critical: 1000, high: 100, medium: 10, low: 1 } as const

/** Above 0 if something happened or is open; the worse, the more. */
const worstness = (row: DigestRow): number =>
  (row.worst === null ? 0 : 10_000 * WEIGHTS[row.worst.severity]) +
  10 * row.open +
  (row.unseen ? 5000 : 0) +
  Math.max(0, -100 * (row.change ?? 0)) +
  row.opened +
  row.closed +
  (row.change !== null && row.change !== 0 ? 1 : 0)

function rowText({ score, change, worst, open, closed, first, unseen, ai }: DigestRow): string {
  return [
    score === null ? 'no score yet' : `${score}${changed(change)}`,
    unseen && 'the last audit saw nothing',
    worst !== null && `${worst.label}${open > 1 ? ` and ${open - 1} more open` : ''}`,
    worst === null && closed > 0 && `${closed} over`,
    worst === null && first !== null && `to do: ${first.label}${pointsText(first.points)}`,
    ai !== null && ai.orders > 0 && `AI orders ${countText(ai.orders, ai.orders_before)}`,
  ]
    .filter((part) => part !== false)
    .join('; ')
}

/** What AI brought to all of them, per currency. */
function totalsOf(rows: readonly DigestRow[]): string[] {
  const told = rows.flatMap(({ ai }) => (ai === null ? [] : [ai]))
  if (told.length === 0) return []
  const sum = (what: 'sessions' | 'sessions_before' | 'orders' | 'orders_before') =>
    told.reduce((total, ai) => total + ai[what], 0)
  const counted = (what: 'sessions' | 'orders') =>
    `${englishCount(sum(what))} ${what}${changeText(sum(what), sum(`${what}_before`))}`
  const currencies = new Map<string, { amount: number; before: number }>()
  for (const { currency, amount, before } of told.flatMap(({ revenue }) => revenue)) {
    const had = currencies.get(currency) ?? { amount: 0, before: 0 }
    currencies.set(currency, { amount: had.amount + amount, before: had.before + before })
  }
  const revenue = [...currencies]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([currency, { amount, before }]) =>
        `${formatMoney({ amount, currency })}${changeText(amount, before)}`,
    )
  return [
    `AI brought ${counted('sessions')}, ${counted('orders')}${revenue.length === 0 ? '' : ` and ${revenue.join(', ')}`}.`,
    ...(told.some(({ from }) => from !== undefined)
      ? ["Where a store's Sunday was not over, its seven days end before it."]
      : []),
  ]
}
