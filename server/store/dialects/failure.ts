import type { Context } from 'hono'
import { INTERNAL_ERROR, idOf } from '../../http/mcp-post.ts'
import type { Reply } from '../http/reply.ts'
import { type Env, readJsonBody } from '../http/routing.ts'
import type { StoreRequest } from '../http/store-request.ts'
import { ACP_SERVICES } from './acp/paths.ts'
import { AGENT_TOOLS_PATH } from './mcp/paths.ts'
import { refused } from './mcp/refused.ts'
import { refuse } from './refuse.ts'
import { faultData } from './ucp/envelope.ts'
import { OFFICIAL_PATHS } from './ucp/paths.ts'

const FAILED = 'Something went wrong on our side. Please try again.'

/** The 500 for a failure inside the store. An MCP message gets a JSON-RPC error with its id. */
export async function failureReply(c: Context<Env>): Promise<Reply> {
  const { request } = c.var
  const code = 'internal_error'
  if (c.req.method !== 'POST' || !isMcp(request)) return refuse(request, 500, code, FAILED)
  const isUcp = request.path === OFFICIAL_PATHS.mcp
  return refused(idOf(await readJsonBody(c)), {
    status: 500,
    code: INTERNAL_ERROR,
    message: FAILED,
    ...(isUcp && { data: faultData(request, { code, content: FAILED }) }),
  })
}

const isMcp = ({ path, official }: StoreRequest): boolean =>
  path === AGENT_TOOLS_PATH ||
  path === ACP_SERVICES.mcp ||
  (official && path === OFFICIAL_PATHS.mcp)
