import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { etag } from 'hono/etag'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { routePath } from 'hono/route'
import {
  AGENT_VERSIONS,
  agentProfile,
  agentProfilePath,
} from '../../shared/manifest/ucp/agent-profile.ts'
import { UCP_PATHS } from '../../shared/protocols/spec/ucp.ts'
import { createFetcher, fetchOnce } from '../audit/probe/fetch/fetch.ts'
import type { TrustedProxies } from '../http/client-address.ts'
import {
  createDirectories,
  type Directories,
  directoryRequest,
} from '../signatures/agents/directories.ts'
import { BUYER_PATHS } from './buyer/addresses.ts'
import { type CardEntry, noCardEntry } from './buyer/card-entry.ts'
import { handOrderOf } from './buyer/permalink.ts'
import { routeBuyer } from './buyer/routes.ts'
import type { StoreDeps } from './checkout/deps.ts'
import { applyPaymentEvent } from './checkout/payment-events.ts'
import { countCheckouts } from './checkout/quota.ts'
import { routeAcp } from './dialects/acp/routes.ts'
import { type AcpSettings, OPEN_ACP } from './dialects/acp/settings.ts'
import { failureReply } from './dialects/failure.ts'
import { routeAgentTools } from './dialects/mcp/agent-tools.ts'
import { notFound, refuse } from './dialects/refuse.ts'
import { manifestReply } from './dialects/spec/catalog.ts'
import { routeSpec } from './dialects/spec/routes.ts'
import {
  createPlatformProfiles,
  type PlatformProfiles,
  PROFILE_FETCHER,
} from './dialects/ucp/negotiation/platform-profiles.ts'
import { leafPath, OLDER_VERSIONS } from './dialects/ucp/paths.ts'
import { HANDLERS_PATH, handlerSchema } from './dialects/ucp/profile/payment-handlers.ts'
import { leafReply, profileReply } from './dialects/ucp/profile/profile.ts'
import { routeUcp } from './dialects/ucp/routes.ts'
import { faultsOfHost, isNamed, namedFaults, speaksOfficial } from './faults/hosts.ts'
import { packFiles } from './http/packed.ts'
import {
  changeReply,
  type Env,
  identifyRequest,
  pathParam,
  refuseFirst,
  send,
  storeRequest,
} from './http/routing.ts'
import { cacheable, json, originOf, type Reply, type StoreRequest } from './http/store-request.ts'
import { routeHealth } from './ops/health.ts'
import { createMetrics, type Metrics } from './ops/metrics.ts'
import { routeMerchant } from './ops/routes.ts'
import { findReceipt } from './orders/orders.ts'
import { receiptReply } from './orders/receipt-page.ts'
import { pspWebhookReply } from './psp/webhook.ts'
import { productView } from './shop/product-views.ts'
import { routeShop } from './shop/routes.ts'
import { SNIPPET_URL } from './shop/settings.ts'

/** Far more than any cart that the store accepts. */
const MAX_BODY_BYTES = 64 * 1024

export interface StoreOptions {
  deps: StoreDeps
  /** The key to the merchant's own routes. */
  adminKey?: string
  /** The only hosts that it answers for, such as `*.example`; any host unless given. */
  hosts?: readonly string[]
  /** The metrics that count the completions of `deps`. */
  metrics?: Metrics
  /** METRICS_TOKEN: it opens the metrics. */
  metricsToken?: string
  /** What is wrong with the tables; nothing unless given. */
  schemaFault?: () => Promise<string | null>
  isShuttingDown?: () => boolean
  /** Names of faults that every host has, in addition to its own. */
  faults: readonly string[]
  /** Hosts speak official UCP, except for those with a fault of the specification's manifest. */
  official?: boolean
  /** The agreement with agents of official ACP; any agent may call unless given. */
  acp?: AcpSettings
  /** The platforms that call over official UCP; those of the public internet unless given. */
  platforms?: PlatformProfiles
  /** The same for their key directories. */
  directories?: Directories
  /**
   * For development: platforms without a signature may read the orders of the profile that they
   * name.
   */
  trustsProfiles?: boolean
  /** How buyers enter their card on the checkout page; not at all unless given. */
  card?: CardEntry
  /** The proxies whose X-Forwarded-For header is trusted. */
  trustedProxies?: TrustedProxies
  /** The address of the attribution snippet, with its id. */
  snippetUrl?: string
  /** Waits for `ms` milliseconds. */
  pause?: (ms: number) => Promise<unknown>
  /** Called for each answer of 500 and above, with the request id that its client got. */
  onError?: (error: Error, requestId: string) => void
}

/**
 * The reference merchant. A host `<fault>.example`, with or without `www.`, has that one fault;
 * every other host is a faultless store. `ucp.example` and `ucp-….example` speak official UCP.
 * Throws for the name of an unknown fault.
 */
