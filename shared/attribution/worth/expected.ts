// What days would have brought, from the same weekdays of the weeks before and how those grew. The
// days vary around that with `spread` times the variance of Poisson: the quasi-Poisson model with a
// factor for the weekday and a slope (McCullagh and Nelder, Generalized Linear Models, 1989,
// chapters 4.5 and 6). It holds for amounts of money as well: their spread is in the unit of the
// currency. Intervals are made on the scale of square roots, where the variance hardly depends on
// the mean.

/** What a day brought: a count, or an amount in the smallest unit of one currency. */
export interface DayValue {
  /** Such as `2026-11-30`. */
  day: string
  value: number
}

/** What some days would have brought, at the stated certainty. */
export interface Expected {
  expected: number
  low: number
  high: number
}

/** What a day brings now, as a part of what it brought before: 0.4 is 60 % less. */
export interface RatioRange {
  low: number
  high: number
}

// Unspecified: what is said of a gap, an incident or a fix holds with 95 % certainty, all of its
// figures together.
const DOUBT = 0.05

/** Four of each weekday. */
const LEAST_DAYS = 28

/**
 * The least that must be expected, in units of its own variance by that of Poisson: below it chance
 * alone makes half of it or twice as much.
 */
const LEAST_EXPECTED = 6

/** As many orders, or visits, as a growth can be read from. */
const LEAST_BEFORE = 80

/** What is said of a figure. */
export interface Claim {
  /** How many figures are told together, and hold together. */
  figures: number
  /** The least spread: 1 for counts; for amounts the mean order, as orders come by chance. */
  least: number
}

/** The model of the days before, applied to other days. */
interface Baseline {
  expected: number
  /** Variance of `expected` as a part of that of what comes. */
  share: number
  spread: number
  /** Degrees of freedom that the spread was estimated with. */
  freedom: number
}

/** One weekday of the days before. */
interface Weekday {
  of: { at: number; value: number }[]
  total: number
  /** Sum, mean and mean of squares of the time, each day weighted by its growth. */
  weight: number
  mean: number
  square: number
}

/** Null where the days before are too few, or bring too little. */
function baselineOf(
  before: readonly DayValue[],
  days: readonly string[],
  { least }: Claim,
): Baseline | null {
  const [first] = before
  if (first === undefined || before.length < LEAST_DAYS || days.length === 0) return null
  const timeOf = (day: string) => (Date.parse(day) - Date.parse(first.day)) / WEEK_MS
  const grouped = Map.groupBy(before, ({ day }) => weekdayOf(day))
  const slope = slopeOf(
    [...grouped.values()].map((each) => each.map(({ day, value }) => ({ at: timeOf(day), value }))),
  )
  const weekdays = new Map(
    [...grouped].map(([weekday, each]) => [
      weekday,
      weighted(
        each.map(({ day, value }) => ({ at: timeOf(day), value })),
        slope,
      ),
    ]),
  )
  const meanAt = (weekday: Weekday, at: number) =>
    (weekday.total * Math.exp(slope * at)) / weekday.weight
  let [daily, information] = [0, 0]
  const weeks = new Map<number, { value: number; mean: number }>()
  for (const weekday of weekdays.values()) {
    information += weekday.total * (weekday.square - weekday.mean ** 2)
    for (const { at, value } of weekday.of) {
      const mean = meanAt(weekday, at)
      if (mean > 0) daily += (value - mean) ** 2 / mean
      const week = weeks.get(Math.floor(at)) ?? { value: 0, mean: 0 }
      weeks.set(Math.floor(at), { value: week.value + value, mean: week.mean + mean })
    }
  }
  const freedom = before.length - weekdays.size - 1
  const weekly = [...weeks.values()].reduce(
    (sum, { value, mean }) => sum + (mean > 0 ? (value - mean) ** 2 / mean : 0),
    0,
  )
  // Weeks vary more than their days do where what brings visits lasts for days.
  const spread = Math.max(least, daily / freedom, weekly / (weeks.size - 2))
  let [expected, variance, drift] = [0, 0, 0]
  for (const [number, wanted] of Map.groupBy(days, weekdayOf)) {
    const weekday = weekdays.get(number)
    if (weekday === undefined) return null
    let sum = 0
    for (const day of wanted) {
      const at = timeOf(day)
      const mean = meanAt(weekday, at)
      sum += mean
      drift += (at - weekday.mean) * mean
    }
    expected += sum
    if (weekday.total > 0) variance += sum ** 2 / weekday.total
  }
  if (information > 0) variance += drift ** 2 / information
  const share = variance / expected
  const total = before.reduce((sum, { value }) => sum + value, 0)
  const isEnough =
    total >= LEAST_BEFORE * spread && expected >= LEAST_EXPECTED * spread * (1 + share)
  return isEnough ? { expected, share, spread, freedom } : null
}

