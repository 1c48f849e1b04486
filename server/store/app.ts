import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ACP_PATHS } from '../../shared/acp.ts'
import { UCP_PATHS } from '../../shared/ucp.ts'
import { createReply, discoveryReply, sessionReply } from './acp.ts'
import { findArticle } from './assortment.ts'
import { memoryCarts } from './carts.ts'
import { catalogReply } from './catalog.ts'
import { checkoutReply } from './checkout.ts'
import { feedReply } from './feed.ts'
import { homePage } from './home-page.ts'
import { faultsOfHost, namedFaults, speaksOfficial } from './hosts.ts'
import { LOGO, pictureOf } from './images.ts'
import { manifestReply } from './manifest.ts'
import { OFFICIAL_PATHS } from './official/paths.ts'
import { leafReply, profileReply } from './official/profile.ts'
import { officialResources } from './official/resources.ts'
import type { Session } from './official/session.ts'
import { policiesPage } from './policies-page.ts'
import { productPage } from './product-page.ts'
import { notFound, refuse } from './refusals.ts'
import { cacheable, css, type Reply, svg } from './reply.ts'
import { FEED_PATH, LOGO_PATH, POLICIES_PATH, SNIPPET_URL, STYLES_PATH } from './shop.ts'
import { robotsReply, sitemapReply } from './site-files.ts'
import { STYLESHEET } from './stylesheet.ts'
import { say, type Visit } from './visit.ts'

type Env = { Bindings: HttpBindings }

/** Far beyond any cart that the store accepts. */
const MAX_BODY_BYTES = 64 * 1024

export interface StoreOptions {
  /** Names of faults that every host has, beside its own. */
  faults: readonly string[]
  now: () => Date
  /** Hosts speak official UCP, but for those with a fault of the specification's manifest. */
  official?: boolean
  /** The address of the attribution snippet, with its id. */
  snippetUrl?: string
  /** Waits for so many milliseconds. */
  pause?: (ms: number) => Promise<unknown>
}

/**
 * The reference merchant. A host `<fault>.example`, with or without `www.`, has that one fault;
 * every other host is a whole store. `ucp.example` and `ucp-….example` speak official UCP. Throws
 * when a fault has no such name.
 */
export function createStore(options: StoreOptions): Hono<Env> {
  const { faults, now, official = false, snippetUrl = SNIPPET_URL, pause = sleep } = options
  const everywhere = namedFaults(faults)
  const carts = memoryCarts(now)
  let visits = 0

  const visitOf = (c: Context<Env>): Visit => {
    const { host, hostname, pathname } = new URL(c.req.url)
    visits += 1
    return {
      host,
      origin: `https://${host}`,
      path: pathname,
      secure: c.req.header('x-forwarded-proto') === 'https',
      official: speaksOfficial(hostname, official),
      number: visits,
      at: now(),
      snippetUrl,
      faults: [...everywhere, ...faultsOfHost(hostname)],
    }
  }
  const answer =
    (handle: (visit: Visit, c: Context<Env>) => Reply | Promise<Reply>) =>
    async (c: Context<Env>): Promise<Response> => {
      const visit = visitOf(c)
      const { status, headers, body, delay, hangUp } = say(visit, 'reply', await handle(visit, c))
      if (hangUp) {
        c.env.incoming.socket.destroy()
        return RESPONSE_ALREADY_SENT
      }
      if (delay !== undefined) await pause(delay)
      return new Response(body || null, { status, headers })
    }

  const app = new Hono<Env>()
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: answer((visit) =>
        refuse(visit, 413, 'too_large', `Send at most ${MAX_BODY_BYTES} bytes.`),
      ),
    }),
  )
  app.get('/', answer(homePage))
  app.get(
    '/products/:id',
    answer((visit, c) => productPage(visit, c.req.param('id') ?? '')),
  )
  app.get(POLICIES_PATH, answer(policiesPage))
  app.get(
    '/images/:file',
    answer((visit, c) => imageReply(visit, c.req.param('file') ?? '')),
  )
  app.get(
    STYLES_PATH,
    answer(() => css(STYLESHEET, cacheable(300))),
  )
  app.get('/robots.txt', answer(robotsReply))
  app.get('/sitemap.xml', answer(sitemapReply))
  app.get(FEED_PATH, answer(feedReply))

  app.get(
    UCP_PATHS.manifest,
    answer((visit) => (visit.official ? profileReply(visit) : manifestReply(visit))),
  )
  app.get(
    OFFICIAL_PATHS.leaf,
    answer((visit) => (visit.official ? leafReply(visit) : notFound(visit))),
  )
  app.get(
    UCP_PATHS.catalog,
    answer((visit, c) => catalogReply(visit, c.req.query())),
  )
  app.post(
    UCP_PATHS.checkout,
    answer(async (visit, c) => checkoutReply(visit, await readJson(c), carts)),
  )

  for (const [path, resource] of officialResources(memoryCarts<Session>(now))) {
    app.all(
      path,
      answer(async (visit, c) =>
        resource(visit, {
          request: c.req.raw,
          id: c.req.param('id'),
          body: await readJson(c),
        }),
      ),
    )
  }

  app.get(ACP_PATHS.discovery, answer(discoveryReply))
  app.post(
    ACP_PATHS.create,
    answer(async (visit, c) => createReply(visit, await readJson(c))),
  )
  app.patch(
    ACP_PATHS.update,
    answer(async (_, c) => sessionReply('update', await readJson(c))),
  )
  app.post(
    ACP_PATHS.complete,
    answer(async (_, c) => sessionReply('complete', await readJson(c))),
  )

  app.notFound(answer(notFound))
  app.onError((_, c) =>
    answer((visit) => refuse(visit, 500, 'internal_error', 'This is our fault. Try again.'))(c),
  )
  return app
}

/** The body as JSON; undefined, which every endpoint refuses in its own words, when it is none. */
async function readJson(c: Context): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text())
  } catch {
    return undefined
  }
}

function imageReply(visit: Visit, file: string): Reply {
  if (visit.path === LOGO_PATH) return svg(LOGO, cacheable(86_400))
  const article = findArticle(file.replace(/\.svg$/, ''))
  return article === undefined ? notFound(visit) : svg(pictureOf(article), cacheable(86_400))
}
