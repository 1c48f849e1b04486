import {
  type Classification,
  classify,
  reportedSurface,
} from '../../../shared/attribution/classify/classify.ts'
import {
  type CountedKind,
  type Kind,
  UNATTRIBUTED,
} from '../../../shared/attribution/classify/visit.ts'
import { bandOf } from '../../../shared/attribution/classify/weigh.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import { dayIn } from '../../../shared/web/moment.ts'
import type { TimeZones } from '../../db/attribution/domain-settings.ts'
import type { EventRow, KnownSession } from '../../db/events/events.ts'
import { newEventId } from '../../db/events/ids.ts'
import {
  type IncomingEvent,
  isPastLookback,
  keysOf,
  momentOf,
  pairOf,
  takesVisitSurface,
  touchesWithin,
} from './event.ts'
import { IN_FUTURE, NO_VISIT, pastLookback, unknownVisit } from './notes.ts'
import { AHEAD_MS } from './read-event.ts'

/** The confidence of an event without a known surface: only that it came through AI is certain. */
export const FLOOR = 0.5

/** For how many days domains look back that say so. */
export type LookBacks = ReadonlyMap<string, number>

/** What decides on which day, and for which visit, events of a domain count. */
interface StoreSettings {
  zones: TimeZones
  lookBacks: LookBacks
}

const NO_SETTINGS: StoreSettings = { zones: new Map(), lookBacks: new Map() }

/** The rows of a batch, and the sessions that one of its events begins or names anew. */
interface Classified {
  rows: EventRow[]
  /** They are to be judged as a whole once the rows are stored: see `settleSessions`. */
  unsettled: { domain: string; visit_id: string }[]
}

/**
 * Rows of the first event under each key, with the keys of its repeats, a session's own in the
 * order of their moments. Each is classified with what is known of its visit: from the database, or
 * from an earlier event of the same batch that is new, as far as `repeated` tells: keys that are in
 * the ledger.
 */
export function classifyEvents(
  batch: readonly IncomingEvent[],
  known: readonly KnownSession[],
  receivedAt: Date,
  { zones, lookBacks }: StoreSettings = NO_SETTINGS,
  repeated: readonly { domain: string; key: string }[] = [],
): Classified {
  const visits = new Map<string, Visit>(
    known.map((session) => [pairOf(session.domain, session.session_id), session]),
  )
  const unreported = findUnreportedVisits(batch, known)
  const inLedger = new Set(repeated.map(({ domain, key }) => pairOf(domain, key)))
  const openers = new Map<string, string>()
  const unsettled = new Map<string, IncomingEvent>()
  const rows = firstOfEach(batch).map(({ event, keys, shared }) => {
    const { domain } = event
    const visit = pairOf(domain, event.visit_id)
    const { day, notes } = shopDayOf(event, receivedAt, zones)
    const lookBack = lookBacks.get(domain)
    // A view of a page is in a visit that the server does not know.
    const known = event.may_open ? visits.get(visit) : undefined
    const isPast = known !== undefined && isPastLookback(event, known.began, lookBack)
    const session = isPast ? undefined : known
    const row = toRow(event, keys, shared, session, day, receivedAt)
    row.properties = touchesWithin(event, lookBack)
    row.notes.push(...notes)
    const isApart = row.kind === UNATTRIBUTED
    if (isPast) {
      row.notes.push(pastLookback(lookBack))
      return { ...row, may_open: false, opener: null }
    }
    if (unreported.has(event)) {
      row.notes.push(unknownVisit(event.properties.visit_id, domain, isApart))
    } else if (isApart) row.notes.push(NO_VISIT)
    if (session !== undefined && changesSession(event, session)) {
      unsettled.set(visit, event)
    }
    // As the database, which keeps no session that such an event would begin.
    const mayOpen = event.may_open && !keys.some((key) => inLedger.has(pairOf(domain, key)))
    if (mayOpen && session === undefined) {
      visits.set(visit, { ...row, named: null })
      openers.set(visit, row.id)
    }
    const opener = event.may_open && takesVisitSurface(event) ? openers.get(visit) : undefined
    return { ...row, opener: opener ?? null }
  })
  return { rows, unsettled: [...unsettled.values()] }
}

/** The moment at which a session's surface was named first; null: none is named. */
export const namedOf = ({
  surface,
  began,
  named,
}: Pick<KnownSession, 'surface' | 'began' | 'named'>): number | null =>
  named ?? (surface === OTHER_AI ? null : began)

/** Whether a session begins with this event, or the event is the first that names its surface. */
function changesSession(event: IncomingEvent, session: Visit): boolean {
  const moment = momentOf(event)
  if (session.began !== null && moment < session.began) return true
  const named = namedOf(session)
  return (named === null || moment < named) && namesSurface(ownClassification(event))
}

