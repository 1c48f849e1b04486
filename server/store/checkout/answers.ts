import type { Money } from '../../../shared/commerce/product.ts'
import type { ShippingOption } from '../../../shared/protocols/ucp.ts'
import { isOfficialProtocol, type Protocol, type SessionStatus } from '../db/statuses.ts'
import type { CheckoutSession, Order } from '../db/tables.ts'
import type { AcpErrorBody, Explanation, UcpErrorBody } from '../http/refusals.ts'
import { receiptUrl, wireItem } from '../orders/record.ts'

/**
 * The answer of a protocol's endpoint, as plain data so that it can be stored for a repeated call.
 */
export interface CheckoutAnswer {
  status: number
  body: unknown
  /** Seconds, for the header of that name. Never kept. */
  retryAfter?: number
  /** It repeats the answer of an earlier call with the same idempotency key. */
  replayed?: boolean
  /** Its bytes are kept under its key already. Never kept. */
  isSent?: boolean
  /** What the call left behind, where that is known without another look. Never kept. */
  standing?: Standing
}

/** A session with its order, if it has one. */
export interface Standing {
  session: CheckoutSession
  order: Order | undefined
}

/**
 * The body of an answer to an official dialect: what became of the call. Its adapter shows the whole
 * session with it.
 */
export type CallOutcome = { checkout_id: string } | { order_id: string } | { refused: Refused }

/** A refusal as it is kept. */
export type Refused = Omit<CheckoutRefusal, 'retryAfter'>

/** Every answer to a session of an official dialect is made in this file, with such a body. */
export const callOutcomeOf = ({ body }: CheckoutAnswer): CallOutcome => body as CallOutcome

/** Why a call failed, before it is written in the format of a protocol. */
export interface CheckoutRefusal extends Explanation {
  code: keyof typeof WORDS
  /** What the customer hears: a sentence without the names of fields and without ids. */
  message: string
  /** Ids of variants that there are too few of. */
  items?: string[]
  /** Declined for want of a 3DS authentication: it can be paid with one. */
  needsAuthentication?: true
  retryAfter?: number
}

type Words = { status: number; ucp: string; acp: string; retryable: boolean }

const words = (status: number, ucp: string, acp = ucp, retryable = false): Words => ({
  status,
  ucp,
  acp,
  retryable,
})

// Unspecified: UCP errors have the HTTP statuses of ACP's table, for the same conditions.
// Unspecified: the codes outside both tables are named after what happened, as in the tables.
const WORDS = {
  declined: words(402, 'payment_failed', 'payment_declined', true),
  out_of_stock: words(409, 'out_of_stock'),
  invalid_address: words(422, 'invalid_address', 'invalid_address', true),
  // Unspecified: `session_expired` is not retryable. The session is over for good; a new one can be
  // opened.
  session_expired: words(410, 'session_expired'),
  invalid: words(422, 'invalid_request', 'validation_error'),
  too_many_items: words(422, 'too_many_items', 'validation_error'),
  unknown_product: words(422, 'unknown_product', 'validation_error'),
  variant_required: words(422, 'variant_required', 'validation_error'),
  unknown_variant: words(422, 'unknown_variant', 'validation_error'),
  session_not_found: words(404, 'session_not_found'),
  session_closed: words(409, 'session_closed'),
  rate_limited: words(429, 'rate_limited', 'rate_limited', true),
  idempotency_conflict: words(422, 'idempotency_conflict'),
  idempotency_in_flight: words(409, 'idempotency_in_flight', 'idempotency_in_flight', true),
  payment_unknown: words(503, 'payment_unknown', 'payment_unknown', true),
} as const satisfies Record<string, Words>

/**
 * An error in the format of the protocol: the spec's UCP error body, or ACP's code and message; the
 * outcome where the protocol is official.
 */
export function refusalAnswer(protocol: Protocol, refusal: CheckoutRefusal): CheckoutAnswer {
  const { message, items, fields, detail, retryAfter } = refusal
  const { status, ucp, acp, retryable } = WORDS[refusal.code]
  const explanation = { ...(fields && { fields }), ...(detail && { detail }) }
  if (isOfficialProtocol(protocol)) {
    const { retryAfter: _, ...refused } = refusal
    return {
      status,
      body: { refused } satisfies CallOutcome,
      ...(retryAfter !== undefined && { retryAfter }),
    }
  }
  const body =
    protocol === 'acp'
      ? ({ code: acp, message, ...explanation } satisfies AcpErrorBody)
      : ({
          error: { code: ucp, message, retryable, ...(items && { items }), ...explanation },
        } satisfies UcpErrorBody)
  return { status, body, ...(retryAfter !== undefined && { retryAfter }) }
}

