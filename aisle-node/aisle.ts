import type * as api from './index.d.ts'
import { post } from './post.ts'
import {
  createWarner,
  fieldOf,
  isFinalAnswer,
  parse,
  readKey,
  readUrl,
  retryAfterOf,
  sleep,
  tryOnce,
} from './service.ts'

// Unspecified: `aisle-node` retries an event for about 20 minutes and keeps its queue in memory
// only, because a report must cost the checkout nothing. A shop that must not lose an event reports
// it from a queue of its own.
/**
 * Milliseconds between the tries of one event. With jitter and seven time-outs that is 18 to 21
 * minutes in all, and 62 if each answer asks for the longest wait.
 */
const RETRY_DELAYS = [1000, 5000, 30_000, 120_000, 300_000, 600_000]

/** Events that may wait, unless the options say otherwise. */
export const MAX_WAITING = 1000
const TIMEOUT_MS = 10_000
const GRACE_MS = 5000

/** The limit of the API; it bounds the memory of the queue. */
const MAX_EVENT_BYTES = 8192

/**
 * Adds up to this share of a delay, so that events that failed together are not retried together.
 */
const JITTER = 0.1

/** The event as it was when it was reported. */
interface Waiting {
  event: api.AisleEvent
  body: string
  /** The shop's own key. Null: Aisle recognises a retry by the event's fields. */
  idempotencyKey: string | null
  resolve: (result: api.AisleResult) => void
}

export const createAisle: typeof api.createAisle = (options) => {
  const { domain, onResult = warnOfOutcomes(), send = post } = options
  const { retryDelays = RETRY_DELAYS, maxWaiting = MAX_WAITING, timeoutMs = TIMEOUT_MS } = options
  const url = readUrl(options.url, '/api/report')
  const headers = { ...readKey(options.key), 'content-type': 'application/json' }
  const waiting: Waiting[] = []
  /** `closing`: no further retries. `ended`: no further tries. */
  const closing = new AbortController()
  const ended = new AbortController()
  let working: Promise<void> | null = null

  const settle = (
    { event, resolve }: Pick<Waiting, 'event' | 'resolve'>,
    result: api.AisleResult,
    message: string | null,
  ) => {
    try {
      onResult({ result, event, message })
    } catch {
      // The shop's own log must not stop the reports.
    }
    resolve(result)
  }

  const tryEvent = ({ body, idempotencyKey }: Waiting): Promise<api.AisleAnswer | null> => {
    const own = idempotencyKey === null ? null : { 'idempotency-key': idempotencyKey }
    const request = { url, headers: { ...headers, ...own }, body }
    return tryOnce(send, request, timeoutMs, ended.signal)
  }

  const deliver = async (each: Waiting) => {
    let answer: api.AisleAnswer | null = null
    for (const delay of [...retryDelays, null]) {
      // A try that was running when closing began is followed by one more.
      const isLast = delay === null || closing.signal.aborted
      answer = await tryEvent(each)
      if (answer !== null && answer.status >= 200 && answer.status < 300) {
        return settle(each, 'sent', notesOf(each.event, answer))
      }
      if (answer !== null && isFinalAnswer(answer)) {
        return settle(each, 'refused', whyRefused(each.event, answer))
      }
      if (isLast || ended.signal.aborted) break
      const own = delay * (1 + JITTER * Math.random())
      await sleep(Math.max(own, retryAfterOf(answer)), closing.signal)
    }
    const last =
      answer === null ? 'There was no answer' : `The last answer was HTTP ${answer.status}`
    settle(each, 'dropped', `${nameOf(each.event)} did not reach Aisle. ${last}. Check ${url}.`)
  }

  const work = async () => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
      if (ended.signal.aborted) settle(each, 'dropped', unsent(each))
      else await deliver(each)
    }
    working = null
  }

  return {
    report: (event, options) =>
      new Promise((resolve) => {
        const read = readEvent(event, domain, options)
        if (read.problem !== null) return settle({ event, resolve }, 'refused', read.problem)
        const fresh = { ...read, resolve }
        if (closing.signal.aborted) return settle(fresh, 'dropped', unsent(fresh))
        if (waiting.push(fresh) > maxWaiting) {
          // Drop a view first: there are many of them, and a lost checkout would be worse.
          const [given] = waiting.splice(Math.max(0, waiting.findIndex(isView)), 1)
          const why = `${maxWaiting} events wait for Aisle.`
          if (given) settle(given, 'dropped', `${nameOf(given.event)} was dropped: ${why}`)
        }
        working ??= work()
      }),
    close: async (graceMs = GRACE_MS) => {
      closing.abort()
      const idle = new AbortController()
      await Promise.race([
        Promise.resolve(working).finally(() => idle.abort()),
        sleep(graceMs, idle.signal),
      ])
      ended.abort()
      await working
    },
  }
}

