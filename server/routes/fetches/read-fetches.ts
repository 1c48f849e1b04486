import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { FetchReportQuery } from '../../../shared/attribution/fetches/report.ts'
import { FetchReport } from '../../../shared/audit/fetch-report.ts'
import { requireDomain, requireKey } from '../../access/auth.ts'
import { fetchCsv, loadFetchReport } from '../../attribution/fetches/load-report.ts'
import { csvHeaders } from '../../attribution/report/csv.ts'
import type { Deps } from '../../deps.ts'
import type { ServerEnv } from '../../http/env.ts'
import { requestSchema } from '../../http/validation.ts'
import { component, jsonContent } from '../openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from '../openapi/error-responses.ts'
import { headerRefs } from '../openapi/headers.ts'

const DAY = '2026-11-20'
const LAST = '2026-11-20T06:00:00.000Z'
const EXAMPLE: FetchReport = {
  ...{ domain: 'shop.example', start: DAY, end: DAY },
  agents: [
    {
      ...{ agent: 'ChatGPT-User', operator: 'OpenAI', surface: 'chatgpt', purpose: 'answer' },
      ...{ verified: 'verified', fetches: 212, read: 200, refused: 12, missing: 0, failed: 0 },
      ...{ robots: 0, days: 1, last_at: LAST },
    },
  ],
  days: [{ day: DAY, purpose: 'answer', fetches: 212 }],
  surfaces: [{ surface: 'chatgpt', answers: 200, sessions: 40, orders: 3 }],
  pages: [
    {
      ...{ path: '/products/boot', name: 'Winter boot', product_ids: ['boot'], answers: 200 },
      ...{ crawls: 4, clicked: 9, bought: 2 },
      seen: [{ operator: 'OpenAI', last_at: LAST, price: 'current', days: 8 }],
    },
  ],
  walls: [
    { agent: 'ChatGPT-User', path: '/products/hat', status: 403, fetches: 12, last_at: LAST },
  ],
  gaps: [],
  over: 0,
}

/** `GET /api/fetches`: what agents read that run no script, and what came of it. */
export function fetchReportRoutes(deps: Pick<Deps, 'db' | 'now' | 'log'>) {
  const { db, now } = deps
  const route = createRoute({
    method: 'get',
    path: '/api/fetches',
    operationId: 'readFetches',
    tags: ['Attribution'],
    summary:
      'What AI agents read that run no script, what was clicked and bought, and what they met',
    description:
      'The figures of the page `/fetches`, from the lines that `POST /api/fetches` or `aisle logs` took. Pages are joined to visits and orders by path, product, surface and day, and no person to anything. `format=csv` returns the pages as a file for spreadsheets.',
    security: [{ key: ['report:read'] }],
    middleware: requireKey(deps, 'report:read'),
    request: { query: requestSchema(FetchReportQuery) },
    responses: {
      200: {
        description: 'What agents read',
        headers: headerRefs('Content-Disposition'),
        content: {
          ...jsonContent(component('FetchReport', FetchReport), EXAMPLE),
          'text/csv': { schema: z.string() },
        },
      },
      ...errorResponses([401, 403, 405, 422, 500, 503], NEEDS_DOMAIN),
    },
  })

  return new OpenAPIHono<ServerEnv>().openapi(route, async (c) => {
    const { format, ...range } = c.req.valid('query')
    requireDomain(c, range.domain)
    const report = await loadFetchReport(db, range, now())
    return format === 'csv' ? c.body(fetchCsv(report), 200, csvHeaders(range)) : c.json(report, 200)
  })
}
