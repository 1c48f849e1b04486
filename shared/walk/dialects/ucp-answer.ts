import * as z from 'zod'
import { Money } from '../../commerce/product.ts'
import { mcpBody, type RpcError } from '../../protocols/mcp-answer.ts'
import { describeFetch, type JsonSeen } from '../../web/http/fetched.ts'
import { jsonOf } from '../../web/http/presence.ts'
import { field, isRecord } from '../../web/json/json.ts'
import type { BuyerOperation } from '../operation.ts'
import type {
  OrderView,
  Refusal,
  Session,
  SessionDelivery,
  SessionMessage,
  SessionPhase,
  WalkReply,
} from '../session.ts'
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
  totalsWithOne,
  WebAddress,
} from './answer-shape.ts'
import { httpReply } from './http.ts'
import { reasonOfMessage, reasonOfRefusal } from './official-codes.ts'

/** Reads an answer over REST: a 2xx is a checkout, an order, or an error envelope. */
export function readUcpRest(operation: BuyerOperation, seen: JsonSeen): WalkReply {
  const reply = httpReply(seen)
  switch (reply.is) {
    case 'taken':
      return isRecord(reply.value)
        ? readBody(operation, reply.value, reply.status)
        : {
            is: 'unreadable',
            why: `${describeFetch(seen.fetched)} with JSON that is not an object`,
          }
    case 'declined': {
      const { status, value, isTyped } = reply
      return refuse(operation, status, value, restFault(value, isTyped))
    }
    default:
      return reply
  }
}

/** Reads the JSON-RPC answer of a tool: its body is that of REST, and its errors carry the code. */
export function readUcpMcp(operation: BuyerOperation, seen: JsonSeen): WalkReply {
  const { fetched } = seen
  const read = mcpBody(seen)
  const status = fetched.kind === 'answer' ? fetched.status : 0
  if ('body' in read) return readBody(operation, read.body, status)
  if ('error' in read) return refuseRpc(operation, status, read.error)
  const reply = httpReply(seen)
  if (reply.is === 'silent') return reply
  if (reply.is === 'declined') {
    return refuse(operation, status, reply.value, 'is not a JSON-RPC error')
  }
  // A tool that fails reports it in prose: an agent can repeat that, but not interpret it.
  const result = field(jsonOf(seen), 'result')
  if (field(result, 'isError') === true) {
    const text = textAt(recordsAt(result, 'content')[0], 'text')
    const reason = isNoTool(text) ? ('failed' as const) : ('other' as const)
    const refusal = { status, code: null, text, reason, fault: 'has no code' }
    return { is: 'refused', refusal }
  }
  return { is: 'unreadable', why: read.problem }
}

function readBody(
  operation: BuyerOperation,
  body: Record<string, unknown>,
  status: number,
): WalkReply {
  // A checkout reports faults in messages: without one, only the error itself is known.
  if (idAt(body, 'id') === null && isError(body)) {
    return refuse(operation, status, body, refusalFault(Envelope, body))
  }
  return operation.op === 'order'
    ? { is: 'order', order: readOrder(body) }
    : { is: 'session', session: readSession(body) }
}

const isError = (body: Record<string, unknown>): boolean =>
  field(body.ucp, 'status') === 'error' ||
  (!Array.isArray(body.line_items) &&
    ['code', 'error', 'detail', 'messages'].some((name) => Object.hasOwn(body, name)))

// Refusals

const ErrorMessage = z.looseObject({
  type: z.literal('error'),
  code: Filled,
  content: Filled,
  severity: z.enum([
    'recoverable',
    'requires_buyer_input',
    'requires_buyer_review',
    'unrecoverable',
  ]),
})

const Message = z.discriminatedUnion('type', [
  ErrorMessage,
  z.looseObject({ type: z.literal('warning'), code: Filled, content: Filled }),
  z.looseObject({ type: z.literal('info'), content: Filled }),
])

/** UCP, Error response: the answer in place of a checkout. */
const Envelope = z.looseObject({
  ucp: z.looseObject({ version: Filled, status: z.literal('error') }),
  messages: z.array(Message).min(1),
})

/** A protocol error: no operation has read the request. */
const FlatError = z.looseObject({ code: Filled, content: Filled })

// Unspecified: UCP's documents show both forms for answers of 400 and more, so both are accepted.
function restFault(body: unknown, isTyped: boolean): string | null {
  const sending = sendingFault(body, isTyped)
  if (sending !== null) return sending
  const flat = refusalFault(FlatError, body)
  if (flat === null) return null
  const envelope = refusalFault(Envelope, body)
  const isFlat = textAt(body, 'code') !== null
  return envelope === null ? null : isFlat ? flat : envelope
}

