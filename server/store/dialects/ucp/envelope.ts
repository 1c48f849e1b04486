import * as z from 'zod'
import type { UcpErrorMessage } from '../../../../shared/protocols/ucp/checkout.ts'
import { UCP } from '../../../../shared/protocols/ucp/versions.ts'
import type { McpRefusal } from '../../../http/mcp-post.ts'
import type { SentAnswer } from '../../checkout/idempotency.ts'
import type { CheckoutRefusal } from '../../checkout/refusals.ts'
import type { JsonObject, StoreRequest } from '../../http/store-request.ts'
import type { Negotiated } from './negotiation/negotiate.ts'

/** Longer than any id, name or line that an agent needs. */
export const Text = z.string().max(200)

interface Said {
  /** HTTP status, over REST. */
  status: number
  /** It repeats the answer of an earlier call with the same idempotency key. */
  replayed?: boolean
  /** The checkout answer inside, if the checkout was asked (`checkout/idempotency.ts`). */
  of?: SentAnswer['of']
}

/** The answer of an operation. */
export interface UcpAnswer extends Said {
  body: JsonObject
  fault?: undefined
  /** Not a final answer: there is nothing to call, or the call is still in progress. */
  isPassing?: boolean
}

/** The result of an operation: an answer, or an error that each binding has its own form for. */
export type UcpResult =
  | UcpAnswer
  | (Said & { fault: ProtocolFault; body?: undefined; isPassing?: undefined })

/** Why a request cannot be read. */
interface ProtocolFault {
  code: string
  content: string
  /** JSON-RPC's code, if it is not that of wrong arguments. */
  rpcCode?: number
  /** Seconds. */
  retryAfter?: number
  /** The version that was agreed on, as far as one was. */
  version?: string
}

/** One call: the caller, the shop, and what both agreed on. */
export interface Agreed {
  request: StoreRequest
  negotiated: Negotiated
}

/**
 * The `ucp` member of every response: the version, and the capabilities behind the response that
 * the platform has too.
 */
export const ucpOf = (
  { version, capabilities }: Negotiated,
  status: 'success' | 'error',
  ...names: string[]
): JsonObject => ({
  version,
  status,
  ...(names.length > 0 && {
    capabilities: Object.fromEntries(
      names.filter((name) => capabilities.has(name)).map((name) => [name, [{ version }]]),
    ),
  }),
})

/** A message of type `error`, as UCP lists them under `messages`. */
export const errorMessage = (complaint: UcpErrorMessage): JsonObject => ({
  type: 'error',
  ...complaint,
})

/** Where a buyer continues if there is nothing to show. */
const homeOf = ({ origin }: StoreRequest): string => `${origin}/`

/** UCP's error response: there is nothing to show, and why. */
export const ucpFailure = (
  { request, negotiated }: Agreed,
  code: string,
  content: string,
): UcpAnswer => ({
  status: 200,
  body: {
    ucp: ucpOf(negotiated, 'error'),
    messages: [errorMessage({ code, content, severity: 'unrecoverable' })],
    continue_url: homeOf(request),
  },
})

/** UCP's protocol error: the request itself is wrong, and no operation has read it. */
export const protocolError = (
  status: number,
  code: string,
  content: string,
  more: Pick<ProtocolFault, 'rpcCode' | 'retryAfter'> = {},
): UcpResult => ({ status, fault: { code, content, ...more } })

/** Refusals that are not about the content of a call: the status of each. */
const CALL_REFUSALS = { idempotency_conflict: 409, rate_limited: 429 }

type RefusedCall = CheckoutRefusal & { code: keyof typeof CALL_REFUSALS }

export const isRefusedCall = (refusal: CheckoutRefusal): refusal is RefusedCall =>
  refusal.code in CALL_REFUSALS

/** The protocol error for such a refusal. */
export const refusedCall = ({ code, message, detail, retryAfter }: RefusedCall): UcpResult =>
  protocolError(CALL_REFUSALS[code], code, detail ?? message, {
    rpcCode: SERVER_ERROR,
    ...(retryAfter !== undefined && { retryAfter }),
  })

/** JSON-RPC's code for a temporary failure of the server (UCP, MCP binding, Errors). */
export const SERVER_ERROR = -32000

/** The data of a JSON-RPC error, in addition to its message. */
export const faultData = (
  request: StoreRequest,
  { code, content }: Pick<ProtocolFault, 'code' | 'content'>,
): JsonObject => ({
  code,
  content,
  continue_url: homeOf(request),
})

/**
 * A protocol error over REST. Clients look for the reason in different places, so it has the flat
 * form of the transport, the `detail` of frameworks, and the messages of every other answer.
 */
export const protocolErrorBody = (
  request: StoreRequest,
  { code, content, version = UCP.newest }: Omit<ProtocolFault, 'rpcCode' | 'retryAfter'>,
): JsonObject => ({
  code,
  content,
  detail: content,
  ucp: { version, status: 'error' },
  messages: [errorMessage({ code, content, severity: 'unrecoverable' })],
  continue_url: homeOf(request),
})

/** A refusal as an error of JSON-RPC, with the HTTP status that it has over REST. */
export const toRpc = (request: StoreRequest, refusal: RpcRefusal): McpRefusal => {
  const { status, rpcCode, content, retryAfter } = refusal
  const more = retryAfter === undefined ? {} : { retry_after: retryAfter }
  return {
    status,
    code: rpcCode,
    message: content,
    data: { ...faultData(request, refusal), ...more },
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  }
}

export type RpcRefusal = Omit<ProtocolFault, 'version'> & { status: number; rpcCode: number }
