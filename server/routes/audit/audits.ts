import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import {
  AuditChanges,
  AuditedDomains,
  AuditHistory,
  AuditsQuery,
  StoredAudit,
} from '../../../shared/audit/result/stored-audit.ts'
import { Domain } from '../../../shared/web/address/domain.ts'
import { requireDomain, requireKey } from '../../access/auth.ts'
import { coveredBy } from '../../access/covered-domains.ts'
import { changesBetween, describeAudit, listAuditedDomains } from '../../audit/stored-audits.ts'
import { findAuditById, listAudits } from '../../db/audit/audits.ts'
import { isUuid } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import type { ServerEnv } from '../../http/env.ts'
import { requestSchema } from '../../http/validation.ts'
import { component, jsonContent } from '../openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from '../openapi/error-responses.ts'
import { CHANGES, STORED, SUMMARY } from './examples.ts'

const READ = [401, 403, 404, 405, 500, 503] as const
const GONE = 'There is no such audit of your domains (`audit_not_found`).'
const AuditById = z.object({ id: z.string().describe('The id of a stored audit') })
const HistoryQuery = AuditsQuery.extend({ domain: Domain.describe('The domain') })
const ChangesQuery = z.object({
  since: z
    .string()
    .max(100)
    .optional()
    .describe('The id of another audit of the domain; the one before, if left out'),
})

/** `/api/audits`: stored audits, and what changed between them. */
export function storedAuditRoutes(deps: Pick<Deps, 'db' | 'now' | 'log' | 'baseUrl'>) {
  const { db } = deps
  const common = {
    tags: ['Audit'],
    security: [{ key: ['audit'] }],
    middleware: requireKey(deps, 'audit'),
  }

  const list = createRoute({
    ...common,
    method: 'get',
    path: '/api/audits',
    operationId: 'audits',
    summary: 'Your domains, each with its newest audit',
    description:
      'With the change since the audit before, the gap to close first, and when the newest attribution event arrived. Nothing is asked of the domains.',
    request: { query: requestSchema(AuditsQuery) },
    responses: {
      200: {
        description: "The key's domains, in alphabetical order",
        content: jsonContent(component('AuditedDomains', AuditedDomains), {
          domains: [
            { domain: 'shop.example', audit: SUMMARY, last_event_at: '2026-11-20T17:42:08.000Z' },
          ],
          next: null,
        }),
      },
      ...errorResponses([401, 403, 405, 422, 500, 503]),
    },
  })

  const history = createRoute({
    ...common,
    method: 'get',
    path: '/api/audits/history',
    operationId: 'auditHistory',
    summary: 'The stored audits of a domain',
    request: { query: requestSchema(HistoryQuery) },
    responses: {
      200: {
        description: 'Newest first',
        content: jsonContent(component('AuditHistory', AuditHistory), {
          domain: 'shop.example',
          audits: [SUMMARY],
          next: null,
        }),
      },
      ...errorResponses([401, 403, 404, 405, 422, 500, 503], {
        ...NEEDS_DOMAIN,
        404: 'The audit that `after` names is gone (`audit_not_found`): begin again without it.',
      }),
    },
  })

  const read = createRoute({
    ...common,
    method: 'get',
    path: '/api/audits/{id}',
    operationId: 'auditById',
    summary: 'One stored audit, as it was answered',
    request: { params: AuditById },
    responses: {
      200: {
        description: 'The result',
        content: jsonContent(component('StoredAudit', StoredAudit), STORED),
      },
      ...errorResponses(READ, { 404: GONE }),
    },
  })

  const changes = createRoute({
    ...common,
    method: 'get',
    path: '/api/audits/{id}/changes',
    operationId: 'auditChanges',
    summary: 'What changed between two audits of a domain',
    description:
      'New, fixed and still open gaps, with their points. Where the two were made by other checks or another engine version, `measure` says how they differ, and there is no `change`.',
    request: { params: AuditById, query: requestSchema(ChangesQuery) },
    responses: {
      200: {
        description: 'From the earlier to the later, whichever was named first',
        content: jsonContent(component('AuditChanges', AuditChanges), CHANGES),
      },
      ...errorResponses([...READ, 422], {
        404: `${GONE} Without \`since\`, there may be no audit before it (\`no_earlier_audit\`).`,
        422: 'The two audits are of different domains, or the same (`invalid_request`).',
      }),
    },
  })

  /** Throws 404 for those of others as well, so that ids cannot be probed. */
  async function ownAudit(c: Context<ServerEnv>, id: string): Promise<StoredAudit> {
    const found = isUuid(id) ? await findAuditById(db, id, coveredBy(c.var.key.domains)) : null
    if (found === null) throw notFound()
    return found
  }

  async function auditBefore(c: Context<ServerEnv>, { id, domain }: StoredAudit) {
    const [past] = await listAudits(db, domain, { only: id })
    if (past?.before) return ownAudit(c, past.before.id)
    throw new ApiError(
      404,
      'no_earlier_audit',
      'This is the first stored audit of its domain. Name another one in since.',
    )
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.openapi(list, async (c) =>
    c.json(await listAuditedDomains(deps, c.var.key, c.req.valid('query')), 200),
  )
  app.openapi(history, async (c) => {
    const { domain, limit, after } = c.req.valid('query')
    requireDomain(c, domain)
    if (after !== undefined && (await ownAudit(c, after)).domain !== domain) throw notFound()
    const found = await listAudits(db, domain, { limit: limit + 1, after })
    const audits = found.slice(0, limit).map((each) => describeAudit(each, deps))
    const next = found.length > limit ? (audits.at(-1)?.id ?? null) : null
    return c.json({ domain, audits, next }, 200)
  })
  app.openapi(read, async (c) => c.json(await ownAudit(c, c.req.valid('param').id), 200))
  app.openapi(changes, async (c) => {
    const { since } = c.req.valid('query')
    const audit = await ownAudit(c, c.req.valid('param').id)
    const other = since === undefined ? await auditBefore(c, audit) : await ownAudit(c, since)
    if (other.domain !== audit.domain || other.id === audit.id) {
      throw new ApiError(
        422,
        'invalid_request',
        'Name two different audits of one domain: GET /api/audits/history lists them.',
      )
    }
    return c.json(changesBetween(audit, other, deps), 200)
  })
  return app
}

const notFound = () =>
  new ApiError(
    404,
    'audit_not_found',
    'There is no such audit of your domains. GET /api/audits lists those that there are.',
  )
