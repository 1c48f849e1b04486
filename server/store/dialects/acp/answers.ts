import type { OfficialAcpError } from '../../../../shared/protocols/acp/error.ts'
import type { CallOutcome } from '../../checkout/answers.ts'
import type { SentAnswer } from '../../checkout/idempotency.ts'
import type { CheckoutRefusal } from '../../checkout/refusals.ts'
import { json, type Reply } from '../../http/store-request.ts'

/** ACP's flat error: only if no session can be shown (ACP 2026-04-17, Error). */
export interface AcpFault {
  status: number
  code: string
  message: string
  /** JSONPath (RFC 9535) of the fault in the request. */
  param?: string
  supported_versions?: readonly string[]
  /** Seconds, for the header of that name. */
  retryAfter?: number
  headers?: Record<string, string>
}

/** An answer, before REST or MCP sends it. */
export interface AcpAnswer extends SentAnswer {
  retryAfter?: number
  headers?: Record<string, string>
}

/** The body of a flat error. */
export const faultBody = ({ status, code, message, param, supported_versions }: AcpFault) => ({
  type: typeOf(status),
  code,
  message,
  ...(param !== undefined && { param }),
  ...(supported_versions && { supported_versions }),
})

function typeOf(status: number): OfficialAcpError['type'] {
  if (status === 429 || status === 503) return 'service_unavailable'
  return status >= 500 ? 'processing_error' : 'invalid_request'
}

export const faultAnswer = (fault: AcpFault): AcpAnswer => ({
  status: fault.status,
  text: JSON.stringify(faultBody(fault)),
  ...(fault.retryAfter !== undefined && { retryAfter: fault.retryAfter }),
  ...(fault.headers && { headers: fault.headers }),
})

/** A flat error for an address or a method that official ACP does not have. */
export const faultReply = (status: number, code: string, message: string): Reply =>
  json(faultBody({ status, code, message }), { status })

export const NO_ACP_SESSION: AcpFault = {
  status: 404,
  code: 'not_found',
  message: 'No checkout session of yours has this id. Create a new one.',
}

/** The checkout's refusals in ACP's codes, if there is no session to show with them. */
const CODES: Partial<Record<CheckoutRefusal['code'], { status: number; code: string }>> = {
  unknown_product: { status: 400, code: 'invalid_item_id' },
  unknown_variant: { status: 400, code: 'invalid_item_id' },
  variant_required: { status: 400, code: 'invalid_item_id' },
  too_many_items: { status: 400, code: 'quantity_exceeded' },
  session_closed: { status: 409, code: 'conflict' },
  session_expired: { status: 409, code: 'conflict' },
  rate_limited: { status: 429, code: 'rate_limited' },
  idempotency_conflict: { status: 422, code: 'idempotency_conflict' },
  idempotency_in_flight: { status: 409, code: 'idempotency_in_flight' },
  taking_long: { status: 409, code: 'idempotency_in_flight' },
  payment_unknown: { status: 503, code: 'payment_unknown' },
}

type RefusedOutcome = Extract<CallOutcome, { refused: unknown }>['refused']

/** The flat error of a refusal. `items.0.variant_id` of the checkout is `$.line_items` here. */
export function faultOf(refused: RefusedOutcome, retryAfter: number | undefined): AcpFault {
  if (refused.code === 'session_not_found') return NO_ACP_SESSION
  const { status, code } = CODES[refused.code] ?? { status: 400, code: 'invalid_request' }
  const isAboutItems = refused.fields?.some((field) => field.startsWith('items'))
  return {
    status,
    code,
    message: refused.detail ?? refused.message,
    ...(isAboutItems && { param: '$.line_items' }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}
