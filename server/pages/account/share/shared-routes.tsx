import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { isWalkOver } from '../../../../shared/walk/stored-walk.ts'
import { openShare } from '../../../access/share-links.ts'
import { loadReport } from '../../../attribution/report/build-report.ts'
import { csvHeaders, loadReportCsv } from '../../../attribution/report/csv.ts'
import { transcriptSoFar } from '../../../audit/walk/read-walk.ts'
import type { Share } from '../../../db/access/shares.ts'
import { shopDay } from '../../../db/attribution/domain-settings.ts'
import { readWalk } from '../../../db/audit/walks.ts'
import { ApiError } from '../../../http/api-error.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { pictureAnswers } from '../../../routes/walk/pictures.ts'
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

/** A request with the token of a link. */
type Linked = Context<ServerEnv, '/shared/:token'>

const placeOf = (c: Linked): string => `/shared/${c.req.param('token')}`

/** `GET /shared/<token>`: a report, an audit or a walk, read-only, for anyone who has the link. */
export function sharedRoutes(deps: PageDeps) {
  const { db, now } = deps
  const site = siteOf(deps)
  const fewAtATime = createFewAtATime()
  const answerPicture = pictureAnswers(deps)

  async function showWalk(c: Linked, { domain, walk_id, expires_at }: Share) {
    // A walk is deleted after its links.
    const walk = await readWalk(db, { domain, id: walk_id ?? '' })
    if (walk === null) throw new ApiError(404, 'not_found', 'This walk was deleted.')
    const place = placeOf(c)
    return renderPage(
      c,
      site,
      { title: `Purchases at ${domain}`, headers, scripts: ['copy.js'] },
      <>
        <SharedBy {...{ domain, expires_at }} />
        <WalkPage
          transcript={await transcriptSoFar(db, walk)}
          isUnderWay={!isWalkOver(walk.state)}
          here={place}
          only={c.req.query('purchase')}
          address={site.baseUrl + place}
        />
      </>,
    )
  }

  async function showAudit(c: Linked, { domain, expires_at }: Share, at: Date) {
    const title = `Audit of ${domain}`
    const audit = await readAudit(db, domain)
    return renderPage(
      c,
      site,
      { title, headers, scripts: ['copy.js'] },
      <>
        <SharedBy {...{ domain, expires_at }} />
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

  async function showReport(c: Linked, { domain, expires_at }: Share, at: Date) {
    const { asked, query, wantsCsv, problem } = readReportQuery(
      c.req.query(),
      domain,
      await shopDay(db, domain, at),
    )
    if (wantsCsv) {
      return c.body(await loadReportCsv(db, query), 200, { ...headers, ...csvHeaders(query) })
    }
    const action = site.path(placeOf(c))
    const report = await loadReport(db, query, at)
    return renderPage(
      c,
      site,
      { title: `Report of ${domain}`, headers },
      <>
        <SharedBy {...{ domain, expires_at }} />
        <ReportPage {...{ report, asked, problem, action }} now={at} />
      </>,
    )
  }

  function showInvalid(c: Context<ServerEnv>) {
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

  const shown: Record<
    Share['view'],
    (c: Linked, share: Share, at: Date) => Response | Promise<Response>
  > = {
    walk: (c, share) => fewAtATime(c, share.id, () => showWalk(c, share)),
    audit: showAudit,
    report: showReport,
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/shared/:token', async (c) => {
    const at = now()
    const share = await openShare(db, c.req.param('token'), at)
    return share === null ? showInvalid(c) : shown[share.view](c, share, at)
  })
  app.get('/shared/:token/pictures/:n', async (c) => {
    const share = await openShare(db, c.req.param('token'), now())
    if (share?.view !== 'walk') return showInvalid(c)
    const { domain, walk_id } = share
    const walk = await readWalk(db, { domain, id: walk_id ?? '' })
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return walk === null ? showInvalid(c) : answerPicture(c, walk, c.req.param('n'))
  })
  return app
}

function SharedBy({ domain, expires_at }: Pick<Share, 'domain' | 'expires_at'>) {
  return (
    <p class="strip">
      <span>
        Shared with you by the owner of {domain}, valid <ShareEnd at={expires_at} />.
      </span>
    </p>
  )
}
