import { SURFACES } from '../attribution/surfaces.ts'
import type { Severity } from '../audit/vocabulary.ts'
import { shiftDay } from '../web/moment.ts'
import { englishCount } from '../web/text/english-count.ts'
import type { Seen } from './debounce.ts'
import type { Incident } from './incident.ts'

/** One observation from sessions and orders, judged once. */
export interface Signal {
  /** `payments_failing`, or `surface_fell:chatgpt`: the subject of its incident. */
  subject: string
  seen: Seen
  severity: Severity
  label: string
  /** The figure: the count, out of how many, in which time, and what is usual. */
  detail: string
  fix: string
}

// Unspecified: a usual week needs 20 sessions, or 20 orders, to compare with. Half of that happens
// by chance once in two years; half of five orders would every other month.
const USUAL_FLOOR = 20
/** The "fell by half". */
const FELL_TO = 0.5
// Unspecified: a fall is over once three quarters of a usual week are back.
const BACK_AT = 0.75
const WEEKS_BEFORE = 4

/** One day of one surface, named as in reports, over all currencies and kinds. */
export interface SurfaceDay {
  /** In the store's time zone. */
  day: string
  surface: string
  sessions: number
  orders: number
}

/** How many days before today are read: the last week, and the four it is compared with. */
export const FALL_DAYS = 7 * (WEEKS_BEFORE + 1)

/**
 * The context of judging: the threshold to close an open incident differs from the one to open it.
 */
interface JudgedAt {
  /** The day that is not over yet, in the store's time zone. */
  today: string
  /** Subjects of open incidents. */
  open: ReadonlySet<string>
}

const ALL = 'all'
const fallSubject = (surface: string) => `surface_fell:${surface}`
const FALL = /^surface_fell:(.+)$/

/**
 * Compares the last seven whole days of each surface with the median of the same seven days in the
 * four weeks before. `since` is the first day with figures: a store with less than five weeks has
 * no usual week. If all surfaces fell together it is one signal: the counting itself stopped.
 */
export function judgeFalls(
  days: readonly SurfaceDay[],
  { today, open, since }: JudgedAt & { since: string | null },
): Signal[] {
  const first = shiftDay(today, -FALL_DAYS)
  const isYoung = since === null || since > first
  const wasOpen = [...open].flatMap((subject) => FALL.exec(subject)?.[1] ?? [])
  const surfaces = new Set([...days.map(({ surface }) => surface), ...wasOpen])
  surfaces.delete(ALL)
  const weeksOf = (ofDays: readonly SurfaceDay[]): Week[] =>
    Array.from({ length: WEEKS_BEFORE + 1 }, (_, ago) => {
      const [from, to] = [shiftDay(today, -7 * (ago + 1)), shiftDay(today, -7 * ago - 1)]
      const inWeek = ofDays.filter(({ day }) => day >= from && day <= to)
      return { sessions: sum(inWeek, 'sessions'), orders: sum(inWeek, 'orders') }
    })
  const fellAt = (surface: string, ofDays: readonly SurfaceDay[]) =>
    judgeFall({
      surface,
      weeks: weeksOf(ofDays),
      isOpen: open.has(fallSubject(surface)),
      lastDay: shiftDay(today, -1),
    })
  if (isYoung) return []
  const each = [...surfaces].toSorted().map((surface) =>
    fellAt(
      surface,
      days.filter((one) => one.surface === surface),
    ),
  )
  const judged = each.filter(({ hasUsual }) => hasUsual)
  const together = fellAt(ALL, days)
  const allFell = judged.length > 1 && judged.every(({ signal }) => signal.seen === 'wrong')
  const isTogether = together.signal.seen === 'wrong' && (allFell || open.has(fallSubject(ALL)))
  const all: Signal = { ...together.signal, seen: isTogether ? 'wrong' : 'well' }
  const alone = each.map(({ signal }) => signal)
  return isTogether
    ? // Open ones stay or close; none opens next to the signal about all surfaces.
      [all, ...alone.filter(({ subject }) => open.has(subject))]
    : [...(open.has(all.subject) ? [all] : []), ...alone]
}