function refuse(
  operation: BuyerOperation,
  status: number,
  body: unknown,
  fault: string | null,
): WalkReply {
  const message = recordsAt(body, 'messages').find(({ type }) => type === 'error')
  const error = field(body, 'error') ?? field(body, 'detail')
  const code = textAt(body, 'code') ?? textAt(message, 'code') ?? textAt(error, 'code')
  const text =
    textAt(body, 'content') ??
    textAt(message, 'content') ??
    textAt(error, 'content') ??
    textAt(error, 'message') ??
    textAt(body, 'message') ??
    problemAt(body) ??
    textAt(body, 'error')
  const path = textAt(message, 'path') ?? ''
  const reason = reasonOfRefusal(operation, { status, code, path })
  return { is: 'refused', refusal: { status, code, text, reason, fault } }
}

/** JSON-RPC's own codes, and those of UCP's MCP binding, for errors without a UCP code. */
const RPC_REASONS: ReadonlyMap<number | null, Refusal['reason']> = new Map([
  [-32_001, 'caller'],
  [-32_600, 'invalid'],
  [-32_601, 'failed'],
  [-32_602, 'invalid'],
  [-32_603, 'failed'],
])

/** The tool does not exist: MCP has no code for that, and its SDKs use these words. */
const isNoTool = (text: string | null): boolean =>
  /\bunknown tool\b|^(?:MCP error -\d+: )?tool \S+ not found|\bnot (?:yet )?implemented\b/i.test(
    text ?? '',
  )

function refuseRpc(
  operation: BuyerOperation,
  status: number,
  { code: number, message, data }: RpcError,
): WalkReply {
  const said = refuse(operation, status, data, null)
  if (said.is !== 'refused') return said
  const named = said.refusal.code
  const code = named ?? (number === null ? null : String(number))
  const text = said.refusal.text ?? (message.trim() === '' ? null : message)
  const own =
    named !== null ? undefined : isNoTool(message) ? ('failed' as const) : RPC_REASONS.get(number)
  const reason = own ?? (number === -32_603 ? 'failed' : said.refusal.reason)
  const fault = code === null ? 'has no code' : text === null ? 'has no message' : null
  return { is: 'refused', refusal: { status, code, text, reason, fault } }
}

// Checkouts

const STATUSES = [
  'incomplete',
  'requires_escalation',
  'ready_for_complete',
  'complete_in_progress',
  'completed',
  'canceled',
] as const

const PHASES: ReadonlyMap<unknown, SessionPhase> = new Map([
  ['incomplete', 'open'],
  ['requires_escalation', 'buyer'],
  ['ready_for_complete', 'ready'],
  ['complete_in_progress', 'paying'],
  ['completed', 'completed'],
  ['canceled', 'canceled'],
])

const DISCOUNTS = ['discount', 'items_discount']
const CHARGES = ['subtotal', 'fulfillment', 'tax', 'fee']

/** UCP, Total: discounts are negative, charges are not. */
const Total = z.looseObject({ type: Filled, amount: z.int() }).superRefine((entry, context) => {
  const { type, amount } = entry
  const message =
    DISCOUNTS.includes(type) && amount >= 0
      ? 'must be negative in a discount'
      : CHARGES.includes(type) && amount < 0
        ? 'must not be negative'
        : null
  if (message !== null) context.addIssue({ code: 'custom', path: ['amount'], message })
})

/**
 * The members of a checkout that UCP's schema requires, as far as buyers need them (2026-04-08 and
 * 2026-08-25).
 */
const Checkout = z.looseObject({
  ucp: z.looseObject({
    version: Filled,
    payment_handlers: z.record(z.string(), z.array(z.looseObject({ id: Filled }))),
  }),
  id: Filled,
  status: z.enum(STATUSES),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capital letters, such as "USD"'),
  line_items: z.array(
    z.looseObject({
      id: Filled,
      item: z.looseObject({ id: Filled, title: Filled, price: z.int().min(0) }),
      quantity: z.int().min(1),
      totals: z.array(Total),
    }),
  ),
  totals: totalsWithOne(Total, ['subtotal', 'total']),
  links: z.array(z.looseObject({ type: Filled, url: WebAddress })),
  messages: z.array(Message).nullish(),
  expires_at: Time.nullish(),
  continue_url: WebAddress.nullish(),
  order: z.looseObject({ id: Filled, permalink_url: WebAddress }).nullish(),
})

