import { shiftDay } from '../../web/moment.ts'
import {
  type Claim,
  type DayValue,
  type Expected,
  expectedOf,
  type RatioRange,
  ratioRange,
} from './expected.ts'

/** What AI brought on a day, in one currency; it is empty where no amount was reported. */
export interface DaySums {
  day: string
  currency: string
  sessions: number
  viewed: number
  orders: number
  /** In the smallest unit of `currency`. */
  revenue: number
}

/** Days from the first to the last, both included. */
export interface DaySpan {
  from: string
  to: string
}

/** What is counted: visits, views of a product, orders, or revenue in one currency. */
export type FigureName = 'visits' | 'views' | 'orders' | `revenue ${string}`

/** A figure of some days, and what was to be expected of them; null where that is too little. */
export interface CostFigure {
  name: FigureName
  came: number
  expected: Expected | null
}

/** How a figure changed; null where it is too little to say. */
export interface ChangedFigure {
  name: FigureName
  change: RatioRange | null
}

/** How many days of the past are looked at: eight of each weekday. */
export const WEEKS_BEFORE_DAYS = 56

/** As many days as are told: of what a gap is on, of an incident, and after a fix. */
export const TOLD_DAYS = 28

// Unspecified: of a store with many currencies the three with the most orders are told: more
// figures that hold together have wider intervals.
const MOST_CURRENCIES = 3

/** Every day of a span. */
export function daysOf({ from, to }: DaySpan): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = shiftDay(day, 1)) days.push(day)
  return days
}

/** What is counted of these rows: of a product its views, of all else the visits. */
function namesOf(rows: readonly DaySums[], isOfProducts: boolean): FigureName[] {
  const orders = new Map<string, number>()
  for (const row of rows) {
    if (row.currency === '' || row.revenue === 0) continue
    orders.set(row.currency, (orders.get(row.currency) ?? 0) + row.orders)
  }
  const currencies = [...orders]
    .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, MOST_CURRENCIES)
  return [
    isOfProducts ? 'views' : 'visits',
    'orders',
    ...currencies.map(([currency]) => `revenue ${currency}` as const),
  ]
}

function figureIn(row: DaySums, name: FigureName): number {
  if (name === 'visits') return row.sessions
  if (name === 'views') return row.viewed
  if (name === 'orders') return row.orders
  return name === `revenue ${row.currency}` ? row.revenue : 0
}

/** One value for each of these days; one without a row is 0. */
function valuesOf(rows: readonly DaySums[], name: FigureName, days: readonly string[]): DayValue[] {
  const byDay = new Map<string, number>()
  for (const row of rows) byDay.set(row.day, (byDay.get(row.day) ?? 0) + figureIn(row, name))
  return days.map((day) => ({ day, value: byDay.get(day) ?? 0 }))
}

/** What is said of each of these figures; `together`: in how many statements. */
function toldOf(
  rows: readonly DaySums[],
  name: FigureName,
  names: readonly FigureName[],
  statements = 1,
): Claim {
  const figures = names.length * statements
  if (!name.startsWith('revenue ')) return { figures, least: 1 }
  const of = rows.filter((row) => figureIn(row, name) > 0)
  const orders = of.reduce((sum, row) => sum + row.orders, 0)
  const revenue = of.reduce((sum, row) => sum + row.revenue, 0)
  return { figures, least: Math.max(1, revenue / Math.max(1, orders)) }
}

const sumOf = (values: readonly DayValue[]): number =>
  values.reduce((sum, { value }) => sum + value, 0)

/** What came in some days, and what the days before led one to expect. */
export function lossOf(
  rows: readonly DaySums[],
  before: readonly string[],
  during: readonly string[],
): CostFigure[] {
  const names = namesOf(rows, false)
  return names.map((name) => ({
    name,
    came: sumOf(valuesOf(rows, name, during)),
    expected: expectedOf(valuesOf(rows, name, before), during, toldOf(rows, name, names)),
  }))
}

/** What the last days of the span brought, and what as many days after it bring if that goes on. */
export function broughtOf(
  rows: readonly DaySums[],
  span: DaySpan,
  isOfProducts: boolean,
): CostFigure[] {
  const names = namesOf(rows, isOfProducts)
  const told = daysOf({ from: shiftDay(span.to, 1 - TOLD_DAYS), to: span.to })
  const next = daysOf({ from: shiftDay(span.to, 1), to: shiftDay(span.to, TOLD_DAYS) })
  return names.map((name) => ({
    name,
    came: sumOf(valuesOf(rows, name, told)),
    expected: expectedOf(valuesOf(rows, name, daysOf(span)), next, toldOf(rows, name, names)),
  }))
}

/** How what came after a fix compares with before. `together`: how many fixes are shown. */
export function fixEffects(
  rows: readonly DaySums[],
  before: DaySpan,
  after: DaySpan,
  together: number,
): ChangedFigure[] {
  const names = namesOf(rows, false)
  return names.map((name) => ({
    name,
    change: ratioRange(
      valuesOf(rows, name, daysOf(before)),
      valuesOf(rows, name, daysOf(after)),
      toldOf(rows, name, names, together),
    ),
  }))
}
