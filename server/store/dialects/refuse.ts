import { ASSISTANT_ERROR, acpRefusal, NOTHING_HERE, ucpRefusal } from '../http/refusals.ts'
import { json, type Reply, type StoreRequest } from '../http/store-request.ts'
import { errorPage } from '../shop/pages/error.ts'
import { faultReply } from './acp/answers.ts'
import { isAcpService } from './acp/paths.ts'
import { protocolErrorBody } from './ucp/envelope.ts'
import { isService } from './ucp/paths.ts'

/** Where only programs read the answer. */
const FOR_PROGRAMS = /^\/(ucp\/|\.well-known\/|webhooks\/|mcp(\/|$))/
/** Where an agent reads it, and may repeat its message to a customer. */
const FOR_AGENTS = /^\/(ucp|acp|mcp)(\/|$)/

/** An error in the form of the requested part of the store: a page, or its protocol's. */
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
  // An error of ours is for everyone; one that the agent has to correct is not for its customer.
  const error =
    status < 500 && FOR_AGENTS.test(path)
      ? { code, message: ASSISTANT_ERROR, detail: message }
      : { code, message }
  if (path.startsWith('/acp/')) return acpRefusal(status, error)
  if (FOR_PROGRAMS.test(path)) return ucpRefusal(status, { ...error, retryable: status >= 500 })
  return errorPage(request, status, message)
}

/** The 404 of an unknown address. */
export const notFound = (request: StoreRequest): Reply =>
  refuse(request, 404, 'not_found', NOTHING_HERE)
