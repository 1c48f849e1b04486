import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { countedSurface } from '../../../shared/attribution/classify/classify.ts'
import { VERIFIED_PROPERTY, type Verified } from '../../../shared/attribution/classify/verified.ts'
import {
  AttributionEvent,
  MAX_EVENT_BYTES,
  OLDEST_DAYS,
  type PassedRequest,
  surfaceIdOf,
} from '../../../shared/attribution/events.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import { field, isRecord, withoutNulls } from '../../../shared/web/json/json.ts'
import { DAY_MS, dayOf, readMoment } from '../../../shared/web/moment.ts'
import { orderKeys, refundKey, sessionOf, visitOf } from '../../db/events/ids.ts'
import { firstKept } from '../../db/events/partitions.ts'
import { invalidField, invalidRequest } from '../../http/errors.ts'
import { inRequestWords } from '../../http/validation.ts'
import type { IncomingEvent } from './event.ts'
import { IN_FUTURE, SURFACE_LEFT_OUT, surfaceReadAs, unknownSurface } from './notes.ts'
import { reduceAffiliate, reduceAttribution } from './reduce-attribution.ts'

/** How far a clock may be ahead before it counts as wrong. */
export const AHEAD_MS = 5 * 60_000

/**
 * When something happened of which the day alone is known: at 10:00 UTC it is that day in nearly
 * every zone. It counts on that day in all of them: see `shopDayOf`.
 */
const SAME_DAY_MS = 10 * 3_600_000

/** Two ids of the tag, each of which begins with the time of its visit: the last, and the first. */
const TOUCHES = /^(\d{13}-[\de-]*)_(\d{13}-[\de-]*)$/

// Unspecified: a `visit_id` may be two, as the cookie `aisle_visit` has them where the store looks
// back further than a day. The order is of the last visit, and the first is kept with it.
/** The visits of an order, of which it has one or two. */
function touchesOf(visit_id: string | undefined) {
  const [, last, first] = TOUCHES.exec(visit_id ?? '') ?? []
  return last === undefined ? {} : { visit_id: last, first_visit_id: first }
}

/** How the client sent this event. */
interface Sending {
  /** The Idempotency-Key header. */
  idempotencyKey: string | null
  /** The event as text if it was sent alone; null in an array. */
  text: string | null
}

/** What a timestamp is judged by. */
interface ReadingTime {
  now: Date
  /** How many whole months of events are kept in addition to the current one. */
  retentionMonths: number
  /** The first month that no earlier, shorter retention has dropped. */
  completeFrom: string
}

/**
 * Reads one event (spec, Attribution event): a body, or an element of an array. Throws 422 with the
 * fields to fix. What would identify a visitor is reduced before it goes on.
 */
