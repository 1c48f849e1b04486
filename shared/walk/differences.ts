import { isRecord, shown } from '../web/json/json.ts'
import type { WalkDialectName } from './dialect.ts'
import { type IntentId, nameOfIntent } from './intents.ts'
import { stableOf } from './stable.ts'
import type { Exchange, Purchase, RouteWalk, Transcript, WalkStep } from './transcript.ts'

/** A difference between one walk of a store and the next. */
export interface WalkDifference {
  dialect: WalkDialectName
  /** Null: in the catalog, or the whole dialect. */
  intent: IntentId | null
  /** Counted from 1; null: the whole purchase. */
  step: number | null
  /**
   * `route` and `purchase`: only one walk has it. `steps` and `requests`: others, or more of them.
   * `field`: a value of an answer. `more`: the number of further values.
   */
  what:
    | 'route'
    | 'purchase'
    | 'outcome'
    | 'steps'
    | 'requests'
    | 'status'
    | 'concluded'
    | 'expectation'
    | 'field'
    | 'more'
  /** A dotted path in the answer: `totals[type=total].amount`. */
  at: string | null
  /** As text; null if it was absent. */
  before: string | null
  after: string | null
}

/** The most values of one answer that are listed. */
const MAX_FIELDS = 40

/**
 * The differences between two walks, in the order of the later one: for each purchase and step the
 * outcome, the status, the facts, and the values of the answers. Ids and times do not count.
 */
export function differencesOf(before: Transcript, after: Transcript): WalkDifference[] {
  const [old, now] = [numberless(stableOf(before)), numberless(stableOf(after))]
  const compareRoutes = (one: RouteWalk | undefined, other: RouteWalk | undefined) => {
    const here = one ?? other
    if (here === undefined) return []
    const say: Say = (difference) => ({
      dialect: here.dialect,
      intent: null,
      step: null,
      at: null,
      ...difference,
    })
    if (one === undefined || other === undefined) {
      return [say({ what: 'route', before: one?.label ?? null, after: other?.label ?? null })]
    }
    return [
      ...changed(say, 'route', one.label, other.label),
      ...compareSteps(say, one.browsing, other.browsing),
      ...both(one.purchases, other.purchases, ({ intent }) => intent).flatMap((pair) =>
        comparePurchases(say, ...pair),
      ),
    ]
  }
  return both(old.routes, now.routes, ({ dialect }) => dialect).flatMap((pair) =>
    compareRoutes(...pair),
  )
}

/** Each difference as a line for people. */
export const differenceLines = (differences: readonly WalkDifference[]): string[] =>
  differences.map(({ dialect, intent, step, what, at, before, after }) => {
    const place = [
      dialect,
      ...(intent === null ? [] : [nameOfIntent(intent)]),
      ...(step === null ? [] : [`step ${step}`]),
    ].join(', ')
    if (what === 'more') return `${place}: ${after} more values have changed`
    return `${place}: ${at ?? WHAT[what]}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`
  })

const WHAT: Record<WalkDifference['what'], string> = {
  route: 'dialect',
  purchase: 'purchase',
  outcome: 'outcome',
  steps: 'steps',
  requests: 'requests',
  status: 'status',
  concluded: 'understood',
  expectation: 'not met',
  field: 'answer',
  more: 'values',
}

type Said = Pick<WalkDifference, 'what' | 'before' | 'after'> & Partial<WalkDifference>
type Say = (difference: Said) => WalkDifference

/** Ids without their numbers: otherwise one new id would make all later ones look new. */
const numberless = (transcript: Transcript): Transcript => {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(/<id \d+>/g, '<id>')
    if (Array.isArray(value)) return value.map(clean)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]))
  }
  return sameShape(clean(transcript))

  /** Only strings have changed, into strings. */
  function sameShape(value: unknown): Transcript {
    return value as Transcript
  }
}

/** Pairs by name, in the order of the second list; items that are gone come last. */
function both<Each>(
  before: readonly Each[],
  after: readonly Each[],
  nameOf: (each: Each) => string,
): [Each | undefined, Each | undefined][] {
  const old = new Map(before.map((each) => [nameOf(each), each]))
  const now = new Set(after.map(nameOf))
  return [
    ...after.map((each): [Each | undefined, Each] => [old.get(nameOf(each)), each]),
    ...before
      .filter((each) => !now.has(nameOf(each)))
      .map((each): [Each, undefined] => [each, undefined]),
  ]
}

const changed = (
  say: Say,
  what: WalkDifference['what'],
  before: string | null,
  after: string | null,
): WalkDifference[] => (before === after ? [] : [say({ what, before, after })])

function comparePurchases(
  say: Say,
  one: Purchase | undefined,
  other: Purchase | undefined,
): WalkDifference[] {
  const intent = (one ?? other)?.intent ?? null
  const here: Say = (difference) => say({ intent, ...difference })
  if (one === undefined || other === undefined) {
    return [here({ what: 'purchase', before: one?.outcome ?? null, after: other?.outcome ?? null })]
  }
  return [
    ...changed(here, 'outcome', ended(one), ended(other)),
    ...compareSteps(here, one.steps, other.steps),
  ]
}