interface Week {
  sessions: number
  orders: number
}

const sum = (days: readonly SurfaceDay[], what: keyof Week): number =>
  days.reduce((total, day) => total + day[what], 0)

/** The mean of the middle two, if their number is even. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (n: number) => sorted[n] ?? 0
  const half = sorted.length / 2
  return Number.isInteger(half) ? (at(half - 1) + at(half)) / 2 : at(Math.floor(half))
}

function judgeFall({
  surface,
  weeks: [now = { sessions: 0, orders: 0 }, ...before],
  isOpen,
  lastDay,
}: {
  surface: string
  weeks: readonly Week[]
  isOpen: boolean
  lastDay: string
}): { signal: Signal; hasUsual: boolean } {
  const measured = (['sessions', 'orders'] as const)
    .map((what) => ({ what, now: now[what], usual: median(before.map((week) => week[what])) }))
    .filter(({ usual }) => usual >= USUAL_FLOOR)
  const most = isOpen ? BACK_AT : FELL_TO
  const fell = measured.filter(({ now, usual }) =>
    isOpen ? now < usual * most : now <= usual * most,
  )
  const [worst = measured[0]] = fell.toSorted((a, b) => a.now / a.usual - b.now / b.usual)
  const name = surfaceTitle(surface)
  const isAll = surface === ALL
  const figure =
    worst === undefined
      ? 'A usual week is now too small to compare with.'
      : `${englishCount(worst.now)} ${worst.what} in the seven days up to ${lastDay}, where ${englishCount(Math.round(worst.usual))} are usual: the median of the four weeks before.`
  return {
    hasUsual: measured.length > 0,
    signal: {
      subject: fallSubject(surface),
      // What was small for weeks is usual by now.
      seen: fell.length > 0 ? 'wrong' : 'well',
      severity: 'high',
      label: isAll
        ? 'All AI surfaces fell by half or more'
        : `${worst?.what === 'orders' ? 'Orders' : 'Sessions'} from ${name} fell by half or more`,
      detail: figure,
      fix: isAll
        ? 'Check that the attribution tag is still on your pages and that your server still reports orders. Then look at what changed on your site.'
        : `Open the report for ${name} and see which pages and products lost visits. Check that ${name} can still read them: run an audit.`,
    },
  }
}

/** "ChatGPT" for `chatgpt`; an id without a row stays as it is. */
export const surfaceTitle = (id: string): string =>
  SURFACES.find((each) => each.id === id)?.name ?? (id === 'other_ai' ? 'other AI' : id)

/** Why a checkout failed, if its report says so. */
export const FAILURE_KINDS = ['payment', 'stock', 'expired', 'ended', 'other', 'unsaid'] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

// Unspecified: `properties.reason` of `ai_checkout_failed` gives the reason, as an error code of
// the specification or of payment providers. A checkout that the buyer or agent ended is not a
// failure.
/** Reasons in the form in which they are compared: lower case, words joined by `_`. */
export const FAILURE_REASONS: Readonly<Record<string, FailureKind>> = {
  ...Object.fromEntries(
    [
      'payment_failed',
      'payment_declined',
      'declined',
      'card_declined',
      'generic_decline',
      'insufficient_funds',
      'expired_card',
      'incorrect_cvc',
      'do_not_honor',
      'fraud',
      'fraudulent',
      'authentication_required',
      'payment_error',
      'processing_error',
      'payment_method_declined',
    ].map((reason) => [reason, 'payment'] as const),
  ),
  out_of_stock: 'stock',
  item_unavailable: 'stock',
  session_expired: 'expired',
  checkout_expired: 'expired',
  expired: 'expired',
  canceled: 'ended',
  cancelled: 'ended',
  abandoned: 'ended',
  invalid_address: 'ended',
  validation_error: 'ended',
}

