import { OpenAPIHono } from '@hono/zod-openapi'
import { drainSecretOf } from '../../../access/drain-secret.ts'
import { requireWebSession } from '../../../access/web-session.ts'
import { fetchCsv, loadFetchReport } from '../../../attribution/fetches/load-report.ts'
import { csvHeaders } from '../../../attribution/report/csv.ts'
import { shopDay } from '../../../db/attribution/domain-settings.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { renderPage } from '../../render-page.tsx'
import { type PageDeps, siteOf } from '../../site.tsx'
import { domainChooser } from '../choose-domain.tsx'
import { readReportQuery } from '../report/query.ts'
import { FetchesPage } from './FetchesPage.tsx'

/** `GET /fetches`: what agents that run no script read. */
export function fetchesPageRoutes(deps: PageDeps) {
  const { db, now, baseUrl } = deps
  const site = siteOf(deps)
  const action = site.path('/fetches')
  const choose = domainChooser(deps, {
    path: '/fetches',
    title: 'What agents read',
    scopes: ['report:read'],
    offers: 'the page shows what AI agents read there.',
    takesFirst: true,
  })

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/fetches', requireWebSession(deps), async (c) => {
    const chosen = await choose(c)
    if ('ask' in chosen) return chosen.ask
    const { domain, choice } = chosen
    const { scopes, id } = c.var.key
    const at = now()
    const today = await shopDay(db, domain, at)
    const { query, wantsCsv } = readReportQuery(c.req.query(), domain, today)
    const { start, end } = query
    const report = await loadFetchReport(db, { domain, start, end }, at)
    if (wantsCsv) return c.body(fetchCsv(report), 200, csvHeaders(query))
    const secret = scopes.includes('report:write') ? await drainSecretOf(db, id) : null
    const asked = new URLSearchParams({ domain, start, end, format: 'csv' })
    return renderPage(
      c,
      site,
      { title: `What agents read on ${domain}` },
      <FetchesPage
        report={report}
        today={today}
        now={at}
        action={action}
        csvHref={`${action}?${asked}`}
        choice={choice}
        sending={secret === null ? null : { address: `${baseUrl}/api/fetches`, keyId: id, secret }}
      />,
    )
  })
  return app
}