export function readEvent(body: unknown, sending: Sending, at: ReadingTime): IncomingEvent {
  if (!isPlain(sending.text)) refuseUnstorable(body)
  const { body: readable, note: surfaceNote } = readSurface(body)
  const read = AttributionEvent.safeParse(withoutNulls(AttributionEvent, readable), {
    error: inRequestWords,
  })
  if (!read.success) throw invalidRequest(read.error.issues, 'json')
  const sent = read.data
  const { ts, sent_day, note } = readTime(sent.timestamp, at)
  const { event, domain, session_id, source, ai_surface = null } = sent
  // Unspecified: the `user_agent` in an event's properties, and the agent's request that a shop
  // passes on, help to classify it and are not stored. What of it is verified is: see `withCaller`.
  const {
    user_agent,
    agent_request: passed,
    [VERIFIED_PROPERTY]: _,
    ...rest
  } = sent.properties ?? {}
  const header = (name: string) => passed && headerOf(passed, name)
  const ucp_agent = rest.ucp_agent ?? header('ucp-agent')?.slice(0, LONGEST_AGENT)
  const properties = {
    ...rest,
    ...(ucp_agent !== undefined && { ucp_agent }),
    ...touchesOf(rest.visit_id),
    ...(rest.attribution && { attribution: reduceAttribution(rest.attribution) }),
    ...(rest.affiliate_attribution && {
      affiliate_attribution: reduceAffiliate(rest.affiliate_attribution),
    }),
  }
  const { value = null, currency = null, visit_id, checkout_id, order_id } = properties
  const [own, ...other_keys] = ownKeysOf(sent)
  return {
    domain,
    event,
    source,
    session_id,
    visit_id:
      visit_id === undefined ? sessionOf(String(checkout_id ?? session_id)) : visitOf(visit_id),
    // Unspecified: a server sees that a page was opened, and not in which visit of the browser.
    // That visit counts when its browser reports it, so the view opens no session of its own.
    // A refund belongs to the session of its order.
    may_open: event !== 'ai_order_refunded' && (source !== 'web' || visit_id !== undefined),
    ts,
    sent_day,
    key: keyOf(sent, own, sending),
    other_keys,
    shared_keys: order_id === undefined ? [] : other_keys,
    fingerprint: fingerprintOf(sent),
    signals: {
      source,
      aiSurface: ai_surface,
      userAgent: user_agent ?? header('user-agent') ?? null,
      signatureAgent: header('signature-agent') ?? null,
      ucpAgent: properties.ucp_agent ?? null,
      ucpAttribution: properties.attribution,
      affiliateAttribution: properties.affiliate_attribution,
    },
    ai_surface,
    value,
    currency,
    properties,
    landing: null,
    notes: [
      note,
      // A refund counts for the surface of its order, even if it names another one.
      ...(event === 'ai_order_refunded' ? [] : [surfaceNote, noteOfSurface(ai_surface)]),
    ].filter((each) => each !== null),
  }
}

/** As long as `properties.ucp_agent` may be. */
const LONGEST_AGENT = 1000

/** A header that was passed on, in any case. */
const headerOf = ({ headers }: PassedRequest, name: string): string | undefined =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]

/** An event with what is verified of its caller, and a note for its sender, if there is one. */
export const withCaller = (
  event: IncomingEvent,
  verified: Verified | null,
  note: string | null,
): IncomingEvent => ({
  ...event,
  ...(verified && {
    signals: { ...event.signals, verified },
    properties: { ...event.properties, [VERIFIED_PROPERTY]: verified },
  }),
  ...(note !== null && { notes: [...event.notes, note] }),
})

// Unspecified: an `ai_surface` in another spelling is read as far as it can be, and otherwise
// counts as absent: it is a hint, and no event is lost for one.
/** The body with its `ai_surface` in the spelling of ids, and the notes for its sender. */
function readSurface(body: unknown): { body: unknown; note: string | null } {
  const declared = field(body, 'ai_surface')
  if (!isRecord(body) || declared === undefined || declared === null) return { body, note: null }
  const id = surfaceIdOf(declared)
  if (id === declared) return { body, note: null }
  const { ai_surface: _, ...rest } = body
  return id === null
    ? { body: rest, note: SURFACE_LEFT_OUT }
    : { body: { ...rest, ai_surface: id }, note: surfaceReadAs(id) }
}

// Unspecified: any `ai_surface` is stored with its event; an unknown one counts as other_ai, and
// `notes` says so.
const noteOfSurface = (id: string | null): string | null => {
  const counted = id === null ? null : countedSurface(id)
  if (id === null || counted === null || counted === id) return null
  return counted === OTHER_AI ? unknownSurface(id) : surfaceReadAs(counted)
}

// Unspecified: a timestamp may lie up to 400 days back, as far as months are kept, and late events
// count on their own day; one in the future counts as now. A day alone is the shop's own.
function readTime(
  timestamp: string | undefined,
  { now, retentionMonths, completeFrom }: ReadingTime,
): { ts: Date; sent_day?: string; note: string | null } {
  const read = timestamp === undefined ? null : readMoment(timestamp)
  if (timestamp === undefined || read === null) return { ts: now, note: null }
  const isDay = !/[t ]/i.test(timestamp)
  // Whether the day is in the future depends on the zone of the shop, which is looked up later.
  const sent = isDay ? Math.min(read + SAME_DAY_MS, now.getTime()) : read
  if (sent - now.getTime() > AHEAD_MS) {
    return { ts: now, note: IN_FUTURE }
  }
  const oldest = Math.max(
    now.getTime() - OLDEST_DAYS * DAY_MS,
    Date.parse(`${firstKept(now, retentionMonths)}-01`),
    Date.parse(`${completeFrom}-01`),
  )
  if (sent < oldest) {
    const message = `Events older than ${new Date(oldest).toISOString()} are not accepted. Drop this one.`
    throw invalidField('timestamp', 'too_old', message)
  }
  return { ts: new Date(sent), note: null, ...(isDay && { sent_day: dayOf(read) }) }
}

