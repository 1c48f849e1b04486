import type { Context, MiddlewareHandler } from 'hono'
import { databaseAway } from '../../db/connection/readiness.ts'
import { INTERNAL_ERROR, idOf } from '../../http/mcp-post.ts'
import { isEmptyCredential } from '../checkout/caller.ts'
import { type Env, readJsonBody, send } from '../http/routing.ts'
import type { Reply, StoreRequest } from '../http/store-request.ts'
import { faultBody } from './acp/answers.ts'
import { ACP_SERVICES } from './acp/paths.ts'
import { AGENT_TOOLS_PATH } from './mcp/paths.ts'
import { refused } from './mcp/refused.ts'
import { refuse } from './refuse.ts'
import { SERVER_ERROR, toRpc } from './ucp/envelope.ts'
import { OFFICIAL_PATHS } from './ucp/paths.ts'

/** An error before anything reads the call, for every dialect and for pages. */
interface Failure {
  status: number
  code: string
  content: string
  rpcCode: number
  /** Seconds. */
  retryAfter?: number
  headers?: Record<string, string>
}

const FAILED: Failure = {
  status: 500,
  code: 'internal_error',
  content: 'Something went wrong on our side. Please try again.',
  rpcCode: INTERNAL_ERROR,
}

const AWAY: Failure = {
  status: 503,
  code: 'temporarily_unavailable',
  content: 'This shop cannot answer at the moment. Please try again in a few seconds.',
  rpcCode: SERVER_ERROR,
}

/** The answer to a failure inside the store: 503 while its database is away, else 500. */
export function failureReply(c: Context<Env>, error: Error): Promise<Reply> {
  const away = databaseAway(error)
  return errorReply(c, away ? { ...AWAY, ...away } : FAILED)
}

// Unspecified: a call with an Authorization header that holds no credential is refused, although
// one without the header is not: its client means to be known and has lost its key.
export const refuseEmptyCredential: MiddlewareHandler<Env> = async (c, next) =>
  isEmptyCredential(c.req.header('authorization'))
    ? send(await errorReply(c, NO_CREDENTIAL))
    : next()

const NO_CREDENTIAL: Failure = {
  status: 401,
  code: 'unauthorized',
  content: 'Send your key as "Authorization: Bearer <key>", or leave the header out.',
  rpcCode: SERVER_ERROR,
  headers: { 'www-authenticate': 'Bearer' },
}

/** An MCP message gets a JSON-RPC error with its id. */
async function errorReply(c: Context<Env>, failure: Failure): Promise<Reply> {
  const { request } = c.var
  const { status, code, content, rpcCode, retryAfter } = failure
  const headers = {
    ...failure.headers,
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  }
  if (c.req.method !== 'POST' || !isMcp(request)) {
    const reply = refuse(request, status, code, content)
    return { ...reply, headers: { ...reply.headers, ...headers } }
  }
  const id = idOf(await readJsonBody(c))
  if (request.path === OFFICIAL_PATHS.mcp) return refused(id, toRpc(request, failure))
  const said =
    request.path === ACP_SERVICES.mcp ? faultBody({ status, code, message: content }) : { code }
  const data = retryAfter !== undefined && { data: { ...said, retry_after: retryAfter } }
  return refused(id, { status, code: rpcCode, message: content, ...data, headers })
}

const isMcp = ({ path, official }: StoreRequest): boolean =>
  path === AGENT_TOOLS_PATH ||
  path === ACP_SERVICES.mcp ||
  (official && path === OFFICIAL_PATHS.mcp)
