import type * as z from 'zod'
import {
  ACP_PATHS,
  AcpConfirmation,
  AcpCreated,
  AcpUpdated,
  AnyAcpError,
} from '../../protocols/spec/acp.ts'
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
import type { Abilities, Fact, WalkDialect } from '../dialect.ts'
import type { BuyerOperation, DialectCall } from '../operation.ts'
import type { Session, WalkReply } from '../session.ts'
import { idAt, integerAt, recordsAt, textAt } from './answer-fields.ts'
import { shapeFaults, wholeFault } from './answer-shape.ts'
import { httpReply, pathPart } from './http.ts'
import {
  blankSession,
  canceledSession,
  confirmedSession,
  offerOf,
  offersIn,
  orderView,
  phaseOf,
  urlBelow,
  wireLines,
} from './spec-answers.ts'
import { isErrorBody, specRefusal } from './spec-refusal.ts'

const CAN = {
  quote: false,
  changeLines: false,
  changeAddress: false,
  coupon: false,
  currency: false,
  read: false,
  cancel: 'advised',
} as const satisfies Partial<Abilities>

const FIELDS = {
  id: 'checkout_id',
  lines: 'items[]',
  title: 'items[].name',
  status: 'status',
  currency: 'subtotal.currency',
  subtotal: 'subtotal.amount',
  total: 'total.amount',
  shipping: 'shipping_options',
  expires_at: 'expires_at',
  continue_url: 'continue_url',
  handlers: 'payment_method.type',
  order: 'order_id',
} as const satisfies Partial<Record<Fact, string>>

const authorityOf = (checkout: string, errors: string): WalkDialect['authority'] => ({
  checkout,
  errors,
  idempotency: checkout,
  payment: checkout,
  limits: 'Specification, Limits',
})

/** The endpoints of the manifest: absolute URLs. */
interface SpecUcpRoute {
  checkout: string
  /** Null if the manifest declares none. */
  orders: string | null
}

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
    can: { ...CAN, dryRun: true, choose: false, order: true, keys: 'advised' },
    fields: {
      ...FIELDS,
      // A cart lists no lines: only its subtotal shows the goods.
      price: 'subtotal.amount',
      quantity: 'subtotal.amount',
      messages: 'error.message',
      error: 'error.code',
    },
    authority: authorityOf(
      'Specification, Merchant-side UCP endpoints',
      'Specification, UCP error body',
    ),
    // Unspecified: the limits of UCP only mention the cart. Confirming it is held to ACP's 5 s.
    limits: { open: MAX_CREATE_MS, change: MAX_CREATE_MS, complete: 5000, life: MIN_LIFE_MS },
    call: (operation) => ucpCall(operation, checkout, ordersAt),
    read: (operation, seen) => readSpec(UCP_ANSWERS, operation, seen),
  }
}

/**
 * The specification's ACP (Merchant-side ACP endpoints), at its paths below an origin: a session is
 * created with items and address, gets a shipping option, and is completed. Unspecified: the
 * specification shows only a shipping option in an update. Some stores, ours too, also take an
 * address there, but a buyer cannot expect that.
 */
export const specAcp = ({ origin }: { origin: string }): WalkDialect => ({
  name: 'spec_acp',
  label: 'ACP of the specification',
  // No quote: the address is "required when physical goods ship".
  can: { ...CAN, dryRun: false, choose: true, order: 'advised', keys: true },
  fields: {
    ...FIELDS,
    price: 'items[].unit_price.amount',
    quantity: 'items[].quantity',
    messages: 'message',
    error: 'code',
  },
  authority: authorityOf('Specification, Merchant-side ACP endpoints', 'Specification, ACP errors'),
  limits: { open: MAX_CREATE_MS, change: 1000, complete: 5000, life: MIN_LIFE_MS },
  call: (operation) => acpCall(operation, origin),
  read: (operation, seen) => readSpec(ACP_ANSWERS, operation, seen),
})

function ucpCall(operation: BuyerOperation, checkout: string, orders: string): DialectCall | null {
  // Unspecified: the place of UCP's idempotency key is open; most stores look for it in this
  // header.
  const post = (url: string, key: string | null, json?: object) =>
    send('POST', url, json, key === null ? {} : { 'idempotency-key': key })
  switch (operation.op) {
    case 'open': {
      const { wanted, key, dryRun } = operation
      return post(checkout, dryRun ? null : key, {
        ...basketOf(wanted),
        ...(dryRun && { dry_run: true }),
      })
    }
    case 'complete': {
      const { id, key } = operation
      return post(urlBelow(checkout, id, 'confirm'), key, paymentOf(operation))
    }
    // Unspecified: the specification shows no way to cancel a cart; stores would have it here.
    case 'cancel':
      return post(urlBelow(checkout, operation.id, 'cancel'), operation.key)
    case 'order':
      return send('GET', urlBelow(orders, operation.id))
    case 'read':
    case 'change':
      return null
  }
}

function acpCall(operation: BuyerOperation, origin: string): DialectCall | null {
  const at = (path: string, id = '') => origin + path.replace(':id', () => pathPart(id))
  switch (operation.op) {
    case 'open': {
      const { wanted, key, dryRun } = operation
      // Create always keeps a session.
      if (dryRun) return null
      return send('POST', at(ACP_PATHS.create), { ...basketOf(wanted), idempotency_key: key })
    }
    case 'change':
      return send('PATCH', at(ACP_PATHS.update, operation.id), optionOf(operation))
    case 'complete': {
      const json = { ...paymentOf(operation), idempotency_key: operation.key }
      return send('POST', at(ACP_PATHS.complete, operation.id), json)
    }
    case 'cancel':
      return send('POST', at(ACP_PATHS.cancel, operation.id))
    case 'order':
      return send('GET', at(ACP_PATHS.order, operation.id))
    case 'read':
      return null
  }
}

