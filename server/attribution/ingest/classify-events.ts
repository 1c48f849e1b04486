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

/** The confidence of an event without a known surface: only that it came through AI is certain. */
const FLOOR = 0.5

/**
 * Rows of the first event under each key, in the order they came. Each is classified with what is
 * known of its visit: from the database, or from an earlier event of the same batch.
 */
export function classifyEvents(
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
    const row = toRow(event, visits.get(visit), receivedAt)
    rows.set(key, row)
    if (!visits.has(visit)) visits.set(visit, row)
  }
  return [...rows.values()]
}

/**
 * The indexes of events in the batch that name a visit which no browser reported. A stored visit at
 * FLOOR was opened by such an event: a visit that a browser reported has a higher confidence.
 */
export function findUnreportedVisits(
  batch: readonly IncomingEvent[],
  known: readonly KnownSession[],
): Set<number> {
  const unreported = new Set<number>()
  for (const [n, { properties }] of batch.entries()) {
    if (properties.visit_id !== undefined) unreported.add(n)
  }
  if (unreported.size === 0) return unreported
  const reported = new Set<string>()
  for (const { domain, session_id, surface, confidence } of known) {
    if (surface !== OTHER_AI || confidence !== FLOOR) reported.add(pairOf(domain, session_id))
  }
  for (const { event, domain, visit_id } of batch) {
    if (event === 'ai_session') reported.add(pairOf(domain, visit_id))
  }
  for (const [n, { domain, visit_id }] of batch.entries()) {
    if (reported.has(pairOf(domain, visit_id))) unreported.delete(n)
  }
  return unreported
}

/** What is known of a visit when one of its events is classified. */
type Visit = Pick<KnownSession, 'surface' | 'kind' | 'confidence'>

/** Assumed where no visit was reported: an order in the shop's own checkout followed a click. */
const unreportedVisit = ({ source }: IncomingEvent) => ({
  surface: null,
  kind: source === 'web' ? ('referral' as const) : ('protocol' as const),
  confidence: 0,
})

/** One row. What the event itself says and what is known of its visit are weighed together. */
function toRow(event: IncomingEvent, visit: Visit | undefined, received_at: Date): EventRow {
  const { signals, value, currency, ...fields } = event
  const classification = classify(
    takesVisitSurface(event) ? { ...signals, visit: visit ?? unreportedVisit(event) } : signals,
  )
  return {
    ...fields,
    id: uuidv7(),
    received_at,
    ...reportedClassification(classification),
    kind: classification.kind ?? (visit ?? unreportedVisit(event)).kind,
    model: classification.model,
    value,
    // Without a value there is nothing to total in that currency.
    currency: value === null ? null : currency,
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

/** Whether the classification of its visit applies to an event: not to the report of the visit. */
export const takesVisitSurface = ({ event }: IncomingEvent): boolean =>
  event !== 'ai_session' && event !== 'ai_test'

/** A key over a domain and an id in one text: a domain holds no space. */
export const pairOf = (domain: string, key: string): string => `${domain} ${key}`
