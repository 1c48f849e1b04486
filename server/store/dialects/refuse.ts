import type { Context } from 'hono'
import { INTERNAL_ERROR, idOf } from '../../http/mcp-post.ts'
import { ASSISTANT_ERROR, acpRefusal, NOTHING_HERE, ucpRefusal } from '../http/refusals.ts'
import { json, type Reply } from '../http/reply.ts'
import { type Env, readJsonBody } from '../http/routing.ts'
import type { StoreRequest } from '../http/store-request.ts'
import { errorPage } from '../shop/pages/error.ts'
import { faultReply } from './acp/answers.ts'
import { ACP_SERVICES, isAcpService } from './acp/paths.ts'
import { AGENT_TOOLS_PATH } from './mcp/paths.ts'
import { refused } from './mcp/refused.ts'
import { faultData, protocolErrorBody } from './ucp/envelope.ts'
import { isService, OFFICIAL_PATHS } from './ucp/paths.ts'

/** Where no person reads the answer. */
const FOR_PROGRAMS = /^\/(ucp\/|\.well-known\/|webhooks\/|mcp(\/|$))/
/** Where an agent reads it, and may repeat its message to a customer. */
const FOR_AGENTS = /^\/(ucp|acp|mcp)(\/|$)/

/** An error in the words of the part of the store that was asked: a page, or its protocol's. */
export function refuse(
  request: StoreRequest,
  status: number,
  code: string,
  message: string,
): Reply {
  const { path } = request
  if (request.official && isService(path)) {
    return json(protocolErrorBody(request, { code, content: message }), { status })
  }
  if (isAcpService(path)) return faultReply(status, code, message)
  // An error of ours is for everyone; what an agent has to correct is not for its customer.
  const error =
    status < 500 && FOR_AGENTS.test(path)
      ? { code, message: ASSISTANT_ERROR, detail: message }
      : { code, message }
  if (path.startsWith('/acp/')) return acpRefusal(status, error)
  if (FOR_PROGRAMS.test(path)) return ucpRefusal(status, { ...error, retryable: status >= 500 })
  return errorPage(request, status, message)
}

const FAILED = 'Something went wrong on our side. Please try again.'

/** The 500 of what failed inside the store: a message of MCP is answered by one, with its id. */
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

/** The 404 of an address that nothing is served at. */
export const notFound = (request: StoreRequest): Reply =>
  refuse(request, 404, 'not_found', NOTHING_HERE)
