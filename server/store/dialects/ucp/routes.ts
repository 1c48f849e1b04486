import type { Hono } from 'hono'
import type { Db } from '../../../db/connect.ts'
import { json, type Reply } from '../../http/reply.ts'
import { type Env, readJsonBody, send } from '../../http/routing.ts'
import type { JsonObject, StoreRequest } from '../../http/store-request.ts'
import { withInventory } from '../../shop/inventory.ts'
import { notFound, refuse } from '../refuse.ts'
import { agreeWith, type UcpCaller } from './caller.ts'
import type { UcpSession } from './cart.ts'
import { memoryCarts } from './carts.ts'
import { protocolErrorBody } from './envelope.ts'
import { mcpReply } from './mcp.ts'
import { keysOfPlatforms, type PlatformProfiles } from './negotiation/platform-profiles.ts'
import { readAgentHeader } from './negotiation/ucp-agent.ts'
import { OPERATIONS, type OperationName } from './operations.ts'
import { OFFICIAL_PATHS } from './paths.ts'
import { verifySignatures } from './verify-signatures.ts'

/** A request as a service of the profile reads it. `id` is the one in its path. */
interface UcpCall {
  raw: Request
  id: string | undefined
  body: unknown
}

type Methods = Readonly<Record<string, (caller: UcpCaller, call: UcpCall) => Promise<Reply>>>

/** Answers over REST; the body is the operation's argument of that name. */
const rest =
  (name: OperationName, argument: 'checkout' | 'catalog') =>
  async (caller: UcpCaller, { raw, id, body }: UcpCall): Promise<Reply> => {
    const { request } = caller
    const outcome = await agreeWith(caller, readAgentHeader(raw.headers.get('ucp-agent')))
    if ('refusal' in outcome) {
      const { status, retryAfter } = outcome.refusal
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
      return unstored(protocolErrorBody(request, outcome.refusal), status, headers)
    }
    const { context } = outcome
    const answer = await OPERATIONS[name].call(context, { id, [argument]: body })
    const { fault, status } = answer
    return fault
      ? unstored(protocolErrorBody(request, fault, context.negotiated.version), status)
      : unstored(answer.body, status)
  }

const unstored = (body: JsonObject, status: number, headers: Record<string, string> = {}): Reply =>
  json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })

const SESSIONS = `${OFFICIAL_PATHS.rest}/checkout-sessions`
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
  [`${CATALOG}/search`]: { POST: rest('search_catalog', 'catalog') },
  [`${CATALOG}/lookup`]: { POST: rest('lookup_catalog', 'catalog') },
  [`${CATALOG}/product`]: { POST: rest('get_product', 'catalog') },
}

interface UcpDeps {
  db: Db
  now: () => Date
  platforms: PlatformProfiles
}

/** The services of the official profile. Checkouts live in this process's memory until they expire. */
export function routeUcp(app: Hono<Env>, { db, now, platforms }: UcpDeps): void {
  const verify = verifySignatures(keysOfPlatforms(platforms), now)
  app.use(`${OFFICIAL_PATHS.rest}/*`, verify)
  app.use(OFFICIAL_PATHS.mcp, verify)
  const sessions = memoryCarts<UcpSession>(now)
  for (const [path, methods] of Object.entries(METHODS)) {
    app.all(path, async (c) => {
      const request = await withInventory(c.var.request, db)
      const call = { raw: c.req.raw, id: c.req.param('id'), body: await readJsonBody(c) }
      if (!request.official) return send(notFound(request))
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
      const handle = Object.hasOwn(methods, method) ? methods[method] : undefined
      return send(
        handle
          ? await handle({ request, sessions, platforms }, call)
          : otherMethod(request, method, methods),
      )
    })
  }
}

function otherMethod(request: StoreRequest, method: string, methods: Methods): Reply {
  const allow = [...Object.keys(methods), 'OPTIONS'].join(', ')
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: '' }
  const refusal = refuse(request, 405, 'method_not_allowed', `Use one of ${allow}.`)
  return { ...refusal, headers: { ...refusal.headers, allow } }
}
