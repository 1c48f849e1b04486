import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ServerEnv } from '../../../http/env.ts'
import { renderPage } from '../../render-page.tsx'
import { type PageDeps, siteOf } from '../../site.tsx'
import { findOwnDomain } from '../own-property.ts'
import { CollectorListPage, CollectorPage } from './CollectorPages.tsx'
import { findCollector } from './collectors.ts'

const HEADERS = { 'Cache-Control': 'no-store' }

/** `/tools/collectors`: how a store reports the AI agents that read it, by what answers for it. */
export function collectorRoutes(deps: PageDeps) {
  const { db, baseUrl, recipeFiles } = deps
  const site = siteOf(deps)
  /** The domain that the code shows: one of the key that `knowViewer` found. */
  const ownDomain = (c: Context<ServerEnv>) =>
    findOwnDomain(db, c.get('key') ?? null, c.req.query('domain'))
  const app = new OpenAPIHono<ServerEnv>()
  app.get('/tools/collectors', async (c) =>
    renderPage(
      c,
      site,
      {
        title: 'Count what AI agents read',
        description: 'How a store reports the AI agents that read it, one page for each server.',
        headers: HEADERS,
      },
      <CollectorListPage domain={await ownDomain(c)} />,
    ),
  )
  app.get('/tools/collectors/:platform', async (c) => {
    const collector = findCollector(c.req.param('platform'))
    if (collector === null) return c.notFound()
    const domain = await ownDomain(c)
    return renderPage(
      c,
      site,
      {
        title: `Count what AI agents read: ${collector.platform}`,
        description: collector.summary,
        scripts: ['copy.js'],
        headers: HEADERS,
      },
      <CollectorPage
        collector={collector}
        code={recipeFiles.collectors}
        names={{ baseUrl, domain: domain ?? 'shop.example', id: '' }}
        isFilledIn={domain !== undefined}
      />,
    )
  })
  return app
}
