import { field } from '../../web/json/json.ts'
import { SURFACE_ID } from '../surfaces.ts'
import { type SurfaceEvidence, weigh } from './weigh.ts'

/**
 * How a session came:
 * - `referral`: a person clicked in an assistant
 * - `agent`: software visits while a person waits
 * - `protocol`: software buys by UCP or ACP
 */
export const KINDS = ['referral', 'agent', 'protocol'] as const
export type Kind = (typeof KINDS)[number]

/** What is known of the session that an event belongs to. */
export interface VisitSignals {
  visit?: {
    /** As it was classified before; null if it was not. */
    surface: string | null
    kind: Kind
    confidence: number
  } | null
}

const isKind = (value: unknown): value is Kind => KINDS.some((kind) => kind === value)

export interface Visit {
  kind: Kind
  /** Its earlier classification with its confidence; null if there is none. */
  evidence: SurfaceEvidence | null
}

/** Null if the event names no visit. */
export function readVisit({ visit }: VisitSignals): Visit | null {
  const kind = field(visit, 'kind')
  if (!isKind(kind)) return null
  const surface = field(visit, 'surface')
  const confidence = field(visit, 'confidence')
  const isKnown =
    typeof surface === 'string' &&
    SURFACE_ID.test(surface) &&
    typeof confidence === 'number' &&
    confidence > 0 &&
    confidence <= 1
  if (!isKnown) return { kind, evidence: null }
  const evidence: SurfaceEvidence = {
    signal: 'visit',
    surface,
    weight: confidence,
    value: surface,
    damped: [],
  }
  return { kind, evidence }
}

/**
 * The evidence of an event and of its visit. For one surface only the surer counts: the visit may
 * rest on the same words, which do not prove more when repeated.
 */
export function joinVisit(own: readonly SurfaceEvidence[], visit: Visit | null): SurfaceEvidence[] {
  const known = visit?.evidence
  if (!known) return [...own]
  const agreeing = own.filter(({ surface }) => surface === known.surface)
  if (weigh(agreeing).confidence >= known.weight) return [...own]
  return [...own.filter(({ surface }) => surface !== known.surface), known]
}
