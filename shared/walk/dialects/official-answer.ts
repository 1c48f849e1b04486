import type * as z from 'zod'
import { Money } from '../../commerce/product.ts'
import { describeFetch, type JsonSeen } from '../../web/http/fetched.ts'
import { field, isRecord } from '../../web/json/json.ts'
import type { Fact } from '../dialect.ts'
import type { BuyerOperation } from '../operation.ts'
import type {
  OrderView,
  RefusalFault,
  Session,
  SessionLine,
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
import { shapeFaults } from './answer-shape.ts'
import { httpReply } from './http.ts'
import { reasonOfMessage, reasonOfRefusal } from './official-codes.ts'

type Body = Record<string, unknown>

/** What official UCP and official ACP have of their own; all else is read in the same way. */
export interface OfficialForm {
  /** Where each fact is; those at the top of a session are read by this name. */
  fields: Record<Fact, string>
  /** The schema of a session in this version. */
  session: z.ZodType
  phases: Readonly<Record<string, SessionPhase>>
  /** The member that names what a message is about. */
  place: 'path' | 'param'
  isError: (body: Body) => boolean
  /** The error in a body, where it is not at the top or under `error` or `detail`. */
  errorIn: (body: unknown) => unknown
  /** The member with the text of an error; servers of other protocols have `message`. */
  text: 'content' | 'message'
  /** What is wrong with a refusal by its status. */
  declinedFault: (body: unknown, isTyped: boolean) => RefusalFault | null
  /** The same for an error under a status of success. */
  takenFault: (body: Body, status: number) => RefusalFault | null
  /** The prices of the lines, as far as they are stated. */
  priceOf: (line: Body) => number | null
  subtotalOf: (body: Body) => number | null
  /** What an entry of `totals` adds to the total; null if it does not count. */
  partOf: (type: string, amount: number, body: Body) => number | null
  /** The options to ship with, with the word for the delivery if a choice has to repeat it. */
  optionsIn: (body: Body) => { option: Body; kind?: string }[]
  ofMessage: (message: Body, code: string) => Pick<SessionMessage, 'isForBuyer'>
  /** The page of the bank's challenge; null if there is none. */
  challengeIn: (body: Body) => { page: string | null } | null
  own: (body: Body) => Pick<Session, 'chosen' | 'deliveries' | 'handlers'>
}

/** Where both have the same. */
export const SHARED_FIELDS = {
  id: 'id',
  status: 'status',
  lines: 'line_items[].id',
  quantity: 'line_items[].quantity',
  currency: 'currency',
  subtotal: 'totals[type=subtotal].amount',
  total: 'totals[type=total].amount',
  expires_at: 'expires_at',
  continue_url: 'continue_url',
  messages: 'messages[]',
  order: 'order.id',
} as const satisfies Partial<OfficialForm['fields']>

/** Reads an answer over REST: a 2xx is a session, an order, or an error. */
export function readRest(form: OfficialForm, operation: BuyerOperation, seen: JsonSeen): WalkReply {
  const reply = httpReply(seen)
  switch (reply.is) {
    case 'taken':
      return isRecord(reply.value)
        ? readPayload(form, operation, reply.value, reply.status)
        : {
            is: 'unreadable',
            why: `${describeFetch(seen.fetched)} with JSON that is not an object`,
          }
    case 'declined': {
      const { status, value, isTyped } = reply
      return officialRefusal(form, operation, status, value, form.declinedFault(value, isTyped))
    }
    default:
      return reply
  }
}

/** Reads the payload of an answer over any transport. */
export function readPayload(
  form: OfficialForm,
  operation: BuyerOperation,
  body: Body,
  status: number,
): WalkReply {
  // A session reports faults in messages: without one, only the error itself is known.
  if (idAt(body, 'id') === null && form.isError(body)) {
    return officialRefusal(form, operation, status, body, form.takenFault(body, status))
  }
  return operation.op === 'order'
    ? { is: 'order', order: readOrder(form, body) }
    : { is: 'session', session: readSession(form, body) }
}

/** Servers of other protocols wrap the error; its content counts all the same. */
export function officialRefusal(
  { place, text: name, errorIn }: OfficialForm,
  operation: BuyerOperation,
  status: number,
  body: unknown,
  fault: RefusalFault | null,
): Extract<WalkReply, { is: 'refused' }> {
  const wrapped = field(body, 'error') ?? field(body, 'detail')
  const error = errorIn(body)
  const code = textAt(body, 'code') ?? textAt(error, 'code') ?? textAt(wrapped, 'code')
  const text =
    textAt(body, name) ??
    textAt(error, name) ??
    textAt(wrapped, name) ??
    textAt(wrapped, 'message') ??
    textAt(body, 'message') ??
    problemAt(body) ??
    textAt(body, 'error')
  const path = textAt(error, place) ?? ''
  const reason = reasonOfRefusal(operation, { status, code, path })
  return { is: 'refused', refusal: { status, code, text, reason, fault } }
}

/** An order of UCP has no status of its own, only its lines do. */
function readOrder(form: OfficialForm, body: Body): OrderView {
  const total = Money.safeParse({ amount: totalAt(body, 'total'), currency: body.currency })
  return {
    id: idAt(body, 'id'),
    status: null,
    total: total.success ? total.data : null,
    paid: { id: idAt(body, 'checkout_id'), lines: linesIn(form, body), parts: partsOf(form, body) },
  }
}

const linesIn = (form: OfficialForm, body: Body): SessionLine[] | null =>
  Array.isArray(body.line_items)
    ? recordsAt(body, 'line_items').map((line) => readLine(form, line))
    : null

/** A session as the walk sees it, even if incomplete. */
function readSession(form: OfficialForm, body: Body): Session {
  const { fields } = form
  const messages = recordsAt(body, 'messages').map((message) => readMessage(form, message))
  const order = field(body, 'order')
  const orderId = idAt(order, 'id')
  const total = totalAt(body, 'total')
  return {
    id: idAt(body, fields.id),
    phase: phaseOf(form, body, messages),
    said: textAt(body, fields.status),
    currency: textAt(body, fields.currency),
    lines: linesIn(form, body),
    subtotal: form.subtotalOf(body),
    total,
    parts: total === null ? null : partsOf(form, body),
    shipping: form.optionsIn(body).flatMap(readOption),
    expires_at: textAt(body, fields.expires_at),
    continue_url: pageAt(body, fields.continue_url) ?? form.challengeIn(body)?.page ?? null,
    messages,
    order: orderId === null ? null : { id: orderId, url: pageAt(order, 'permalink_url') },
    faults: shapeFaults(form.session, body),
    ...form.own(body),
  }
}

/** The agent cannot authenticate the buyer: the buyer meets the bank on the store's page. */
function phaseOf(
  { fields, phases, challengeIn }: OfficialForm,
  body: Body,
  messages: readonly SessionMessage[],
): SessionPhase | null {
  const said = body[fields.status]
  const phase = typeof said === 'string' && Object.hasOwn(phases, said) ? phases[said] : undefined
  const isChallenged = messages.some(
    ({ kind, reason }) => kind === 'error' && reason === 'challenge',
  )
  if (phase === 'buyer' && isChallenged) return 'challenge'
  return phase === 'paying' && challengeIn(body) !== null ? 'challenge' : (phase ?? null)
}

/** The entries of `totals` that add up to the total. */
const partsOf = ({ partOf }: OfficialForm, body: Body): { name: string; amount: number }[] =>
  recordsAt(body, 'totals').flatMap((entry) => {
    const stated = integerAt(entry, 'amount')
    const name = textAt(entry, 'type')
    const amount = stated === null || name === null ? null : partOf(name, stated, body)
    return name === null || amount === null ? [] : [{ name, amount }]
  })

const readLine = ({ priceOf }: OfficialForm, line: Body): SessionLine => ({
  id: idAt(line, 'id'),
  item: textAt(field(line, 'item'), 'id'),
  title:
    textAt(field(line, 'item'), 'title') ??
    textAt(field(line, 'item'), 'name') ??
    textAt(line, 'name'),
  // That of an order is counted as it was bought, and as it is now; ACP once had it in the item.
  quantity:
    integerAt(line, 'quantity') ??
    integerAt(line.quantity, 'original') ??
    integerAt(field(line, 'item'), 'quantity'),
  price: priceOf(line),
})

function readOption({ option, kind }: { option: Body; kind?: string }): Session['shipping'] {
  const id = textAt(option, 'id')
  if (id === null) return []
  const name = textAt(option, 'title') ?? id
  // ACP had flat amounts, which one of its documents called strings.
  const flat = ['subtotal', 'total'].flatMap((key) => flatAmount(option[key]))
  const cost = totalAt(option, 'total') ?? flatAmount(option.total)[0] ?? null
  const costs = { cost, costs: [...amountsAt(option), ...flat] }
  return [{ id, name, ...(kind !== undefined && { kind }), ...costs }]
}

const flatAmount = (value: unknown): number[] =>
  Number.isSafeInteger(value) || /^\d{1,12}$/.test(String(value)) ? [Number(value)] : []

function readMessage({ place, ofMessage }: OfficialForm, message: Body): SessionMessage {
  const { type } = message
  const kind = type === 'error' || type === 'warning' ? type : 'info'
  const code = textAt(message, 'code') ?? ''
  return {
    kind,
    code,
    text: textAt(message, 'content') ?? '',
    reason: reasonOfMessage(kind, code, textAt(message, place) ?? ''),
    ...(kind === 'error' && ofMessage(message, code)),
  }
}

/** The ids of payment methods. */
export const idsOf = (methods: readonly Body[]): string[] =>
  methods.flatMap((each) => textAt(each, 'id') ?? [])
