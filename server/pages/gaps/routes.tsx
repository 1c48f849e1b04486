import { OpenAPIHono } from '@hono/zod-openapi'
import { findGapDoc } from '../../../shared/audit/gap-docs.ts'
import type { ServerEnv } from '../../http/env.ts'
import { KEPT_SHORTLY, renderPage } from '../render-page.tsx'
import type { PageDeps } from '../site.tsx'
import { siteOf } from '../site.tsx'
import { GapListPage, readGapFilter } from './GapListPage.tsx'
import { GapPage } from './GapPage.tsx'

/** `/gaps` and `/gaps/<id>`: made of the rules and of shared/gap-docs. */
export function gapRoutes(deps: Pick<PageDeps, 'baseUrl' | 'assets'>) {
  const site = siteOf(deps)
  return new OpenAPIHono<ServerEnv>()
    .get('/gaps', (c) =>
      renderPage(
        c,
        site,
        {
          title: 'Gaps',
          description: 'Everything that an audit can find wrong with a store.',
          headers: KEPT_SHORTLY,
        },
        <GapListPage filter={readGapFilter((name) => c.req.query(name))} />,
      ),
    )
    .get('/gaps/:id', (c) => {
      const found = findGapDoc(c.req.param('id'))
      if (found === null) return c.notFound()
      const { rule, doc } = found
      return renderPage(
        c,
        site,
        {
          title: rule.label,
          description: doc.meaning,
          scripts: ['copy.js'],
          headers: KEPT_SHORTLY,
        },
        <GapPage rule={rule} doc={doc} />,
      )
    })
}