/** A checkout as the walk sees it, even if incomplete. */
function readSession(body: Record<string, unknown>): Session {
  const messages = recordsAt(body, 'messages').map(readMessage)
  const methods = recordsAt(field(body, 'fulfillment'), 'methods').filter(
    ({ type }) => type === 'shipping',
  )
  const groups = methods.flatMap((method) => recordsAt(method, 'groups'))
  const order = field(body, 'order')
  const orderId = idAt(order, 'id')
  const total = totalAt(body, 'total')
  const challenge = challengeUrl(body)
  return {
    id: idAt(body, 'id'),
    phase: phaseOf(body, messages),
    said: textAt(body, 'status'),
    currency: textAt(body, 'currency'),
    lines: Array.isArray(field(body, 'line_items'))
      ? recordsAt(body, 'line_items').map((line) => ({
          id: idAt(line, 'id'),
          item: textAt(field(line, 'item'), 'id'),
          quantity: integerAt(line, 'quantity'),
          price: integerAt(field(line, 'item'), 'price'),
        }))
      : null,
    subtotal: totalAt(body, 'subtotal'),
    total,
    parts: total === null ? null : partsOf(body),
    shipping: groups.flatMap((group) => recordsAt(group, 'options').flatMap(readOption)),
    chosen: chosenOf(groups),
    deliveries: methods.flatMap(readDelivery),
    expires_at: textAt(body, 'expires_at'),
    continue_url: pageAt(body, 'continue_url') ?? challenge,
    messages,
    handlers: handlersOf(field(field(body, 'ucp'), 'payment_handlers')),
    order: orderId === null ? null : { id: orderId, url: pageAt(order, 'permalink_url') },
    faults: shapeFaults(Checkout, body),
  }
}

function phaseOf(body: unknown, messages: readonly SessionMessage[]): SessionPhase | null {
  const phase = PHASES.get(field(body, 'status')) ?? null
  const isChallenged = messages.some(
    ({ kind, reason }) => kind === 'error' && reason === 'challenge',
  )
  if (phase === 'buyer') return isChallenged ? 'challenge' : 'buyer'
  return phase === 'paying' && challengeOf(body) !== null ? 'challenge' : phase
}

/** The bank's challenge as an Action, under the name of any release. */
function challengeOf(body: unknown): Record<string, unknown> | null {
  const actions = field(body, 'actions')
  if (!isRecord(actions)) return null
  const name = Object.keys(actions).find((key) => key.endsWith('.three_ds_challenge'))
  return name === undefined ? null : (recordsAt(actions, name)[0] ?? null)
}

const challengeUrl = (body: unknown): string | null =>
  pageAt(field(challengeOf(body), 'config'), 'url')

/** UCP, Totals: every entry but the total adds up to it. */
const partsOf = (body: unknown): { name: string; amount: number }[] =>
  recordsAt(body, 'totals').flatMap((entry) => {
    const amount = integerAt(entry, 'amount')
    const name = textAt(entry, 'type')
    return amount === null || name === null || name === 'total' ? [] : [{ name, amount }]
  })

const readOption = (option: Record<string, unknown>): Session['shipping'] => {
  const id = textAt(option, 'id')
  if (id === null) return []
  const name = textAt(option, 'title') ?? id
  return [{ id, name, cost: totalAt(option, 'total'), costs: amountsAt(option) }]
}

/** With several parcels, shipping is chosen once each has an option. */
function chosenOf(groups: readonly Record<string, unknown>[]): string | null {
  const chosen = groups.map((group) => textAt(group, 'selected_option_id'))
  return chosen.includes(null) ? null : (chosen[0] ?? null)
}

function readDelivery(method: Record<string, unknown>): SessionDelivery[] {
  const id = textAt(method, 'id')
  if (id === null) return []
  return [
    {
      id,
      lines: linesOf(method),
      destination:
        textAt(method, 'selected_destination_id') ??
        textAt(recordsAt(method, 'destinations')[0], 'id'),
      groups: recordsAt(method, 'groups').flatMap((group) => {
        const groupId = textAt(group, 'id')
        const options = recordsAt(group, 'options').flatMap((each) => textAt(each, 'id') ?? [])
        return groupId === null ? [] : [{ id: groupId, lines: linesOf(group), options }]
      }),
    },
  ]
}

function linesOf(holder: unknown): string[] {
  const lines = field(holder, 'line_item_ids')
  return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : []
}

const handlersOf = (registry: unknown): string[] | null =>
  isRecord(registry)
    ? Object.keys(registry).flatMap((name) =>
        recordsAt(registry, name).flatMap((each) => textAt(each, 'id') ?? []),
      )
    : null

function readMessage(message: Record<string, unknown>): SessionMessage {
  const { type } = message
  const kind = type === 'error' || type === 'warning' ? type : 'info'
  const code = textAt(message, 'code') ?? ''
  return {
    kind,
    code,
    text: textAt(message, 'content') ?? '',
    reason: reasonOfMessage(kind, code, textAt(message, 'path') ?? ''),
  }
}

/** An order of UCP has no status of its own, only its lines do. */
function readOrder(body: Record<string, unknown>): OrderView {
  const { currency } = body
  const total = Money.safeParse({ amount: totalAt(body, 'total'), currency })
  return { id: idAt(body, 'id'), status: null, total: total.success ? total.data : null }
}
