import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { findViewer } from '../access/web-session.ts'
import type { ServerEnv } from '../http/env.ts'
import type { OpenApiDocument } from '../routes/openapi/openapi.ts'
import { acceptsHtml } from './accepts-html.ts'
import { accessPageRoutes } from './account/access/routes.tsx'
import { auditPageRoutes } from './account/audit/routes.tsx'
import { fetchesPageRoutes } from './account/fetches/routes.tsx'
import { keyPageRoutes } from './account/keys/routes.tsx'
import { propertyPageRoutes } from './account/properties/routes.tsx'
import { reportPageRoutes } from './account/report/routes.tsx'
import { shareRoutes } from './account/share/routes.tsx'
import { sharedRoutes } from './account/share/shared-routes.tsx'
import { shopPageRoutes } from './account/shop/routes.tsx'
import { signInRoutes } from './account/sign-in/routes.tsx'
import { walkPageRoutes } from './account/walk/routes.tsx'
import { watchPageRoutes } from './account/watch/routes.tsx'
import { assetRoutes } from './asset-routes.ts'
import { badgeRoutes } from './badge.ts'
import { channelPageRoutes } from './channels/routes.tsx'
import { readOperations } from './docs/operations.ts'
import { docsRoutes } from './docs/routes.tsx'
import { answerErrorPage } from './error-page.tsx'
import { extensionRoutes } from './extension/routes.tsx'
import { gapRoutes } from './gaps/routes.tsx'
import { infoRoutes } from './info/routes.tsx'
import { keepPages } from './kept-pages.tsx'
import { marketRoutes } from './market/routes.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { runRoutes } from './runs/routes.tsx'
import type { PageDeps } from './site.tsx'
import { siteOf } from './site.tsx'
import { statusRoutes } from './status/routes.tsx'
import { collectorRoutes } from './tools/collectors/routes.tsx'
import { orderRoutes } from './tools/orders/routes.tsx'
import { toolRoutes } from './tools/routes.tsx'

/** All pages of the service: the open ones, and those behind a sign-in. */
export function pageRoutes(deps: PageDeps, document: () => OpenApiDocument) {
  const kept = keepPages(siteOf(deps), async (c) => (await findViewer(c, deps)) !== null)
  const operations = readOperations(document)
  const routes = new OpenAPIHono<ServerEnv>()
  routes.onError(answerErrorPage(deps, siteOf(deps)))
  routes.route('/', walkPageRoutes(deps))
  routes.route('/', assetRoutes(deps))
  routes.route('/', infoRoutes(deps, kept, document))
  routes.route('/', docsRoutes(deps, kept, operations))
  routes.route('/', gapRoutes(kept))
  routes.route('/', marketRoutes(kept))
  routes.route('/', extensionRoutes(deps))
  routes.route('/', toolRoutes(deps, kept))
  routes.route('/', orderRoutes(deps))
  routes.route('/', collectorRoutes(deps))
  routes.route('/', signInRoutes(deps))
  routes.route('/', shopPageRoutes(deps))
  routes.route('/', reportPageRoutes(deps))
  routes.route('/', fetchesPageRoutes(deps))
  routes.route('/', propertyPageRoutes(deps))
  routes.route('/', keyPageRoutes(deps, operations))
  routes.route('/', accessPageRoutes(deps))
  routes.route('/', auditPageRoutes(deps))
  routes.route('/', watchPageRoutes(deps))
  routes.route('/', runRoutes(deps))
  routes.route('/', shareRoutes(deps))
  routes.route('/', sharedRoutes(deps))
  routes.route('/', badgeRoutes(deps))
  routes.route('/', statusRoutes(deps))
  routes.route('/', channelPageRoutes(deps))
  return routes
}

/** A page for clients that accept HTML, outside of the API; others get the result of `answer`. */
export function answerNotFoundPage(
  deps: Pick<PageDeps, 'baseUrl' | 'assets' | 'db' | 'now'>,
  answer: (c: Context<ServerEnv>) => Response,
): (c: Context<ServerEnv>) => Response | Promise<Response> {
  const kept = keepPages(siteOf(deps), async (c) => (await findViewer(c, deps)) !== null)
  return (c) =>
    wantsPage(c)
      ? kept.answer(c, { title: 'Not found', status: 404, current: '' }, () => <NotFoundPage />)
      : answer(c)
}

const wantsPage = (c: Context): boolean =>
  !new URL(c.req.url).pathname.startsWith('/api/') && acceptsHtml(c)
