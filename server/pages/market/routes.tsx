import { OpenAPIHono } from '@hono/zod-openapi'
import { ROUTE_VENDORS } from '../../../shared/audit/readiness/vendors.ts'
import type { ServerEnv } from '../../http/env.ts'
import type { KeptPages } from '../kept-pages.tsx'
import { ConformancePage } from './ConformancePage.tsx'
import { RoutesPage } from './RoutesPage.tsx'
import { StandardsPage } from './StandardsPage.tsx'
import { VendorRoutesPage } from './VendorRoutesPage.tsx'

/** `/routes`, `/routes/<vendor>`, `/standards` and `/conformance`: what it takes to be sold. */
export const marketRoutes = ({ answer }: KeptPages) =>
  new OpenAPIHono<ServerEnv>()
    .get('/routes', (c) =>
      answer(
        c,
        {
          title: 'Routes to market',
          description: 'What a store needs to be sold by each AI assistant.',
          current: '/routes',
        },
        () => <RoutesPage />,
      ),
    )
    .get('/standards', (c) =>
      answer(
        c,
        {
          title: 'Which standards does a shop need?',
          description: 'llms.txt, UCP, ACP, WebMCP and others: who reads them, and who needs them.',
          current: '/standards',
        },
        () => <StandardsPage />,
      ),
    )
    .get('/conformance', (c) =>
      answer(
        c,
        {
          title: 'What UCP and ACP demand of a store',
          description: 'Each demand with the rule or the step of a walk that covers it.',
          current: '/conformance',
        },
        () => <ConformancePage />,
      ),
    )
    .get('/routes/:vendor', (c) => {
      const vendor = ROUTE_VENDORS.find(({ id }) => id === c.req.param('vendor'))
      if (vendor === undefined) return c.notFound()
      return answer(
        c,
        {
          title: `Routes to market: ${vendor.name}`,
          description: `What a store needs to be sold by ${vendor.name}.`,
          current: `/routes/${vendor.id}`,
        },
        () => <VendorRoutesPage vendor={vendor} />,
      )
    })
