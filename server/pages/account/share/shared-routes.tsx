import { OpenAPIHono } from '@hono/zod-openapi'
import { isWalkOver } from '../../../../shared/walk/stored-walk.ts'
import { openShare } from '../../../access/share-links.ts'
import { loadReport } from '../../../attribution/report/build-report.ts'
import { csvHeaders, loadReportCsv } from '../../../attribution/report/csv.ts'
import { transcriptSoFar } from '../../../audit/walk/read-walk.ts'
import { shopDay } from '../../../db/attribution/time-zones.ts'
import { readWalk } from '../../../db/audit/walks.ts'
import { ApiError } from '../../../http/api-error.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { renderPage } from '../../render-page.tsx'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { AuditPage } from '../audit/AuditPage.tsx'
import { readAudit } from '../audit/read-audit.ts'
import { readReportQuery } from '../report/query.ts'
import { ReportPage } from '../report/ReportPage.tsx'
import { WalkPage } from '../walk/WalkPage.tsx'
import { createFewAtATime } from './few-at-a-time.ts'
import { ShareEnd } from './ShareEnd.tsx'

/** The address is a secret: it must not be sent to other sites or be indexed. */
const headers = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' }

// Unspecified: a link outlives the key that created it. Any key of the domain can revoke it.

/** `GET /shared/<token>`: a report, an audit or a walk, read-only, for anyone who has the link. */
export function sharedRoutes(deps: PageDeps) {
  const { db, now } = deps
  const site = siteOf(deps)
  const fewAtATime = createFewAtATime()

  return new OpenAPIHono<ServerEnv>().get('/shared/:token', async (c) => {
    const at = now()
    const token = c.req.param('token')
    const share = await openShare(db, token, at)
    if (share === null) {
      const title = 'This link is no longer valid'
      return renderPage(
        c,
        site,
        { title, status: 404, headers },
        <>
          <h1>{title}</h1>
          <p>
            It may have expired or been revoked, or a part of it is missing. Ask the person who sent
            it for a new one.
          </p>
        </>,
      )
    }
    const { domain, view, expires_at } = share
    const shared = (
      <p class="strip">
        <span>
          Shared with you by the owner of {domain}, valid <ShareEnd at={expires_at} />.
        </span>
      </p>
    )
    if (view === 'walk') {
      return fewAtATime(c, share.id, async () => {
        // A walk is deleted after its links.
        const walk = await readWalk(db, { domain, id: share.walk_id ?? '' })
        if (walk === null) throw new ApiError(404, 'not_found', 'This walk was deleted.')
        const place = `/shared/${token}`
        return renderPage(
          c,
          site,
          { title: `Purchases at ${domain}`, headers, scripts: ['copy.js'] },
          <>
            {shared}
            <WalkPage
              transcript={await transcriptSoFar(db, walk)}
              isUnderWay={!isWalkOver(walk.state)}
              here={place}
              only={c.req.query('purchase')}
              address={site.baseUrl + place}
            />
          </>,
        )
      })
    }
    if (view === 'audit') {
      const title = `Audit of ${domain}`
      const audit = await readAudit(db, domain)
      return renderPage(
        c,
        site,
        { title, headers, scripts: ['copy.js'] },
        <>
          {shared}
          {audit === null ? (
            <>
              <h1>{title}</h1>
              <p class="lead">There is no audit yet.</p>
            </>
          ) : (
            <AuditPage {...audit} now={at} />
          )}
        </>,
      )
    }
    const { asked, query, wantsCsv, problem } = readReportQuery(
      c.req.query(),
      domain,
      await shopDay(db, domain, at),
    )
    if (wantsCsv) {
      return c.body(await loadReportCsv(db, query), 200, { ...headers, ...csvHeaders(query) })
    }
    const action = site.path(`/shared/${token}`)
    const report = await loadReport(db, query, at)
    return renderPage(
      c,
      site,
      { title: `Report of ${domain}`, headers },
      <>
        {shared}
        <ReportPage {...{ report, asked, problem, action }} now={at} />
      </>,
    )
  })
}
