import { randomUUID } from 'node:crypto'
import { OpenAPIHono } from '@hono/zod-openapi'
import { normaliseDomain } from '../../../shared/domain.ts'
import { Notice } from '../../../shared/view/Notice.tsx'
import type { Deps, ServerEnv } from '../../app.ts'
import { requireDomain, requireScope } from '../../auth.ts'
import { limitBody } from '../../body-limit.ts'
import { listDomains } from '../../db/properties.ts'
import { recentEvents } from '../../db/recent-events.ts'
import { listShares } from '../../db/shares.ts'
import { ApiError } from '../../errors.ts'
import { loadReport } from '../../report/build-report.ts'
import { csvHeaders, loadReportCsv } from '../../report/csv.ts'
import { requireWebSession } from '../../web-session.ts'
import { renderPage } from '../render-page.tsx'
import { refuseForeignForms } from '../same-site.ts'
import { siteOf } from '../site.tsx'
import { readForm } from '../tools/read-form.ts'
import { NoDomains, ReportPage } from './ReportPage.tsx'
import { readReportQuery } from './report-query.ts'

/** `GET /report`, the dashboard of whoever is signed in, and its test event. */
export function reportPageRoutes(deps: Deps) {
  const { db, now, ingest } = deps
  const site = siteOf(deps)
  const action = site.path('/report')

  return new OpenAPIHono<ServerEnv>()
    .get('/report', requireWebSession(deps), async (c) => {
      requireScope(c, 'report:read')
      const domains = await listDomains(db, c.var.key.domains)
      const domain = domainOf(c.req.query('domain') ?? domains[0])
      if (domain === null) {
        return renderPage(c, site, { title: 'Report' }, <NoDomains />)
      }
      requireDomain(c, domain)
      const at = now()
      const { asked, query, problem } = readReportQuery(c.req.query(), domain, at)
      if (asked.format === 'csv') {
        return c.body(await loadReportCsv(db, query), 200, csvHeaders(query))
      }
      const report = await loadReport(db, query)
      const [events, shares] = await Promise.all([
        recentEvents(db, domain),
        listShares(db, domain, 'report'),
      ])
      const canTest = c.var.key.scopes.includes('report:write')
      return renderPage(
        c,
        site,
        { title: `Report of ${domain}`, scripts: ['copy.js'] },
        <>
          {problem !== null && <Notice kind="warning" title={problem} />}
          <ReportPage
            report={report}
            asked={{ ...asked, domain }}
            now={at}
            action={action}
            own={{
              domains: [...new Set([domain, ...domains])],
              events: { events, canTest },
              share: { shares },
            }}
          />
        </>,
      )
    })
    .post(
      '/report/test-event',
      refuseForeignForms(deps),
      requireWebSession(deps),
      limitBody,
      async (c) => {
        requireScope(c, 'report:write')
        const domain = domainOf((await readForm(c)).get('domain'))
        if (domain === null) throw NO_DOMAIN
        requireDomain(c, domain)
        await ingest.record(testEvent(domain, now()))
        return c.redirect(`${action}?domain=${domain}#events`, 303)
      },
    )
}

export function domainOf(text: string | null | undefined): string | null {
  const read = normaliseDomain(text ?? '')
  return 'domain' in read ? read.domain : null
}

export const NO_DOMAIN = new ApiError(
  422,
  'invalid_request',
  'Name a domain without a scheme, such as "shop.example".',
)

/** Stored and listed like any event; neither a session nor an order. */
function testEvent(domain: string, ts: Date) {
  const session_id = `test-${randomUUID()}`
  return {
    domain,
    event: 'ai_test' as const,
    source: 'web' as const,
    session_id,
    visit_id: session_id,
    ts,
    key: `ai_test:${session_id}`,
    fingerprint: '',
    signals: {},
    ai_surface: null,
    value: null,
    currency: null,
    properties: {},
  }
}
