import { formatMoney } from '../../commerce/product.ts'
import { daysText } from '../../web/text/days-text.ts'
import { counted, englishCount } from '../../web/text/english-count.ts'
import type { ChangedFigure, CostFigure, DaySpan, FigureName } from './figures.ts'

/** What some pages, products or the whole store brought. */
interface Brought {
  /** Such as `the 2 pages that it was found on`. */
  what: string
  /** The days that are told. */
  span: DaySpan
  figures: readonly CostFigure[]
}

/** What an incident cost; or why that cannot be told. */
export type IncidentCost = { span: DaySpan; figures: readonly CostFigure[] } | { unknown: string }

/** What changed after gaps were closed. */
export interface FixChange {
  /** The labels of the gaps. */
  labels: readonly string[]
  /** The first audit without them. */
  gone: string
  /** Of the last audit with them, and of the first without. */
  scores: { before: number; after: number }
  /** As in `Brought`. */
  what: string
  span: DaySpan
  figures: readonly ChangedFigure[]
}

const TOO_FEW = 'too few to say'

/** What all numbers of a statement rest on, in a few words. */
export const CERTAINTY = 'with 95% certainty'

const NOUNS: Record<string, string> = { visits: 'visit', views: 'view', orders: 'order' }

const revenueCurrency = (name: FigureName): string | null =>
  name.startsWith('revenue ') ? name.slice('revenue '.length) : null

/** `14 orders`, or `912.00 EUR`. */
function amountText(name: FigureName, value: number): string {
  const currency = revenueCurrency(name)
  const whole = Math.round(value)
  return currency === null
    ? counted(whole, NOUNS[name] ?? name)
    : formatMoney({ amount: whole, currency })
}

/** `7 to 24 orders`: from below to above, so that no rounding makes it narrower. */
function rangeText(name: FigureName, low: number, high: number): string {
  const currency = revenueCurrency(name)
  const [from, to] = [Math.floor(low), Math.ceil(high)]
  return currency === null
    ? `${englishCount(from)} to ${counted(to, NOUNS[name] ?? name)}`
    : `${formatMoney({ amount: from, currency })} to ${formatMoney({ amount: to, currency })}`
}

/** The name of a figure in a sentence. */
export const figureText = (name: FigureName): string => {
  const currency = revenueCurrency(name)
  return currency === null ? name : `revenue in ${currency}`
}

/** What they brought, and what they go on to bring, as sentences. */
export function broughtLines({ what, span, figures }: Brought): string[] {
  const came = figures.map(({ name, came }) => amountText(name, came))
  const known = figures.flatMap(({ name, expected }) =>
    expected === null ? [] : [rangeText(name, expected.low, expected.high)],
  )
  return [
    `From ${daysText(span.from, span.to)} AI brought ${listText(came)} to ${what}.`,
    known.length === 0
      ? 'Too few to say what the next 28 days bring.'
      : `If that goes on, the next 28 days bring ${listText(known)} (${CERTAINTY})${restText(figures.filter(({ expected }) => expected === null))}.`,
  ]
}

/** What an incident cost, as sentences. */
export function costLines(cost: IncidentCost): string[] {
  if ('unknown' in cost) return [cost.unknown]
  const { span, figures } = cost
  const came = figures.map(({ name, came }) => amountText(name, came))
  return [
    `From ${daysText(span.from, span.to)} AI brought ${listText(came)}.`,
    ...figures.flatMap((figure) => (figure.expected === null ? [] : [costText(figure)])),
    ...(figures.some(({ expected }) => expected === null)
      ? [`${capitalList(figures.filter(({ expected }) => expected === null))}: ${TOO_FEW}.`]
      : []),
  ]
}

/** What was expected, and what that says, in a sentence. */
function costText(figure: CostFigure): string {
  const { name, expected } = figure
  if (expected === null) return `${figureText(name)}: ${TOO_FEW}`
  const range = rangeText(name, expected.low, expected.high)
  return `Expected from the weeks before were ${range} (${CERTAINTY}): ${lossText(figure)}.`
}

/** How much less or more came than was expected. */
export function lossText({ name, came, expected }: CostFigure): string {
  if (expected === null) return TOO_FEW
  const { low, high } = expected
  if (came < low)
    return `${rangeText(name, low - came, high - came)} ${isMoney(name) ? 'less' : 'fewer'}`
  if (came > high) return `${rangeText(name, came - high, came - low)} more`
  return 'no loss that can be told from chance'
}

/** `7 to 24 orders`, or that it is too few. */
export const expectedText = ({ name, expected }: CostFigure): string =>
  expected === null ? TOO_FEW : rangeText(name, expected.low, expected.high)

/** What came, in words. */
export const cameText = ({ name, came }: CostFigure): string => amountText(name, came)

/** Whether it says anything at all. */
export const isTold = (figures: readonly { expected?: unknown; change?: unknown }[]): boolean =>
  figures.some(({ expected, change }) => (expected ?? change ?? null) !== null)

/** What changed after a fix, as sentences. */
export function fixLines({ labels, gone, scores, what, span, figures }: FixChange): string[] {
  const [first = '', ...more] = labels
  const name = `“${first}”${more.length === 0 ? '' : ` and ${englishCount(more.length)} more`}`
  const told = figures.flatMap((figure) => (figure.change === null ? [] : [changeText(figure)]))
  const unknown = figures.filter(({ change }) => change === null)
  return [
    `${name}: gone on ${daysText(gone, gone)}, score ${scores.before} → ${scores.after}.`,
    told.length === 0
      ? 'Too few visits to say what changed since.'
      : `From ${daysText(span.from, span.to)} ${what} had, against the weeks before and their growth, ${told.join('; ')} (${CERTAINTY})${restText(unknown)}. Other things may have changed as well.`,
  ]
}

/** `12% to 55% more visits`. */
export function changeText({ name, change }: ChangedFigure): string {
  if (change === null) return TOO_FEW
  const what = figureText(name)
  const fall = ({ low, high }: typeof change) =>
    `${percent(1 - high, Math.floor)} to ${percent(1 - low, Math.ceil)}`
  if (change.high < 1) return `${fall(change)} ${isMoney(name) ? 'less' : 'fewer'} ${what}`
  if (change.low > 1) {
    return `${percent(change.low - 1, Math.floor)} to ${percent(change.high - 1, Math.ceil)} more ${what}`
  }
  return `no change of ${what} that can be told from chance (−${percent(1 - change.low, Math.ceil)} to +${percent(change.high - 1, Math.ceil)})`
}

const isMoney = (name: FigureName): boolean => revenueCurrency(name) !== null

const percent = (part: number, round: (value: number) => number): string =>
  `${englishCount(round(part * 100))}%`

/** `; orders: too few to say`; empty where all can be told. */
const restText = (figures: readonly { name: FigureName }[]): string =>
  figures.length === 0
    ? ''
    : `; ${listText(figures.map(({ name }) => figureText(name)))}: ${TOO_FEW}`

function capitalList(figures: readonly { name: FigureName }[]): string {
  const text = listText(figures.map(({ name }) => figureText(name)))
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** `a, b and c`. */
const listText = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
