import type { CheckoutSession } from '../db/tables.ts'
import { ASSISTANT_ERROR, type Explanation } from '../http/refusals.ts'

/** The reason for a failed call, before it is written in the format of a protocol. */
export interface CheckoutRefusal extends Explanation {
  code: keyof typeof CODES
  /** For the customer: a sentence without field names and ids. */
  message: string
  /** Ids of variants with too little stock. */
  items?: string[]
  /** Declined because 3DS authentication is missing: it can be paid with one. */
  needsAuthentication?: true
  retryAfter?: number
}

/** A stored refusal. */
export type Refused = Omit<CheckoutRefusal, 'retryAfter'>

/** A protocol's name for a refusal, with the HTTP status of the answer. */
type Code = { status: number; ucp: string; acp: string; retryable: boolean }

const code = (status: number, ucp: string, acp = ucp, retryable = false): Code => ({
  status,
  ucp,
  acp,
  retryable,
})

// Unspecified: UCP errors have the HTTP statuses of ACP's table, for the same conditions.
// Unspecified: codes outside both tables are named after the event, as in the tables.
export const CODES = {
  declined: code(402, 'payment_failed', 'payment_declined', true),
  out_of_stock: code(409, 'out_of_stock'),
  invalid_address: code(422, 'invalid_address', 'invalid_address', true),
  // Unspecified: `session_expired` is not retryable. The session has ended; a new one can be
  // opened.
  session_expired: code(410, 'session_expired'),
  invalid: code(422, 'invalid_request', 'validation_error'),
  too_many_items: code(422, 'too_many_items', 'validation_error'),
  unknown_product: code(422, 'unknown_product', 'validation_error'),
  variant_required: code(422, 'variant_required', 'validation_error'),
  unknown_variant: code(422, 'unknown_variant', 'validation_error'),
  session_not_found: code(404, 'session_not_found'),
  session_closed: code(409, 'session_closed'),
  rate_limited: code(429, 'rate_limited', 'rate_limited', true),
  idempotency_conflict: code(422, 'idempotency_conflict'),
  idempotency_in_flight: code(409, 'idempotency_in_flight', 'idempotency_in_flight', true),
  /** The call's own payment is in progress: to an agent it is the same. */
  taking_long: code(409, 'idempotency_in_flight', 'idempotency_in_flight', true),
  payment_unknown: code(503, 'payment_unknown', 'payment_unknown', true),
} as const satisfies Record<string, Code>

/** Names as a sentence lists them: `a, b and c`. */
export const listed = (names: readonly string[], last: 'and' | 'or' = 'and'): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(` ${last} `)

// Refusals that several steps use.

export const NO_SESSION = {
  code: 'session_not_found',
  message: 'We could not find this checkout. Please start again.',
  detail: 'No session of this protocol has this id. Create a new one.',
} as const

export const IN_FLIGHT = {
  code: 'idempotency_in_flight',
  message: 'Your order is still being processed. Please wait a moment.',
  detail: 'Another call is still under way. Send the same request again.',
} as const

export const IN_DOUBT = {
  code: 'payment_unknown',
  message:
    'We cannot tell yet whether the payment went through. Please wait a moment: you will be charged at most once.',
  detail: 'Send the same request again to get the result.',
} as const

export const FAILED_LATER = {
  code: 'declined',
  message: 'The payment failed. Please pay another way.',
  detail: 'Pay with another token and a new idempotency key.',
} as const

export const SLOW = {
  code: 'taking_long',
  message:
    'The payment is taking longer than usual. Please wait a moment: you will be charged at most once.',
  detail: 'Send the same request again to get the result.',
} as const

export const KEY_CONFLICT = {
  code: 'idempotency_conflict',
  message: ASSISTANT_ERROR,
  detail: 'This idempotency key was already used with a different body. Send a new key.',
} as const

export const TOO_MANY_CHANGES = {
  code: 'rate_limited',
  message: 'This order was changed too often. Please wait a while and try again.',
  detail:
    'Too many calls of this kind for one checkout or cart, each with its own idempotency key. ' +
    'Retry-After says in how many seconds to try again.',
} as const

export const TOO_MANY = {
  code: 'rate_limited',
  message: 'You have started too many orders in a short time. Please wait a while and try again.',
  detail:
    'This buyer opened too many checkouts. Retry-After says in how many seconds to try again.',
} as const

/** Lists the options of the session, so that an agent can correct its call. */
export function unknownOption({ shipping_options }: CheckoutSession): CheckoutRefusal {
  const ids = shipping_options.map(({ id }) => id).join(', ')
  const names = listed(
    shipping_options.map(({ name }) => name),
    'or',
  )
  return {
    code: 'invalid',
    message: `Please choose how to ship your order: ${names}.`,
    fields: ['shipping_option_id'],
    detail: `Set shipping_option_id to one of ${ids}.`,
  }
}
