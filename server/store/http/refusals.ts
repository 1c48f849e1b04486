import type { AcpError } from '../../../shared/protocols/spec/acp.ts'
import type { UcpError } from '../../../shared/protocols/spec/ucp.ts'
import { json, type Reply } from './store-request.ts'

/**
 * The parts of an error for engineers; the customer reads `message`. Unspecified: errors of UCP and
 * ACP have `fields` and `detail` as well as the sentence for the customer, for the agent's
 * developer. The specification has `fields` for UCP's addresses only.
 */
export interface Explanation {
  /** Dotted paths of the faults in the request, such as `items.0.quantity`. */
  fields?: string[]
  /** What to send instead. */
  detail?: string
}

export type UcpErrorBody = UcpError & { error: Explanation }
export type AcpErrorBody = AcpError & Explanation

/** The error body of the spec's UCP endpoints. `message` is a sentence for the customer. */
export const ucpRefusal = (
  status: number,
  error: Omit<UcpErrorBody['error'], 'retryable'> & { retryable?: boolean },
): Reply => json({ error: { retryable: false, ...error } } satisfies UcpErrorBody, { status })

/** The error body of the spec's ACP endpoints: code and message at the top level. */
export const acpRefusal = (status: number, error: AcpErrorBody): Reply => json(error, { status })

/**
 * The message for a request that its agent has to correct: the customer cannot do anything about
 * it.
 */
export const ASSISTANT_ERROR =
  'Something went wrong on the assistant’s side. Nothing was charged for this request.'

/** The message of every 404 for an unknown address. */
export const NOTHING_HERE = 'There is nothing at this address.'
