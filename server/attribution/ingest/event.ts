import type { Classification, Signals } from '../../../shared/attribution/classify/classify.ts'
import type { ReportedSource } from '../../../shared/attribution/events.ts'
import { LOOKBACK_DAYS } from '../../../shared/attribution/property.ts'
import { DAY_MS, readMoment } from '../../../shared/web/moment.ts'
import type { StoredEvent } from '../../db/events/tables.ts'

/** A valid event before it is classified. */
export interface IncomingEvent {
  domain: string
  event: StoredEvent
  source: ReportedSource
  session_id: string
  /** `visitOf` the browser's session where the event names one, else `sessionOf` its own. */
  visit_id: string
  /** Whether it can be the beginning of a session. */
  may_open: boolean
  ts: Date
  /** Where the sender names a day alone: that day, which is the shop's own. */
  sent_day?: string | undefined
  /** The first of all events of the domain with this key counts. */
  key: string
  /** Keys that the event has besides: an order is known by its checkout's id and by its own. */
  other_keys: string[]
  /** Those of them that another order may have as well, if each has an order_id of its own. */
  shared_keys: string[]
  /** Distinguishes a retry from another event with the same key. */
  fingerprint: number
  /** What the event says about its origin; what is known of its visit is added. */
  signals: Signals
  /** What the signals say, of an event that is classified already because no visit adds to it. */
  classification?: Classification
  /** As the merchant declared it. */
  ai_surface: string | null
  value: number | null
  currency: string | null
  properties: Record<string, unknown>
  /** The path of the page that its visit begins on; null where the event does not say. */
  landing: string | null
  /** Notes for the answer to its sender so far. */
  notes: string[]
}

export const isRefund = ({ event }: IncomingEvent): boolean => event === 'ai_order_refunded'

/** Whether a value counts in a currency that the event does not name. */
export const isUnpriced = ({ value, currency }: IncomingEvent): boolean =>
  value !== null && currency === null

/** Whether the classification of its visit applies to an event: not to the report of the visit. */
export const takesVisitSurface = ({ event }: Pick<IncomingEvent, 'event'>): boolean =>
  event !== 'ai_session' && event !== 'ai_test'

/** All keys of an event, its own first. */
export const keysOf = ({
  key,
  other_keys,
}: Pick<IncomingEvent, 'key' | 'other_keys'>): string[] => [key, ...other_keys]

/** In which order events of one time follow each other in a session. */
const STEPS: readonly StoredEvent[] = [
  'ai_product_viewed',
  'ai_checkout_initiated',
  'ai_checkout_failed',
  'ai_checkout_completed',
]

/** In microseconds, and longer ago than any event. */
const REPORTED_VISIT = -4e15

/**
 * The place of an event in its session, as a number that grows with its time. At equal times the
 * earlier step of a purchase comes first. It does not depend on the order of arrival: the report of
 * a browser's visit is always the beginning of its session.
 */
export const momentOf = ({ event, ts }: { event: StoredEvent; ts: Date }): number =>
  ts.getTime() * 1000 + (event === 'ai_session' ? REPORTED_VISIT : STEPS.indexOf(event))

/** When a browser reported the visit that a session began with; null: it began otherwise. */
export const reportedAt = (began: number | null): number | null =>
  began === null || began >= 0 ? null : (began - REPORTED_VISIT) / 1000

// Unspecified: an hour more than a store looks back, as an order that is begun at the end of that
// time is paid later.
const PAYING_MS = 3_600_000

/** When the buyer ordered. */
function orderedAt({ ts, properties }: Pick<IncomingEvent, 'ts' | 'properties'>): number {
  const { ordered_at } = properties
  const ordered = typeof ordered_at === 'string' ? readMoment(ordered_at) : null
  return Math.min(ordered ?? Infinity, ts.getTime())
}

const isBefore = (visited: number, ordered: number, days = LOOKBACK_DAYS): boolean =>
  ordered - visited > days * DAY_MS + PAYING_MS

/**
 * Whether an event comes so long after the visit that it names that it is not of it. `began` is
 * that of the session, and `days` how far its store looks back.
 */
export function isPastLookback(
  event: Pick<IncomingEvent, 'event' | 'ts' | 'properties'>,
  began: number | null,
  days?: number,
): boolean {
  const visited = reportedAt(began)
  return visited !== null && takesVisitSurface(event) && isBefore(visited, orderedAt(event), days)
}

/** The properties of an event, without a first visit of before the time that counts. */
export function touchesWithin(
  event: Pick<IncomingEvent, 'ts' | 'properties'>,
  days?: number,
): IncomingEvent['properties'] {
  const { first_visit_id: first, ...rest } = event.properties
  if (typeof first !== 'string') return event.properties
  // An id of the tag begins with its time, in milliseconds.
  return isBefore(Number(first.slice(0, 13)), orderedAt(event), days) ? rest : event.properties
}

/** A key over a domain and an id in one text: a domain holds no space. */
export const pairOf = (domain: string, key: string): string => `${domain} ${key}`

/** What was stored, now or earlier with the same key. */
export interface Recorded {
  /**
   * Empty for a visit that was reported before, whose event is not looked for; `ERASED_EVENT` for
   * an order or refund that was erased.
   */
  event_id: string
  /** The key existed already; this is what was stored first. */
  replayed: boolean
  /** The key existed already with another fingerprint. */
  conflict: boolean
  surface: string
  confidence: number
  /** Notes of the answer to the sender of the event that counts. */
  notes: string[]
}
