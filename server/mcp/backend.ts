import type { Report } from '../../shared/attribution/report.ts'
import type { ManifestProposalRequest } from '../../shared/audit/proposals/manifest-proposal.ts'
import type { MarkupProposalRequest } from '../../shared/audit/proposals/markup-proposal.ts'
import type { Proposal } from '../../shared/audit/proposals/proposal.ts'
import type { RobotsProposalRequest } from '../../shared/audit/proposals/robots-proposal.ts'
import type { GapChanges } from '../../shared/audit/result/compare.ts'
import type { AuditProgress } from '../../shared/audit/result/progress.ts'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import type { CheckName } from '../../shared/audit/vocabulary.ts'
import type { ManifestValidation } from '../../shared/manifest/validation.ts'
import type { WalkState } from '../../shared/walk/stored-walk.ts'
import type { Transcript } from '../../shared/walk/transcript.ts'
import type { WalkRequest } from '../../shared/walk/walk-request.ts'

/** The context of one call of a tool. */
export interface Job {
  /** Aborted when the client cancels, or leaves. */
  signal: AbortSignal
  /** Reports progress, in our own words. */
  progress: (said: string) => void
}

/** An audit, and the id under which it can be read and compared; null if it was not stored. */
export interface Audited {
  result: AuditResult
  result_id: string | null
}

/** A walk so far; without a `walk_id` it cannot be polled. */
export interface Walked {
  walk_id: string | null
  state: WalkState
  transcript: Transcript
}

/**
 * The progress of an audit, without the addresses that it reads, because the store chooses those.
 */
export const progressWords = ({ parts, requests }: AuditProgress): string =>
  parts.length === 0
    ? 'Waiting for a slot'
    : `${parts.filter(({ done }) => done).length} of ${parts.length} parts read, ${requests} requests`

/** Two audits of one domain, and what changed from the earlier to the later. */
interface AuditsCompared extends GapChanges {
  domain: string
  before: ComparedSide
  after: ComparedSide
}

export interface ComparedSide {
  result_id: string
  checked_at: string
  score: number
  grade: AuditResult['grade']
}

/** An audit that can be read as a resource. */
interface KeptResult extends ComparedSide {
  domain: string
}

/** What a tool requests, and the result. */
type Operation<Request, Answer> = (request: Request, job: Job) => Promise<Answer>

/**
 * The work behind the tools: the service through its own API, or this machine. A failure that the
 * caller can act on is a `ToolFault`.
 */
export interface Backend {
  audit: Operation<{ domain: string; checks?: CheckName[] | undefined }, Audited>
  validate: Operation<{ url: string } | { manifest: unknown }, ManifestValidation>
  proposeManifest: Operation<ManifestProposalRequest, Proposal>
  proposeMarkup: Operation<MarkupProposalRequest, Proposal>
  proposeRobots: Operation<RobotsProposalRequest, Proposal>
  /** The tags of a domain's properties, newest first; null if properties do not exist here. */
  tagsOf: Operation<{ domain: string }, string[]> | null
  walk: Operation<
    Pick<WalkRequest, 'domain' | 'intents' | 'dialects' | 'item' | 'pages' | 'product_url'>,
    Walked
  >
  /** A walk that was started before. */
  walkAgain: Operation<{ walk_id: string }, Walked>
  compare: Operation<{ before: string; after: string }, AuditsCompared>
  /** Null if there are no events to report on. */
  report: Operation<
    { domain: string; start: string; end: string; granularity?: string | undefined },
    Report
  > | null
  results: Operation<null, KeptResult[]>
  /** Null: no result has this id. */
  result: Operation<{ id: string }, AuditResult | null>
}

/** A call that failed for a reason that the caller can act on. */
export class ToolFault extends Error {
  override name = 'ToolFault'
  readonly code: string
  /** The message contains the store's own words. */
  readonly quotes: boolean

  constructor(code: string, message: string, { quotes = false } = {}) {
    super(message)
    this.code = code
    this.quotes = quotes
  }
}
