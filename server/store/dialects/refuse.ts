import type { AcpError } from '../../../shared/protocols/acp.ts'
import type { UcpError } from '../../../shared/protocols/ucp.ts'
import { html, json, type Reply } from '../http/reply.ts'
import type { Visit } from '../http/store-request.ts'
import { errorPage } from '../shop/pages/error.ts'
import { isService } from './ucp/paths.ts'

type Refusal = UcpError['error']

/** The error body of the spec's UCP endpoints. `message` is a sentence for the customer. */
export const ucpRefusal = (
  status: number,
  error: Omit<Refusal, 'retryable'> & { retryable?: boolean },
): Reply => json({ error: { retryable: false, ...error } } satisfies UcpError, { status })

/** Both at the top level, as `AcpError` says. */
export const acpRefusal = (status: number, code: string, message: string): Reply =>
  json({ code, message } satisfies AcpError, { status })

/** Where no person reads the answer. */
const FOR_PROGRAMS = /^\/(ucp\/|\.well-known\/|webhooks\/|mcp(\/|$))/

/** An error in the words of the part of the store that was asked: a page, or its protocol's. */
export function refuse(visit: Visit, status: number, code: string, message: string): Reply {
  const { path } = visit
  // A protocol error of official UCP is flat, and its sentence is called content.
  if (visit.official && isService(path)) return json({ code, content: message }, { status })
  if (path.startsWith('/acp/')) return acpRefusal(status, code, message)
  if (FOR_PROGRAMS.test(path)) {
    return ucpRefusal(status, { code, message, retryable: status >= 500 })
  }
  return errorPage(visit, status, message)
}

export const notFound = (visit: Visit): Reply =>
  refuse(visit, 404, 'not_found', 'There is nothing at this address.')

/** A page of a server that knows nothing of the store. */
export const deadPage = (): Reply =>
  html('<!doctype html><title>Not found</title><h1>Not found</h1>', { status: 404 })
