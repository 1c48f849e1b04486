import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ServerEnv } from '../http/env.ts'
import type { OpenApiDocument } from '../routes/openapi/openapi.ts'
import { acceptsHtml } from './accepts-html.ts'
import { auditPageRoutes } from './account/audit/routes.tsx'
import { keyPageRoutes } from './account/keys/routes.tsx'
import { propertyPageRoutes } from './account/properties/routes.tsx'
import { reportPageRoutes } from './account/report/routes.tsx'
import { shareRoutes } from './account/share/routes.tsx'
import { sharedRoutes } from './account/share/shared-routes.tsx'
import { signInRoutes } from './account/sign-in/routes.tsx'
import { walkPageRoutes } from './account/walk/routes.tsx'
import { watchPageRoutes } from './account/watch/routes.tsx'
import { assetRoutes } from './asset-routes.ts'
import { badgeRoutes } from './badge.ts'
import { channelPageRoutes } from './channels/routes.tsx'
import { answerErrorPage } from './error-page.tsx'
import { extensionRoutes } from './extension/routes.tsx'
import { gapRoutes } from './gaps/routes.tsx'
import { infoRoutes } from './info/routes.tsx'
import { keepPages } from './kept-pages.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { runRoutes } from './runs/routes.tsx'
import type { PageDeps } from './site.tsx'
import { siteOf } from './site.tsx'
import { statusRoutes } from './status/routes.tsx'
import { orderRoutes } from './tools/orders/routes.tsx'
import { toolRoutes } from './tools/routes.tsx'

/** All pages of the service: the open ones, and those behind a sign-in. */
export function pageRoutes(deps: PageDeps, document: () => OpenApiDocument) {
  const kept = keepPages(siteOf(deps))
  const routes = new OpenAPIHono<ServerEnv>()
  routes.onError(answerErrorPage(deps, siteOf(deps)))
  return routes
    .route('/', walkPageRoutes(deps))
    .route('/', assetRoutes(deps))
    .route('/', infoRoutes(deps, kept, document))
    .route('/', gapRoutes(kept))
    .route('/', extensionRoutes(deps))
    .route('/', toolRoutes(deps, kept))
    .route('/', orderRoutes(deps))
    .route('/', signInRoutes(deps))
    .route('/', reportPageRoutes(deps))
    .route('/', propertyPageRoutes(deps))
    .route('/', keyPageRoutes(deps))
    .route('/', auditPageRoutes(deps))
    .route('/', watchPageRoutes(deps))
    .route('/', runRoutes(deps))
    .route('/', shareRoutes(deps))
    .route('/', sharedRoutes(deps))
    .route('/', badgeRoutes(deps))
    .route('/', statusRoutes(deps))
    .route('/', channelPageRoutes(deps))
}

/** A page for clients that accept HTML, outside of the API; others get the result of `answer`. */
export function answerNotFoundPage(
  deps: Pick<PageDeps, 'baseUrl' | 'assets'>,
  answer: (c: Context<ServerEnv>) => Response,
): (c: Context<ServerEnv>) => Response | Promise<Response> {
  const kept = keepPages(siteOf(deps))
  return (c) =>
    wantsPage(c)
      ? kept.answer(c, { title: 'Not found', status: 404, current: '' }, () => <NotFoundPage />)
      : answer(c)
}

const wantsPage = (c: Context): boolean =>
  !new URL(c.req.url).pathname.startsWith('/api/') && acceptsHtml(c)
