import { setTimeout as sleep } from 'node:timers/promises'
import type { Property } from '../../shared/attribution/property.ts'
import type { Report } from '../../shared/attribution/report.ts'
import type { Proposal } from '../../shared/audit/proposals/proposal.ts'
import { isNoResultCode } from '../../shared/audit/result/no-result.ts'
import type { AuditProgress } from '../../shared/audit/result/progress.ts'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import type {
  AuditChanges,
  AuditedDomains,
  AuditHistory,
  StoredAudit,
} from '../../shared/audit/result/stored-audit.ts'
import type { ManifestValidation } from '../../shared/manifest/validation.ts'
import { isWalkOver, type WalkListed } from '../../shared/walk/stored-walk.ts'
import type { Transcript } from '../../shared/walk/transcript.ts'
import { stepsIn } from '../../shared/walk/walk-words.ts'
import { field, isRecord } from '../../shared/web/json/json.ts'
import {
  type Backend,
  type ComparedSide,
  type Job,
  progressWords,
  ToolFault,
  type Walked,
} from './backend.ts'

/** Calls the API of this process, like the client's own request. */
export type AskApi = (request: {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
  signal: AbortSignal
  /** Called with the progress of an audit. */
  onAudit?: (progress: AuditProgress) => void
}) => Promise<Response>

// Unspecified: a walk takes minutes and clients wait one: the tool answers after 40 seconds, and is
// called again with the walk's id.
const WALK_WAIT_MS = 40_000
const WALK_ASK_MS = 1000

// Unspecified: resources list the newest result of each of a key's first 100 domains; the ids of
// others come from audits.
const MOST_LISTED = 100

/**
 * The service behind the tools: each call is one of its API, with its limits, rights and records.
 */
