import { OpenAPIHono } from '@hono/zod-openapi'
import { isForAPerson } from '../../../../shared/attribution/fetches/report.ts'
import { ENGINE_VERSION } from '../../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { requireWebSession } from '../../../access/web-session.ts'
import { loadReport } from '../../../attribution/report/build-report.ts'
import { csvHeaders, loadReportCsv } from '../../../attribution/report/csv.ts'
import { listShares } from '../../../db/access/shares.ts'
import { shopDay } from '../../../db/attribution/domain-settings.ts'
import { findAudit } from '../../../db/audit/audits.ts'
import { recentEvents } from '../../../db/events/recent.ts'
import { readAgents } from '../../../db/fetches/report.ts'
import { limitBody } from '../../../http/body-limit.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { renderPage } from '../../render-page.tsx'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { domainChooser } from '../choose-domain.tsx'
import { coveredDomain } from '../covered-domain.ts'
import { readReportQuery } from './query.ts'
import { ReportPage } from './ReportPage.tsx'
import { testEvent } from './test-event.ts'

/** `GET /report`, the dashboard for a signed-in key, and its test event. */
export function reportPageRoutes(deps: PageDeps) {
  const { db, now, ingest } = deps
  const site = siteOf(deps)
  const action = site.path('/report')
  const choose = domainChooser(deps, {
    path: '/report',
    title: 'Report',
    scopes: ['report:read'],
    offers: 'the report shows what AI brings it.',
    takesFirst: true,
  })

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/report', requireWebSession(deps), async (c) => {
    const chosen = await choose(c)
    if ('ask' in chosen) return chosen.ask
    const { domain, choice } = chosen
    const { scopes } = c.var.key
    const at = now()
    const today = await shopDay(db, domain, at)
    const { asked, query, wantsCsv, problem } = readReportQuery(c.req.query(), domain, today)
    if (wantsCsv) return c.body(await loadReportCsv(db, query), 200, csvHeaders(query))

    const [report, events, shares, audit, agents] = await Promise.all([
      loadReport(db, query, at),
      recentEvents(db, domain),
      listShares(db, { domain, view: 'report' }, at),
      scopes.includes('audit') ? findAudit(db, domain, DEFAULT_CHECKS, ENGINE_VERSION) : undefined,
      readAgents(db, query),
    ])
    return renderPage(
      c,
      site,
      { title: `Report of ${domain}` },
      <ReportPage
        report={report}
        asked={{ ...asked, domain }}
        problem={problem}
        now={at}
        action={action}
        own={{
          choice,
          audit,
          events: {
            events,
            canTest: scopes.includes('report:write'),
            isOpen: c.req.query('events') === 'open',
          },
          answers: agents.filter(isForAPerson).reduce((sum, { read }) => sum + read, 0),
          share: { shares },
        }}
      />,
    )
  })
  app.post(
    '/report/test-event',
    refuseForeignForms(deps),
    requireWebSession(deps),
    limitBody,
    async (c) => {
      const domain = coveredDomain(c, 'report:write', (await readForm(c)).get('domain'))
      await ingest.record(testEvent(domain, now()))
      return c.redirect(`${action}?domain=${domain}&events=open#events`, 303)
    },
  )
  return app
}
