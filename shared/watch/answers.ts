import type { Evidence } from '../audit/evidence.ts'
import type { Page } from '../markup/page.ts'
import { isRecord } from '../web/json/json.ts'

/** A short form of one answer of a store, enough to say later what changed. */
export interface SeenAnswer {
  /** Its place in the evidence, such as `ucp.rest.checkout`, by which answers are compared. */
  at: string
  /** `GET https://shop.example/`, with the agent if it was sent in an agent's name. */
  request: string
  /** Null if no answer came; `why` then gives the reason. */
  status: number | null
  why: string | null
  /** By lower-case name: those that agents and caches act on. */
  headers: Record<string, string>
  /** Its fields by JSON Pointer (RFC 6901), or by the line of a text. */
  fields: Record<string, string>
  /** Names of fields that differ between checks while all is well, such as session ids. */
  unsteady: string[]
}

/** The answers of a store in one check, by the evidence that rules name. */
export type SeenAnswers = Partial<Record<keyof Evidence, SeenAnswer[]>>

// Stores choose these texts, so the stored size per domain is bounded: usually some 20 KB, at most
// 500.
const MOST_ANSWERS = 60
const MOST_FIELDS = 240
/** Items of a list; its whole length is stored as well. */
const MOST_ITEMS = 24
const MOST_VISITS = 20_000
const MOST_FIELDS_IN_ALL = 1_500
const MOST_TEXT = 160
const MOST_REQUEST = 300
/** Longer paths are cut. */
const MOST_NAME = 120

const HEADERS = [
  'content-type',
  'cache-control',
  'location',
  'retry-after',
  'www-authenticate',
  'access-control-allow-origin',
  'x-robots-tag',
  'content-security-policy',
  'server',
  'allow',
  'cf-mitigated',
] as const

/** For requests that are repeated per agent, the agent's name is stored. */
const AGENT = 'token'

/** The short form of the evidence. Total, and linear in the size of the evidence up to a bound. */
export function answersOf(evidence: Partial<Evidence>): SeenAnswers {
  const answers: SeenAnswers = {}
  const budget = { answers: MOST_ANSWERS, visits: MOST_VISITS, fields: MOST_FIELDS_IN_ALL }
  for (const key of KEYS) {
    const found: SeenAnswer[] = []
    collect(evidence[key], key, null, found, budget)
    if (found.length > 0) answers[key] = found
  }
  return answers
}

/** Most important first, if there is not room for all; `walk` holds no answers. */
const KEYS = [
  'site',
  'manifest',
  'robots',
  'ucp',
  'acp',
  'checkout',
  'catalog',
  'homePage',
  'productPages',
  'feed',
  'access',
] as const satisfies readonly (keyof Evidence)[]

interface Budget {
  answers: number
  visits: number
  fields: number
}

function collect(
  value: unknown,
  at: string,
  agent: string | null,
  found: SeenAnswer[],
  budget: Budget,
): void {
  if (budget.answers <= 0 || budget.visits <= 0) return
  budget.visits -= 1
  if (Array.isArray(value)) {
    for (const [n, item] of value.entries()) collect(item, `${at}.${n}`, agent, found, budget)
    return
  }
  if (!isRecord(value)) return
  const fetched = isFetched(value) ? value : isFetched(value.fetched) ? value.fetched : null
  if (fetched !== null) {
    budget.answers -= 1
    found.push(answerOf(at, agent, fetched, value === fetched ? {} : value, budget))
  }
  const named = typeof value[AGENT] === 'string' ? value[AGENT] : agent
  for (const [name, inner] of Object.entries(value)) {
    if (READ_BY_ANSWER.has(name) || inner === fetched) continue
    collect(inner, `${at}.${name}`, named, found, budget)
  }
}

/** The parts that `fieldsOf` has read contain no answers. */
const READ_BY_ANSWER = new Set(['json', 'page', 'rendered', 'content', 'items', 'headers'])

type FetchedRecord = Record<string, unknown> & { method: string; url: string }

const isFetched = (value: unknown): value is FetchedRecord =>
  isRecord(value) &&
  (value.kind === 'answer' || value.kind === 'no_answer') &&
  typeof value.method === 'string' &&
  typeof value.url === 'string'

function answerOf(
  at: string,
  agent: string | null,
  fetched: FetchedRecord,
  around: Record<string, unknown>,
  budget: Budget,
): SeenAnswer {
  const given = isRecord(fetched.headers) ? fetched.headers : {}
  const headers: Record<string, string> = {}
  for (const name of HEADERS) {
    if (typeof given[name] === 'string') headers[name] = shortened(given[name])
  }
  const followed = Array.isArray(fetched.redirects) ? fetched.redirects : []
  if (followed.length > 0) {
    // The answer came from the last address, after these redirects.
    const steps = followed.map((step) => (isRecord(step) ? `${step.status} ${step.location}` : ''))
    headers.location = shortened(steps.join(', '))
  }
  const request = `${fetched.method} ${fetched.url}${agent === null ? '' : ` as ${agent}`}`
  return {
    at,
    request: request.slice(0, MOST_REQUEST),
    status: typeof fetched.status === 'number' ? fetched.status : null,
    why: typeof fetched.why === 'string' ? fetched.why : null,
    headers,
    fields: fieldsOf(fetched, around, budget),
    unsteady: [],
  }
}

