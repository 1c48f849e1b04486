import { OTHER_AI } from '../surfaces.ts'

/** A date: changes with every weight and factor, and with how they are used. */
export const WEIGHTS_VERSION = '2026-11-30'

/** How strongly each signal, undamped, proves the surface that it names. */
export const CLICK_WEIGHTS = {
  host: 0.95,
  app: 0.9,
  mixed_host: 0.7,
  utm_documented: 0.85,
  // Unspecified: the operator adds it to its links like a documented `utm_source`, and it stays in
  // copied addresses as that does.
  click_id: 0.85,
  utm_observed: 0.7,
  utm_tagged: 0.55,
  utm_medium: 0.55,
  text_fragment_from_google: 0.25,
  text_fragment: 0.1,
} as const

export const CALLER_WEIGHTS = {
  signed: 0.99,
  signed_platform: 0.97,
  verified_address: 0.95,
  // Unspecified: a Signature-Agent is not verified, so it weighs as little as a User-Agent: it is
  // as easy to forge.
  signature_agent: 0.7,
  user_agent: 0.7,
  ucp_agent: 0.75,
  declared: 0.85,
  // Unspecified: what a platform writes into an order weighs as an observed, undocumented token.
  ucp_attribution: 0.7,
  acp_affiliate: 0.7,
  protocol: 0.5,
} as const

export const FACTORS = {
  /** An AI tag on a link from another site: copied out of an answer, then shared. */
  copied_link: 0.5,
  /** An AI tag next to the click id of an advertisement. */
  paid_click: 0.3,
  /** An AI tag next to a medium that assistants never write, such as email or cpc. */
  other_medium: 0.3,
  /** Two surfaces are named. */
  conflict: 0.7,
} as const

/** Nothing that a client sends is certain. */
const CAP = 0.99

type ClickSignal = keyof typeof CLICK_WEIGHTS
type CallerSignal = keyof typeof CALLER_WEIGHTS
export type Damping = 'copied_link' | 'paid_click' | 'other_medium'

export interface SurfaceEvidence {
  /** `visit`: the earlier classification of the same session; it weighs its confidence. */
  signal: ClickSignal | CallerSignal | 'visit'
  surface: string
  /** 0 to 1, damping included. */
  weight: number
  /** The listed fact that matched, never the text around it; empty without one. */
  value: string
  damped: readonly Damping[]
}

/** One piece of evidence with the weight of its signal, or less. */
export const surfaceEvidenceOf = <Signal extends ClickSignal | CallerSignal>(
  weights: Record<Signal, number>,
  signal: Signal,
  surface: string,
  value: string,
  damped: readonly Damping[] = [],
): SurfaceEvidence => ({
  signal,
  surface,
  weight: damped.reduce((weight, each) => weight * FACTORS[each], weights[signal]),
  value,
  damped,
})

/** `high` is above 0.8 (specification, Limits); `weak` is counted under no surface. */
export const bandOf = (confidence: number): 'high' | 'probable' | 'weak' =>
  confidence > 0.8 ? 'high' : confidence >= 0.5 ? 'probable' : 'weak'

/** The strongest first, independent of the order of the input. */
export const ranked = (evidence: readonly SurfaceEvidence[]): SurfaceEvidence[] =>
  [...evidence].sort(
    (a, b) => b.weight - a.weight || compare(a.signal, b.signal) || compare(a.surface, b.surface),
  )

/**
 * The surface that evidence of one kind names and how surely, 0 to 0.99 in steps of 0.01. Evidence
 * for one surface adds up like independent proofs, `1 - Π(1 - w)`. Two surfaces dispute each other;
 * `other_ai` disputes none, and wins if nothing more specific is as likely.
 */
export function weigh(evidence: readonly SurfaceEvidence[]): {
  surface: string | null
  confidence: number
} {
  const doubts = new Map<string, number>()
  for (const { surface, weight } of evidence) {
    doubts.set(surface, (doubts.get(surface) ?? 1) * (1 - weight))
  }
  const [first] = [...doubts]
    .filter(([surface]) => surface !== OTHER_AI)
    .map(([surface, doubt]): [string, number] => [surface, settled(doubt)])
    .sort(([a, x], [b, y]) => x - y || compare(a, b))
  const other = confidenceOf(settled(doubts.get(OTHER_AI) ?? 1))
  if (first !== undefined) {
    const [surface, doubt] = first
    const disputed = evidence.some((each) => disputes(each) && each.surface !== surface)
    const confidence = confidenceOf(doubt, disputed ? FACTORS.conflict : 1)
    // Unspecified: if surfaces dispute, "AI, and unclear which" may be the likelier answer.
    if (confidence >= other) return { surface, confidence }
  }
  return { surface: other === 0 ? null : OTHER_AI, confidence: other }
}

// Unspecified: a text fragment in a link disputes no surface, because assistants append them to
// their links too.
const disputes = ({ surface, signal }: SurfaceEvidence): boolean =>
  surface !== OTHER_AI && !signal.startsWith('text_fragment')

/** A product without its last digits, which depend on the order of its factors. */
const settled = (product: number): number => Number(product.toFixed(9))

/** The confidence when all evidence is doubted, 0 to 0.99 in steps of 0.01. */
const confidenceOf = (doubt: number, factor = 1): number =>
  Math.round(settled(Math.min(CAP, 1 - doubt) * factor * 100)) / 100

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
