import type { Money } from '../../../shared/commerce/product.ts'
import type { ShippingOption } from '../../../shared/protocols/spec/ucp.ts'
import {
  isOfficialProtocol,
  type Protocol,
  type SessionStatus,
  SPEC_ACP,
  SPEC_UCP,
} from '../db/statuses.ts'
import type { CheckoutSession, Order } from '../db/tables.ts'
import type { AcpErrorBody, UcpErrorBody } from '../http/refusals.ts'
import { receiptUrl, wireItem } from '../orders/orders.ts'
import { type CheckoutRefusal, CODES, type Refused } from './refusals.ts'

/**
 * The answer of a protocol's endpoint, as plain data so that it can be stored for a repeated call.
 */
export interface CheckoutAnswer {
  status: number
  body: unknown
  /** Seconds, for the header of that name. Never stored. */
  retryAfter?: number
  /** It repeats the answer of an earlier call with the same idempotency key. */
  replayed?: boolean
  /** Its bytes, if they are stored under its key already. */
  sent?: SentBytes
  /** The session and order after the call, if known without another read. Never stored. */
  snapshot?: Snapshot
}

/** An answer of an official dialect, as it is sent: all but the status in `text`. */
export interface SentBytes {
  status: number
  text: string
  /** Never stored. */
  headers?: Record<string, string>
}

/** A session with its order, if it has one. */
export interface Snapshot {
  session: CheckoutSession
  order: Order | undefined
}

/**
 * The body of an answer to an official dialect: the outcome of the call. Its adapter adds the whole
 * session.
 */
export type CallOutcome = { checkout_id: string } | { order_id: string } | { refused: Refused }

/** Every answer to a session of an official dialect is made in this file, with such a body. */
export const callOutcomeOf = ({ body }: CheckoutAnswer): CallOutcome => body as CallOutcome

/**
 * An error in the format of the protocol: the spec's UCP error body, or ACP's code and message; the
 * outcome if the protocol is official.
 */
export function refusalAnswer(protocol: Protocol, refusal: CheckoutRefusal): CheckoutAnswer {
  const { message, items, fields, detail, retryAfter } = refusal
  const { status, ucp, acp, retryable } = CODES[refusal.code]
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
    protocol === SPEC_ACP
      ? ({ code: acp, message, ...explanation } satisfies AcpErrorBody)
      : ({
          error: { code: ucp, message, retryable, ...(items && { items }), ...explanation },
        } satisfies UcpErrorBody)
  return { status, body, ...(retryAfter !== undefined && { retryAfter }) }
}

const money = (amount: number, currency: string): Money => ({ amount, currency })

/** Postgres does not keep the order of keys, but a repeated answer must be the same to the byte. */
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
  if (protocol === SPEC_UCP) {
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

/** The spec's ACP update response; `requoted`: the address may have changed the options. */
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
    // `tax_estimate`, because the agent then needs the options.
    ...(requoted && {
      shipping_options: session.shipping_options.map(wireOption),
      tax_estimate: money(tax, currency),
    }),
  }
}

/**
 * The answer to a cancellation; else the outcome. Unspecified: the specification has no way to
 * cancel a session. This store has, so that nothing waits for a buyer who left: `POST
 * /ucp/checkout/:id/cancel` and `POST /acp/checkout/:id/cancel`, without a body, answer with the
 * session's id and its last status, also when repeated.
 */
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
      ...(protocol === SPEC_ACP && { receipt_url: receiptUrl(order) }),
    },
  }
}
