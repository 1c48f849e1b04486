import {
  ACP_PATHS,
  AcpConfirmation,
  AcpCreated,
  AcpUpdated,
  AnyAcpError,
} from '../../protocols/spec/acp.ts'
import { MAX_CREATE_MS, MIN_LIFE_MS } from '../../protocols/spec/ucp.ts'
import type { JsonSeen } from '../../web/http/fetched.ts'
import { field, isRecord } from '../../web/json/json.ts'
import type { WalkDialect } from '../dialect.ts'
import type { BuyerOperation, DialectCall } from '../operation.ts'
import type { Session, SessionLine, WalkReply } from '../session.ts'
import { idAt, integerAt, recordsAt, textAt } from './answer-fields.ts'
import { shapeFaults } from './answer-shape.ts'
import { httpReply, pathPart } from './http.ts'
import {
  blankSession,
  canceledSession,
  confirmedSession,
  notAnObject,
  offerOf,
  offersIn,
  orderView,
  phaseOf,
  wireLines,
} from './spec-answers.ts'
import { isErrorBody, specRefusal } from './spec-refusal.ts'

const SPEC = 'Specification, Merchant-side ACP endpoints'

/**
 * The specification's ACP (Merchant-side ACP endpoints), at its paths below an origin: a session is
 * created with items and address, gets a shipping option, and is completed. Unspecified: the
 * specification shows only a shipping option in an update. Some stores, ours too, also take an
 * address there, but a buyer cannot expect that.
 */
export const specAcp = ({ origin }: { origin: string }): WalkDialect => ({
  name: 'spec_acp',
  label: 'ACP of the specification',
  can: {
    dryRun: false,
    // The address is "required when physical goods ship".
    quote: false,
    changeLines: false,
    changeAddress: false,
    choose: true,
    coupon: false,
    currency: false,
    read: false,
    cancel: 'advised',
    order: 'advised',
    keys: true,
  },
  fields: {
    id: 'checkout_id',
    status: 'status',
    price: 'items[].unit_price.amount',
    quantity: 'items[].quantity',
    currency: 'subtotal.currency',
    subtotal: 'subtotal.amount',
    total: 'total.amount',
    shipping: 'shipping_options',
    expires_at: 'expires_at',
    continue_url: 'continue_url',
    messages: 'message',
    error: 'code',
    handlers: 'payment_method.type',
    order: 'order_id',
  },
  authority: {
    checkout: SPEC,
    errors: 'Specification, ACP errors',
    idempotency: SPEC,
    payment: SPEC,
    limits: 'Specification, Limits',
  },
  limits: { open: MAX_CREATE_MS, change: 1000, complete: 5000, life: MIN_LIFE_MS },
  call: (operation) => callOf(operation, origin),
  read: readAcp,
})

function callOf(operation: BuyerOperation, origin: string): DialectCall | null {
  const at = (path: string, id = '') => origin + path.replace(':id', () => pathPart(id))
  switch (operation.op) {
    case 'open': {
      const { wanted, key, dryRun } = operation
      // Create always keeps a session.
      if (dryRun) return null
      return send('POST', at(ACP_PATHS.create), {
        items: wireLines(wanted.lines),
        ...(wanted.address && { shipping_address: wanted.address }),
        idempotency_key: key,
      })
    }
    case 'change':
      return send('PATCH', at(ACP_PATHS.update, operation.id), optionOf(operation))
    case 'complete': {
      const { id, payment, key } = operation
      return send('POST', at(ACP_PATHS.complete, id), {
        ...optionOf(operation),
        payment_method: { type: 'card', token: payment.token },
        idempotency_key: key,
      })
    }
    case 'cancel':
      return send('POST', at(ACP_PATHS.cancel, operation.id))
    case 'order':
      return { over: 'http', method: 'GET', url: at(ACP_PATHS.order, operation.id), headers: {} }
    case 'read':
      return null
  }
}

const send = (
  method: 'POST' | 'PATCH',
  url: string,
  json?: Record<string, unknown>,
): DialectCall => ({ over: 'http', method, url, headers: {}, ...(json && { json }) })

const optionOf = ({ wanted }: Extract<BuyerOperation, { op: 'change' | 'complete' }>) =>
  wanted.option === null ? {} : { shipping_option_id: wanted.option }

