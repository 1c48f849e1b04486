import * as z from 'zod'
import { isCurrency } from '../../commerce/iso.ts'
import { OfficialAcpError, Uri } from '../../protocols/acp.ts'
import { describeFetch, type JsonSeen } from '../../web/http/fetched.ts'
import { field, isRecord } from '../../web/json/json.ts'
import type { BuyerOperation } from '../operation.ts'
import type { Session, SessionLine, SessionMessage, SessionPhase, WalkReply } from '../session.ts'
import {
  amountsAt,
  idAt,
  integerAt,
  pageAt,
  problemAt,
  recordsAt,
  textAt,
  totalAt,
} from './answer-fields.ts'
import {
  Filled,
  refusalFault,
  sendingFault,
  shapeFaults,
  Time,
  WebAddress,
} from './answer-shape.ts'
import { httpReply } from './http.ts'
import { isForBuyer, reasonOfMessage, reasonOfRefusal } from './official-codes.ts'

/** Reads an answer of official ACP: a session, or the flat error if there is none. */
export function readOfficialAcp(operation: BuyerOperation, seen: JsonSeen): WalkReply {
  const reply = httpReply(seen)
  switch (reply.is) {
    case 'taken': {
      const { value, status } = reply
      if (!isRecord(value)) {
        return {
          is: 'unreadable',
          why: `${describeFetch(seen.fetched)} with JSON that is not an object`,
        }
      }
      return idAt(value, 'id') === null && isError(value)
        ? refuse(operation, status, value, `has the status ${status}`)
        : { is: 'session', session: readSession(value) }
    }
    case 'declined': {
      const { status, value, isTyped } = reply
      const fault = sendingFault(value, isTyped) ?? refusalFault(OfficialAcpError, value)
      return refuse(operation, status, value, fault)
    }
    default:
      return reply
  }
}

/** An error in place of a session. */
const isError = (body: Record<string, unknown>): boolean =>
  !Array.isArray(body.line_items) &&
  ['code', 'error', 'message'].some((name) => Object.hasOwn(body, name))

/** Servers of other protocols wrap the error; its content counts all the same. */
function refuse(
  operation: BuyerOperation,
  status: number,
  body: unknown,
  fault: string | null,
): WalkReply {
  const error = field(body, 'error') ?? field(body, 'detail')
  const code = textAt(body, 'code') ?? textAt(error, 'code')
  const text =
    textAt(body, 'message') ?? textAt(error, 'message') ?? problemAt(body) ?? textAt(body, 'error')
  const path = textAt(body, 'param') ?? textAt(error, 'param') ?? ''
  const reason = reasonOfRefusal(operation, { status, code, path })
  return { is: 'refused', refusal: { status, code, text, reason, fault } }
}

// Sessions

const STATUSES = [
  'incomplete',
  'not_ready_for_payment',
  'requires_escalation',
  'authentication_required',
  'ready_for_payment',
  'pending_approval',
  'complete_in_progress',
  'completed',
  'canceled',
  'in_progress',
  'expired',
] as const

const PHASES: ReadonlyMap<unknown, SessionPhase> = new Map([
  ['incomplete', 'open'],
  ['not_ready_for_payment', 'open'],
  ['requires_escalation', 'buyer'],
  ['authentication_required', 'challenge'],
  ['ready_for_payment', 'ready'],
  // Unspecified: this status follows a payment, and the agent can only ask again, as while a
  // payment is in progress.
  ['pending_approval', 'paying'],
  ['complete_in_progress', 'paying'],
  ['in_progress', 'paying'],
  ['completed', 'completed'],
  ['canceled', 'canceled'],
  ['expired', 'expired'],
])

/**
 * ACP, Agentic Checkout 8: the total is stated once it can be calculated, so a ready session has
 * one.
 */
const PRICED: readonly (typeof STATUSES)[number][] = [
  'ready_for_payment',
  'authentication_required',
  'complete_in_progress',
  'completed',
]

const Total = z.looseObject({ type: Filled, display_text: z.string(), amount: z.int() })

const said = { content_type: z.enum(['plain', 'markdown']), content: Filled }
const Message = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('error'), code: Filled, ...said }),
  z.looseObject({ type: z.literal('warning'), code: Filled, ...said }),
  z.looseObject({ type: z.literal('info'), ...said }),
])

/**
 * The members of a session that ACP's schema requires, as far as buyers need them (2026-01-30 and
 * 2026-04-17).
 */
const CheckoutSession = z
  .looseObject({
    id: Filled,
    status: z.enum(STATUSES),
    // ACP, Agentic Checkout 8: lower case is recommended, but the schema has no pattern.
    currency: z
      .string()
      .refine((code) => isCurrency(code.toUpperCase()), 'must be an ISO 4217 code, such as "usd"'),
    line_items: z.array(
      z.looseObject({
        id: Filled,
        item: z.looseObject({ id: Filled }),
        quantity: z.int().min(1),
        totals: z.array(Total),
      }),
    ),
    totals: z.array(Total),
    fulfillment_options: z.array(
      z.looseObject({ type: Filled, id: Filled, title: Filled, totals: z.array(Total) }),
    ),
    messages: z.array(Message),
    // A shop may be reached by mail or phone: `mailto:` and `tel:` are also URIs of ACP's Link.
    links: z.array(z.looseObject({ type: Filled, url: Uri })),
    capabilities: z.looseObject({}),
    authentication_metadata: z.looseObject({}).nullish(),
    expires_at: Time.nullish(),
    continue_url: WebAddress.nullish(),
    order: z.looseObject({ id: Filled, permalink_url: WebAddress }).nullish(),
  })
  .superRefine(({ status, totals, authentication_metadata }, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (status === 'authentication_required' && !authentication_metadata) {
      fault('authentication_metadata', 'is missing')
    }
    // Unspecified: the schema does not limit the entries; with two totals the buyer cannot know
    // which one is charged.
    const { length } = totals.filter(({ type }) => type === 'total')
    const isPriced = PRICED.includes(status)
    if (length === 1 || (length === 0 && !isPriced)) return
    const expected = isPriced ? 'exactly' : 'at most'
    fault('totals', `must have ${expected} one entry of the type "total", and has ${length}`)
  })

