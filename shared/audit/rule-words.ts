import type { CapReason, Severity } from './vocabulary.ts'

/** The languages of examples: how they are judged, and what stands above them. */
export type ExampleLanguage = 'http' | 'json' | 'html' | 'xml' | 'text'

/** All that is said of a rule that finds a gap. */
export interface GapWords {
  /** The id listed under `passed`. */
  passed: string
  /** Fixed per gap (spec, Gap item): it does not depend on how bad this store is. */
  severity: Severity
  /** Why the score is capped while it is open. Left out: a critical gap caps it, no other does. */
  caps?: CapReason
  /** What is wrong, short, for people who are not engineers. */
  label: string
  /** What to do, as an instruction to the person who runs the store. */
  fix: string
  /** What is the case where the rule passes. */
  passes: string
  /** What the gap means, as an agent meets it. */
  meaning: string
  /** Why it matters to agents, and so to the store. */
  why: string
  language: ExampleLanguage
  /** The fault. JSON may be a part of the document: the part that is wrong. */
  before: string
  /** The example after the fix. */
  after: string
}

/** Of a rule that passes or is skipped, and never reports a gap. */
type PassWords = Pick<GapWords, 'passes'>

/** The words of a check: by the gap, or by the pass of a rule that reports none. */
export type RuleWords = Readonly<Record<string, GapWords | PassWords>>
