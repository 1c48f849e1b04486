import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AuditResult } from '../../../../shared/audit/result/result.ts'
import type { StoredAudit } from '../../../../shared/audit/result/stored-audit.ts'
import { requireScope } from '../../../access/auth.ts'
import { requireWebSession } from '../../../access/web-session.ts'
import { loadFixChanges } from '../../../attribution/worth/fix-changes.ts'
import { loadGapWorth } from '../../../attribution/worth/gap-worth.ts'
import { changesBetween, listAuditedDomains } from '../../../audit/stored-audits.ts'
import { listShares } from '../../../db/access/shares.ts'
import { findAuditById, listAudits } from '../../../db/audit/audits.ts'
import { hasBadge, setBadge } from '../../../db/audit/badges.ts'
import { isUuid } from '../../../db/values.ts'
import { ApiError } from '../../../http/api-error.ts'
import { limitBody } from '../../../http/body-limit.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { StandardsPage } from '../../market/StandardsPage.tsx'
import { renderPage } from '../../render-page.tsx'
import { keyRuns, runPath } from '../../runs/start-run.ts'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { domainChooser } from '../choose-domain.tsx'
import { coveredDomain } from '../covered-domain.ts'
import { AuditForm } from './AuditForm.tsx'
import { AuditPage, PublicPanels } from './AuditPage.tsx'
import { AuditsPage } from './AuditsPage.tsx'
import { ComparePage } from './ComparePage.tsx'
import { PastAuditPage } from './PastAuditPage.tsx'
import { CompareForm, PastAudits } from './PastAudits.tsx'
import { readAudit } from './read-audit.ts'

// Unspecified: lists of audits and of domains have 50 rows on a page.
const SHOWN = 50

const notStored = () =>
  new ApiError(
    404,
    'not_found',
    'This audit is not stored: it was deleted, or the address is wrong. Open the list of audits.',
  )

/**
 * `GET /audits`, all domains of the key; `POST /audits`, which starts one; `GET /audits/<domain>`,
 * the latest, `/audits/<domain>/<id>`, any that is stored, `/audits/<domain>/compare`, two of them;
 * and the badge's switch.
 */
