import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { namesDomain } from '../../../access/covered-domains.ts'
import { requireWebSession } from '../../../access/web-session.ts'
import { saveAudit } from '../../../db/audits.ts'
import { hasBadge, setBadge } from '../../../db/badges.ts'
import { listShares } from '../../../db/shares.ts'
import { limitBody } from '../../../http/body-limit.ts'
import { callByKey } from '../../../http/caller.ts'
import { coalesce } from '../../../http/coalesce.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { AUDIT_QUOTA, limitRequests } from '../../../http/rate-limit.ts'
import { renderPage } from '../../render-page.tsx'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { domainChooser } from '../choose-domain.tsx'
import { coveredDomain } from '../covered-domain.ts'
import { AuditForm } from './AuditForm.tsx'
import { AuditPage } from './AuditPage.tsx'
import { readAudit } from './read-audit.ts'

/** `GET /audits`, `POST /audits`, which makes one, `GET /audits/<domain>`, and the badge's switch. */
export function auditPageRoutes(deps: PageDeps) {
  const { db, now, audit } = deps
  const site = siteOf(deps)
  const count = limitRequests(db, AUDIT_QUOTA)
  const signedIn = requireWebSession(deps)
  const choose = domainChooser(deps, { path: '/audits', title: 'Audits', scope: 'audit' })
  const ownForm = [refuseForeignForms(deps), signedIn, limitBody] as const

  /**
   * A button that is clicked twice gives one audit: the second request waits for that of the first,
   * which goes on although the browser has left it.
   */
  const makeAudit = coalesce(
    ({ c, domain }: { c: Context<ServerEnv>; domain: string }) => `${c.var.key.id} ${domain}`,
    async ({ c, domain }, signal) => {
      await count(c)
      const agents = namesDomain(c.var.key.domains, domain)
      await saveAudit(
        db,
        await audit({ domain, checks: [...DEFAULT_CHECKS], agents }, { ...callByKey(c), signal }),
      )
    },
  )

  return new OpenAPIHono<ServerEnv>()
    .get('/audits', signedIn, async (c) => {
      const chosen = await choose(c)
      return 'ask' in chosen ? chosen.ask : c.redirect(site.path(`/audits/${chosen.domain}`), 303)
    })
    .post('/audits', ...ownForm, async (c) => {
      const domain = coveredDomain(c, 'audit', (await readForm(c)).get('domain'))
      await makeAudit({ c, domain })
      return c.redirect(site.path(`/audits/${domain}`), 303)
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
