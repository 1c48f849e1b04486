import { json, type Reply } from '../../http/reply.ts'
import type { Visit } from '../../http/store-request.ts'
import type { Shopping } from '../../shop/inventory.ts'
import { notFound, refuse } from '../refuse.ts'
import type { UcpCarts, UcpContext } from './checkout.ts'
import { mcpReply } from './mcp.ts'
import { OPERATIONS, type OperationName } from './operations.ts'
import { OFFICIAL_PATHS } from './paths.ts'

/** A request as a service of the profile reads it. `id` is the one in its path. */
export interface UcpCall {
  request: Request
  id: string | undefined
  body: unknown
}

type Methods = Readonly<Record<string, (shop: UcpContext, call: UcpCall) => Promise<Reply>>>
export type Resource = (visit: Shopping, call: UcpCall) => Promise<Reply>

/** Answers over REST; the body is the operation's argument of that name. */
const rest =
  (name: OperationName, argument: 'checkout' | 'catalog') =>
  async (shop: UcpContext, { id, body }: UcpCall): Promise<Reply> => {
    const answer = await OPERATIONS[name].call(shop, { id, [argument]: body })
    return json(answer.body, { status: answer.status, headers: { 'cache-control': 'no-store' } })
  }

const SESSIONS = `${OFFICIAL_PATHS.rest}/checkout-sessions`
const CATALOG = `${OFFICIAL_PATHS.rest}/catalog`

const METHODS: Readonly<Record<string, Methods>> = {
  [OFFICIAL_PATHS.mcp]: { POST: (shop, { request, body }) => mcpReply(shop, request, body) },
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

/** What the services of the official profile have at each of their paths. */
export const officialResources = (sessions: UcpCarts): [path: string, resource: Resource][] =>
  Object.entries(METHODS).map(([path, methods]) => [
    path,
    async (visit, call) => {
      if (!visit.official) return notFound(visit)
      const method = call.request.method === 'HEAD' ? 'GET' : call.request.method
      const handle = Object.hasOwn(methods, method) ? methods[method] : undefined
      return handle ? handle({ visit, sessions }, call) : otherMethod(visit, method, methods)
    },
  ])

function otherMethod(visit: Visit, method: string, methods: Methods): Reply {
  const allow = [...Object.keys(methods), 'OPTIONS'].join(', ')
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: '' }
  const refusal = refuse(visit, 405, 'method_not_allowed', `Use one of ${allow}.`)
  return { ...refusal, headers: { ...refusal.headers, allow } }
}