const money = (amount: number, currency: string): Money => ({ amount, currency })

/** Postgres keeps no order of keys; a repeated answer is the same to the byte nevertheless. */
const wireOption = ({ id, name, cost: { amount, currency } }: ShippingOption): ShippingOption => ({
  id,
  name,
  cost: money(amount, currency),
})

/** The spec's UCP cart response, and its ACP create response; else the outcome. */
export function createdBody(session: CheckoutSession): unknown {
  const { id, status, items, currency, protocol } = session
  if (isOfficialProtocol(protocol)) return { checkout_id: id } satisfies CallOutcome
  const shipping_options = session.shipping_options.map(wireOption)
  const subtotal = money(session.subtotal, currency)
  const tax = money(session.tax, currency)
  const expires_at = session.expires_at.toISOString()
  if (protocol === 'ucp') {
    return { checkout_id: id, subtotal, shipping_options, tax, expires_at }
  }
  return {
    checkout_id: id,
    status,
    items: items.map(wireItem),
    subtotal,
    shipping_options,
    tax_estimate: tax,
    expires_at,
  }
}

/** The spec's ACP update response; `requoted`: the address may have changed what there is to choose. */
export function updatedBody(session: CheckoutSession, requoted: boolean): unknown {
  const { id, status, subtotal, tax, currency } = session
  const chosen = session.shipping_options.find((option) => option.id === session.shipping_option_id)
  return {
    checkout_id: id,
    status,
    // Unspecified: an update before any option was chosen has null as `selected_shipping`, and a
    // total without shipping.
    selected_shipping: chosen ? wireOption(chosen) : null,
    total: money(subtotal + tax + (chosen?.cost.amount ?? 0), currency),
    // Unspecified: an update with an address is also answered with `shipping_options` and
    // `tax_estimate`, because an agent has to know what it can choose from then.
    ...(requoted && {
      shipping_options: session.shipping_options.map(wireOption),
      tax_estimate: money(tax, currency),
    }),
  }
}

/** The answer to a cancellation; else the outcome. */
// Unspecified: the specification cannot give a session up. The store can, so that nothing waits for a
// buyer who left: `POST /ucp/checkout/:id/cancel` and `POST /acp/checkout/:id/cancel`, without a body,
// answer with the session's id and its last status, however often they are sent.
export function canceledBody({ id, protocol }: CheckoutSession): unknown {
  if (isOfficialProtocol(protocol)) return { checkout_id: id } satisfies CallOutcome
  return { checkout_id: id, status: 'canceled' satisfies SessionStatus }
}

/**
 * The spec's confirmation. Unspecified: while the PSP still works on a payment, the confirmation is
 * 202 in the same shape, and its status is `awaiting_payment`.
 */
export function confirmationOf(protocol: Protocol, order: Order): CheckoutAnswer {
  const status = order.status === 'awaiting_payment' ? 202 : 200
  if (isOfficialProtocol(protocol))
    return { status, body: { order_id: order.id } satisfies CallOutcome }
  return {
    status,
    body: {
      order_id: order.id,
      status: order.status,
      total: money(order.total, order.currency),
      estimated_delivery: order.estimated_delivery,
      confirmation_number: order.confirmation_number,
      ...(protocol === 'acp' && { receipt_url: receiptUrl(order) }),
    },
  }
}

// Refusals that more than one step gives.

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

/** Names the options of the session, so that an agent can correct its call. */
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

/** Words as a sentence lists them: `a, b and c`. */
export const listed = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${last} `)

export const SLOW = {
  code: 'idempotency_in_flight',
  message:
    'The payment is taking longer than usual. Please wait a moment: you will be charged at most once.',
  detail: 'Send the same request again to get the result.',
} as const

export const TOO_MANY_CHANGES = {
  code: 'rate_limited',
  message: 'This order was changed too often. Please wait a while and try again.',
  detail:
    'Too many calls of this kind for one checkout or cart, each with an idempotency key of its own. ' +
    'Retry-After says in how many seconds to try again.',
} as const

export const TOO_MANY = {
  code: 'rate_limited',
  message: 'You have started too many orders in a short time. Please wait a while and try again.',
  detail:
    'This buyer opened too many checkouts. Retry-After says in how many seconds to try again.',
} as const
