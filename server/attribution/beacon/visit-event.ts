import {
  type Classification,
  classify,
  MODEL,
  type Signals,
} from '../../../shared/attribution/classify/classify.ts'
import { VERIFIED_PROPERTY } from '../../../shared/attribution/classify/verified.ts'
import { visitOf } from '../../db/events/ids.ts'
import type { IncomingEvent } from '../ingest/event.ts'
import { isAllowedOrigin } from '../property-origins.ts'
import { readLanding, reduceReferrer } from './landing.ts'

/** What a browser says of a visit, as it comes. */
interface ReportedVisit {
  id: string
  referrer: string
  landing: string
  text_fragment?: boolean | undefined
  /** What the snippet made of it. */
  surface: string
  model?: string | undefined
}

/** What the server sees of who reports it, and of where. */
interface VisitContext {
  domain: string
  property_id: string
  /** Those of the property. */
  origins?: readonly string[]
  ts: Date
  caller: Pick<Signals, 'userAgent' | 'signatureAgent' | 'verified'>
}

/** The event of a visit, with no more of it than may be stored. */
export function visitEvent(
  { id, referrer, landing, text_fragment = false, surface, model }: ReportedVisit,
  { domain, property_id, origins = [], ts, caller }: VisitContext,
): IncomingEvent & { classification: Classification } {
  const { path, ...page } = readLanding(landing)
  const from = reduceReferrer(referrer)
  // A page of the property that sends visitors on, by script or meta, is not where they are from.
  const isOwn = isAllowedOrigin(from.replace(/\/$/, ''), origins)
  const visit = { referrer: isOwn ? '' : from, ...page }
  const signals = { ...visit, textFragment: text_fragment, ...caller }
  const classification = classify(signals)
  return {
    domain,
    event: 'ai_session',
    source: 'web',
    session_id: id,
    visit_id: visitOf(id),
    may_open: true,
    ts,
    // Unspecified: of two beacons with one id, the first counts, even if the second differs.
    key: `session:${id}`,
    other_keys: [],
    shared_keys: [],
    fingerprint: 0,
    notes: [],
    signals,
    classification,
    ai_surface: null,
    value: null,
    currency: null,
    // What the event says anyway is left out: what the snippet made of the visit is of interest
    // where it is something else.
    properties: {
      property_id,
      ...visit,
      ...(text_fragment && { text_fragment }),
      ...(surface !== classification.surface && { snippet_surface: surface }),
      ...(model !== undefined && model !== MODEL && { snippet_model: model }),
      ...(caller.verified && { [VERIFIED_PROPERTY]: caller.verified }),
    },
    landing: path,
  }
}