export function apiBackend(
  ask: AskApi,
  /** How often the progress of a walk is polled. Tests shorten it. */
  walkAskMs = WALK_ASK_MS,
): Backend {
  /** The body of an answer, whose shape the API's own tests guarantee; a refusal is a fault. */
  async function bodyOf<Answer>(response: Response): Promise<Answer> {
    const body: unknown = await response.json()
    if (response.ok) return body as Answer
    throw faultOf(response, body)
  }
  async function call<Answer>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { signal }: Pick<Job, 'signal'>,
    more: { body?: unknown; onAudit?: (progress: AuditProgress) => void } = {},
  ): Promise<Answer> {
    return bodyOf(await ask({ method, path, signal, ...more }))
  }
  const propose =
    (kind: string) =>
    (request: object, job: Job): Promise<Proposal> => {
      job.progress('Reading the store')
      return call('POST', `/api/proposals/${kind}`, job, { body: request })
    }

  /** Waits for the end of a walk, for as long as clients wait. */
  async function followWalk(path: string, { signal, progress }: Job): Promise<Walked> {
    const until = performance.now() + WALK_WAIT_MS
    // A transcript has megabytes: it is read again only if it has grown.
    let headers: Record<string, string> = {}
    let last: Walked | null = null
    for (;;) {
      const response = await ask({ method: 'GET', path, headers, signal })
      if (last === null || response.status !== 304) {
        const { id, state, transcript } = await bodyOf<WalkListed & { transcript: Transcript }>(
          response,
        )
        last = { walk_id: id, state, transcript }
        headers = { 'If-None-Match': response.headers.get('etag') ?? '' }
      }
      if (isWalkOver(last.state) || performance.now() > until) return last
      progress(`Walking: ${last.transcript.routes.flatMap(stepsIn).length} steps`)
      await sleep(walkAskMs, undefined, { signal })
    }
  }

  /** The same for a walk that this call started: it is cancelled if its caller leaves. */
  async function ownWalk({ id }: WalkListed, job: Job): Promise<Walked> {
    const path = `/api/walk/${id}`
    try {
      return await followWalk(path, job)
    } catch (error) {
      // What is open in the store is cancelled first; this does not wait for it.
      if (job.signal.aborted) {
        await call('DELETE', path, { signal: AbortSignal.timeout(WALK_WAIT_MS) }).catch(() => {})
      }
      throw error
    }
  }

  /** The id of an audit that was just stored; null for keys that do not cover its domain. */
  async function idOf({ domain, checked_at }: AuditResult, job: Job): Promise<string | null> {
    try {
      const path = `/api/audits/history?limit=10&domain=${encodeURIComponent(domain)}`
      const { audits } = await call<AuditHistory>('GET', path, job)
      return audits.find((audit) => audit.checked_at === checked_at)?.id ?? null
    } catch (error) {
      if (error instanceof ToolFault) return null
      throw error
    }
  }

  return {
    async audit(request, job) {
      const result = await call<AuditResult>('POST', '/api/audit', job, {
        body: request,
        onAudit: (progress) => job.progress(progressWords(progress)),
      })
      return { result, result_id: await idOf(result, job) }
    },
    validate: (body, job) =>
      call<ManifestValidation>('POST', '/api/manifest/validate', job, { body }),
    proposeManifest: propose('manifest'),
    proposeMarkup: propose('markup'),
    proposeRobots: propose('robots'),
    async tagsOf({ domain }, job) {
      const { properties } = await call<{ properties: Property[] }>('GET', '/api/properties', job)
      return properties.filter((each) => each.domain === domain).map(({ tag }) => tag)
    },
    walk: async (body, job) =>
      ownWalk(await call<WalkListed>('POST', '/api/walk', job, { body }), job),
    walkAgain: ({ walk_id }, job) => followWalk(`/api/walk/${inPath(walk_id)}`, job),
    async compare({ before, after }, job) {
      const changes = await call<AuditChanges>(
        'GET',
        `/api/audits/${inPath(after)}/changes?since=${inPath(before)}`,
        job,
      )
      const side = ({ id, checked_at, score, grade }: AuditChanges['before']): ComparedSide => ({
        result_id: id,
        checked_at,
        score,
        grade,
      })
      const { measure: _, before: earlier, after: later, ...changed } = changes
      return { ...changed, before: side(earlier), after: side(later) }
    },
    report(query, job) {
      const given = Object.entries(query).flatMap(([key, value]): [string, string][] =>
        value === undefined ? [] : [[key, value]],
      )
      return call<Report>('GET', `/api/report?${new URLSearchParams(given)}`, job)
    },
    async results(_, job) {
      try {
        const { domains } = await call<AuditedDomains>(
          'GET',
          `/api/audits?limit=${MOST_LISTED}`,
          job,
        )
        return domains.flatMap(({ domain, audit }) => {
          if (audit === null) return []
          const { id, checked_at, score, grade } = audit
          return [{ result_id: id, domain, checked_at, score, grade }]
        })
      } catch (error) {
        // A key without the scope still has the gap pages.
        if (error instanceof ToolFault && error.code === 'insufficient_scope') return []
        throw error
      }
    },
    async result({ id }, job) {
      try {
        const { id: _, ...result } = await call<StoredAudit>('GET', `/api/audits/${id}`, job)
        return result
      } catch (error) {
        if (error instanceof ToolFault && error.code === 'audit_not_found') return null
        throw error
      }
    },
  }
}

/**
 * An id as part of an address. A model may send an unpaired surrogate, which no address can hold:
 * such an id is simply not found.
 */
const inPath = (id: string): string => encodeURIComponent(id.toWellFormed())

/** The API's own refusal as a fault: its message, the errors of each field, when to try again. */
function faultOf(response: Response, body: unknown): ToolFault {
  const error = field(body, 'error')
  const code = String(field(error, 'code') ?? response.status)
  const details = field(error, 'details')
  const fields = (Array.isArray(details) ? details : []).flatMap((each) =>
    isRecord(each) ? [`${each.field}: ${each.message}`] : [],
  )
  const quotes = isNoResultCode(code)
  const message = String(field(error, 'message') ?? 'The service did not answer.')
  const retry = response.headers.get('retry-after')
  return new ToolFault(
    code,
    [
      message,
      ...(quotes ? [] : fields),
      ...(retry !== null && !/\d+ seconds?/.test(message)
        ? [`Try again in ${retry} seconds.`]
        : []),
    ].join(' '),
    { quotes },
  )
}
