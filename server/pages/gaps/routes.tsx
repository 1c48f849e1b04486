import { OpenAPIHono } from '@hono/zod-openapi'
import { findGapRule } from '../../../shared/audit/checks/index.ts'
import { gapWords } from '../../../shared/audit/words.ts'
import type { ServerEnv } from '../../http/env.ts'
import type { KeptPages } from '../kept-pages.tsx'
import { GapPage } from './GapPage.tsx'
import { GapsPage } from './GapsPage.tsx'
import { GapTablePage, readGapFilter } from './GapTablePage.tsx'

/** `/gaps`, the table of all and `/gaps/<id>`: made of the rules and their words. */
export const gapRoutes = ({ answer }: KeptPages) =>
  new OpenAPIHono<ServerEnv>()
    .get('/gaps', (c) =>
      answer(
        c,
        {
          title: 'Gaps',
          description: 'What keeps AI agents from a store, and what an audit looks at.',
          current: '/gaps',
        },
        () => <GapsPage />,
      ),
    )
    .get('/gaps/all', (c) => {
      const filter = readGapFilter((name) => c.req.query(name))
      return answer(
        c,
        {
          title: 'All gaps',
          description: 'Everything that an audit can find wrong with a store.',
          current: '/gaps/all',
          // By what the page shows, not by the query as it was sent: queries are endless.
          variant: `${filter.check} ${filter.severity} ${filter.sort}`,
        },
        () => <GapTablePage filter={filter} />,
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
