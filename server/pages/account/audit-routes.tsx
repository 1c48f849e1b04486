import { OpenAPIHono } from '@hono/zod-openapi'
import { DEFAULT_CHECKS, ENGINE_VERSION } from '../../../shared/audit.ts'
import { Notice } from '../../../shared/view/Notice.tsx'
import type { Deps, ServerEnv } from '../../app.ts'
import { requireDomain, requireScope } from '../../auth.ts'
import { limitBody } from '../../body-limit.ts'
import { findAudit, listAudits } from '../../db/audits.ts'
import { hasBadge, setBadge } from '../../db/badges.ts'
import type { Db } from '../../db/connect.ts'
import { listShares } from '../../db/shares.ts'
import { requireWebSession } from '../../web-session.ts'
import { renderPage } from '../render-page.tsx'
import { refuseForeignForms } from '../same-site.ts'
import { siteOf } from '../site.tsx'
import { readForm } from '../tools/read-form.ts'
import { AuditPage } from './AuditPage.tsx'
import { domainOf, NO_DOMAIN } from './report-routes.tsx'

/** `GET /audits/<domain>`: the latest audit and those before, for the holder of a key. */
export function auditPageRoutes(deps: Deps) {
  const { db, now } = deps
  const site = siteOf(deps)

  return new OpenAPIHono<ServerEnv>()
    .get('/audits/:domain', requireWebSession(deps), async (c) => {
      requireScope(c, 'audit')
      const domain = domainOf(c.req.param('domain'))
      if (domain === null) throw NO_DOMAIN
      requireDomain(c, domain)
      const title = `Audit of ${domain}`
      const [audit, isBadgeShown, shares] = await Promise.all([
        readAudit(db, domain),
        hasBadge(db, domain),
        listShares(db, domain, 'audit'),
      ])
      if (audit === null) {
        return renderPage(
          c,
          site,
          { title },
          <>
            <h1>{title}</h1>
            <Notice kind="info" title="There is no audit of this domain yet">
              <p>
                Ask for one by POST /api/audit, or in the extension.{' '}
                <a href={site.path('/help#audit')}>How</a>
              </p>
            </Notice>
          </>,
        )
      }
      return renderPage(
        c,
        site,
        { title, scripts: ['copy.js'] },
        <AuditPage {...audit} now={now()} own={{ isBadgeShown, share: { shares } }} />,
      )
    })
    .post(
      '/audits/:domain/badge',
      refuseForeignForms(deps),
      requireWebSession(deps),
      limitBody,
      async (c) => {
        requireScope(c, 'audit')
        const domain = domainOf(c.req.param('domain'))
        if (domain === null) throw NO_DOMAIN
        requireDomain(c, domain)
        await setBadge(db, domain, (await readForm(c)).get('shown') === 'yes', now())
        return c.redirect(site.path(`/audits/${domain}#badge`), 303)
      },
    )
}

/** The newest audit by all checks of this engine, and the history; null when there is none. */
export async function readAudit(db: Db, domain: string) {
  const [result, history] = await Promise.all([
    findAudit(db, domain, DEFAULT_CHECKS, ENGINE_VERSION),
    listAudits(db, domain),
  ])
  return result && { result, history }
}