/** The outcomes of checkouts in a time. */
export interface CheckoutFigures {
  /** How long that is. */
  hours: number
  completed: number
  failed: Readonly<Record<FailureKind, number>>
  /** Sessions over UCP and ACP that were opened long enough ago to be over, by outcome. */
  opened: { completed: number; failed: number; expired: number }
  /** Orders over UCP and ACP: if few of them match an opened session, the ids do not compare. */
  protocolOrders: number
  /** Checkouts that reported the time of their completion, and its 95th percentile. */
  timed: number
  p95Ms: number | null
}

/** Spec, Limits: operational targets for production. */
const MOST_PAYMENT_FAILURES = 0.1
const MOST_EXPIRED = 0.05
/** A completion rate of 90 percent. */
const MOST_FAILED = 0.1
const MOST_P95_MS = 5000

// Unspecified: a share is judged from 20 checkouts on, and opens with at least five of them failed;
// a 95th percentile from 40. A store at half of a threshold exceeds it by chance on one day of
// twenty at most.
const SHARE_FLOOR = 20
const COUNT_FLOOR = 5
const TIMED_FLOOR = 40
// Unspecified: an incident over a threshold closes once the figure is below four fifths of it.
const CLOSE_AT = 0.8

/**
 * Judges checkouts by the specification's thresholds, in the first of these times with enough of
 * them. One cause gives one signal: a completion rate that only failed payments or expired sessions
 * push down is theirs.
 */
export function judgeCheckouts(
  windows: readonly CheckoutFigures[],
  open: ReadonlySet<string>,
): Signal[] {
  const by = (subject: string, limit: number, shareOf: (figures: CheckoutFigures) => Share) => {
    const at = windows.find((figures) => shareOf(figures).of >= SHARE_FLOOR) ?? windows.at(-1)
    if (at === undefined) return null
    const share = shareOf(at)
    return { at, share, seen: seenShare(share, limit, open.has(subject)) }
  }
  const signals: (Signal | null)[] = []
  const payments = by('payments_failing', MOST_PAYMENT_FAILURES, paymentShare)
  if (payments !== null) {
    const { at, share, seen } = payments
    signals.push({
      subject: 'payments_failing',
      seen,
      severity: 'high',
      label: 'More than 10 percent of payments fail',
      detail: `${figureOf(share, 'payments failed', at)} Investigate above 10%.`,
      fix: "Look for the reason in your payment provider's dashboard, by decline code. Check that its keys are valid and that it takes the tokens that agents send.",
    })
  }
  const expiry = by('checkouts_expiring', MOST_EXPIRED, expiredShare)
  let isOfExpiry = false
  if (expiry !== null) {
    const { at, share } = expiry
    const seen = canJoin(at) ? expiry.seen : 'unknown'
    isOfExpiry = seen === 'wrong'
    signals.push({
      subject: 'checkouts_expiring',
      seen,
      severity: 'medium',
      label: 'More than 5 percent of checkout sessions expire',
      detail: `${figureOf(share, 'checkout sessions over UCP and ACP ended without an order', at)} Flagged above 5%.`,
      fix: 'Agents give these checkouts up. Check shipping costs and taxes, how long a session lives, and how long completion takes.',
    })
  }
  const isOfPayments = payments?.seen === 'wrong'
  const completion = by('completion_low', MOST_FAILED, (figures) =>
    failedShare(figures, { isOfPayments, isOfExpiry }),
  )
  if (completion !== null) {
    const { at, share, seen } = completion
    const { unsaid } = at.failed
    signals.push({
      subject: 'completion_low',
      seen,
      severity: 'high',
      label: 'Fewer than 90 percent of checkouts complete',
      detail: [
        `${figureOf({ count: share.of - share.count, of: share.of }, 'checkouts completed', at)} Expected: at least 90%.`,
        unsaid > 0 && `${englishCount(unsaid)} of the failures do not say why.`,
      ]
        .filter((text) => text !== false)
        .join(' '),
      fix:
        unsaid > share.count / 2
          ? 'Report `properties.reason` with `ai_checkout_failed`, such as payment_declined or out_of_stock. Until then, look at the failed checkouts in your own system.'
          : 'Look at the failed checkouts by their reason: out_of_stock points at stale availability, other reasons at your checkout.',
    })
  }
  const slow = windows.find(({ timed }) => timed >= TIMED_FLOOR) ?? windows.at(-1)
  if (slow !== undefined) {
    const limit = open.has('completion_slow') ? MOST_P95_MS * CLOSE_AT : MOST_P95_MS
    const isKnown = slow.timed >= TIMED_FLOOR && slow.p95Ms !== null
    const seconds = ((slow.p95Ms ?? 0) / 1000).toFixed(1)
    signals.push({
      subject: 'completion_slow',
      seen: !isKnown ? 'unknown' : (slow.p95Ms ?? 0) > limit ? 'wrong' : 'well',
      severity: 'high',
      label: 'The slowest 5 percent of completions take more than 5 seconds',
      detail: `The 95th percentile is ${seconds} s over ${englishCount(slow.timed)} checkouts in ${timeOf(slow)}. Alert above 5 s.`,
      fix: 'Agents give up or retry after 5 seconds. Check how long your payment provider and your database take.',
    })
  }
  return signals.filter((signal) => signal !== null)
}

