import {
  Confirmation,
  MAX_CREATE_MS,
  MIN_LIFE_MS,
  UCP_PATHS,
  UcpCart,
  UcpError,
} from '../../protocols/spec/ucp.ts'
import type { JsonSeen } from '../../web/http/fetched.ts'
import { field, isRecord } from '../../web/json/json.ts'
import type { WalkDialect } from '../dialect.ts'
import type { BuyerOperation, DialectCall } from '../operation.ts'
import type { Session, WalkReply } from '../session.ts'
import { idAt, integerAt, textAt } from './answer-fields.ts'
import { shapeFaults } from './answer-shape.ts'
import { httpReply } from './http.ts'
import {
  blankSession,
  canceledSession,
  confirmedSession,
  notAnObject,
  offersIn,
  orderView,
  phaseOf,
  urlBelow,
  wireLines,
} from './spec-answers.ts'
import { isErrorBody, specRefusal } from './spec-refusal.ts'

/** The endpoints of the manifest: absolute URLs. */
interface SpecUcpRoute {
  checkout: string
  /** Null if the manifest declares none. */
  orders: string | null
}

const SPEC = 'Specification, Merchant-side UCP endpoints'

/**
 * The specification's UCP (Merchant-side UCP endpoints): a cart is opened with everything, and
 * confirmed. It cannot be read or changed.
 */
export function specUcp({ checkout, orders }: SpecUcpRoute): WalkDialect {
  // Unspecified: if no manifest declares an orders endpoint, the specification's own path is used.
  const ordersAt = orders ?? URL.parse(UCP_PATHS.orders, checkout)?.href ?? checkout
  return {
    name: 'spec_ucp',
    label: 'UCP of the specification',
    can: {
      dryRun: true,
      quote: false,
      changeLines: false,
      changeAddress: false,
      choose: false,
      coupon: false,
      currency: false,
      read: false,
      cancel: 'advised',
      order: true,
      keys: 'advised',
    },
    fields: {
      id: 'checkout_id',
      status: 'status',
      // A cart lists no lines: only its subtotal shows the goods.
      price: 'subtotal.amount',
      quantity: 'subtotal.amount',
      currency: 'subtotal.currency',
      subtotal: 'subtotal.amount',
      total: 'total.amount',
      shipping: 'shipping_options',
      expires_at: 'expires_at',
      continue_url: 'continue_url',
      messages: 'error.message',
      error: 'error.code',
      handlers: 'payment_method.type',
      order: 'order_id',
    },
    authority: {
      checkout: SPEC,
      errors: 'Specification, UCP error body',
      idempotency: SPEC,
      payment: SPEC,
      limits: 'Specification, Limits',
    },
    // Unspecified: the limits of UCP only mention the cart. Confirming it is held to ACP's 5 s.
    limits: { open: MAX_CREATE_MS, change: MAX_CREATE_MS, complete: 5000, life: MIN_LIFE_MS },
    call: (operation) => callOf(operation, checkout, ordersAt),
    read: readUcp,
  }
}

const post = (url: string, key: string | null, json?: Record<string, unknown>): DialectCall => ({
  over: 'http',
  method: 'POST',
  url,
  // Unspecified: the place of UCP's idempotency key is open; most stores look for it in this
  // header.
  headers: key === null ? {} : { 'idempotency-key': key },
  ...(json && { json }),
})

function callOf(operation: BuyerOperation, checkout: string, orders: string): DialectCall | null {
  switch (operation.op) {
    case 'open': {
      const { wanted, key, dryRun } = operation
      const { lines, address } = wanted
      return post(checkout, dryRun ? null : key, {
        items: wireLines(lines),
        ...(address && { shipping_address: address }),
        ...(dryRun && { dry_run: true }),
      })
    }
    case 'complete': {
      const { id, wanted, payment, key } = operation
      return post(urlBelow(checkout, id, 'confirm'), key, {
        ...(wanted.option !== null && { shipping_option_id: wanted.option }),
        payment_method: { type: 'card', token: payment.token },
      })
    }
    // Unspecified: the specification shows no way to cancel a cart; stores would have it here.
    case 'cancel':
      return post(urlBelow(checkout, operation.id, 'cancel'), operation.key)
    case 'order':
      return { over: 'http', method: 'GET', url: urlBelow(orders, operation.id), headers: {} }
    case 'read':
    case 'change':
      return null
  }
}

function readUcp(operation: BuyerOperation, seen: JsonSeen): WalkReply {
  const reply = httpReply(seen)
  if (reply.is === 'silent' || reply.is === 'unreadable') return reply
  const { status, value } = reply
  if (reply.is === 'declined' || isErrorBody(value)) {
    const isTyped = reply.is === 'taken' || reply.isTyped
    const refusal = specRefusal(operation, UcpError, { status, value, isTyped })
    return { is: 'refused', refusal }
  }
  if (!isRecord(value)) return notAnObject(status)
  switch (operation.op) {
    case 'order':
      return { is: 'order', order: orderView(value) }
    case 'cancel':
      return { is: 'session', session: canceledSession(value) }
    case 'complete': {
      const session = confirmedSession(Confirmation, { id: operation.id, status, value })
      return { is: 'session', session }
    }
    case 'open':
    case 'read':
    case 'change':
      return { is: 'session', session: cartSession(value) }
  }
}

/** A cart has neither a status nor a total: with a way to ship it can be confirmed. */
function cartSession(cart: Record<string, unknown>): Session {
  const subtotal = field(cart, 'subtotal')
  const id = idAt(cart, 'checkout_id')
  const currency = textAt(subtotal, 'currency')
  const shipping = offersIn(cart, currency)
  return {
    ...blankSession(),
    id,
    phase: phaseOf(id, null, shipping.length > 0),
    currency,
    subtotal: integerAt(subtotal, 'amount'),
    shipping,
    expires_at: textAt(cart, 'expires_at'),
    faults: shapeFaults(UcpCart, cart),
  }
}
