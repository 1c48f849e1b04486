import * as z from 'zod'

// Unspecified: `acp` is an eighth check, which runs only when it is asked for by name, as in the
// specification's example of going live. So does `pages`: the store's pages, as agents with a
// browser operate them.
/** The checks of the spec. */
export const DEFAULT_CHECKS = [
  'well_known',
  'catalog',
  'checkout',
  'schema',
  'feed',
  'attribution',
  'entity',
] as const

/** Every check that a request may name. */
export const CHECK_NAMES = [...DEFAULT_CHECKS, 'acp', 'pages'] as const
export const CheckName = z.enum(CHECK_NAMES)
export type CheckName = z.infer<typeof CheckName>

/** Spec, Gap item, worst first; results list gaps in this order. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const
export const Severity = z.enum(SEVERITIES)
export type Severity = z.infer<typeof Severity>

/** The spec's four definitions (Audit result, Gap item). */
export const SEVERITY_MEANS: Record<Severity, string> = {
  critical: 'blocks discovery or checkout',
  high: 'significantly reduces AI traffic or conversion',
  medium: 'affects attribution or discoverability, not checkout',
  low: 'minor',
}

/**
 * Why a score is not higher, worst first: agents do not get in, cannot buy, or meet a critical gap;
 * the buyer pays another price than the one shown, or gets another order; and what was not seen.
 */
export const CAP_REASONS = [
  'kept_out',
  'cannot_buy',
  'critical_gap',
  'wrong_price',
  'wrong_order',
  'checkout_not_judged',
  'not_all_judged',
] as const
export type CapReason = (typeof CAP_REASONS)[number]

/** From which severity on an open gap fails a run; `none` for no gap at all. */
export const FAIL_ON = [...SEVERITIES, 'none'] as const
export type FailOn = (typeof FAIL_ON)[number]

/** 0 for the worst. */
export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity)

/** The order of gaps: by severity, and within one those that cost the most points first. */
export const worstFirst = (a: Ranked, b: Ranked): number =>
  severityRank(a.severity) - severityRank(b.severity) || (b.points ?? 0) - (a.points ?? 0)

interface Ranked {
  severity: Severity
  points?: number | null | undefined
}
