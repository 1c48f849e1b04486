import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { domainOfAddress } from '../../../shared/web/address/domain.ts'
import { localShopPort } from '../../../shared/web/address/local-shop.ts'
import { covers } from '../../access/covered-domains.ts'
import { readWebSession, requireWebSession } from '../../access/web-session.ts'
import { LocalShopAway } from '../../audit/probe/fetch/local-shops.ts'
import { seenOf } from '../../audit/runs/runs.ts'
import type { ApiKey } from '../../db/access/keys.ts'
import { saveAudit } from '../../db/audit/audits.ts'
import { keptResultOf } from '../../db/audit/kept-result.ts'
import type { AuditRun } from '../../db/audit/runs.ts'
import { ApiError } from '../../http/api-error.ts'
import { limitBody } from '../../http/body-limit.ts'
import type { ServerEnv } from '../../http/env.ts'
import { createEventStreams } from '../../http/event-stream.ts'
import { coveredDomain } from '../account/covered-domain.ts'
import { StartPage } from '../info/StartPage.tsx'
import { renderPage } from '../render-page.tsx'
import { refuseForeignForms } from '../same-site.ts'
import type { PageDeps } from '../site.tsx'
import { siteOf } from '../site.tsx'
import { readForm } from '../tools/read-form.ts'
import { FirstResult } from './FirstResult.tsx'
import { RunPage } from './RunPage.tsx'
import { keyRuns, runPath, strangerRuns } from './start-run.ts'

// Unspecified: everyone who asks for the same domain gets the same first audit, so none of them can
// cancel it for the others.
const mayCancel = ({ by }: AuditRun): boolean => by !== 'stranger'

/** Whether the audits of a domain are this key's to make and keep. */
const isAuditor = ({ scopes, domains }: ApiKey, domain: string): boolean =>
  scopes.includes('audit') && covers(domains, domain)

/** The address is a secret: search engines must not index it. */
const headers = { 'X-Robots-Tag': 'noindex', 'Cache-Control': 'no-store' }

/**
 * `POST /runs` audits the domain of an address, for the signed-in key that covers it, or else for a
 * stranger. `GET /runs/<domain>/<id>` shows its progress, then its result; `…/state` and `…/events`
 * answer a script; `…/cancel` ends it, and `…/keep` makes a stranger's result one of the domain's
 * audits.
 */
export function runRoutes(deps: PageDeps) {
  const { db, runs, now, extension, localShops } = deps
  const site = siteOf(deps)
  const byKey = keyRuns(deps)
  const byStranger = strangerRuns(deps)
  const stream = createEventStreams(deps)
  const form = [refuseForeignForms(deps), limitBody] as const
  const signedIn = requireWebSession(deps)

  const showForm = (c: Context<ServerEnv>, typed: string, problem: string, error?: ApiError) =>
    renderPage(
      c,
      site,
      { title: 'Aisle', status: error?.status ?? 422, headers: error?.extras.headers ?? {} },
      <StartPage
        hasExtension={extension.length > 0}
        hasLocalShops={localShops !== null}
        typed={typed}
        problem={problem}
      />,
    )

  /** A shop on this machine is opened to audits. */
  async function readShop(typed: string): Promise<ReturnType<typeof domainOfAddress>> {
    const port = localShopPort(typed)
    if (port === null || localShops === null) return domainOfAddress(typed)
    try {
      return { domain: await localShops.open(port) }
    } catch (error) {
      if (error instanceof LocalShopAway) return { problem: error.message }
      throw error
    }
  }

  async function findRun(c: Context<ServerEnv>): Promise<AuditRun> {
    const domain = c.req.param('domain') ?? ''
    const run = await runs.read({ domain, id: c.req.param('id') ?? '' })
    if (run === null) throw new ApiError(404, 'not_found', 'There is no audit at this address.')
    return run
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.post('/runs', ...form, async (c) => {
    const typed = (await readForm(c)).get('domain') ?? ''
    const read = await readShop(typed)
    if ('problem' in read) return showForm(c, typed, read.problem)
    const { domain } = read
    const key = await readWebSession(c, deps)
    const isOwn = key !== null && isAuditor(key, domain)
    if (key !== null) c.set('key', key)
    try {
      const run = await (isOwn ? byKey : byStranger)(c, domain)
      return c.redirect(site.path(runPath(run)), 303)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return showForm(c, typed, error.message, error)
    }
  })
  app.get('/runs/:domain/:id', async (c) => {
    const run = await findRun(c)
    const { domain, state } = run
    const title = `Audit of ${domain}`
    if (state === 'done' && run.by !== 'stranger') {
      return c.redirect(site.path(`/audits/${domain}`), 303)
    }
    const result = state === 'done' ? keptResultOf(run) : null
    if (result !== null) {
      const key = await readWebSession(c, deps)
      if (key !== null) c.set('key', key)
      return renderPage(
        c,
        site,
        { title, headers, scripts: ['copy.js'] },
        <FirstResult
          result={result}
          now={now()}
          here={runPath(run)}
          mayKeep={key === null ? null : isAuditor(key, domain)}
        />,
      )
    }
    return renderPage(
      c,
      site,
      {
        title,
        headers,
        ...(state === 'under_way' && { scripts: ['run.js'], reloadsWithoutScripts: 2 }),
      },
      <RunPage {...{ domain, here: runPath(run), run: seenOf(run) }} canCancel={mayCancel(run)} />,
    )
  })
  app.get('/runs/:domain/:id/state', async (c) => c.json(seenOf(await findRun(c)), 200, headers))
  app.get('/runs/:domain/:id/events', async (c) => {
    const run = await findRun(c)
    let told = ''
    return stream(c, run.id, async (send) => {
      const current = await runs.read(run)
      if (current === null) return 'end'
      const data = JSON.stringify(seenOf(current))
      if (data !== told) await send({ event: 'run', data })
      told = data
      return current.state === 'under_way' ? 'wait' : 'end'
    })
  })
  app.post('/runs/:domain/:id/keep', refuseForeignForms(deps), signedIn, limitBody, async (c) => {
    await readForm(c)
    const run = await findRun(c)
    const domain = coveredDomain(c, 'audit', run.domain)
    const result = run.state === 'done' ? keptResultOf(run) : null
    // An audit by a key is kept already.
    if (result !== null && run.by === 'stranger') await saveAudit(db, result, [], run.id)
    return c.redirect(site.path(`/shop?domain=${domain}`), 303)
  })
  app.post('/runs/:domain/:id/cancel', ...form, async (c) => {
    await readForm(c)
    const run = await findRun(c)
    if (!mayCancel(run)) {
      throw new ApiError(
        403,
        'not_cancellable',
        'Others may be waiting for this audit. It ends by itself, within a minute or so.',
      )
    }
    await runs.cancel(run)
    return c.redirect(site.path(runPath(run)), 303)
  })
  return app
}