function readAcp(operation: BuyerOperation, seen: JsonSeen): WalkReply {
  const reply = httpReply(seen)
  if (reply.is === 'silent' || reply.is === 'unreadable') return reply
  const { status, value } = reply
  if (reply.is === 'declined') {
    return { is: 'refused', refusal: specRefusal(operation, errorForm(value), reply) }
  }
  if (isErrorBody(value)) {
    const refusal = specRefusal(operation, errorForm(value), { status, value, isTyped: true })
    // Spec, ACP errors: each has its own status.
    return { is: 'refused', refusal: { ...refusal, fault: `is sent with the status ${status}` } }
  }
  if (!isRecord(value)) return notAnObject(status)
  switch (operation.op) {
    case 'order':
      return { is: 'order', order: orderView(value) }
    case 'cancel':
      return { is: 'session', session: canceledSession(value) }
    case 'complete': {
      const session = confirmedSession(AcpConfirmation, { id: operation.id, status, value })
      return { is: 'session', session }
    }
    case 'change':
      return { is: 'session', session: updatedSession(value, operation.last) }
    case 'open':
    case 'read':
      return { is: 'session', session: createdSession(value) }
  }
}

/** Code and message, in the store's envelope. */
const [FLAT, WRAPPED] = AnyAcpError.options
const errorForm = (value: unknown) => (isRecord(field(value, 'error')) ? WRAPPED : FLAT)

/** The ACP create response. It has no total, because shipping is not chosen yet. */
function createdSession(value: Record<string, unknown>): Session {
  const id = idAt(value, 'checkout_id')
  const said = textAt(value, 'status')
  const subtotal = field(value, 'subtotal')
  const currency = textAt(subtotal, 'currency')
  const shipping = offersIn(value, currency)
  return {
    ...blankSession(),
    id,
    // Spec, Complete request: the option may still come with the payment.
    phase: phaseOf(id, said, shipping.length > 0),
    said,
    currency,
    lines: linesIn(value),
    subtotal: integerAt(subtotal, 'amount'),
    parts: whole([
      { name: 'subtotal', amount: integerAt(subtotal, 'amount') },
      { name: TAX, amount: integerAt(field(value, 'tax_estimate'), 'amount') },
    ]),
    shipping,
    expires_at: textAt(value, 'expires_at'),
    faults: shapeFaults(AcpCreated, value),
  }
}

/** It "may be refined at completion", so not before. */
const TAX = 'tax_estimate'
const SHIPPING_PART = 'shipping'

/**
 * The ACP update response, whose total is "subtotal plus chosen shipping plus tax". It states only
 * the shipping: the other amounts and the options are those of before.
 */
function updatedSession(value: Record<string, unknown>, last: Session): Session {
  const id = idAt(value, 'checkout_id')
  const said = textAt(value, 'status')
  const total = field(value, 'total')
  const currency = textAt(total, 'currency')
  const selected = field(value, 'selected_shipping')
  const chosen = offerOf(selected, currency)
  const shipping = Array.isArray(field(value, 'shipping_options'))
    ? offersIn(value, currency)
    : last.shipping
  const before = last.parts?.filter(({ name }) => name !== SHIPPING_PART)
  const added = selected === null ? [] : [{ name: SHIPPING_PART, amount: chosen?.cost ?? null }]
  return {
    ...blankSession(),
    id,
    phase: phaseOf(id, said, chosen !== null || shipping.length > 0),
    said,
    currency,
    total: integerAt(total, 'amount'),
    // Amounts in two currencies cannot be added.
    parts: before && currency === last.currency ? whole([...before, ...added]) : null,
    shipping,
    chosen: chosen?.id ?? null,
    faults: shapeFaults(AcpUpdated, value),
  }
}

/** The parts, if all of them are known. */
const whole = (parts: readonly { name: string; amount: number | null }[]): Session['parts'] =>
  parts.every((part): part is { name: string; amount: number } => part.amount !== null)
    ? [...parts]
    : null

const linesIn = (value: Record<string, unknown>): SessionLine[] =>
  recordsAt(value, 'items').map((item) => ({
    id: null,
    item: idAt(item, 'variant_id') ?? idAt(item, 'product_id'),
    quantity: integerAt(item, 'quantity'),
    price: integerAt(field(item, 'unit_price'), 'amount'),
  }))
