import type { Hono } from 'hono'
import { storableText } from '../../../../shared/web/json/storable.ts'
import { clientAddress, networkOf, type TrustedProxies } from '../../../http/client-address.ts'
import { OpaqueId } from '../../checkout/caller.ts'
import type { StoreDeps } from '../../checkout/deps.ts'
import type { CountCheckout } from '../../checkout/quota.ts'
import { json, type Reply } from '../../http/reply.ts'
import { type Env, NOT_JSON, readJsonBody, send } from '../../http/routing.ts'
import type { JsonObject, StoreRequest } from '../../http/store-request.ts'
import { keyReader } from '../../signatures/keys.ts'
import { signMessage } from '../../signatures/sign.ts'
import { notFound, refuse } from '../refuse.ts'
import { agreeWith, keyedCall, type UcpCaller } from './caller.ts'
import { protocolError, protocolErrorBody } from './envelope.ts'
import { mcpReply } from './mcp.ts'
import { keysOfPlatforms, type PlatformProfiles } from './negotiation/platform-profiles.ts'
import { readAgentHeader } from './negotiation/ucp-agent.ts'
import type { OperationName } from './operations.ts'
import { OFFICIAL_PATHS } from './paths.ts'
import { perform } from './perform.ts'
import { verifySignatures } from './verify-signatures.ts'

/** A request to a service of the profile. `id` is the one in its path. */
interface UcpCall {
  raw: Request
  id: string | undefined
  body: unknown
  /** The raw body: two calls with one key are the same if these bytes are. */
  text: string
}

type Methods = Readonly<Record<string, (caller: UcpCaller, call: UcpCall) => Promise<Reply>>>

/** Answers over REST; the body is the operation's argument of that name. */
const rest =
  (name: OperationName, argument: 'checkout' | 'catalog' | 'cart') =>
  async (caller: UcpCaller, { raw, id, body, text }: UcpCall): Promise<Reply> => {
    const { request } = caller
    // Unspecified: an empty Idempotency-Key counts as absent, as in the other dialects.
    const key = raw.headers.get('idempotency-key') || null
    if (key !== null && !OpaqueId.safeParse(key).success) {
      const content = 'The header Idempotency-Key may have at most 255 characters.'
      return unstored(protocolErrorBody(request, { code: 'invalid_request', content }), 400)
    }
    const outcome = await agreeWith(
      caller,
      readAgentHeader(raw.headers.get('ucp-agent')),
      key === null ? null : keyedCall(key, text),
    )
    if ('refusal' in outcome) {
      const { status, retryAfter } = outcome.refusal
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
      return unstored(protocolErrorBody(request, outcome.refusal), status, headers)
    }
    const { context } = outcome
    const answer =
      text !== '' && body === undefined
        ? protocolError(400, 'invalid_request', NOT_JSON)
        : await perform(name, context, { id, [argument]: body })
    const { fault, status, replayed } = answer
    const headers = {
      ...(replayed && { 'idempotent-replayed': 'true' }),
      ...(fault?.retryAfter !== undefined && { 'retry-after': String(fault.retryAfter) }),
    }
    if (fault) {
      return unstored(
        protocolErrorBody(request, fault, context.negotiated.version),
        status,
        headers,
      )
    }
    const reply = unstored(answer.body, status, headers)
    return name === 'complete_checkout' ? signed(caller, reply) : reply
  }

/** UCP recommends signing answers about a payment (signatures.md, Response Signing). */
async function signed({ deps, signingKey }: UcpCaller, reply: Reply): Promise<Reply> {
  const { status, headers, body } = reply
  const message = { status, headers: new Headers(headers), body: Buffer.from(body) }
  const signature = signMessage(message, await signingKey(), deps.now())
  return { ...reply, headers: { ...headers, ...signature } }
}

const unstored = (body: JsonObject, status: number, headers: Record<string, string> = {}): Reply =>
  json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })

const SESSIONS = `${OFFICIAL_PATHS.rest}/checkout-sessions`
const CARTS = `${OFFICIAL_PATHS.rest}/carts`
const CATALOG = `${OFFICIAL_PATHS.rest}/catalog`

const METHODS: Readonly<Record<string, Methods>> = {
  [OFFICIAL_PATHS.mcp]: { POST: (caller, { raw, body }) => mcpReply(caller, raw, body) },
  [SESSIONS]: { POST: rest('create_checkout', 'checkout') },
  [`${SESSIONS}/:id`]: {
    GET: rest('get_checkout', 'checkout'),
    PUT: rest('update_checkout', 'checkout'),
  },
  [`${SESSIONS}/:id/complete`]: { POST: rest('complete_checkout', 'checkout') },
  [`${SESSIONS}/:id/cancel`]: { POST: rest('cancel_checkout', 'checkout') },
  [CARTS]: { POST: rest('create_cart', 'cart') },
  [`${CARTS}/:id`]: { GET: rest('get_cart', 'cart'), PUT: rest('update_cart', 'cart') },
  [`${CARTS}/:id/cancel`]: { POST: rest('cancel_cart', 'cart') },
  [`${OFFICIAL_PATHS.rest}/orders/:id`]: { GET: rest('get_order', 'checkout') },
  [`${CATALOG}/search`]: { POST: rest('search_catalog', 'catalog') },
  [`${CATALOG}/lookup`]: { POST: rest('lookup_catalog', 'catalog') },
  [`${CATALOG}/product`]: { POST: rest('get_product', 'catalog') },
}

interface UcpDeps {
  deps: StoreDeps
  /** Counts the checkouts and carts of a platform. */
  count: CountCheckout
  platforms: PlatformProfiles
  trustsProfiles: boolean
  /** The proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: TrustedProxies
}

/** The services of the official profile. */
export function routeUcp(
  app: Hono<Env>,
  { deps, count, platforms, trustsProfiles, trustedProxies }: UcpDeps,
): void {
  const verify = verifySignatures(keysOfPlatforms(platforms), deps.now)
  app.use(`${OFFICIAL_PATHS.rest}/*`, verify)
  app.use(OFFICIAL_PATHS.mcp, verify)
  const signingKey = keyReader(deps.db, deps.now)
  for (const [path, methods] of Object.entries(METHODS)) {
    app.all(path, async (c) => {
      const { request, signedBy } = c.var
      const text = await c.req.text()
      const id = c.req.param('id')
      const call = {
        raw: c.req.raw,
        id: id === undefined ? undefined : storableText(id),
        body: await readJsonBody(c),
        text,
      }
      const address = clientAddress(c, trustedProxies)
      const caller = {
        request,
        deps,
        count,
        platforms,
        signedBy: signedBy?.profile ?? null,
        trustsProfiles,
        network: address === null ? null : networkOf(address),
        signingKey,
      }
      if (!request.official) return send(notFound(request))
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
      const handle = Object.hasOwn(methods, method) ? methods[method] : undefined
      return send(handle ? await handle(caller, call) : otherMethod(request, method, methods))
    })
  }
}

function otherMethod(request: StoreRequest, method: string, methods: Methods): Reply {
  const allow = [...Object.keys(methods), 'OPTIONS'].join(', ')
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: '' }
  const refusal = refuse(request, 405, 'method_not_allowed', `Use one of ${allow}.`)
  return { ...refusal, headers: { ...refusal.headers, allow } }
}
