import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import { narrowResult } from '../../../shared/audit/result/narrow.ts'
import {
  AuditRequest,
  AuditResult,
  ENGINE_VERSION,
  NothingJudged,
} from '../../../shared/audit/result/result.ts'
import { CHECK_NAMES, type CheckName, DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { requireDomain, requireKey } from '../../access/auth.ts'
import { covers, namesDomain } from '../../access/covered-domains.ts'
import { accessOf } from '../../access/site-access.ts'
import { withDomainsTag } from '../../attribution/domains-tag.ts'
import { nothingJudged } from '../../audit/engine.ts'
import { tellProgress } from '../../audit/listener.ts'
import { type FreshWalk, findFreshWalk, makeFreshWalk } from '../../audit/walk/fresh-walk.ts'
import { tenantOf } from '../../db/access/keys.ts'
import { findAudit, knownPages, saveAudit } from '../../db/audit/audits.ts'
import { findForeignAudit, saveForeignAudit } from '../../db/audit/runs.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { limitJsonBody } from '../../http/body-limit.ts'
import { type Caller, callByKey } from '../../http/caller.ts'
import { coalesce } from '../../http/coalesce.ts'
import { type OwnCall, ownCallOf, type ServerEnv } from '../../http/env.ts'
import {
  AUDIT_QUOTA,
  giveRequestBack,
  isForLackOfPlace,
  limitRequests,
} from '../../http/rate-limit.ts'
import { component, jsonBody, jsonContent } from '../openapi/component.ts'
import { errorResponses } from '../openapi/error-responses.ts'
import { countedResponses } from '../openapi/headers.ts'
import { AUDIT } from './examples.ts'

const STATUSES = [400, 401, 403, 404, 405, 413, 415, 422, 429, 500, 503] as const

type AuditInput = Parameters<Deps['audit']>[0]

/** What callers with the same request at the same time share. */
interface Run {
  request: AuditInput
  caller: Caller
  walked: FreshWalk | null
  /** The key names the domain, so its property may be used. */
  isOwn: boolean
  /** The key does not cover the domain. */
  isForeign: boolean
  /** Called with the progress: for several who share a run, the first. */
  onAudit: OwnCall['onAudit']
}

/** `POST /api/audit` (spec, Audit request and Audit result). */
export function auditRoutes(deps: Deps) {
  const { db, audit } = deps
  const count = limitRequests(db, AUDIT_QUOTA)
  const giveBack = giveRequestBack(db, AUDIT_QUOTA)
  // By caller as well: one that joined another's run would wait in the other's line.
  // And by whether it is the owner's: only that one is made with what the owner gave.
  const sameFor = ({ request: { domain, checks, agents }, caller, walked, isOwn }: Run) =>
    [JSON.stringify(caller), domain, checks.join(), agents, walked?.id, isOwn].join(' ')
  // Callers with the same request on one replica share its errors too, and its progress.
  const auditAndStore = coalesce(sameFor, async (run: Run, signal) => {
    const { request, caller, walked, isOwn, isForeign, onAudit } = run
    const known = isForeign ? undefined : await knownPages(db, request.domain)
    const order = { ...request, known, ...(walked !== null && { walk: walked.seen }) }
    const seen = await audit(order, { caller, signal }, onAudit && tellProgress(onAudit))
    const result = isOwn ? await withDomainsTag(db, seen.result) : seen.result
    // A stranger's audit must not change what the owner's page and badge say.
    if (isForeign) await saveForeignAudit(db, result, deps.now())
    else await saveAudit(db, result, seen.titles)
    return result
  })

  const route = createRoute({
    method: 'post',
    path: '/api/audit',
    operationId: 'audit',
    tags: ['Audit'],
    summary: 'Audit a domain for readiness to be shopped through AI agents',
    description:
      'Answers within a minute; with `walk` it makes whole purchases first, which takes minutes. `acp` is checked only where `checks` names it.',
    security: [{ key: ['audit'] }],
    middleware: [requireKey(deps, 'audit'), limitJsonBody] as const,
    request: {
      body: jsonBody('AuditRequest', AuditRequest, { domain: 'shop.example' }),
    },
    responses: countedResponses(
      {
        200: {
          description: 'The result',
          content: jsonContent(component('AuditResult', AuditResult), AUDIT),
        },
        ...errorResponses(STATUSES, {
          403: 'The key lacks the scope (`insufficient_scope`), or `agents` or `walk` is true and the key does not cover the domain (`domain_not_allowed`).',
          404: 'With `dry_run`: no stored result covers the checks (`no_cached_audit`).',
          422: 'A field is missing, unknown or invalid (`invalid_request`), or the domain cannot be reached (`domain_unreachable`) or blocks us (`domain_blocked`), nothing of it could be judged (`nothing_judged`), or what it answers is too large to judge (`too_large_to_judge`).',
        }),
      },
      [200, 404, 422, 429, 500, 503],
    ),
  })

  return new OpenAPIHono<ServerEnv>().openapi(route, async (c) => {
    const { domain, checks: asked, dry_run = false, agents: wanted, walk } = c.req.valid('json')
    if (wanted === true || walk === true) requireDomain(c, domain)
    const agents = wanted ?? namesDomain(c.var.key.domains, domain)
    const isForeign = !covers(c.var.key.domains, domain)
    const checks = inOrder(asked ?? DEFAULT_CHECKS)
    // Unspecified: a dry run counts against the 60 per hour like any other valid request.
    await count(c)
    if (!dry_run) {
      const { caller, signal } = callByKey(c)
      const keyId = tenantOf(c.var.key)
      const isOwn = namesDomain(c.var.key.domains, domain)
      const access = await accessOf(deps.siteAccess, c.var.key.domains, domain)
      const request = { domain, checks, agents, ...(access && { access }) }
      const { onAudit } = ownCallOf(c)
      const pages = checks.includes('pages')
      try {
        const walked =
          walk === true
            ? await makeFreshWalk(
                deps,
                { domain, keyId, covered: c.var.key.domains, pages },
                signal,
              )
            : walk === undefined && isOwn
              ? await findFreshWalk(deps, domain, { pages })
              : null
        const run = { request, caller, walked, isOwn, isForeign, onAudit }
        return c.json(await auditAndStore(run, signal), 200)
      } catch (error) {
        if (isForLackOfPlace(error)) await giveBack(c)
        throw error
      }
    }

    // Unspecified: a cached result never expires; its `checked_at` tells its age. A key that does
    // not cover the domain gets the results of such keys, for as long as runs are kept: the owner's
    // audits and walks are private.
    const find = isForeign ? findForeignAudit : findAudit
    const stored = await find(db, domain, checks, ENGINE_VERSION)
    // Unspecified: a dry run for fewer checks than the stored audit has is answered with only
    // these, and with their own score.
    if (stored) return c.json(narrowed(stored, checks), 200)
    throw new ApiError(
      404,
      'no_cached_audit',
      `No stored audit of ${domain} covers these checks. Send the request without dry_run.`,
    )
  })
}

/** Like in an audit, there may be nothing to judge in the requested part. */
function narrowed(stored: AuditResult, checks: readonly CheckName[]): AuditResult {
  try {
    return narrowResult(stored, checks)
  } catch (error) {
    throw error instanceof NothingJudged ? nothingJudged(error) : error
  }
}

/** Each once, so that equal requests are equal in any order of checks. */
const inOrder = (asked: readonly CheckName[]) => CHECK_NAMES.filter((name) => asked.includes(name))
