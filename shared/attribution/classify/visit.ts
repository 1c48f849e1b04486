import { field } from '../../web/json.ts'
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
    /** As it was classified before; null when nothing was. */
    surface: string | null
    kind: Kind
    confidence: number
  } | null
}

const isKind = (value: unknown): value is Kind => KINDS.some((kind) => kind === value)

export interface Visit {
  kind: Kind
  /** What it was classified as, as surely as it was; null when nothing is known. */
  evidence: SurfaceEvidence | null
}

/** Null where no visit is spoken of. */
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
 * Evidence of an event and what is known of its visit. Of one surface the surer counts alone: the
 * visit may rest on the same words, which said twice prove no more.
 */
export function joinVisit(own: readonly SurfaceEvidence[], visit: Visit | null): SurfaceEvidence[] {
  const known = visit?.evidence
  if (!known) return [...own]
  const agreeing = own.filter(({ surface }) => surface === known.surface)
  if (weigh(agreeing).confidence >= known.weight) return [...own]
  return [...own.filter(({ surface }) => surface !== known.surface), known]
}
