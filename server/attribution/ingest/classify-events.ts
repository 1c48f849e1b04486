import { hash } from 'node:crypto'
import {
  type Classification,
  classify,
  reportedSurface,
} from '../../../shared/attribution/classify/classify.ts'
import { bandOf } from '../../../shared/attribution/classify/weigh.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import { dayIn } from '../../../shared/web/moment.ts'
import type { TimeZones } from '../../db/attribution/time-zones.ts'
import type { EventRow, KnownSession } from '../../db/events/events.ts'
import { newEventId } from '../../db/events/ids.ts'
import { type IncomingEvent, keysOf, pairOf, takesVisitSurface } from './event.ts'
import { IN_FUTURE, unknownVisit } from './notes.ts'
import { AHEAD_MS } from './read-event.ts'

/** The confidence of an event without a known surface: only that it came through AI is certain. */
export const FLOOR = 0.5

/**
 * Rows of the first event under each key, in the order they came, with the keys of its repeats.
 * Each is classified with what is known of its visit: from the database, or from an earlier event
 * of the same batch that is new, as far as `repeated` tells: keys that are in the ledger.
 */
export function classifyEvents(
  batch: readonly IncomingEvent[],
  known: readonly KnownSession[],
  receivedAt: Date,
  zones: TimeZones = new Map(),
  repeated: readonly { domain: string; key: string }[] = [],
): EventRow[] {
  const visits = new Map<string, Visit>(
    known.map((session) => [pairOf(session.domain, session.session_id), session]),
  )
  const unreported = findUnreportedVisits(batch, known)
  const inLedger = new Set(repeated.map(({ domain, key }) => pairOf(domain, key)))
  const openers = new Map<string, string>()
  return firstOfEach(batch).map(({ event, keys }) => {
    const { domain } = event
    const visit = pairOf(domain, event.visit_id)
    const { day, notes } = shopDayOf(event, receivedAt, zones)
    const row = toRow(event, keys, visits.get(visit), day, receivedAt)
    row.notes.push(...notes)
    if (unreported.has(event)) row.notes.push(unknownVisit(event.properties.visit_id, domain))
    // As the database, which keeps no session that such an event would begin.
    const mayOpen = event.may_open && !keys.some((key) => inLedger.has(pairOf(domain, key)))
    if (mayOpen && !visits.has(visit)) {
      visits.set(visit, row)
      openers.set(visit, row.id)
    }
    const opener = takesVisitSurface(event) ? openers.get(visit) : undefined
    return { ...row, opener: opener ?? null }
  })
}

/** The first event under each key, in the order they came, with the keys of all its repeats. */
function firstOfEach(batch: readonly IncomingEvent[]): { event: IncomingEvent; keys: string[] }[] {
  const firsts = new Map<string, { event: IncomingEvent; keys: string[] }>()
  for (const event of batch) {
    const { domain } = event
    const known = keysOf(event).map((key) => firsts.get(pairOf(domain, key)))
    const first = known.find((each) => each !== undefined) ?? { event, keys: [] }
    for (const key of keysOf(event)) {
      const pair = pairOf(domain, key)
      if (firsts.has(pair)) continue
      firsts.set(pair, first)
      first.keys.push(key)
    }
  }
  return [...new Set(firsts.values())]
}

/**
 * The events of the batch that name a visit which no browser reported. A stored visit at FLOOR was
 * opened by such an event: a visit that a browser reported has a higher confidence.
 */
function findUnreportedVisits(
  batch: readonly IncomingEvent[],
  known: readonly KnownSession[],
): Set<IncomingEvent> {
  const unreported = new Set(batch.filter(({ properties }) => properties.visit_id !== undefined))
  if (unreported.size === 0) return unreported
  const reported = new Set<string>()
  for (const { domain, session_id, surface, confidence } of known) {
    if (surface !== OTHER_AI || confidence !== FLOOR) reported.add(pairOf(domain, session_id))
  }
  for (const { event, domain, visit_id } of batch) {
    if (event === 'ai_session') reported.add(pairOf(domain, visit_id))
  }
  for (const event of unreported) {
    if (reported.has(pairOf(event.domain, event.visit_id))) unreported.delete(event)
  }
  return unreported
}

