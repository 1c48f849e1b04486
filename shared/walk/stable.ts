import { DAY_MS, dayOf } from '../web/moment.ts'
import type { Exchange, Purchase, RouteWalk, Transcript, WalkStep } from './transcript.ts'

/**
 * A transcript without what differs in every walk, so that two walks of a store that answers the
 * same are equal. Times and durations become `<time>` and 0; days from the walk's day on become
 * `<day +2>`; ids that the store or the buyer made become `<id 1>`, numbered by first appearance
 * and the same everywhere (0 for a JSON number). Ids of the catalog stay, and so do the dates of
 * versions.
 */
export function stableOf(transcript: Transcript): Transcript {
  const issued = issuedIn(transcript)
  const numbers = new Map<string, string>()
  const placeholder = (id: string) => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    const made = `<id ${numbers.size + 1}>`
    numbers.set(id, made)
    return made
  }
  const write: Write = (text, at) =>
    withoutTimes(text, at).replace(WORD, (word, offset: number, whole: string) => {
      if (!issued.has(word) || !isWholeId(word, offset, whole)) return word
      return isBare(word, offset, whole) ? '0' : placeholder(word)
    })
  const start = transcript.started_at
  const note = (text: string): string => write(text.replace(DURATION, '<duration>'), start)
  const optional = (text: string | null) => (text === null ? null : note(text))
  const step = (each: WalkStep): WalkStep => ({
    ...each,
    title: note(each.title),
    exchanges: each.exchanges.map((exchange) => stableExchange(exchange, write)),
    concluded: each.concluded.map(({ text, field }) => ({ text: note(text), field })),
    failed: each.failed && { ...each.failed, found: note(each.failed.found) },
    // Where a picture is kept is a matter of who walks.
    ...(each.opened && { opened: { picture: null, unseen: optional(each.opened.unseen) } }),
  })
  const purchase = (each: Purchase): Purchase => ({
    ...each,
    why: optional(each.why),
    steps: each.steps.map(step),
    orders: each.orders.map(({ id, url, cancelled }) => ({
      id: note(id),
      url: optional(url),
      cancelled,
    })),
    left_open: each.left_open.map(({ id, until, why }) => ({
      id: note(id),
      until: optional(until),
      why: note(why),
    })),
  })
  const route = (each: RouteWalk): RouteWalk => ({
    ...each,
    browsing: each.browsing.map(step),
    purchases: each.purchases.map(purchase),
  })
  return {
    ...transcript,
    id: '<walk>',
    started_at: '<time>',
    ended_at: transcript.ended_at && '<time>',
    stopped: optional(transcript.stopped),
    nothing: optional(transcript.nothing),
    routes: transcript.routes.map(route),
    elsewhere: transcript.elsewhere.map((each) => ({ ...each, why: note(each.why) })),
    missing: transcript.missing.map((each) => ({ ...each, why: note(each.why) })),
  }
}

/** The stable form as text: equal for equal walks. */
export const stableText = (transcript: Transcript): string =>
  `${JSON.stringify(stableOf(transcript), null, 2)}\n`

/** A text with its times and ids replaced; `at` is when it was written, in ISO 8601. */
type Write = (text: string, at: string) => string

/** Headers that agents act on; the others depend on the servers in front of the store. */
const ACTED_ON: ReadonlySet<string> = new Set([
  'allow',
  'api-version',
  'content-type',
  'idempotent-replayed',
  'idempotency-replayed',
  'location',
  'retry-after',
  'www-authenticate',
])

/** Shorter than a truncated body, whose end depends on the lengths of ids. */
const CUT_AT = 60_000

function stableExchange({ request, answer, failure, at }: Exchange, write: Write): Exchange {
  const body = request.body === null ? null : write(request.body, at)
  const answered = answer && write(answer.body, at).slice(0, answer.cut ? CUT_AT : undefined)
  return {
    request: {
      method: request.method,
      url: write(request.url, at),
      headers: stableHeaders(Object.entries(request.headers), write, at),
      body,
      bytes: body?.length ?? 0,
    },
    answer: answer && {
      status: answer.status,
      headers: stableHeaders(
        Object.entries(answer.headers).filter(([name]) => ACTED_ON.has(name.toLowerCase())),
        write,
        at,
      ),
      body: answered ?? '',
      bytes: answered?.length ?? 0,
      cut: answer.cut,
    },
    failure: failure && write(failure, at).replace(DURATION, '<duration>'),
    ms: 0,
    at: '<time>',
  }
}

const stableHeaders = (
  headers: readonly (readonly [string, string])[],
  write: Write,
  at: string,
): Record<string, string> =>
  Object.fromEntries(
    headers
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => [
        name,
        name.toLowerCase() === 'retry-after' ? '<duration>' : write(value, at),
      ]),
  )

const ISO_TIME =
  /\b\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?/g
const HTTP_TIME =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g
const DAY = /(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])/g
const EPOCH = /(?<![\w.-])(?:\d{10}|\d{13})(?![\w-])/g
const DURATION = /(?<![\w.])\d{1,9}(?:\.\d{1,9})? ?(?:ms|milliseconds|s|seconds?|min|minutes?)\b/g

/** How far from the walk a day or a number still counts as a time. */
const NEAR_DAYS = 400

