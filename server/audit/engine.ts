import pLimit from 'p-limit'
import type { PageSeen } from '../../shared/audit/evidence.ts'
import { linksTo } from '../../shared/audit/gap-links.ts'
import type { AuditResult } from '../../shared/audit/result.ts'
import type { CheckName } from '../../shared/audit/vocabulary.ts'
import type { ManifestValidation } from '../../shared/manifest/validation.ts'
import { ApiError } from '../http/errors.ts'
import { auditDomain, DomainUnreadable, JudgingExceeded } from './audit-domain.ts'
import { createJudges, type Judges } from './judging/judges.ts'
import { createFetcher } from './probe/fetch/fetch.ts'
import type { TestHosts } from './probe/fetch/test-hosts.ts'
import { probePage } from './probe/pages.ts'
import { type AuditSession, auditSession } from './probe/session.ts'
import { validateUrl } from './validate-manifest.ts'

/**
 * The User-Agent of every request to a store. It names this service, so that the owner of a store
 * can find out who asks (RFC 9110, 10.1.5).
 */
export const userAgentOf = (baseUrl: string): string => `Aisle/1.0 (+${baseUrl})`

// One audit holds several megabytes of pages, so the number of concurrent audits is limited.
const MAX_AT_ONCE = 6

/** Callers that may wait for a place; the next one is told to come back. */
const MAX_WAITING = 30

/** What the API needs from the network. */
export interface Engine {
  /**
   * Audits a domain over the network. Rejects only for our own failures: a store's faults are gaps.
   */
  audit: (request: { domain: string; checks: CheckName[] }) => Promise<AuditResult>
  /** Fetches and validates a published manifest. A failed fetch is part of the result. */
  validateManifest: (url: string) => Promise<ManifestValidation>
  /** Reads one page of a store, as an audit does. */
  readPage: (url: string) => Promise<PageSeen>
  close: () => Promise<void>
}

export interface EngineOptions {
  /** The public URL of this service, without a trailing slash. */
  baseUrl: string
  testHosts: TestHosts
}

/**
 * The engine as the API runs it. A domain that cannot be reached is answered with 422, and with 503
 * what exceeds the audits that may run and wait.
 */
export function createEngine(
  { baseUrl, testHosts }: EngineOptions,
  now: () => Date,
  judges: Judges = createJudges(),
): Engine {
  const fetcher = createFetcher({ userAgent: userAgentOf(baseUrl), testHosts })
  const limit = pLimit(MAX_AT_ONCE)
  // A queue without an end would keep callers waiting for what they no longer want.
  const runLimited = <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= MAX_WAITING) {
      const message = 'Too many audits are running. Try again in a few seconds.'
      throw new ApiError(503, 'busy', message, { headers: { 'Retry-After': '10' } })
    }
    return limit(work)
  }
  const links = linksTo(baseUrl)
  const withSession = <T>(work: (session: AuditSession) => Promise<T>): Promise<T> =>
    runLimited(async () => {
      const session = fetcher.open()
      try {
        return await work(auditSession(session, judges))
      } finally {
        await session.close()
      }
    })
  return {
    audit: async (request) => {
      try {
        return await runLimited(() => auditDomain(request, { fetcher, judges, now, links }))
      } catch (error) {
        if (error instanceof JudgingExceeded) {
          throw new ApiError(422, 'too_large_to_judge', error.message)
        }
        // The store's state is the caller's to act on; anything else is a failure of ours.
        if (!(error instanceof DomainUnreadable)) throw error
        const detail = { field: 'domain', code: 'endpoint_unreachable', message: error.message }
        throw new ApiError(422, error.code, error.message, { details: [detail] })
      }
    },
    validateManifest: (url) => withSession((session) => validateUrl(session, url)),
    readPage: (url) => withSession((session) => probePage(session, url)),
    close: async () => {
      await fetcher.close()
      await judges.close()
    },
  }
}
