import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { ErrorNotice } from '../../../shared/view/Notice.tsx'
import type { Deps, ServerEnv } from '../../app.ts'
import { requireDomain, requireScope } from '../../auth.ts'
import { limitBody } from '../../body-limit.ts'
import { revokeShare, type Share } from '../../db/shares.ts'
import { loadReport } from '../../report/build-report.ts'
import { csvHeaders, loadReportCsv } from '../../report/csv.ts'
import { createShare, openShare, SHARE_DAYS } from '../../share-links.ts'
import { requireWebSession } from '../../web-session.ts'
import { renderPage } from '../render-page.tsx'
import { refuseForeignForms } from '../same-site.ts'
import { siteOf } from '../site.tsx'
import { readForm } from '../tools/read-form.ts'
import { AuditPage } from './AuditPage.tsx'
import { readAudit } from './audit-routes.tsx'
import { ReportPage } from './ReportPage.tsx'
import { readReportQuery } from './report-query.ts'
import { domainOf, NO_DOMAIN } from './report-routes.tsx'
import { ShareMade } from './ShareMade.tsx'

const SCOPE_OF = { report: 'report:read', audit: 'audit' } as const satisfies Record<
  Share['view'],
  string
>
const viewOf = (text: string | null): Share['view'] => (text === 'audit' ? 'audit' : 'report')

/** `POST /shares`, `POST /shares/end` and what a link opens, `GET /shared/<token>`. */
export function shareRoutes(deps: Deps) {
  const { db, now } = deps
  const site = siteOf(deps)
  const ownForm = [refuseForeignForms(deps), requireWebSession(deps), limitBody] as const
  const pageOf = (view: Share['view'], domain: string) =>
    site.path(view === 'audit' ? `/audits/${domain}` : `/report?domain=${domain}`)

  /** The form's domain and view, once the key is seen to cover them. */
  async function readShareForm(c: Context<ServerEnv>) {
    const form = await readForm(c)
    const view = viewOf(form.get('view'))
    const domain = domainOf(form.get('domain'))
    if (domain === null) throw NO_DOMAIN
    requireScope(c, SCOPE_OF[view])
    requireDomain(c, domain)
    return { form, view, domain }
  }

  return new OpenAPIHono<ServerEnv>()
    .post('/shares', ...ownForm, async (c) => {
      const { form, view, domain } = await readShareForm(c)
      const days =
        form.get('days') === ''
          ? null
          : (SHARE_DAYS.find((each) => each === Number(form.get('days'))) ?? 7)
      const { token, expires_at } = await createShare(
        db,
        { domain, view, key_id: c.var.key.id, days },
        now(),
      )
      return renderPage(
        c,
        site,
        { title: 'A link is made', scripts: ['copy.js'] },
        <ShareMade
          link={`${site.baseUrl}/shared/${token}`}
          back={`${pageOf(view, domain)}#share`}
          domain={domain}
          view={view}
          expiresAt={expires_at}
        />,
      )
    })
    .post('/shares/end', ...ownForm, async (c) => {
      const { form, view, domain } = await readShareForm(c)
      await revokeShare(db, domain, form.get('id') ?? '', now())
      return c.redirect(`${pageOf(view, domain)}#share`, 303)
    })
    .get('/shared/:token', async (c) => {
      const at = now()
      const share = await openShare(db, c.req.param('token'), at)
      const headers = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' }
      if (share === null) {
        return renderPage(
          c,
          site,
          { title: 'This link opens nothing', status: 404, headers },
          <>
            <h1>This link opens nothing</h1>
            <p>It may have ended, or a part of it is missing. Ask whoever sent it for a new one.</p>
          </>,
        )
      }
      const { domain } = share
      if (share.view === 'audit') {
        const audit = await readAudit(db, domain)
        const title = `Audit of ${domain}`
        return audit === null
          ? renderPage(
              c,
              site,
              { title, headers },
              <ErrorNotice title={`${domain} has no audit`} />,
            )
          : renderPage(c, site, { title, headers }, <AuditPage {...audit} now={at} />)
      }
      const { asked, query } = readReportQuery(c.req.query(), domain, at)
      if (asked.format === 'csv') {
        return c.body(await loadReportCsv(db, query), 200, csvHeaders(query))
      }
      const report = await loadReport(db, query)
      const action = site.path(`/shared/${c.req.param('token')}`)
      return renderPage(
        c,
        site,
        { title: `Report of ${domain}`, headers },
        <ReportPage report={report} asked={asked} now={at} action={action} />,
      )
    })
}
