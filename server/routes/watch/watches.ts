import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import { Incident } from '../../../shared/watch/incident.ts'
import { NewWatch, Watch, WatchChange } from '../../../shared/watch/watch.ts'
import { Domain } from '../../../shared/web/address/domain.ts'
import { requireDomain, requireKey, requireScope } from '../../access/auth.ts'
import { coveredBy } from '../../access/covered-domains.ts'
import { tenantOf } from '../../db/access/keys.ts'
import { type CheckRow, listChecks } from '../../db/watch/checks.ts'
import { findIncident, listIncidents, shownIncident } from '../../db/watch/incidents.ts'
import { findWatch, listWatches } from '../../db/watch/watches.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { limitJsonBody } from '../../http/body-limit.ts'
import type { ServerEnv } from '../../http/env.ts'
import { AUDIT_QUOTA, limitRequests } from '../../http/rate-limit.ts'
import { requestSchema } from '../../http/validation.ts'
import {
  changeWatch,
  checkNow,
  createWatch,
  endWatch,
  noWatch,
  shownWatch,
} from '../../watch/set-up.ts'
import { component, jsonBody, jsonContent } from '../openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from '../openapi/error-responses.ts'
import { countedResponses } from '../openapi/headers.ts'
import { INCIDENT, WATCHED } from './examples.ts'

const TAGS = ['Watch']
const SCOPE = 'audit'
const MOST = 500
const GONE = 'The domain is not watched (`watch_not_found`).'
const READ = [401, 403, 404, 405, 422, 500, 503] as const
const NEEDS_REPORT =
  'The key does not have the scope or the domain (`insufficient_scope`, `domain_not_allowed`); `with_report` needs `report:read`, but for false in a new watch.'

const ByDomain = requestSchema(z.object({ domain: Domain.describe('The watched domain') }))
const ByIncident = requestSchema(
  z.object({
    domain: Domain.describe('The watched domain'),
    id: z
      .uuid('Send the id of an incident, as the list of incidents has it.')
      .describe('The id of the incident'),
  }),
)

/** A check of a watched domain, as listed. */
const WatchCheck = z.object({
  due_at: z.iso.datetime().describe('When it was due'),
  started_at: z.iso.datetime().describe('When it began'),
  ended_at: z.iso.datetime().describe('When it ended'),
  second: z
    .boolean()
    .describe('It was made to confirm what an earlier audit of this period had found'),
  outcome: z.enum(['seen', 'unseen', 'failed']).describe('What it came to'),
  score: z.int().nullable().describe('The score; null unless the domain was seen'),
  grade: z.string().nullable().describe('The grade'),
  gaps: z.array(z.string()).describe('The ids of the open gaps, worst first'),
  requests: z.int().describe('How many requests were sent to the store'),
  why: z.string().nullable().describe('Why nothing was seen; null where it was'),
})

const shownCheck = (row: CheckRow): z.infer<typeof WatchCheck> => ({
  due_at: row.due_at.toISOString(),
  started_at: row.started_at.toISOString(),
  ended_at: row.ended_at.toISOString(),
  second: row.look > 0,
  outcome: row.outcome,
  score: row.score,
  grade: row.grade,
  gaps: row.gaps,
  requests: row.requests,
  why: row.why,
})