/** The content of an answer, as its reader has read it. */
function fieldsOf(
  fetched: FetchedRecord,
  around: Record<string, unknown>,
  budget: Budget,
): Record<string, string> {
  if (isRecord(around.page)) return flatten(pageFields(around.page), budget)
  if (isRecord(around.json)) {
    return around.json.ok === true ? flatten(around.json.value, budget) : { '': 'not JSON' }
  }
  if (Array.isArray(around.items)) {
    return flatten({ kind: around.kind, items: around.items, problem: around.problem }, budget)
  }
  const type = isRecord(fetched.headers) ? fetched.headers['content-type'] : undefined
  const isText = typeof type === 'string' && type.startsWith('text/plain')
  return isText && typeof fetched.body === 'string' ? linesOf(fetched.body) : {}
}

/** Of a page: its machine-readable parts. */
function pageFields(page: Partial<Page> & Record<string, unknown>): unknown {
  const { products, organizations, title, meta, scripts } = page
  return {
    products,
    organizations,
    title,
    meta: Object.fromEntries((meta ?? []).map(({ key, content }) => [key, content])),
    scripts: Object.fromEntries((scripts ?? []).map(({ src }) => [src, 'loaded'])),
  }
}

/** A file such as robots.txt by its lines: their order rarely matters. */
function linesOf(body: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const line of body.split('\n', MOST_FIELDS)) {
    if (line.trim() !== '') fields[shortened(line.trim())] = 'there'
  }
  return fields
}

/**
 * The values of a document by their path, those nearest to the root first. A list adds its length,
 * an object within an object adds that it exists: if it vanishes as a whole, that is one change.
 */
function flatten(value: unknown, budget: Budget): Record<string, string> {
  const fields: Record<string, string> = {}
  let left = Math.min(MOST_FIELDS, budget.fields)
  let level: { at: string; value: unknown }[] = [{ at: '', value }]
  while (level.length > 0 && left > 0 && budget.visits > 0) {
    const deeper: typeof level = []
    for (const each of level) {
      if (left <= 0 || budget.visits <= 0) break
      budget.visits -= 1
      if (typeof each.value === 'object' && each.value !== null) {
        const isList = Array.isArray(each.value)
        const isItem = /\/\d+$/.test(each.at)
        if (each.at !== '' && (isList || !isItem)) {
          left -= 1
          fields[each.at] = isList ? listOf(each.value) : 'an object'
        }
        const most = isList ? MOST_ITEMS : MOST_FIELDS
        for (const [name, inner] of Object.entries(each.value).slice(0, most)) {
          const at = `${each.at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
          if (at.length <= MOST_NAME) deeper.push({ at, value: inner })
        }
      } else if (each.value !== undefined && each.value !== null) {
        left -= 1
        fields[each.at] = shortened(String(each.value))
      }
    }
    level = deeper
  }
  budget.fields -= Object.keys(fields).length
  return fields
}

const listOf = (value: object) => `a list of ${Object.keys(value).length}`

const shortened = (text: string): string =>
  text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text

/** How many names of unstable fields are stored per answer. */
const MOST_UNSTEADY = 100

/** The state of the rules that read one piece of evidence. */
interface KeyChanges {
  /** A gap is suspected: the earlier answer is still needed for the notice. */
  held: ReadonlySet<keyof Evidence>
  /** A verdict has changed, so a difference is meaningful. */
  changed: ReadonlySet<keyof Evidence>
}

/**
 * What to store after a check: its answers, except those that are held. A field that differs while
 * no verdict does is marked unstable.
 */
export function keepAnswers(
  kept: SeenAnswers,
  seen: SeenAnswers,
  { held, changed }: KeyChanges,
): SeenAnswers {
  const next: SeenAnswers = {}
  for (const key of KEYS) {
    const before = kept[key]
    const now = seen[key]
    const stays = held.has(key) || now === undefined ? before : undefined
    if (stays !== undefined) next[key] = stays
    else if (now !== undefined) {
      next[key] = now.map((answer) => steadied(before ?? [], answer, changed.has(key)))
    }
  }
  return next
}

function steadied(before: readonly SeenAnswer[], now: SeenAnswer, hasChanged: boolean): SeenAnswer {
  const earlier = before.find(({ at, request }) => at === now.at && request === now.request)
  if (earlier === undefined) return now
  if (hasChanged) return without(now, earlier.unsteady)
  const differing = Object.keys(now.fields).filter(
    (name) => earlier.fields[name] !== undefined && earlier.fields[name] !== now.fields[name],
  )
  return without(now, [...new Set([...earlier.unsteady, ...differing])].slice(0, MOST_UNSTEADY))
}

/** Unstable fields are left out, so that the stored answer stays the same while the store does. */
const without = (answer: SeenAnswer, unsteady: string[]): SeenAnswer => ({
  ...answer,
  fields: Object.fromEntries(
    Object.entries(answer.fields).filter(([name]) => !unsteady.includes(name)),
  ),
  unsteady,
})
