import type { Severity } from '../../../shared/audit/vocabulary.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import type { Printable } from '../../../shared/web/printable.ts'

/** How much a finding matters to who reads the output, in the words of SARIF. */
export type Level = 'error' | 'warning' | 'note'

/**
 * `open`: it counts. `warned`: it never fails a run. `known`: the baseline has it as well.
 * `ignored`: its owner has set it aside for a while.
 */
type FindingState = 'open' | 'warned' | 'known' | 'ignored'

/** Something that is wrong: a gap, an error of a manifest, an expectation that was not met. */
export interface ReportedFinding {
  /** Stays the same from run to run: `catalog_empty`. */
  id: string
  /** Which one, where a subject can have several of one id: a field, a protocol; otherwise null. */
  which: string | null
  /** What was looked for, in words that do not say how it ended. */
  title: string
  /** What is wrong, in a few words. */
  problem: string
  /** What was found and where. */
  detail: string
  /** What to do; null where `detail` says it. */
  fix: string | null
  /** Null for what has none. */
  severity: Severity | null
  level: Level
  state: FindingState
  /** Why it does not count, as a sentence; null where it does. */
  why: string | null
  /** The gap is not in the baseline; null without one. */
  isNew: boolean | null
  /** What explains it; null where nothing is published. */
  docs: string | null
  /** Its own line in the file of its subject; left out: that of the subject. */
  line?: number
}

/** Something that was looked at: what it is called, in words that do not say how it ended. */
export interface Looked {
  id: string
  title: string
}

/** What could not be looked at, and why. */
interface Unseen extends Looked {
  reason: string
}

/** What became of the gaps of an earlier result. */
interface SinceBaseline {
  /** When the earlier one was made. */
  at: string
  /** Labels. */
  fixed: string[]
  open: number
}

/** One domain or one file that was looked at. */
export interface Subject {
  /** As people call it: a domain, a file. */
  name: string
  /** Its address on the web; null for a file. */
  url: string | null
  /** The file and line of the repository that name it; null where none does. */
  source: SourceLine | null
  /** How it did, in a few words: `82 of 100, grade A`. */
  headline: string
  /** Null for what has none. */
  score: number | null
  grade: string | null
  /** ISO 8601. */
  at: string
  findings: ReportedFinding[]
  passed: Looked[]
  unseen: Unseen[]
  since: SinceBaseline | null
  /** Why the run fails for it, as sentences; empty where it does not. */
  failures: string[]
  /** What its reader should know besides, as sentences. */
  remarks: string[]
  /** Markdown that a command has of its own; null: it is made of the rest. */
  markdown: string | null
}

/** A place in a file. `file` has slashes, and is relative to the working folder. */
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
  /** What is wrong with each field of a file. */
  details?: ErrorLine[]
}

/** One thing that is wrong with a file. Lines and columns are counted from 1. */
export interface ErrorLine {
  field: string
  code: string
  message: string
  file: string
  line: number
  column: number
}

/** What a command has to say, from which each format is written. */
export interface CommandReport {
  command: 'audit' | 'validate' | 'walk'
  /** In the order in which they were asked for. */
  subjects: Subject[]
  /** What could not be looked at, with its name; null is the command as a whole. */
  errors: { name: string | null; error: ReportedError }[]
  /** As it is written as JSON. */
  json: unknown
  /** What the baseline holds instead, where the report is written over it; left out: the same. */
  baseline?: { file: string; json: unknown }
  /** The walk that it tells of; left out by other commands. */
  transcript?: Transcript
  /** As a person reads it in a terminal. */
  text: Printable
  /** What a terminal shows instead, where the rest was told as it happened. */
  ending?: Printable
}

/** A moment for people, such as `2026-11-24 03:56 UTC`. `at` is ISO 8601 in UTC. */
export const momentText = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`