const ended = ({ outcome, why }: Purchase): string =>
  why === null ? outcome : `${outcome}: ${why}`

/** Steps are compared as long as they are the same. */
function compareSteps(
  say: Say,
  before: readonly WalkStep[],
  after: readonly WalkStep[],
): WalkDifference[] {
  const namesOf = (steps: readonly WalkStep[]) => steps.map(({ step }) => step)
  const apart = namesOf(after).findIndex((name, at) => name !== before[at]?.step)
  const common = apart < 0 ? Math.min(before.length, after.length) : apart
  return [
    ...changed(say, 'steps', namesOf(before).join(', '), namesOf(after).join(', ')),
    ...before.slice(0, common).flatMap((one, at) => {
      const other = after[at]
      return other === undefined
        ? []
        : compareStep((difference) => say({ step: other.n, ...difference }), one, other)
    }),
  ]
}

function compareStep(say: Say, one: WalkStep, other: WalkStep): WalkDifference[] {
  const unmet = ({ failed }: WalkStep) => failed && `${failed.expectation}: ${failed.found}`
  const understood = ({ concluded }: WalkStep) => concluded.map(({ text }) => text).join('; ')
  return [
    ...changed(say, 'expectation', unmet(one), unmet(other)),
    ...changed(say, 'concluded', understood(one), understood(other)),
    ...changed(say, 'requests', String(one.exchanges.length), String(other.exchanges.length)),
    ...one.exchanges.flatMap((exchange, at) => {
      const now = other.exchanges[at]
      return now === undefined ? [] : compareAnswers(say, exchange, now)
    }),
  ]
}

function compareAnswers(say: Say, one: Exchange, other: Exchange): WalkDifference[] {
  const status = ({ answer, failure }: Exchange) =>
    answer === null ? (failure ?? 'no answer') : String(answer.status)
  const [before, after] = [valuesOf(one), valuesOf(other)]
  const fields = [...new Set([...after.keys(), ...before.keys()])].filter(
    (at) => before.get(at) !== after.get(at),
  )
  const rest = fields.length - MAX_FIELDS
  return [
    ...changed(say, 'status', status(one), status(other)),
    ...fields
      .slice(0, MAX_FIELDS)
      .map((at) =>
        say({ what: 'field', at, before: quoteOf(before.get(at)), after: quoteOf(after.get(at)) }),
      ),
    ...(rest > 0 ? [say({ what: 'more', before: null, after: String(rest) })] : []),
  ]
}

/** The depth to which answers are compared; no protocol nests deeper. */
const MAX_LEVELS = 40

/** All values of an answer by their paths; the text, if it is not JSON. */
function valuesOf({ answer }: Exchange): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  if (answer === null || answer.body === '') return values
  const whole = parsed(answer.body)
  if (whole === undefined) return values.set('body', answer.body)
  const open: { value: unknown; at: string; level: number }[] = [{ value: whole, at: '', level: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, level } = next
    // MCP tools answer with JSON in a string.
    const value = (typeof next.value === 'string' && innerOf(next.value)) || next.value
    const parts = level < MAX_LEVELS ? partsOf(value, at) : []
    if (parts.length === 0)
      values.set(
        at === '' ? 'body' : at,
        typeof value === 'string' ? JSON.stringify(value) : shown(value),
      )
    for (const [path, part] of parts.reverse())
      open.push({ value: part, at: path, level: level + 1 })
  }
  return values
}

function partsOf(value: unknown, at: string): [string, unknown][] {
  if (Array.isArray(value)) {
    const names = namesIn(value)
    return value.map((part, n) => [`${at}[${names?.[n] ?? n}]`, part])
  }
  if (!isRecord(value)) return []
  return Object.entries(value).map(([key, part]) => [at === '' ? key : `${at}.${key}`, part])
}

/** The key of a list's entry, so that another order is not a difference. */
function namesIn(list: readonly unknown[]): string[] | null {
  for (const key of ['type', 'code', 'id']) {
    const names = list.map((part) => {
      const name = isRecord(part) && Object.hasOwn(part, key) ? part[key] : null
      return typeof name === 'string' && name.length <= 60 ? `${key}=${name}` : null
    })
    const known = names.filter((name) => name !== null)
    if (known.length === list.length && new Set(known).size === list.length) return known
  }
  return null
}

/** The object or list in a string of JSON, if there is one. */
const innerOf = (text: string): unknown => (/^\s*[[{]/.test(text) ? parsed(text) : undefined)

/** A value as it is listed. */
const quoteOf = (value: string | undefined): string | null =>
  value === undefined ? null : value.length > 80 ? `${value.slice(0, 79)}…` : value

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