export function createStore(options: StoreOptions): Hono<Env> {
  const { deps, hosts, adminKey, metricsToken, pause = sleep } = options
  const { metrics = createMetrics(deps), isShuttingDown = () => false } = options
  const {
    schemaFault = async () => null,
    platforms = createPlatformProfiles({ fetcher: createFetcher(PROFILE_FETCHER) }),
    directories = createDirectories({
      read: (url) => fetchOnce(createFetcher(PROFILE_FETCHER), directoryRequest(url)),
    }),
  } = options
  const { trustsProfiles = false, card = noCardEntry, trustedProxies = [] } = options
  const { acp = OPEN_ACP } = options
  const { db, psp, now } = deps
  const context = { deps, count: countCheckouts(db, deps.quota) }
  const countPlatform = countCheckouts(db, deps.platformQuota)

  const app = new Hono<Env>()
  app.use(countAnswers(metrics))
  routeHealth(app, { db, schemaFault, isShuttingDown })
  app.use('/feeds/*', packFiles)
  app.use(
    storeRequest(requestReader(options)),
    reportView(deps),
    changeReply(pause),
    identifyRequest((error, requestId) => options.onError?.(error, requestId)),
    refuseFirst,
  )
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c: Context<Env>, methods) => send(refuseMethod(c.var.request, methods)),
    }),
  )
  // Before the limits: the PSP signs the bytes of the body, and calls an address that is not a
  // shop's.
  const apply = applyPaymentEvent.bind(null, deps, psp.name)
  app.post('/webhooks/psp', async (c) =>
    send(await pspWebhookReply({ psp, apply, now }, c.req.raw)),
  )
  if (hosts) app.use(onlyFor(hosts))
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (c: Context<Env>) =>
        send(refuse(c.var.request, 413, 'too_large', `Send at most ${MAX_BODY_BYTES} bytes.`)),
    }),
  )

  const keys = () => deps.signingKeys.published(db, now())
  // UCP, Profile Requirements: agents cache the profile.
  const tagged = etag()
  app.get(UCP_PATHS.manifest, tagged, async ({ var: { request } }) =>
    send(
      request.official
        ? profileReply(request, await keys(), deps.acceptance)
        : manifestReply(request),
    ),
  )
  for (const version of OLDER_VERSIONS) {
    app.get(leafPath(version), tagged, async ({ var: { request } }) =>
      send(
        request.official
          ? leafReply(request, version, await keys(), deps.acceptance)
          : notFound(request),
      ),
    )
  }
  // A platform for trying out the store, if its own name leads back to it (TEST_HOSTS).
  for (const version of AGENT_VERSIONS) {
    app.get(agentProfilePath(version), () => send(json(agentProfile(version), cacheable(300))))
  }
  routeShop(app, db, { folder: BUYER_PATHS.permalink, orderOf: handOrderOf })
  routeSpec(app, context)
  routeAcp(app, deps, acp)
  routeAgentTools(app, context)
  routeBuyer(app, { context, card, trustedProxies })
  routeUcp(app, {
    ...{ deps, count: countPlatform, platforms, directories },
    ...{ trustsProfiles, trustedProxies },
  })
  app.get(`${HANDLERS_PATH}/:file`, (c) => {
    const { request } = c.var
    const schema = handlerSchema(request, deps.acceptance, pathParam(c, 'file'))
    return send(schema === null ? notFound(request) : json(schema, cacheable(300)))
  })
  app.get('/receipts/:token', async (c) => {
    const order = await findReceipt(db, pathParam(c, 'token'))
    return send(receiptReply(c.var.request, order ?? null))
  })
  routeMerchant(app, { db, now, adminKey, acpKeys: acp.keys, metrics, metricsToken })

  app.notFound((c) => send(notFound(c.var.request)))
  app.onError(async (error, c) => send(await failureReply(c, error)))
  return app
}

const countAnswers =
  ({ countAnswer }: Metrics): MiddlewareHandler<Env> =>
  async (c, next) => {
    const began = performance.now()
    await next()
    const seconds = (performance.now() - began) / 1000
    countAnswer({ method: c.req.method, route: routePath(c, -1), status: c.res.status, seconds })
  }

/** Finds the shop of a request and the faults of its host. Numbers the requests. */
function requestReader({
  deps: { psp, now },
  faults,
  official = false,
  snippetUrl = SNIPPET_URL,
}: StoreOptions): (c: Context<Env>) => StoreRequest {
  const everywhere = namedFaults(faults)
  let requests = 0
  return (c) => {
    const { host, hostname, pathname } = new URL(c.req.url)
    requests += 1
    return {
      host,
      origin: originOf(host),
      path: pathname,
      secure: c.req.header('x-forwarded-proto') === 'https',
      userAgent: c.req.header('user-agent') ?? '',
      signatureAgent: c.req.header('signature-agent') ?? '',
      accept: c.req.header('accept') ?? '',
      official: speaksOfficial(hostname, official),
      number: requests,
      at: now(),
      snippetUrl,
      paymentMethods: psp.methods,
      faults: [...everywhere, ...faultsOfHost(hostname)],
      noteView: (seen) => c.set('seen', seen),
    }
  }
}

/** Reports the product that an answer shows. HEAD and errors show none. */
const reportView =
  ({ report }: Pick<StoreDeps, 'report'>): MiddlewareHandler<Env> =>
  async (c, next) => {
    await next()
    const { request, seen } = c.var
    if (seen === undefined || c.req.method === 'HEAD' || c.res.status !== 200) return
    const view = productView(request, seen, c.req.raw)
    if (view !== null) report(view)
  }

/** Metrics are scraped under a host name that is not the store's. */
const onlyFor =
  (hosts: readonly string[]): MiddlewareHandler<Env> =>
  async (c, next) => {
    const { host, path } = c.var.request
    if (!isNamed(host, hosts) && path !== '/metrics') return send(refuseHost(c.var.request))
    return next()
  }

const refuseHost = (request: StoreRequest): Reply =>
  refuse(request, 421, 'misdirected_request', 'There is no store with this name here.')

/** Agents probe a checkout with safe methods: a 405 confirms that it exists (RFC 9110 §15.5.6). */
function refuseMethod(request: StoreRequest, methods: string[]): Reply {
  const allow = methods.join(', ')
  const refusal = refuse(request, 405, 'method_not_allowed', `Use ${allow} at this address.`)
  return { ...refusal, headers: { ...refusal.headers, allow } }
}
