import type { AcpError } from '../../shared/acp.ts'
import type { UcpError } from '../../shared/ucp.ts'
import { errorPage } from './error-page.ts'
import { json, type Reply } from './reply.ts'
import type { Visit } from './visit.ts'

type Refusal = UcpError['error']

/** The error body of the spec's UCP endpoints. `message` is a sentence for the customer. */
export const ucpRefusal = (
  status: number,
  error: Omit<Refusal, 'retryable'> & { retryable?: boolean },
): Reply => json({ error: { retryable: false, ...error } } satisfies UcpError, { status })

/** Both at the top level, as `AcpError` says. */
export const acpRefusal = (status: number, code: string, message: string): Reply =>
  json({ code, message } satisfies AcpError, { status })

/** An error in the words of the part of the store that was asked: a page, UCP's body or ACP's. */
export function refuse(visit: Visit, status: number, code: string, message: string): Reply {
  const { path } = visit
  if (path.startsWith('/acp/')) return acpRefusal(status, code, message)
  if (path.startsWith('/ucp/') || path.startsWith('/.well-known/')) {
    return ucpRefusal(status, { code, message, retryable: status >= 500 })
  }
  return errorPage(visit, status, message)
}

export const notFound = (visit: Visit): Reply =>
  refuse(visit, 404, 'not_found', 'There is nothing at this address.')