const WEEK_MS = 7 * 86_400_000

/** 0 is Sunday. */
const weekdayOf = (day: string): number => new Date(day).getUTCDay()

function weighted(of: Weekday['of'], slope: number): Weekday {
  let [total, weight, mean, square] = [0, 0, 0, 0]
  for (const { at, value } of of) {
    const growth = Math.exp(slope * at)
    total += value
    weight += growth
    mean += growth * at
    square += growth * at * at
  }
  return { of, total, weight, mean: mean / weight, square: square / weight }
}

/** The growth per week, as its logarithm, of greatest likelihood: Newton's method. */
function slopeOf(weekdays: readonly Weekday['of'][]): number {
  let slope = 0
  for (let n = 0; n < 25; n += 1) {
    let [score, information] = [0, 0]
    for (const of of weekdays) {
      const { total, mean, square } = weighted(of, slope)
      for (const { at, value } of of) score += (at - mean) * value
      information += total * (square - mean ** 2)
    }
    if (information === 0) return 0
    const step = score / information
    slope += Math.max(-0.5, Math.min(0.5, step))
    if (Math.abs(step) < 1e-12) break
  }
  return slope
}

/**
 * What these days would have brought, if all had gone on as in the days before, with the interval
 * in which it lies; null where that is too little to say.
 */
export function expectedOf(
  before: readonly DayValue[],
  days: readonly string[],
  told: Claim,
): Expected | null {
  const baseline = baselineOf(before, days, told)
  if (baseline === null) return null
  const { expected, share } = baseline
  const reach = reachOf(baseline, told) * Math.sqrt(1 + share)
  const root = Math.sqrt(expected)
  return { expected, low: Math.max(0, root - reach) ** 2, high: (root + reach) ** 2 }
}

/**
 * What a day brings after a change, as a part of what it brought before (Fieller's interval of the
 * ratio of two roots); null where that is too little to say.
 */
export function ratioRange(
  before: readonly DayValue[],
  after: readonly DayValue[],
  told: Claim,
): RatioRange | null {
  const baseline = baselineOf(
    before,
    after.map(({ day }) => day),
    told,
  )
  if (baseline === null) return null
  const { expected, share } = baseline
  const brought = after.reduce((sum, { value }) => sum + value, 0)
  const square = reachOf(baseline, told) ** 2
  // Those ratios r for which (√brought − r√expected)² ≤ square (1 + r² share).
  const lead = expected - square * share
  if (lead <= 0) return null
  const middle = Math.sqrt(brought * expected) / lead
  const half = Math.sqrt(Math.max(0, middle ** 2 - (brought - square) / lead))
  return { low: Math.max(0, middle - half) ** 2, high: (middle + half) ** 2 }
}

/** How far a root may lie from its mean: half of the interval. */
const reachOf = ({ spread, freedom }: Baseline, { figures }: Claim): number =>
  (studentQuantile(1 - DOUBT / figures, freedom) * Math.sqrt(spread)) / 2

/** The t between whose negative and positive this part of Student's distribution lies. */
function studentQuantile(part: number, freedom: number): number {
  let [low, high] = [0, 1000]
  for (let n = 0; n < 60; n += 1) {
    const middle = (low + high) / 2
    if (studentWithin(middle, freedom) < part) low = middle
    else high = middle
  }
  return low
}

/** Abramowitz and Stegun, 26.7.3 and 26.7.4: exact for a whole number of degrees of freedom. */
function studentWithin(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const isOdd = freedom % 2 === 1
  let [term, sum] = isOdd ? [Math.cos(angle), 0] : [1, 0]
  for (let n = isOdd ? 3 : 2; n <= freedom; n += 2) {
    sum += term
    term *= ((n - 1) / n) * Math.cos(angle) ** 2
  }
  const inner = Math.sin(angle) * sum
  return isOdd ? (2 / Math.PI) * (angle + inner) : inner
}
