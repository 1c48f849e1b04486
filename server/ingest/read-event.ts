import { hash } from 'node:crypto'
import { AttributionEvent, MAX_EVENT_BYTES } from '../../shared/report.ts'
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts'
import type { IncomingEvent } from './ingest.ts'

/** How far a clock may be ahead before it counts as wrong, and how late an event may come. */
const AHEAD_MS = 5 * 60_000
const OLDEST_DAYS = 400
const DAY_MS = 86_400_000

/** How the client named this event, so that it can be sent again. */
export interface Naming {
  /** The Idempotency-Key header. */
  idempotencyKey: string | null
  /** The event's place in an array; null where it came alone. */
  index: number | null
}

export interface ReadEvent {
  event: IncomingEvent
  /** What was changed in what was sent. */
  notes: string[]
}

/** The event in a body, or in an array that is one. Throws ApiError 422 with the fields to mend. */
export function readEvent(body: unknown, naming: Naming, now: Date): ReadEvent {
  refuseUnstorable(body)
  const read = AttributionEvent.safeParse(body)
  if (!read.success) throw invalidRequest(read.error.issues, 'json')
  const sent = read.data
  const { ts, note } = readTime(sent.timestamp, now)
  const { event, domain, session_id, source, ai_surface = null } = sent
  // Unspecified: a User-Agent says where an event came from, and is then forgotten.
  const { user_agent, ...properties } = sent.properties ?? {}
  const { value = null, currency = null, visit_id = session_id } = properties
  return {
    event: {
      domain,
      event,
      source,
      session_id,
      visit_id,
      ts,
      key: keyOf(sent, naming),
      // The schema has put the fields that it knows into one order.
      fingerprint: sha256(JSON.stringify(sent)),
      signals: {
        source,
        aiSurface: ai_surface,
        userAgent: user_agent ?? null,
        ucpAgent: properties.ucp_agent ?? null,
        ucpAttribution: properties.attribution,
        affiliateAttribution: properties.affiliate_attribution,
      },
      ai_surface,
      value,
      currency,
      properties,
    },
    notes: note === null ? [] : [note],
  }
}

// Unspecified: what a clock may say. Late events count on their own day.
function readTime(timestamp: string | undefined, now: Date): { ts: Date; note: string | null } {
  const ts = timestamp === undefined ? now : new Date(timestamp)
  const ahead = ts.getTime() - now.getTime()
  if (ahead > AHEAD_MS) {
    return { ts: now, note: 'The timestamp lies in the future. The time of arrival was taken.' }
  }
  if (-ahead > OLDEST_DAYS * DAY_MS) {
    const message = `Events can be sent for ${OLDEST_DAYS} days. Leave this one out.`
    throw invalid({ field: 'timestamp', code: 'too_old', message })
  }
  return { ts, note: null }
}

/**
 * Of all events of a domain under one key, the first counts. An order has one key whatever the
 * client calls it: two of them would be sold twice.
 */
// Unspecified: what is a retry. The Idempotency-Key says so, or else the event's own fields.
function keyOf(sent: AttributionEvent, { idempotencyKey, index }: Naming): string {
  const { event, session_id, timestamp, properties } = sent
  if (event === 'ai_checkout_completed') return `${event}:${session_id}`
  if (idempotencyKey !== null) return `key:${event}:${index ?? ''}:${idempotencyKey}`
  if (event !== 'ai_product_viewed') return `${event}:${session_id}`
  // Hashed: four texts of a client's length do not fit into an index.
  const at = timestamp === undefined ? null : Date.parse(timestamp)
  const view = [session_id, properties?.product_id, properties?.variant_id, at]
  return `${event}:${sha256(JSON.stringify(view))}`
}

/** Whether the client chose the key, so that another event under it is a mistake of theirs. */
export const isChosen = (key: string): boolean => key.startsWith('key:')

// JSON writes what Postgres cannot keep as \u0000 and \ud800; a backslash before makes it text.
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f]..)/

function refuseUnstorable(body: unknown): void {
  const text = jsonOf(body)
  if (text === null || Buffer.byteLength(text) > MAX_EVENT_BYTES) {
    const message = `An event has at most ${MAX_EVENT_BYTES} bytes. Send fewer or shorter properties.`
    throw invalid({ field: 'body', code: 'too_big', message })
  }
  if (!text.includes('\\u') || !UNSTORABLE.test(text)) return
  const message = 'A text holds U+0000 or half of a character (a lone surrogate). Leave it out.'
  throw invalid({ field: 'body', code: 'invalid', message })
}

/** Null where it is nested so deeply that writing it runs out of stack. */
function jsonOf(body: unknown): string | null {
  try {
    return JSON.stringify(body)
  } catch {
    return null
  }
}

const invalid = (detail: ErrorDetail) =>
  new ApiError(422, 'invalid_request', `Correct ${detail.field}: see details.`, {
    details: [detail],
  })

const sha256 = (text: string): string => hash('sha256', text)