/** An event that counts, and those that are taken for repeats of it. */
interface First {
  event: IncomingEvent
  /** Of all of them. */
  keys: string[]
  shared: string[]
  /** One of them has an order_id. */
  isNumbered: boolean
}

/**
 * The first event under each key, with the keys of all its repeats; those of a session in the order
 * of their moments. Two orders that share a key are two if each has an order_id of its own.
 */
function firstOfEach(batch: readonly IncomingEvent[]): First[] {
  const firsts = new Map<string, First>()
  for (const event of batch) {
    const { domain, shared_keys } = event
    const isNumbered = shared_keys.length > 0
    const found = keysOf(event).flatMap((key) => {
      const first = firsts.get(pairOf(domain, key))
      const isOther = isNumbered && first?.isNumbered && shared_keys.includes(key)
      return first === undefined || isOther ? [] : [first]
    })
    const first = found[0] ?? { event, keys: [], shared: [], isNumbered }
    first.isNumbered ||= isNumbered
    for (const key of keysOf(event)) {
      const pair = pairOf(domain, key)
      if (firsts.has(pair)) continue
      firsts.set(pair, first)
      first.keys.push(key)
    }
    const { keys, shared } = first
    shared.push(...shared_keys.filter((key) => keys.includes(key) && !shared.includes(key)))
  }
  return [...new Set(firsts.values())].toSorted((a, b) => momentOf(a.event) - momentOf(b.event))
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
    if (surface !== OTHER_AI || confidence > FLOOR) reported.add(pairOf(domain, session_id))
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
type Visit = Pick<KnownSession, 'surface' | 'kind' | 'confidence' | 'landing' | 'began' | 'named'>

/** How a sale that says nothing of it is taken to have come. */
export const kindOfSource = (source: IncomingEvent['source']): Kind =>
  source === 'web' ? 'referral' : 'protocol'

// Unspecified: an order of the store's own checkout counts as one that AI brought if a browser
// reported its visit, or if the event names a surface, even an unknown one. Others are counted
// apart, and move to the visit once it is reported.
/** Whether nothing but its sender's word shows that AI brought an event. */
const isUnattributed = ({ source, signals }: Classifiable, { surface }: Classification): boolean =>
  source === 'web' && surface === null && !signals.aiSurface

/** What counts of an event, as far as its visit decides it. */
export interface EventSurface {
  surface: string
  kind: CountedKind
  confidence: number
  model: string
}

type Classifiable = Pick<IncomingEvent, 'event' | 'source' | 'signals' | 'classification'>

const isOfAi = <Of extends { kind: CountedKind }>(of: Of): of is Of & { kind: Kind } =>
  of.kind !== UNATTRIBUTED

/** What an event says of itself, weighed with what is known of its visit, if anything is. */
export function surfaceIn(
  event: Classifiable,
  visit: Pick<Visit, 'surface' | 'kind' | 'confidence'> | undefined,
): EventSurface {
  const { signals, source } = event
  const known = visit && isOfAi(visit) ? visit : undefined
  const assumed = known ?? { surface: null, kind: kindOfSource(source), confidence: 0 }
  const classification =
    event.classification ??
    classify(takesVisitSurface(event) ? { ...signals, visit: assumed } : signals)
  const { kind, model } = classification
  return known === undefined && takesVisitSurface(event) && isUnattributed(event, classification)
    ? { surface: OTHER_AI, confidence: 0, kind: UNATTRIBUTED, model }
    : { ...reportedClassification(classification), kind: kind ?? assumed.kind, model }
}

/** What an event counts as without its visit. */
export const ownClassification = (event: Classifiable): EventSurface => surfaceIn(event, undefined)

export const namesSurface = ({ surface }: Pick<EventSurface, 'surface'>): boolean =>
  surface !== OTHER_AI

/** One row. What the event itself says and what is known of its visit are weighed together. */
function toRow(
  event: IncomingEvent,
  [key = event.key, ...other_keys]: readonly string[],
  shared_keys: string[],
  visit: Visit | undefined,
  day: string,
  received_at: Date,
): Omit<EventRow, 'opener'> {
  const { signals: _, classification: __, value, currency, ...fields } = event
  const counted = surfaceIn(event, visit)
  const began = momentOf(event)
  return {
    ...fields,
    ...counted,
    key,
    other_keys,
    shared_keys,
    double_key: doubleKeyOf(event),
    began,
    day,
    landing: event.landing ?? visit?.landing ?? null,
    notes: [...event.notes],
    id: newEventId(),
    received_at,
    value,
    // Without a value there is nothing to total in that currency.
    currency: value === null ? null : currency,
  }
}

/** What two reports of one order with a value would have in common. */
function doubleKeyOf({ event, ts, value, currency }: IncomingEvent): string | null {
  if (event !== 'ai_checkout_completed' || !value) return null
  return `double:${ts.toISOString().slice(0, 16)} ${value} ${currency}`
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