/** Lines that are sent to the buyer's address; the buyer collects or downloads the rest. */
const DELIVERED = ['shipping', 'local_delivery']

function readSession(body: Record<string, unknown>): Session {
  const messages = recordsAt(body, 'messages').map(readMessage)
  const order = field(body, 'order')
  const orderId = idAt(order, 'id')
  const total = totalAt(body, 'total')
  const payment = field(field(body, 'capabilities'), 'payment')
  return {
    id: idAt(body, 'id'),
    phase: phaseOf(body, messages),
    said: textAt(body, 'status'),
    currency: textAt(body, 'currency'),
    lines: Array.isArray(body.line_items) ? recordsAt(body, 'line_items').map(readLine) : null,
    subtotal: totalAt(body, 'subtotal') ?? itemsOf(body),
    total,
    parts: total === null ? null : partsOf(body),
    shipping: recordsAt(body, 'fulfillment_options').flatMap(readOption),
    chosen: textAt(recordsAt(body, 'selected_fulfillment_options')[0], 'option_id'),
    expires_at: textAt(body, 'expires_at'),
    continue_url: pageAt(body, 'continue_url'),
    messages,
    // A session that does not say how it can be paid has no payment method.
    handlers: recordsAt(payment, 'handlers').flatMap((each) => textAt(each, 'id') ?? []),
    order: orderId === null ? null : { id: orderId, url: pageAt(order, 'permalink_url') },
    faults: shapeFaults(CheckoutSession, body),
  }
}

/** The agent cannot authenticate the buyer: the buyer meets the bank on the store's page. */
function phaseOf(body: unknown, messages: readonly SessionMessage[]): SessionPhase | null {
  const phase = PHASES.get(field(body, 'status')) ?? null
  const isChallenged = messages.some(
    ({ kind, reason }) => kind === 'error' && reason === 'challenge',
  )
  return phase === 'buyer' && isChallenged ? 'challenge' : phase
}

/** ACP: discounts and store credit are positive, and subtracted. */
const TAKEN_OFF = ['discount', 'items_discount', 'store_credit']
/** Details of other entries, already included there. */
const WITHIN_SUBTOTAL = ['items_base_amount', 'items_discount']
const BESIDE = ['total', 'amount_refunded']

/** Signed, so that they add up to the total. Without a subtotal, its parts count. */
function partsOf(body: unknown): { name: string; amount: number }[] {
  const hasSubtotal = totalAt(body, 'subtotal') !== null
  return recordsAt(body, 'totals').flatMap((entry) => {
    const amount = integerAt(entry, 'amount')
    const name = textAt(entry, 'type')
    if (amount === null || name === null || BESIDE.includes(name)) return []
    if (hasSubtotal && WITHIN_SUBTOTAL.includes(name)) return []
    return [{ name, amount: TAKEN_OFF.includes(name) ? 0 - amount : amount }]
  })
}

/** The price of the goods, if there is no subtotal. */
function itemsOf(holder: unknown): number | null {
  const base = totalAt(holder, 'items_base_amount')
  return base === null ? null : base - (totalAt(holder, 'items_discount') ?? 0)
}

/** The prices of a line are optional: its cost before discounts says the same. */
function readLine(line: Record<string, unknown>): SessionLine {
  const item = field(line, 'item')
  const quantity = integerAt(line, 'quantity')
  const stated = integerAt(line, 'unit_amount') ?? integerAt(item, 'unit_amount')
  const base = totalAt(line, 'items_base_amount')
  const shared = base === null || quantity === null ? null : base / quantity
  return {
    id: idAt(line, 'id'),
    item: textAt(item, 'id'),
    quantity,
    price: stated ?? (Number.isSafeInteger(shared) ? shared : null),
  }
}

function readOption(option: Record<string, unknown>): Session['shipping'] {
  const id = textAt(option, 'id')
  const kind = textAt(option, 'type')
  if (id === null || kind === null || !DELIVERED.includes(kind)) return []
  const name = textAt(option, 'title') ?? id
  return [{ id, name, kind, cost: totalAt(option, 'total'), costs: amountsAt(option) }]
}

function readMessage(message: Record<string, unknown>): SessionMessage {
  const { type } = message
  const kind = type === 'error' || type === 'warning' ? type : 'info'
  const code = textAt(message, 'code') ?? ''
  return {
    kind,
    code,
    text: textAt(message, 'content') ?? '',
    reason: reasonOfMessage(kind, code, textAt(message, 'param') ?? ''),
    ...(kind === 'error' &&
      isForBuyer(code, textAt(message, 'resolution') ?? '') && { isForBuyer: true }),
  }
}
