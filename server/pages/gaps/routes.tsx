import { OpenAPIHono } from '@hono/zod-openapi'
import { findGapRule } from '../../../shared/audit/checks/index.ts'
import { gapWords } from '../../../shared/audit/words.ts'
import type { ServerEnv } from '../../http/env.ts'
import type { KeptPages } from '../kept-pages.tsx'
import { GapListPage, readGapFilter } from './GapListPage.tsx'
import { GapPage } from './GapPage.tsx'

/** `/gaps` and `/gaps/<id>`: made of the rules and their words. */
export const gapRoutes = ({ answer }: KeptPages) =>
  new OpenAPIHono<ServerEnv>()
    .get('/gaps', (c) => {
      const filter = readGapFilter((name) => c.req.query(name))
      return answer(
        c,
        {
          title: 'Gaps',
          description: 'Everything that an audit can find wrong with a store.',
          current: '/gaps',
          // By what the page shows, not by the query as it was sent: queries are endless.
          variant: `${filter.check} ${filter.severity} ${filter.sort}`,
        },
        () => <GapListPage filter={filter} />,
      )
    })
    .get('/gaps/:id', (c) => {
      const rule = findGapRule(c.req.param('id'))
      if (rule === null) return c.notFound()
      return answer(
        c,
        {
          title: rule.label,
          description: gapWords(rule.gap).meaning,
          scripts: ['copy.js'],
          current: `/gaps/${rule.gap}`,
        },
        () => <GapPage rule={rule} />,
      )
    })
