import type { Hono } from 'hono'
import type { Db } from '../../db/connect.ts'
import { type Env, pathParam, send } from '../http/routing.ts'
import {
  cacheable,
  css,
  javascript,
  type Reply,
  type StoreRequest,
  svg,
} from '../http/store-request.ts'
import { findArticle } from './assortment.ts'
import { feedReply } from './feeds/feeds.ts'
import { FEED_FILES, FEED_FORMATS, OPENAI_PARQUET } from './feeds/formats.ts'
import { withInventory } from './inventory.ts'
import { notFoundPage } from './pages/error.ts'
import { homePage } from './pages/home.ts'
import { LOGO, pictureOf } from './pages/images.ts'
import { policiesPage } from './pages/policies.ts'
import { type HandOrder, productPage } from './pages/product.ts'
import { robotsReply, sitemapReply } from './pages/site-files.ts'
import { STYLESHEET } from './pages/stylesheet.ts'
import { TOOLS_SCRIPT } from './pages/webmcp.ts'
import { LOGO_PATH, POLICIES_PATH, STYLES_PATH, TOOLS_PATH } from './settings.ts'

/** How buyers order by hand, at the shops that allow it. */
interface HandOrders {
  /** The folder of the paths that open checkouts. */
  folder: string
  /** As in the query of a product's page. */
  orderOf: (query: URLSearchParams) => HandOrder
}

/**
 * What people and crawlers read: pages, pictures, the product feeds, robots.txt and the sitemap.
 */
export function routeShop(app: Hono<Env>, db: Db, handOrders: HandOrders): void {
  app.get('/', async (c) => send(homePage(await withInventory(c.var.request, db))))
  app.get('/products/:id', async (c) => {
    const id = pathParam(c, 'id')
    const { request } = c.var
    const order = request.official ? handOrders.orderOf(new URL(c.req.url).searchParams) : null
    return send(productPage(await withInventory(request, db, [id]), id, order))
  })
  app.get(POLICIES_PATH, (c) => send(policiesPage(c.var.request)))
  app.get('/images/:file', (c) => send(imageReply(c.var.request, c.req.param('file'))))
  app.get(STYLES_PATH, () => send(css(STYLESHEET, cacheable(300))))
  app.get(TOOLS_PATH, () => send(javascript(TOOLS_SCRIPT, cacheable(300))))
  app.get('/robots.txt', ({ var: { request } }) =>
    send(robotsReply(request, request.official ? handOrders.folder : null)),
  )
  app.get('/sitemap.xml', async (c) => send(sitemapReply(await withInventory(c.var.request, db))))
  for (const format of FEED_FORMATS) {
    const { path } = FEED_FILES[format]
    app.on('GET', [path, `${path}.gz`], async (c) =>
      send(feedReply(await withInventory(c.var.request, db), format)),
    )
  }
  // Its rows, which are packed when the faults have changed them.
  app.get(OPENAI_PARQUET, async (c) =>
    send(feedReply(await withInventory(c.var.request, db), 'openai-jsonl')),
  )
}

function imageReply(request: StoreRequest, file: string): Reply {
  if (request.path === LOGO_PATH) return svg(LOGO, cacheable(86_400))
  const article = findArticle(file.replace(/\.svg$/, ''))
  return article === undefined ? notFoundPage(request) : svg(pictureOf(article), cacheable(86_400))
}
