import { setTimeout as sleep } from 'node:timers/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { ACP_PATHS } from '../../shared/protocols/acp.ts'
import { UCP_PATHS } from '../../shared/protocols/ucp.ts'
import type { StoreDeps } from './checkout/deps.ts'
import { notFound, refuse } from './dialects/refuse.ts'
import { routeCheckout, routePayments } from './dialects/routes.ts'
import { discoveryReply, searchReply } from './dialects/spec-acp/discovery.ts'
import { manifestReply } from './dialects/spec-ucp/discovery.ts'
import type { UcpCart } from './dialects/ucp/cart.ts'
import { memoryCarts } from './dialects/ucp/carts.ts'
import { OFFICIAL_PATHS } from './dialects/ucp/paths.ts'
import { leafReply, profileReply } from './dialects/ucp/profile.ts'
import { officialResources } from './dialects/ucp/routes.ts'
import { faultsOfHost, isNamed, namedFaults, speaksOfficial } from './faults/hosts.ts'
import { cacheable, css, type Reply, svg } from './http/reply.ts'
import { type Env, type Routing, readJson } from './http/routing.ts'
import { say, type Visit } from './http/store-request.ts'
import { createMetrics, type Metrics } from './ops/metrics.ts'
import { routeMerchant } from './ops/routes.ts'
import { findArticle } from './shop/assortment.ts'
import { catalogReply } from './shop/catalog.ts'
import { feedReply } from './shop/feed.ts'
import { readShelf } from './shop/inventory.ts'
import { homePage } from './shop/pages/home.ts'
import { LOGO, pictureOf } from './shop/pages/images.ts'
import { policiesPage } from './shop/pages/policies.ts'
import { productPage } from './shop/pages/product.ts'
import { robotsReply, sitemapReply } from './shop/pages/site-files.ts'
import { STYLESHEET } from './shop/pages/stylesheet.ts'
import { FEED_PATH, LOGO_PATH, POLICIES_PATH, SNIPPET_URL, STYLES_PATH } from './shop/settings.ts'

/** Far beyond any cart that the store accepts. */
const MAX_BODY_BYTES = 64 * 1024

export interface StoreOptions {
  deps: StoreDeps
  /** The key to the merchant's own routes. */
  adminKey?: string
  /** The only hosts that it answers for, such as `*.example`; any unless given. */
  hosts?: readonly string[]
  /** Where the completions of `deps` are counted. */
  metrics?: Metrics
  /** Names of faults that every host has, beside its own. */
  faults: readonly string[]
  /** Hosts speak official UCP, but for those with a fault of the specification's manifest. */
  official?: boolean
  /** The address of the attribution snippet, with its id. */
  snippetUrl?: string
  /** Waits for so many milliseconds. */
  pause?: (ms: number) => Promise<unknown>
  /** Called with each error that is answered with 500. */
  onError?: (error: Error) => void
}

/**
 * The reference merchant. A host `<fault>.example`, with or without `www.`, has that one fault;
 * every other host is a whole store. `ucp.example` and `ucp-….example` speak official UCP. Throws
 * when a fault has no such name.
 */
export function createStore(options: StoreOptions): Hono<Env> {
  const { deps, faults, official = false, snippetUrl = SNIPPET_URL, pause = sleep } = options
  const { adminKey, hosts, metrics = createMetrics(deps) } = options
  const { db, psp, now } = deps
  const everywhere = namedFaults(faults)
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
      paymentMethods: psp.methods,
      faults: [...everywhere, ...faultsOfHost(hostname)],
    }
  }
  const answer: Routing['answer'] = (handle) => async (c) => {
    const visit = visitOf(c)
    const { status, headers, body, delay, hangUp } = say(visit, 'reply', await handle(visit, c))
    if (hangUp) {
      c.env.incoming.socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
    if (delay !== undefined) await pause(delay)
    return new Response(body || null, { status, headers })
  }
  const show: Routing['show'] = (handle) =>
    answer(async (visit, c) => handle({ ...visit, shelf: await readShelf(db) }, c))

  const app = new Hono<Env>()
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => answer((visit) => refuseMethod(visit, methods))(c),
    }),
  )
  routePayments(app, { answer, show }, deps)
  if (hosts) app.use(onlyFor(hosts, answer(refuseHost)))
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: answer((visit) =>
        refuse(visit, 413, 'too_large', `Send at most ${MAX_BODY_BYTES} bytes.`),
      ),
    }),
  )
  app.get('/', show(homePage))
  app.get(
    '/products/:id',
    show((visit, c) => productPage(visit, c.req.param('id') ?? '')),
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
  app.get('/sitemap.xml', show(sitemapReply))
  app.get(FEED_PATH, show(feedReply))

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
    show((visit, c) => catalogReply(visit, c.req.query())),
  )
  for (const [path, resource] of officialResources(memoryCarts<UcpCart>(now))) {
    app.all(
      path,
      show(async (visit, c) =>
        resource(visit, {
          request: c.req.raw,
          id: c.req.param('id'),
          body: await readJson(c),
        }),
      ),
    )
  }

  app.get(ACP_PATHS.discovery, answer(discoveryReply))
  app.get(
    ACP_PATHS.search,
    show((visit, c) => searchReply(visit, c.req.query())),
  )
  routeCheckout(app, { answer, show }, deps)
  routeMerchant(app, { answer, show }, { db, now, adminKey, metrics })

  app.notFound(answer(notFound))
  app.onError((error, c) => {
    options.onError?.(error)
    return answer((visit) =>
      refuse(visit, 500, 'internal_error', 'Something failed on our side. Try again.'),
    )(c)
  })
  return app
}

/** Metrics are scraped at the port itself, with a host that is not the store's. */
const onlyFor =
  (
    hosts: readonly string[],
    refuseIt: (c: Context<Env>) => Promise<Response>,
  ): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { host, pathname } = new URL(c.req.url)
    if (!isNamed(host, hosts) && pathname !== '/metrics') return refuseIt(c)
    return next()
  }

const refuseHost = (visit: Visit): Reply =>
  refuse(visit, 421, 'misdirected_request', 'There is no store with this name here.')

/** A checkout is asked by safe methods whether it is there: a 405 says yes (RFC 9110 §15.5.6). */
function refuseMethod(visit: Visit, methods: string[]): Reply {
  const allow = methods.join(', ')
  const refusal = refuse(visit, 405, 'method_not_allowed', `Use ${allow} at this address.`)
  return { ...refusal, headers: { ...refusal.headers, allow } }
}

function imageReply(visit: Visit, file: string): Reply {
  if (visit.path === LOGO_PATH) return svg(LOGO, cacheable(86_400))
  const article = findArticle(file.replace(/\.svg$/, ''))
  return article === undefined ? notFound(visit) : svg(pictureOf(article), cacheable(86_400))
}