/** `/api/watches` and `/api/incidents`: watched domains and what was found there. */
export function watchRoutes(deps: Deps) {
  const { db, baseUrl } = deps
  const byKey = requireKey(deps, SCOPE)
  const count = limitRequests(db, AUDIT_QUOTA)
  const common = { tags: TAGS, security: [{ key: [SCOPE] }] }
  const Shown = component('Watch', Watch)
  const ShownIncident = component('Incident', Incident)
  const one = (description: string) => ({
    200: { description, content: jsonContent(Shown, WATCHED) },
  })

  const list = createRoute({
    ...common,
    method: 'get',
    path: '/api/watches',
    operationId: 'watches',
    summary: 'The watched domains of the key',
    middleware: byKey,
    request: {
      query: requestSchema(
        z.object({
          after: Domain.optional().describe('Only domains after this one: the `next` of a page'),
        }),
      ),
    },
    responses: {
      200: {
        description: `At most ${MOST}, by name`,
        content: jsonContent(
          z.object({
            watches: z.array(Shown).describe('The watches'),
            next: z
              .string()
              .nullable()
              .describe('What `after` is for the next page; null at the end'),
          }),
          { watches: [WATCHED], next: null },
        ),
      },
      ...errorResponses([401, 403, 405, 422, 500, 503]),
    },
  })

  const create = createRoute({
    ...common,
    method: 'post',
    path: '/api/watches',
    operationId: 'createWatch',
    summary: 'Watch a domain: audit it regularly, and send alerts about what broke',
    description:
      'The first audit runs immediately. No alert is sent for gaps that it finds: they were there before. Alerts go to the channels of the watch.',
    middleware: [byKey, limitJsonBody] as const,
    request: { body: jsonBody('NewWatch', NewWatch, { domain: 'shop.example', period: 'hourly' }) },
    responses: {
      ...one('The watch'),
      ...errorResponses([400, 401, 403, 405, 409, 413, 415, 422, 500, 503], {
        403: NEEDS_REPORT,
        409: 'The domain is watched already (`watch_exists`).',
      }),
    },
  })

  const read = createRoute({
    ...common,
    method: 'get',
    path: '/api/watches/{domain}',
    operationId: 'watchByDomain',
    summary: 'The watch of a domain',
    middleware: byKey,
    request: { params: ByDomain },
    responses: { ...one('The watch'), ...errorResponses(READ, { ...NEEDS_DOMAIN, 404: GONE }) },
  })

  const change = createRoute({
    ...common,
    method: 'patch',
    path: '/api/watches/{domain}',
    operationId: 'changeWatch',
    summary: 'Change, pause or resume the watch of a domain',
    description: '`"quiet_hours": "none"` takes the quiet hours away.',
    middleware: [byKey, limitJsonBody] as const,
    request: {
      params: ByDomain,
      body: jsonBody('WatchChange', WatchChange, { period: 'daily', severity: 'critical' }),
    },
    responses: {
      ...one('The watch as it is now'),
      ...errorResponses([400, 401, 403, 404, 405, 413, 415, 422, 500, 503], {
        403: NEEDS_REPORT,
        404: GONE,
      }),
    },
  })

  const remove = createRoute({
    ...common,
    method: 'delete',
    path: '/api/watches/{domain}',
    operationId: 'deleteWatch',
    summary: 'Stop watching a domain',
    description:
      'Its channels and its public status page are deleted as well, and its open incidents are closed. Incidents and past audits stay.',
    middleware: byKey,
    request: { params: ByDomain },
    responses: {
      200: {
        description: 'It is deleted',
        content: jsonContent(
          z.object({ domain: z.string().describe('The domain that was watched') }),
          { domain: WATCHED.domain },
        ),
      },
      ...errorResponses(READ, { ...NEEDS_DOMAIN, 404: GONE }),
    },
  })

  const look = createRoute({
    ...common,
    method: 'post',
    path: '/api/watches/{domain}/look',
    operationId: 'lookNow',
    summary: 'Audit a watched domain now',
    description:
      'The audit begins as soon as a slot is free, and counts as an audit of the key. Ask for the watch again to see what it came to.',
    middleware: byKey,
    request: { params: ByDomain },
    responses: countedResponses(
      {
        200: one('The watch: `next_look_at` is now')[200],
        ...errorResponses([401, 403, 404, 405, 409, 422, 429, 500, 503], {
          ...NEEDS_DOMAIN,
          404: GONE,
          409: 'The watch is paused (`watch_paused`).',
        }),
      },
      [200, 429, 500, 503],
    ),
  })

  const looks = createRoute({
    ...common,
    method: 'get',
    path: '/api/watches/{domain}/looks',
    operationId: 'looks',
    summary: 'The past audits of a watched domain',
    middleware: byKey,
    request: { params: ByDomain },
    responses: {
      200: {
        description: `At most ${MOST}, newest first`,
        content: jsonContent(z.object({ looks: z.array(WatchCheck).describe('The audits') }), {
          looks: [
            {
              due_at: '2026-11-25T10:17:42.000Z',
              started_at: '2026-11-25T10:17:42.610Z',
              ended_at: '2026-11-25T10:17:45.120Z',
              second: false,
              outcome: 'seen',
              score: 88,
              grade: 'A',
              gaps: ['feed_stale'],
              requests: 31,
              why: null,
            },
          ],
        }),
      },
      ...errorResponses(READ, { ...NEEDS_DOMAIN, 404: GONE }),
    },
  })

  const listed = createRoute({
    ...common,
    method: 'get',
    path: '/api/watches/{domain}/incidents',
    operationId: 'incidents',
    summary: 'The incidents of a domain, and from when to when each gap was open',
    description: 'Signals from orders are listed for keys with `report:read`.',
    middleware: byKey,
    request: {
      params: ByDomain,
      query: requestSchema(
        z.object({
          state: z
            .enum(['open', 'closed'])
            .optional()
            .describe('Only open ones, or only closed ones'),
        }),
      ),
    },
    responses: {
      200: {
        description: `At most ${MOST}, open ones first, then the newest`,
        content: jsonContent(
          z.object({ incidents: z.array(ShownIncident).describe('The incidents') }),
          { incidents: [INCIDENT] },
        ),
      },
      ...errorResponses([401, 403, 405, 422, 500, 503], NEEDS_DOMAIN),
    },
  })

  const incident = createRoute({
    ...common,
    method: 'get',
    path: '/api/watches/{domain}/incidents/{id}',
    operationId: 'incidentById',
    summary: 'One incident',
    middleware: byKey,
    request: { params: ByIncident },
    responses: {
      200: { description: 'The incident', content: jsonContent(ShownIncident, INCIDENT) },
      ...errorResponses(READ, {
        ...NEEDS_DOMAIN,
        404: 'The domain has no such incident (`incident_not_found`).',
      }),
    },
  })

  /** The watched domain of the path, which the key covers. */
  async function ownWatch(c: Context<ServerEnv>, domain: string) {
    requireDomain(c, domain)
    const row = await findWatch(db, domain)
    if (row === null) throw noWatch(domain)
    return row
  }

  /** Signals show orders, which are for keys that may read reports. */
  const mayReadSignals = (c: Context<ServerEnv>): boolean =>
    c.var.key.scopes.includes('report:read')

  const app = new OpenAPIHono<ServerEnv>()
  app.openapi(list, async (c) => {
    const { after } = c.req.valid('query')
    const rows = await listWatches(db, coveredBy(c.var.key.domains), { after, limit: MOST + 1 })
    const page = rows.slice(0, MOST)
    const next = rows.length > MOST ? (page.at(-1)?.domain ?? null) : null
    return c.json({ watches: page.map((row) => shownWatch(row, baseUrl)), next }, 200)
  })
  app.openapi(create, async (c) => {
    const asked = c.req.valid('json')
    requireDomain(c, asked.domain)
    if (asked.with_report === true) requireScope(c, 'report:read')
    const mayReadReport = c.var.key.scopes.includes('report:read')
    const maker = { keyId: tenantOf(c.var.key), mayReadReport }
    return c.json(shownWatch(await createWatch(deps, asked, maker), baseUrl), 200)
  })
  app.openapi(read, async (c) => {
    const row = await ownWatch(c, c.req.valid('param').domain)
    return c.json(shownWatch(row, baseUrl), 200)
  })
  app.openapi(change, async (c) => {
    const { domain } = c.req.valid('param')
    const asked = c.req.valid('json')
    requireDomain(c, domain)
    // Switching it off closes the incidents from orders, which the key may not see.
    if (asked.with_report !== undefined) requireScope(c, 'report:read')
    return c.json(shownWatch(await changeWatch(deps, domain, asked), baseUrl), 200)
  })
  app.openapi(remove, async (c) => {
    const { domain } = c.req.valid('param')
    requireDomain(c, domain)
    await endWatch(deps, domain)
    return c.json({ domain }, 200)
  })
  app.openapi(look, async (c) => {
    const { domain } = c.req.valid('param')
    requireDomain(c, domain)
    return c.json(shownWatch(await checkNow(deps, domain, () => count(c)), baseUrl), 200)
  })
  app.openapi(looks, async (c) => {
    const { domain } = await ownWatch(c, c.req.valid('param').domain)
    return c.json({ looks: (await listChecks(db, domain, MOST)).map(shownCheck) }, 200)
  })
  app.openapi(listed, async (c) => {
    const { domain } = c.req.valid('param')
    requireDomain(c, domain)
    const { state } = c.req.valid('query')
    const rows = await listIncidents(db, domain, {
      limit: MOST,
      ...(state && { only: state }),
      ...(!mayReadSignals(c) && { without: 'signal' }),
    })
    return c.json({ incidents: rows.map(shownIncident) }, 200)
  })
  app.openapi(incident, async (c) => {
    const { domain, id } = c.req.valid('param')
    requireDomain(c, domain)
    const row = await findIncident(db, { domain, id })
    const isShown = row !== null && (row.kind !== 'signal' || mayReadSignals(c))
    if (isShown) return c.json(shownIncident(row), 200)
    throw new ApiError(404, 'incident_not_found', `${domain} has no incident of this id.`)
  })
  return app
}