interface Share {
  count: number
  of: number
}

const paymentShare = ({ completed, failed }: CheckoutFigures): Share => ({
  count: failed.payment,
  of: failed.payment + completed,
})

/** Without what buyers ended themselves, and what has its own signal. */
function failedShare(
  { completed, failed }: CheckoutFigures,
  { isOfPayments, isOfExpiry }: { isOfPayments: boolean; isOfExpiry: boolean },
): Share {
  const { payment, stock, expired, other, unsaid } = failed
  const count = stock + other + unsaid + (isOfPayments ? 0 : payment) + (isOfExpiry ? 0 : expired)
  return { count, of: count + completed }
}

const expiredShare = ({ opened }: CheckoutFigures): Share => ({
  count: opened.expired,
  of: opened.completed + opened.expired,
})

// Unspecified: expired sessions are judged if at least half of the orders over UCP and ACP match an
// opened session; otherwise the store reports them under other ids.
const canJoin = ({ opened, protocolOrders }: CheckoutFigures): boolean =>
  opened.completed >= protocolOrders / 2

function seenShare({ count, of }: Share, limit: number, isOpen: boolean): Seen {
  if (of < SHARE_FLOOR) return 'unknown'
  if (isOpen) return count > of * limit * CLOSE_AT ? 'wrong' : 'well'
  return count >= COUNT_FLOOR && count > of * limit ? 'wrong' : 'well'
}

const percent = ({ count, of }: Share): string =>
  `${of === 0 ? 0 : Math.round((count / of) * 1000) / 10}%`

const figureOf = (share: Share, what: string, at: CheckoutFigures): string =>
  `${englishCount(share.count)} of ${englishCount(share.of)} ${what} in ${timeOf(at)}: ${percent(share)}.`

function timeOf({ hours }: CheckoutFigures): string {
  if (hours > 24) return `the last ${Math.round(hours / 24)} days`
  return hours >= 2 ? `the last ${Math.round(hours)} hours` : 'the last hour'
}

/** The days before an incident that its report shows; for a fall, the weeks that are compared. */
const REPORT_DAYS = 7

/** The report page for an incident's subject, below the public URL of the service. */
export function signalReportPath({
  domain,
  subject,
  opened_at,
}: Pick<Incident, 'domain' | 'subject' | 'opened_at'>): string {
  const surface = FALL.exec(subject)?.[1]
  const today = opened_at.slice(0, 10)
  const start = shiftDay(today, surface === undefined ? 1 - REPORT_DAYS : -FALL_DAYS)
  const query = new URLSearchParams({ domain, start, end: today })
  if (surface !== undefined && surface !== ALL) query.set('surface', surface)
  return `/report?${query}`
}

/** The name that identifies the first order of a surface. */
export const firstOrderSubject = (surface: string): string => `first_order:${surface}`
