import type { AcpError } from '../../../shared/protocols/acp.ts'
import type { UcpError } from '../../../shared/protocols/ucp.ts'
import { json, type Reply } from './reply.ts'

/** The error body of the spec's UCP endpoints. `message` is a sentence for the customer. */
export const ucpRefusal = (
  status: number,
  error: Omit<UcpError['error'], 'retryable'> & { retryable?: boolean },
): Reply => json({ error: { retryable: false, ...error } } satisfies UcpError, { status })

/** The error body of the spec's ACP endpoints: code and message at the top level. */
export const acpRefusal = (status: number, code: string, message: string): Reply =>
  json({ code, message } satisfies AcpError, { status })

/** The message of every 404 for an address that is not served. */
export const NOTHING_HERE = 'There is nothing at this address.'
