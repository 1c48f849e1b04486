import type { Severity } from '../../../shared/audit/vocabulary.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import type { Printable } from '../../../shared/web/text/printable.ts'

/** How much a finding matters to the reader, in the words of SARIF. */
export type Level = 'error' | 'warning' | 'note'

/**
 * `open`: it counts. `warned`: it never fails a run. `known`: the baseline has it as well.
 * `ignored`: its owner has ignored it for a while.
 */
type FindingState = 'open' | 'warned' | 'known' | 'ignored'

/** A finding: a gap, an error of a manifest, an expectation that was not met. */
export interface ReportedFinding {
  /** Stays the same from run to run: `catalog_empty`. */
  id: string
  /** Tells findings of one id apart: a field, a protocol; otherwise null. */
  which: string | null
  /** What was checked, independent of the outcome. */
  title: string
  /** What is wrong, in a few words. */
  problem: string
  /** What was found and where. */
  detail: string
  /** What to do; null if `detail` says it. */
  fix: string | null
  /** Null for what has none. */
  severity: Severity | null
  level: Level
  state: FindingState
  /** Why it does not count, as a sentence; null if it does. */
  why: string | null
  /** The baseline judged it, and did not have it; null without one. */
  isNew: boolean | null
  /** The page that explains it; null without one. */
  docs: string | null
  /** Its own line in the file of its subject; by default the subject's. */
  line?: number
}

/** A check: its name, independent of the outcome. */
export interface Checked {
  id: string
  title: string
}

/** What could not be judged, and why. */
interface Unseen extends Checked {
  reason: string
}

/** The gaps of an earlier result, by what became of them. */
interface SinceBaseline {
  /** When the earlier one was made. */
  at: string
  /** Labels. */
  fixed: string[]
  open: number
}

/** One audited domain or validated file. */
export interface Subject {
  /** Its name: a domain, a file. */
  name: string
  /** Its address on the web; null for a file. */
  url: string | null
  /** The file and line of the repository that name it; null without one. */
  source: SourceLine | null
  /** The result, in a few words: `82 of 100, grade A`. */
  headline: string
  /** Null for what has none. */
  score: number | null
  grade: string | null
  /** ISO 8601. */
  at: string
  findings: ReportedFinding[]
  passed: Checked[]
  unseen: Unseen[]
  since: SinceBaseline | null
  /** Why it fails the run, as sentences; empty if it does not. */
  failures: string[]
  /** Other remarks, as sentences. */
  remarks: string[]
  /** Markdown of the command's own; null: it is made of the rest. */
  markdown: string | null
}

/** A position in a file. `file` has slashes, and is relative to the working folder. */
interface SourceLine {
  file: string
  line: number
}

/** Why a command, or its part for one domain, could not do its work. */
export interface ReportedError {
  /** For programs; it does not change. */
  code: string
  /** What went wrong and what to do, for people. */
  message: string
  /** The errors of a file by field. */
  details?: ErrorLine[]
}

/** One error of a file. Lines and columns are counted from 1. */
export interface ErrorLine {
  field: string
  code: string
  message: string
  file: string
  line: number
  column: number
}

/** The result of a command, from which each format is written. */
export interface CommandReport {
  command: 'audit' | 'validate' | 'walk'
  /** In the requested order. */
  subjects: Subject[]
  /** What could not be done, with its name; null is the command as a whole. */
  errors: { name: string | null; error: ReportedError }[]
  /** Its JSON form. */
  json: unknown
  /** The JSON to write to the baseline's file instead; by default the same. */
  baseline?: { file: string; json: unknown }
  /** The walk that it is about; only of the walk command. */
  transcript?: Transcript
  /** The text for a terminal. */
  text: Printable
  /** The text for a terminal that has already shown the rest as progress. */
  ending?: Printable
}

/** A time for people, such as `2026-11-24 03:56 UTC`. `at` is ISO 8601 in UTC. */
export const momentText = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`
