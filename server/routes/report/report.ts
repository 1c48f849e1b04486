import { createRoute, type Hook, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import * as z from 'zod'
import { Report, ReportQuery } from '../../../shared/attribution/report.ts'
import { requireDomain, requireKey } from '../../access/auth.ts'
import { loadReport } from '../../attribution/report/build-report.ts'
import { csvHeaders, loadReportCsv } from '../../attribution/report/csv.ts'
import type { Deps } from '../../deps.ts'
import type { ServerEnv } from '../../http/env.ts'
import { invalidRequest } from '../../http/errors.ts'
import { requestSchema } from '../../http/validation.ts'
import { component, jsonContent } from '../openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from '../openapi/error-responses.ts'
import { headerRefs } from '../openapi/headers.ts'
import { REPORT } from './example.ts'

const DESCRIPTION = `Days are those of \`time_zone\`, in UTC unless the property has another, and weeks start on Monday. Today is incomplete: \`complete_through\` is the last day that is over, and a row is \`partial\` where some days of its period are outside of the range or not over.

A session counts once, on the day and under the surface that it began with; a checkout and its order on the day that each happened. So a sale that begins before midnight and is paid after it is a session and a checkout of the first day and an order of the second, and the days, weeks, months and surfaces add up to the summary. A day may have more orders than sessions; a rate is at most 1. Events may arrive in any order: what was counted of a session is corrected when an earlier event of it, or the first that names a surface, arrives within two days. With weeks and months, the first row of \`daily\` is dated \`start\` and covers only days of the range, as does the last.

Revenue is in one currency, named in \`currency\`, and gross: refunds and cancellations are not subtracted. Where refunds were reported (\`ai_order_refunded\`), \`refunds\` counts them over all currencies, \`refunded_cents\` is what they gave back, and \`net_revenue_cents\` is the revenue less that; in \`summary\` these are \`ai_refunds\`, \`ai_refunded_cents\` and \`ai_net_revenue_cents\`. Without a refund these fields are left out. A refund counts on its own day, under the surface of its order, so net revenue is negative where more was refunded than sold. \`ai_orders\` counts orders in all currencies; with the parameter \`currency\`, orders, revenue and refunds are of that currency alone, and the rates with them (\`currency=main\`: the one with the most orders); with \`money_in\` only the amounts are. \`revenue_by_currency\` has each currency with its own orders, rate and average; orders without a value are in none of them, but in \`orders_without_value\`.

\`surface\`, \`kind\`, \`landing\` and \`product_id\` filter the whole report, \`set_aside\` aside. \`by_landing\` and \`by_product\` list \`limit\` rows from \`offset\`, sorted by \`sort\`; only the pages and products with the most events are kept by name, and \`other\` has the rest.

\`set_aside\` lists the days on which more sessions arrived from a storefront than visitors send: from one address, from one network, or for one property. Those beyond the bound are in no other figure, and not in the CSV file.

\`compare=previous\` adds the preceding period: as many months if the range is whole calendar months, otherwise as many days. Each \`change\` is between \`previous.compared\`: the days of the range that are over, and the same part of the period before.

\`series=surface\` adds one row per period and surface.

\`format=csv\`, or \`Accept: text/csv\` without \`format\`, returns a file for spreadsheets: one row per period and surface, with amounts in whole units of the currency that it names, such as 49.99. It is the one in \`currency\`, or else that of most orders; \`other_orders\` counts the orders in another or in none. Each of its columns can be summed over the surfaces. Orders without a known visit and without a surface stand in rows of their own, whose surface is \`unattributed\`, if there are any: leave these out of such a sum.`

/** `GET /api/report` (spec, Attribution report). */
export function reportRoutes(deps: Pick<Deps, 'db' | 'now' | 'log'>) {
  const { db, now } = deps
  const route = createRoute({
    method: 'get',
    path: '/api/report',
    operationId: 'readReport',
    tags: ['Attribution'],
    summary: 'Sessions, checkouts, orders and revenue that AI surfaces brought to a domain',
    description: DESCRIPTION,
    security: [{ key: ['report:read'] }],
    middleware: requireKey(deps, 'report:read'),
    request: { query: requestSchema(ReportQuery) },
    responses: {
      200: {
        description: 'The report',
        headers: headerRefs('Content-Disposition'),
        content: {
          ...jsonContent(component('Report', Report), REPORT),
          'text/csv': { schema: z.string() },
        },
      },
      ...errorResponses([401, 403, 405, 422, 500, 503], NEEDS_DOMAIN),
    },
  })

  return new OpenAPIHono<ServerEnv>({ defaultHook: refuseQuery }).openapi(route, async (c) => {
    const query = c.req.valid('query')
    requireDomain(c, query.domain)
    if (query.format === 'json' && !prefersCsv(c))
      return c.json(await loadReport(db, query, now()), 200)

    return c.body(await loadReportCsv(db, query), 200, csvHeaders(query))
  })
}

const prefersCsv = (c: Context): boolean =>
  c.req.query('format') === undefined &&
  accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/csv'],
    default: 'application/json',
  }) === 'text/csv'

/** A repeated parameter is read as an array; "Send a string." would not help the caller. */
const refuseQuery: Hook<unknown, ServerEnv, string, unknown> = (result, c) => {
  if (result.success) return
  const isRepeated = (name: string) => (c.req.queries(name)?.length ?? 0) > 1
  const issues = result.error.issues.map((issue) =>
    isRepeated(String(issue.path[0]))
      ? { ...issue, code: 'custom' as const, message: 'Send this parameter once.' }
      : issue,
  )
  throw invalidRequest(issues, 'query')
}