/** What is known of a visit when one of its events is classified. */
type Visit = Pick<KnownSession, 'surface' | 'kind' | 'confidence' | 'day' | 'landing'>

/** Assumed where no visit was reported: an order in the shop's own checkout followed a click. */
const unreportedVisit = ({ source }: IncomingEvent) => ({
  surface: null,
  kind: source === 'web' ? ('referral' as const) : ('protocol' as const),
  confidence: 0,
})

/** One row. What the event itself says and what is known of its visit are weighed together. */
function toRow(
  event: IncomingEvent,
  [, ...other_keys]: readonly string[],
  visit: Visit | undefined,
  day: string,
  received_at: Date,
): Omit<EventRow, 'opener'> {
  const { signals, classification: known, value, currency, ...fields } = event
  const classification =
    known ??
    classify(
      takesVisitSurface(event) ? { ...signals, visit: visit ?? unreportedVisit(event) } : signals,
    )
  const reported = reportedClassification(classification)
  return {
    ...fields,
    ...placeOf(event, visit, day, reported.surface),
    day,
    landing: event.landing ?? visit?.landing ?? null,
    other_keys,
    notes: [...event.notes],
    id: newEventId(),
    received_at,
    ...reported,
    kind: classification.kind ?? (visit ?? unreportedVisit(event)).kind,
    model: classification.model,
    value,
    // Without a value there is nothing to total in that currency.
    currency: value === null ? null : currency,
  }
}

/** What `placeOf` says of any event but an order. */
export const NO_PLACE = { in_session: false, order_slot: null, double_key: null }

/** Where an order stands among those of its visit and its minute: see `EventRow`. */
function placeOf(order: IncomingEvent, visit: Visit | undefined, day: string, surface: string) {
  const { event, visit_id, ts, value, currency } = order
  if (event !== 'ai_checkout_completed') return NO_PLACE
  const minute = ts.toISOString().slice(0, 16)
  // A visit that the merchant's own id names has one order, and needs no key for it.
  const isOwn = order.properties.visit_id === undefined
  return {
    // A visit that is not known yet begins with the order: see `opener`.
    in_session: visit === undefined || (visit.day === day && visit.surface === surface),
    order_slot: isOwn ? null : `slot:${hash('sha256', JSON.stringify([visit_id, day, surface]))}`,
    double_key: value ? `double:${minute} ${value} ${currency}` : null,
  }
}

/**
 * A weak classification counts as other_ai, and so does a surface id that a merchant made up:
 * otherwise each made-up id would add a row of totals.
 */
function reportedClassification({ surface, confidence }: Classification) {
  const isCounted = surface !== null && bandOf(confidence) !== 'weak'
  const reported = isCounted ? reportedSurface(surface) : OTHER_AI
  return { surface: reported, confidence: reported === surface ? confidence : FLOOR }
}

/**
 * The day that an event counts on, in the zone of its shop, and the notes for its sender.
 * Where the sender names a day alone it is that day, or today where it has not begun in the shop.
 */
export function shopDayOf(
  { domain, ts, sent_day }: IncomingEvent,
  receivedAt: Date,
  zones: TimeZones,
): { day: string; notes: string[] } {
  const dayAt = (time: number) => dayIn(time, zones.get(domain))
  if (sent_day === undefined) return { day: dayAt(ts.getTime()), notes: [] }
  const now = receivedAt.getTime()
  return sent_day > dayAt(now + AHEAD_MS)
    ? { day: dayAt(now), notes: [IN_FUTURE] }
    : { day: sent_day, notes: [] }
}