/**
 * Of all events of a domain with one key, the first counts. The keys of orders and refunds ignore
 * the client's: otherwise one of them could be counted twice.
 */
// Unspecified: a retry of an event is told by its Idempotency-Key, or without it by the event's own
// fields; in an array, which has one header, by both together, so that its events can be retried in
// any array.
function keyOf(sent: AttributionEvent, own: string, { idempotencyKey, text }: Sending): string {
  const hasOwnId = sent.event === 'ai_checkout_completed' || sent.event === 'ai_order_refunded'
  if (idempotencyKey === null || hasOwnId) return own
  return `key:${hash('sha256', JSON.stringify([idempotencyKey, text === null ? own : sent.event]))}`
}

// Unspecified: a session is initiated, completed and failed once, but views many products. So its
// second decline without an Idempotency-Key of its own is taken for a retry of the first.
/** By its own fields; an order is known by each of its ids. */
function ownKeysOf({
  event,
  session_id,
  timestamp,
  properties,
}: AttributionEvent): [string, ...string[]] {
  if (event === 'ai_checkout_completed') return orderKeys({ session_id, ...properties })
  if (event === 'ai_order_refunded') return [refundKey(properties?.refund_id)]
  if (event !== 'ai_product_viewed') return [`${event}:${session_id}`]
  // Hashed: four strings of any length do not fit into an index.
  const at = timestamp === undefined ? null : readMoment(timestamp)
  const view = [session_id, properties?.product_id, properties?.variant_id, at]
  return [`${event}:${hash('sha256', JSON.stringify(view))}`]
}

/**
 * Covers all fields in any order: zod orders all but the properties as in the schema. One repeat in
 * 2^32 with other fields is not noticed.
 */
function fingerprintOf({ properties, ...sent }: AttributionEvent): number {
  try {
    const text = JSON.stringify(sent) + (canonicalize(properties) ?? '')
    return hash('sha256', text, 'buffer').readInt32BE()
  } catch {
    const message = 'A number is too large to store. Send a smaller one, or a string.'
    throw invalidField('body', 'invalid', message)
  }
}

// Unspecified: another event under an Idempotency-Key that was used is refused (422
// `idempotency_conflict`): answered as the first, it would be lost without notice.
/** Whether the client chose the key, so that another event under it is a mistake of theirs. */
export const isClientKey = (key: string): boolean => key.startsWith('key:')

// JSON.stringify escapes the characters that jsonb rejects as \u0000 and \ud800
// (https://www.postgresql.org/docs/current/datatype-json.html); `\\u0000` is ordinary text.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f]..)/

/** A short text without escapes is storable: it need not be serialised again to check that. */
const isPlain = (text: string | null): boolean =>
  text !== null && Buffer.byteLength(text) <= MAX_EVENT_BYTES && !text.includes('\\u')

/**
 * Refuses what jsonb cannot hold, and events over the size limit, before anything else is checked.
 */
function refuseUnstorable(body: unknown): void {
  const text = jsonOf(body)
  if (text === null || Buffer.byteLength(text) > MAX_EVENT_BYTES) {
    const message = `An event may have at most ${MAX_EVENT_BYTES} bytes. Send fewer or shorter properties.`
    throw invalidField('body', 'too_big', message)
  }
  if (!text.includes('\\u') || !UNSTORABLE.test(text)) return
  const message = 'A string contains U+0000 or an unpaired surrogate. Remove it.'
  throw invalidField('body', 'invalid', message)
}

/** Null if it is nested so deeply that JSON.stringify runs out of stack. */
function jsonOf(body: unknown): string | null {
  try {
    return JSON.stringify(body)
  } catch {
    return null
  }
}
