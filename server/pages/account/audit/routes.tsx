import { OpenAPIHono } from '@hono/zod-openapi'
import { requireWebSession } from '../../../access/web-session.ts'
import { hasBadge, setBadge } from '../../../db/badges.ts'
import { listShares } from '../../../db/shares.ts'
import { limitBody } from '../../../http/body-limit.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { renderPage } from '../../render-page.tsx'
import { keyRuns, runPath } from '../../runs/start-run.ts'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { domainChooser } from '../choose-domain.tsx'
import { coveredDomain } from '../covered-domain.ts'
import { AuditForm } from './AuditForm.tsx'
import { AuditPage } from './AuditPage.tsx'
import { readAudit } from './read-audit.ts'

/** `GET /audits`, `POST /audits`, which begins one, `GET /audits/<domain>`, and the badge's switch. */
export function auditPageRoutes(deps: PageDeps) {
  const { db, now } = deps
  const site = siteOf(deps)
  const startRun = keyRuns(deps)
  const signedIn = requireWebSession(deps)
  const choose = domainChooser(deps, { path: '/audits', title: 'Audits', scope: 'audit' })
  const ownForm = [refuseForeignForms(deps), signedIn, limitBody] as const

  return new OpenAPIHono<ServerEnv>()
    .get('/audits', signedIn, async (c) => {
      const chosen = await choose(c)
      return 'ask' in chosen ? chosen.ask : c.redirect(site.path(`/audits/${chosen.domain}`), 303)
    })
    .post('/audits', ...ownForm, async (c) => {
      const domain = coveredDomain(c, 'audit', (await readForm(c)).get('domain'))
      return c.redirect(site.path(runPath(await startRun(c, domain))), 303)
    })
    .get('/audits/:domain', signedIn, async (c) => {
      const domain = coveredDomain(c, 'audit', c.req.param('domain'))
      const title = `Audit of ${domain}`
      const at = now()
      const [found, isBadgeShown, shares] = await Promise.all([
        readAudit(db, domain),
        hasBadge(db, domain),
        listShares(db, { domain, view: 'audit' }, at),
      ])
      return renderPage(
        c,
        site,
        { title, scripts: ['copy.js'] },
        found === null ? (
          <>
            <h1>{title}</h1>
            <p class="lead">There is no audit yet.</p>
            <AuditForm domain={domain} label="Run an audit" />
          </>
        ) : (
          <AuditPage {...found} now={at} own={{ isBadgeShown, share: { shares } }} />
        ),
      )
    })
    .post('/audits/:domain/badge', ...ownForm, async (c) => {
      const domain = coveredDomain(c, 'audit', c.req.param('domain'))
      await setBadge(db, domain, (await readForm(c)).get('shown') === 'yes', now())
      return c.redirect(site.path(`/audits/${domain}#badge`), 303)
    })
}