function withoutTimes(text: string, at: string): string {
  const now = Date.parse(at)
  const timeless = text.replace(ISO_TIME, '<time>').replace(HTTP_TIME, '<time>')
  if (Number.isNaN(now)) return timeless
  const today = Date.parse(dayOf(now))
  return timeless
    .replace(DAY, (day) => {
      // Versions are named after past days; promised dates are still to come.
      const days = (Date.parse(day) - today) / DAY_MS
      return days >= 0 && days <= NEAR_DAYS ? `<day +${days}>` : day
    })
    .replace(EPOCH, (digits, offset: number, whole: string) => {
      const time = Number(digits) * (digits.length === 10 ? 1_000 : 1)
      if (Math.abs(time - now) > NEAR_DAYS * DAY_MS) return digits
      return isBare(digits, offset, whole) ? '0' : '<time>'
    })
}

/** A number in JSON: only a number may replace it. */
const isBare = (word: string, offset: number, whole: string): boolean =>
  /^\d+$/.test(word) &&
  /[:,[]\s?$/.test(whole.slice(Math.max(0, offset - 2), offset)) &&
  /^\s?[,}\]]/.test(whole.slice(offset + word.length, offset + word.length + 2))

/** What ids are made of; longer ones are several words, as in an address. */
const WORD = /[\w-]+/g

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** A value under a key that names it, in JSON or in JSON within JSON. */
const NAMED_VALUE = /\\{0,7}"([\w-]{1,60})\\{0,7}"\s{0,20}:\s{0,20}\\{0,7}"?([^"\\,}\]\s]{1,200})/g

const NAMES_ID =
  /^(?:id|key|reference|number)$|[_-](?:id|key|reference|number)$|[a-z](?:Id|ID|Key|Reference|Number)$/

const NAMES_URL = /(?:url|uri|href|link|location)$/i

/** An address without its host, which is not an id even if it holds numbers. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '')

/** Keys of the catalog's answers that change with every request. */
const NAMES_QUESTION = /(?:request|trace|session|search|correlation|cursor)/i

/** The words of ids that were made in the walk, by the buyer or by the store. */
function issuedIn({ id, routes }: Transcript): ReadonlySet<string> {
  const listed = new Set<string>()
  const issued = new Set<string>()
  const take = (value: string, isId: (word: string) => boolean) => {
    for (const [word] of value.matchAll(WORD)) if (!listed.has(word) && isId(word)) issued.add(word)
  }
  const isLooked = ({ step }: WalkStep) => step === 'find'
  for (const { browsing, purchases } of routes) {
    const looked = [...browsing, ...purchases.flatMap(({ steps }) => steps).filter(isLooked)]
    for (const { answer } of looked.flatMap(({ exchanges }) => exchanges)) {
      for (const [, name = '', value = ''] of (answer?.body ?? '').matchAll(NAMED_VALUE)) {
        if (NAMES_QUESTION.test(name)) take(value, looksMade)
        else for (const [word] of value.matchAll(WORD)) listed.add(word)
      }
    }
  }
  take(id, () => true)
  for (const { browsing, purchases } of routes) {
    for (const { steps, orders, left_open } of purchases) {
      for (const each of [...orders, ...left_open]) take(each.id, hasDigit)
      for (const exchange of steps.flatMap(({ exchanges }) => exchanges)) takeIds(exchange, take)
    }
    for (const { request } of browsing.flatMap(({ exchanges }) => exchanges)) {
      takeHeaders(request.headers, take)
      takeUuids(`${request.url} ${request.body ?? ''}`, take)
    }
  }
  return issued
}

type Take = (value: string, isId: (word: string) => boolean) => void

function takeIds({ request, answer }: Exchange, take: Take): void {
  takeHeaders(request.headers, take)
  for (const text of [request.url, request.body ?? '', answer?.body ?? '']) {
    takeUuids(text, take)
    for (const [, name = '', value = ''] of text.matchAll(NAMED_VALUE)) {
      if (NAMES_ID.test(name)) take(value, looksMade)
      else if (NAMES_URL.test(name)) take(pathOf(value), looksMade)
    }
  }
  take(pathOf(answer?.headers.location ?? ''), looksMade)
}

function takeHeaders(headers: Readonly<Record<string, string>>, take: Take): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/(?:^|-)(?:id|key|parent|nonce)$/i.test(name)) take(value, hasDigit)
    else takeUuids(value, take)
  }
}

const takeUuids = (text: string, take: Take): void => take(text, (word) => UUID.test(word))

const hasDigit = (word: string): boolean => /\d/.test(word)

/** Days and words such as `standard` are chosen by people, and have a meaning. */
const looksMade = (word: string): boolean =>
  !/^\d{4}-\d{2}-\d{2}$/.test(word) &&
  ((hasDigit(word) && word.length >= 6) || /^\d{3,}$/.test(word) || word.length >= 20)

/** A short number is an id only in the place of an id: elsewhere it is an amount. */
function isWholeId(word: string, offset: number, whole: string): boolean {
  if (!/^\d{1,6}$/.test(word)) return true
  return (
    offset === 0 ||
    /(?:["'/#]|[Ii]d\\{0,7}"? ?: ?|order |checkout )$/.test(
      whole.slice(Math.max(0, offset - 12), offset),
    )
  )
}
