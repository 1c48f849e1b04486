import { v7 as uuidv7 } from 'uuid'
import {
  type Classification,
  classify,
  reportedSurface,
} from '../../../shared/attribution/classify/classify.ts'
import { bandOf } from '../../../shared/attribution/classify/weigh.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import type { EventRow, KnownSession } from '../../db/events/events.ts'
import type { IncomingEvent } from './event.ts'

/** What an event counts as where nothing names a surface: it came by AI, and that is all. */
const FLOOR = 0.5

/**
 * Rows of the first event under each key, in the order they came, each classified with what is
 * known of its visit: from before, or from an event that stands before it in the batch.
 */
export function placeEvents(
  batch: readonly IncomingEvent[],
  known: readonly KnownSession[],
  receivedAt: Date,
): EventRow[] {
  const visits = new Map<string, Visit>(
    known.map((session) => [pairOf(session.domain, session.session_id), session]),
  )
  const rows = new Map<string, EventRow>()
  for (const event of batch) {
    const key = pairOf(event.domain, event.key)
    if (rows.has(key)) continue
    const visit = pairOf(event.domain, event.visit_id)
    const row = placeEvent(event, visits.get(visit), receivedAt)
    rows.set(key, row)
    if (!visits.has(visit)) visits.set(visit, row)
  }
  return [...rows.values()]
}

/**
 * The places in the batch of events that speak of a visit which no browser reported. One that such
 * an event opened, naming no surface, lies at the floor, and none that a browser reported does.
 */
export function findStrangers(
  batch: readonly IncomingEvent[],
  known: readonly KnownSession[],
): Set<number> {
  const strangers = new Set<number>()
  for (const [n, { properties }] of batch.entries()) {
    if (properties.visit_id !== undefined) strangers.add(n)
  }
  if (strangers.size === 0) return strangers
  const reported = new Set<string>()
  for (const { domain, session_id, surface, confidence } of known) {
    if (surface !== OTHER_AI || confidence !== FLOOR) reported.add(pairOf(domain, session_id))
  }
  for (const { event, domain, visit_id } of batch) {
    if (event === 'ai_session') reported.add(pairOf(domain, visit_id))
  }
  for (const [n, { domain, visit_id }] of batch.entries()) {
    if (reported.has(pairOf(domain, visit_id))) strangers.delete(n)
  }
  return strangers
}

type Visit = Pick<KnownSession, 'surface' | 'kind' | 'confidence'>

/** A visit that nobody reported, of an order in the shop's own checkout, began with a click. */
const unknownTo = ({ source }: IncomingEvent) => ({
  surface: null,
  kind: source === 'web' ? ('referral' as const) : ('protocol' as const),
  confidence: 0,
})

function placeEvent(event: IncomingEvent, visit: Visit | undefined, received_at: Date): EventRow {
  const { signals, value, currency, ...fields } = event
  const said = classify(
    joinsVisit(event) ? { ...signals, visit: visit ?? unknownTo(event) } : signals,
  )
  return {
    ...fields,
    id: uuidv7(),
    received_at,
    ...counted(said),
    kind: said.kind ?? (visit ?? unknownTo(event)).kind,
    model: said.model,
    value,
    // A currency without a value sums up nothing.
    currency: value === null ? null : currency,
  }
}

/**
 * What is weak counts under no surface, and neither does an id that a merchant made up: there would
 * be as many rows of sums as ids.
 */
function counted({ surface, confidence }: Classification) {
  const isCounted = surface !== null && bandOf(confidence) !== 'weak'
  const reported = isCounted ? reportedSurface(surface) : OTHER_AI
  return { surface: reported, confidence: reported === surface ? confidence : FLOOR }
}

/** Whether what is known of the visit says more of the event; a visit is its own first word. */
export const joinsVisit = ({ event }: IncomingEvent): boolean =>
  event !== 'ai_session' && event !== 'ai_test'

export const pairOf = (domain: string, key: string): string => `${domain} ${key}`