const send = (
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  json?: object,
  headers: Record<string, string> = {},
): DialectCall => ({ over: 'http', method, url, headers, ...(json && { json }) })

type Wanting<Op> = Extract<BuyerOperation, { op: Op }>

const basketOf = ({ lines, address }: Wanting<'open'>['wanted']) => ({
  items: wireLines(lines),
  ...(address && { shipping_address: address }),
})

const optionOf = ({ wanted }: Wanting<'change' | 'complete'>) =>
  wanted.option === null ? {} : { shipping_option_id: wanted.option }

const paymentOf = (operation: Wanting<'complete'>) => ({
  ...optionOf(operation),
  payment_method: { type: 'card', token: operation.payment.token },
})

/** What the answers of the two have of their own. */
interface SpecAnswers {
  /** The schema of an error in the store's envelope. */
  errorForm: (body: unknown) => z.ZodType
  /** Each error has its own status (spec, ACP errors). */
  hasStatuses: boolean
  confirmation: z.ZodType
  opened: (body: Record<string, unknown>) => Session
  changed: (body: Record<string, unknown>, last: Session) => Session
}

function readSpec(form: SpecAnswers, operation: BuyerOperation, seen: JsonSeen): WalkReply {
  const reply = httpReply(seen)
  if (reply.is === 'silent' || reply.is === 'unreadable') return reply
  const { status, value } = reply
  const isDeclined = reply.is === 'declined'
  if (isDeclined || isErrorBody(value)) {
    const isTyped = !isDeclined || reply.isTyped
    const refusal = specRefusal(operation, form.errorForm(value), { status, value, isTyped })
    const isOdd = form.hasStatuses && !isDeclined
    const fault = isOdd ? wholeFault(`is sent with the status ${status}`) : refusal.fault
    return { is: 'refused', refusal: { ...refusal, fault } }
  }
  if (!isRecord(value)) {
    const why = `it answered ${status} with JSON that is not an object`
    return { is: 'unreadable', why }
  }
  switch (operation.op) {
    case 'order':
      return { is: 'order', order: orderView(value) }
    case 'cancel':
      return { is: 'session', session: canceledSession(value) }
    case 'complete': {
      const answer = { id: operation.id, status, value }
      return { is: 'session', session: confirmedSession(form.confirmation, answer) }
    }
    case 'change':
      return { is: 'session', session: form.changed(value, operation.last) }
    case 'open':
    case 'read':
      return { is: 'session', session: form.opened(value) }
  }
}

/** A cart has neither a status nor a total: with a way to ship it can be confirmed. */
function cartSession(cart: Record<string, unknown>): Session {
  const session = openedSession(cart, null)
  const tax = field(cart, 'tax')
  const isSame = textAt(tax, 'currency') === session.currency
  return {
    ...session,
    parts: whole([
      { name: 'subtotal', amount: session.subtotal },
      { name: 'tax', amount: isSame ? integerAt(tax, 'amount') : null },
    ]),
    faults: shapeFaults(UcpCart, cart),
  }
}

const UCP_ANSWERS: SpecAnswers = {
  errorForm: () => UcpError,
  hasStatuses: false,
  confirmation: Confirmation,
  opened: cartSession,
  changed: cartSession,
}

/** Code and message, in the store's envelope. */
const [FLAT, WRAPPED] = AnyAcpError.options

const ACP_ANSWERS: SpecAnswers = {
  errorForm: (value) => (isRecord(field(value, 'error')) ? WRAPPED : FLAT),
  hasStatuses: true,
  confirmation: AcpConfirmation,
  opened: createdSession,
  changed: updatedSession,
}

/** The option may still come with the payment (spec, Complete request): a way to ship is enough. */
function openedSession(value: Record<string, unknown>, said: string | null): Session {
  const subtotal = field(value, 'subtotal')
  const id = idAt(value, 'checkout_id')
  const currency = textAt(subtotal, 'currency')
  const shipping = offersIn(value, currency)
  return {
    ...blankSession(),
    id,
    phase: phaseOf(id, said, shipping.length > 0),
    said,
    currency,
    subtotal: integerAt(subtotal, 'amount'),
    shipping,
    expires_at: textAt(value, 'expires_at'),
  }
}

/** The ACP create response. It has no total, because shipping is not chosen yet. */
function createdSession(value: Record<string, unknown>): Session {
  const session = openedSession(value, textAt(value, 'status'))
  return {
    ...session,
    lines: recordsAt(value, 'items').map((item) => ({
      id: null,
      item: idAt(item, 'variant_id') ?? idAt(item, 'product_id'),
      title: textAt(item, 'name'),
      quantity: integerAt(item, 'quantity'),
      price: integerAt(field(item, 'unit_price'), 'amount'),
    })),
    parts: whole([
      { name: 'subtotal', amount: session.subtotal },
      { name: TAX, amount: integerAt(field(value, 'tax_estimate'), 'amount') },
    ]),
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
    isEstimate: true,
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
