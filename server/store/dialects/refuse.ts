import { acpRefusal, NOTHING_HERE, ucpRefusal } from '../http/refusals.ts'
import { json, type Reply } from '../http/reply.ts'
import type { StoreRequest } from '../http/store-request.ts'
import { errorPage } from '../shop/pages/error.ts'
import { isService } from './ucp/paths.ts'

/** Where no person reads the answer. */
const FOR_PROGRAMS = /^\/(ucp\/|\.well-known\/|webhooks\/|mcp(\/|$))/

/** An error in the words of the part of the store that was asked: a page, or its protocol's. */
export function refuse(
  request: StoreRequest,
  status: number,
  code: string,
  message: string,
): Reply {
  const { path } = request
  // A protocol error of official UCP is flat, and its sentence is called content.
  if (request.official && isService(path)) return json({ code, content: message }, { status })
  if (path.startsWith('/acp/')) return acpRefusal(status, code, message)
  if (FOR_PROGRAMS.test(path)) {
    return ucpRefusal(status, { code, message, retryable: status >= 500 })
  }
  return errorPage(request, status, message)
}

/** The 404 of an address that nothing is served at. */
export const notFound = (request: StoreRequest): Reply =>
  refuse(request, 404, 'not_found', NOTHING_HERE)
