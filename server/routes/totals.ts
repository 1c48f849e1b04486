import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { ShopTotals } from '../../shared/attribution/totals.ts'
import { requireDomain, requireKey } from '../access/auth.ts'
import { saveTotals } from '../db/attribution/shop-totals.ts'
import type { Deps } from '../deps.ts'
import { limitJsonBody } from '../http/body-limit.ts'
import type { ServerEnv } from '../http/env.ts'
import { jsonBody, jsonContent } from './openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from './openapi/error-responses.ts'

/** `PUT /api/totals`: what a store sold in all, from which the report computes the share of AI. */
export function totalsRoutes(deps: Pick<Deps, 'db' | 'now' | 'log'>) {
  const { db, now } = deps
  const route = createRoute({
    method: 'put',
    path: '/api/totals',
    operationId: 'reportTotals',
    tags: ['Attribution'],
    summary: 'Report what a store sold in all on its days, for the share that AI brought',
    description:
      'Optional. One row for each day and currency, such as once a night: all orders of the store, those that AI brought included. `share` of the report is over the days that have a row in its currency. A row that is sent again replaces the one before.',
    security: [{ key: ['report:write'] }],
    middleware: [requireKey(deps, 'report:write'), limitJsonBody] as const,
    request: {
      body: jsonBody('ShopTotals', ShopTotals, {
        domain: 'shop.example',
        totals: [{ date: '2026-11-20', currency: 'USD', orders: 214, revenue_cents: 1_069_786 }],
      }),
    },
    responses: {
      200: {
        description: 'The rows are stored',
        content: jsonContent(
          z.object({
            stored: z.int().meta({ description: 'How many days and currencies.', example: 1 }),
          }),
          { stored: 1 },
        ),
      },
      ...errorResponses([400, 401, 403, 405, 413, 415, 422, 500, 503], NEEDS_DOMAIN),
    },
  })

  const app = new OpenAPIHono<ServerEnv>()
  app.openapi(route, async (c) => {
    const { domain, totals } = c.req.valid('json')
    requireDomain(c, domain)
    // If a day and currency are there twice, the last row counts.
    const rows = new Map(
      totals.map(({ date, currency, orders, revenue_cents }) => [
        `${date} ${currency}`,
        { domain, day: date, currency, orders, revenue: revenue_cents, reported_at: now() },
      ]),
    )
    await saveTotals(db, [...rows.values()])
    return c.json({ stored: rows.size }, 200)
  })
  return app
}