export function auditPageRoutes(deps: PageDeps) {
  const { db, now } = deps
  const site = siteOf(deps)
  const startRun = keyRuns(deps)
  const signedIn = requireWebSession(deps)
  const choose = domainChooser(deps, {
    path: '/audits',
    title: 'Audits',
    scopes: ['audit'],
    offers: 'the page shows its audits.',
  })
  const ownForm = [refuseForeignForms(deps), signedIn, limitBody] as const

  /** Throws 404 if it does not exist or belongs to another domain. */
  async function storedAudit(domain: string, id: string): Promise<StoredAudit> {
    const found = isUuid(id) ? await findAuditById(db, id, [domain]) : null
    if (found === null) throw notStored()
    return found
  }

  async function pastAudits(domain: string, after: string | undefined) {
    const from = after !== undefined && isUuid(after) ? after : undefined
    const found = await listAudits(db, domain, { limit: SHOWN + 1, after: from })
    return { audits: found.slice(0, SHOWN), hasMore: found.length > SHOWN }
  }

  /** What it is worth, for a key that may read reports. */
  async function readWorth(c: Context<ServerEnv>, audit: AuditResult | null | undefined) {
    if (!c.var.key.scopes.includes('report:read') || !audit) return { worth: null, fixes: [] }
    const { domain, gaps } = audit
    const [worth, fixes] = await Promise.all([
      loadGapWorth(db, { domain, now: now(), gaps }),
      loadFixChanges(db, domain, now()),
    ])
    return { worth, fixes }
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/audits', signedIn, async (c) => {
    if (c.req.query('domain') !== undefined) {
      const chosen = await choose(c)
      return 'ask' in chosen ? chosen.ask : c.redirect(site.path(`/audits/${chosen.domain}`), 303)
    }
    requireScope(c, 'audit')
    const { key } = c.var
    const page = { limit: SHOWN, after: c.req.query('after') }
    const listed = await listAuditedDomains(deps, key, page)
    const canType = key.domains.includes('*')
    // The chooser says how to get a key that covers a domain.
    if (listed.domains.length === 0 && !canType) {
      const chosen = await choose(c)
      if ('ask' in chosen) return chosen.ask
    }
    return renderPage(
      c,
      site,
      { title: 'Audits' },
      <AuditsPage {...listed} now={now()} canType={canType} />,
    )
  })
  app.post('/audits', ...ownForm, async (c) => {
    const domain = coveredDomain(c, 'audit', (await readForm(c)).get('domain'))
    return c.redirect(site.path(runPath(await startRun(c, domain))), 303)
  })
  app.get('/audits/:domain', signedIn, async (c) => {
    const domain = coveredDomain(c, 'audit', c.req.param('domain'))
    const title = `Audit of ${domain}`
    const at = now()
    const [found, past, isBadgeShown, shares] = await Promise.all([
      readAudit(db, domain),
      pastAudits(domain, c.req.query('after')),
      hasBadge(db, domain),
      listShares(db, { domain, view: 'audit' }, at),
    ])
    const valued = await readWorth(c, found?.result)
    return renderPage(
      c,
      site,
      { title, scripts: ['copy.js'] },
      found === null ? (
        <>
          <h1>{title}</h1>
          <p class="lead">
            {past.audits.length === 0
              ? 'There is no audit yet.'
              : 'There is no audit by all checks yet. Those by some of them are below.'}
          </p>
          <AuditForm domain={domain} label="Run an audit" />
          {past.audits.length > 0 && <PastAudits domain={domain} {...past} />}
          {(isBadgeShown || shares.length > 0) && (
            <PublicPanels {...{ domain, isBadgeShown }} share={{ shares }} />
          )}
        </>
      ) : (
        <AuditPage {...found} now={at} own={{ past, isBadgeShown, share: { shares }, ...valued }} />
      ),
    )
  })
  app.get('/audits/:domain/standards', signedIn, async (c) => {
    const domain = coveredDomain(c, 'audit', c.req.param('domain'))
    const found = await readAudit(db, domain)
    if (found === null) throw notStored()
    const title = `Standards that ${domain} needs`
    return renderPage(c, site, { title }, <StandardsPage result={found.result} />)
  })
  app.get('/audits/:domain/compare', signedIn, async (c) => {
    const domain = coveredDomain(c, 'audit', c.req.param('domain'))
    const { audits } = await pastAudits(domain, undefined)
    const [newest] = audits
    const asked = [
      c.req.query('before') ?? newest?.before?.id ?? '',
      c.req.query('after') ?? newest?.id ?? '',
    ] as const
    if (asked[0] === asked[1] || asked.includes('')) {
      return renderPage(
        c,
        site,
        { title: `Two audits of ${domain}`, status: 422 },
        <>
          <h1>Two audits of {domain}</h1>
          <p class="lead">
            {audits.length > 1
              ? 'Choose two different audits.'
              : 'There are no two audits to compare yet.'}
          </p>
          {audits.length > 1 && <CompareForm domain={domain} audits={audits} />}
        </>,
      )
    }
    const [one, other] = await Promise.all(asked.map((id) => storedAudit(domain, id)))
    if (one === undefined || other === undefined) throw notStored()
    return renderPage(
      c,
      site,
      { title: `Two audits of ${domain}` },
      <ComparePage changes={changesBetween(one, other, deps)} audits={audits} />,
    )
  })
  app.get('/audits/:domain/:id', signedIn, async (c) => {
    const domain = coveredDomain(c, 'audit', c.req.param('domain'))
    const audit = await storedAudit(domain, c.req.param('id'))
    const [listed] = await listAudits(db, domain, { only: audit.id })
    const { worth } = await readWorth(c, audit)
    return renderPage(
      c,
      site,
      { title: `Audit of ${domain}`, scripts: ['copy.js'] },
      <PastAuditPage audit={audit} before={listed?.before ?? null} worth={worth} />,
    )
  })
  app.post('/audits/:domain/badge', ...ownForm, async (c) => {
    const domain = coveredDomain(c, 'audit', c.req.param('domain'))
    await setBadge(db, domain, (await readForm(c)).get('shown') === 'yes', now())
    return c.redirect(site.path(`/audits/${domain}#badge`), 303)
  })
  return app
}