const unsent = ({ event }: Waiting): string =>
  `${nameOf(event)} was not sent: the process was stopping.`

const isView = ({ event }: Waiting): boolean => fieldOf(event, 'event') === 'ai_product_viewed'

const nameOf = (event: api.AisleEvent): string =>
  `${textOf(fieldOf(event, 'event'))} of ${textOf(fieldOf(event, 'session_id'))}`

/** Copies and serializes the event now. Nothing that a shop passes may throw in its checkout. */
function readEvent(
  event: api.AisleEvent,
  domain: string | undefined,
  options: { idempotencyKey?: string } | undefined,
): (Omit<Waiting, 'resolve'> & { problem: null }) | { problem: string } {
  try {
    const idempotencyKey = options?.idempotencyKey ?? null
    if (idempotencyKey !== null && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
      return { problem: `The idempotencyKey of ${nameOf(event)} is not 1 to 255 ASCII characters.` }
    }
    // JSON would write null, and the order would count without a value.
    const value = fieldOf(fieldOf(event, 'properties'), 'value')
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return { problem: `The value of ${nameOf(event)} is not a number.` }
    }
    // Undefined fields are left out too: an event without a time would count when it arrives.
    const body = JSON.stringify({
      ...event,
      session_id: idOf(fieldOf(event, 'session_id')),
      domain: fieldOf(event, 'domain') ?? domain,
      timestamp: fieldOf(event, 'timestamp') ?? new Date().toISOString(),
    })
    if (new TextEncoder().encode(body).length > MAX_EVENT_BYTES) {
      return {
        problem: `${nameOf(event)} has more than ${MAX_EVENT_BYTES} bytes. Send less of it.`,
      }
    }
    return { event: JSON.parse(body), body, idempotencyKey, problem: null }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'something in it throws.'
    return { problem: `An event cannot be written as JSON: ${why}` }
  }
}

/** Many shops number their orders; the API takes strings only. */
const idOf = (id: unknown): unknown => (Number.isSafeInteger(id) ? String(id) : id)

function whyRefused(event: api.AisleEvent, { status, body }: api.AisleAnswer): string {
  const error = fieldOf(parse(body), 'error')
  const said = fieldOf(error, 'message')
  const details = fieldOf(error, 'details')
  const fields = (Array.isArray(details) ? details : [])
    .slice(0, 3)
    .map((each) => ` ${textOf(fieldOf(each, 'field'))}: ${textOf(fieldOf(each, 'message'))}`)
  const why = typeof said === 'string' ? ` (${[said, ...fields].join('').slice(0, 500)})` : ''
  const isOurs = [400, 422, 426].includes(status)
  return `Aisle rejected ${nameOf(event)} with HTTP ${status}${why}.${isOurs ? '' : ' Check the URL and the key.'}`
}

/** What Aisle assumed or noticed, such as a visit that it does not know. */
function notesOf(event: api.AisleEvent, { body }: api.AisleAnswer): string | null {
  const notes = fieldOf(parse(body), 'notes')
  return Array.isArray(notes) && notes.length > 0
    ? `${nameOf(event)} was recorded: ${notes.map(textOf).join(' ').slice(0, 500)}`
    : null
}

/** A string for any JSON value. An object may have a `toString` that is not a function. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : String(JSON.stringify(value))

/** The default log of what became of events. */
function warnOfOutcomes(): (outcome: api.AisleOutcome) => void {
  const warn = createWarner()
  return ({ message }) => warn(message)
}
