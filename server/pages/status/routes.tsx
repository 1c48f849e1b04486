import { OpenAPIHono } from '@hono/zod-openapi'
import { severityRank } from '../../../shared/audit/vocabulary.ts'
import { normaliseDomain } from '../../../shared/web/address/domain.ts'
import { openIncidentsAmong } from '../../db/watch/incidents.ts'
import { listWatchesInShort } from '../../db/watch/portfolio.ts'
import { hasStatusPage } from '../../db/watch/status-pages.ts'
import type { ServerEnv } from '../../http/env.ts'
import { readStatusDays } from '../account/watch/read-watch.ts'
import { renderPage } from '../render-page.tsx'
import { Link, type PageDeps, siteOf } from '../site.tsx'
import { StatusPage } from './StatusPage.tsx'

// Unspecified: a public status page may be a minute old, and disappears within a minute of being
// switched off.
const KEPT = { 'Cache-Control': 'public, max-age=60' }
const MISSING = { 'X-Robots-Tag': 'noindex' }

/** `GET /status/<domain>`: for domains whose owner publishes it. */
export function statusRoutes(deps: PageDeps) {
  const { db, now } = deps
  const site = siteOf(deps)

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/status/:domain', async (c) => {
    const read = normaliseDomain(c.req.param('domain'))
    const domain = 'domain' in read ? read.domain : null
    const isShown = domain !== null && (await hasStatusPage(db, domain))
    const [watch] = isShown ? await listWatchesInShort(db, [domain]) : []
    if (domain === null || watch === undefined) {
      const title = 'There is no public status page here'
      return renderPage(
        c,
        site,
        { title, status: 404, headers: MISSING },
        <>
          <h1>{title}</h1>
          <p>
            If this is your store, you can switch the page on where you{' '}
            <Link to="/watches">watch it</Link>.
          </p>
        </>,
      )
    }
    const at = now()
    const [open, days] = await Promise.all([
      openIncidentsAmong(db, [domain]),
      readStatusDays(db, domain, at),
    ])
    return renderPage(
      c,
      site,
      {
        title: `AI shopping at ${domain}`,
        description: `Whether AI agents can buy at ${domain}, and how it was in the last 90 days.`,
        headers: KEPT,
      },
      <StatusPage
        watch={watch}
        open={open
          .filter(({ kind }) => kind !== 'signal')
          .sort((a, b) => severityRank(a.severity) - severityRank(b.severity))}
        days={days}
        now={at}
      />,
    )
  })
  return app
}
