import type * as z from 'zod'
import { mcpBody, type RpcError } from '../../protocols/mcp-answer.ts'
import { DISCOUNTS, UcpFlatError, ucpCheckout, ucpEnvelope } from '../../protocols/ucp/checkout.ts'
import { UCP, type UcpStatus, type UcpVersion } from '../../protocols/ucp/versions.ts'
import type { JsonSeen } from '../../web/http/fetched.ts'
import { jsonOf } from '../../web/http/presence.ts'
import { field, isRecord } from '../../web/json/json.ts'
import type { BuyerOperation } from '../operation.ts'
import type { Refusal, RefusalFault, SessionDelivery, SessionPhase, WalkReply } from '../session.ts'
import { integerAt, pageAt, recordsAt, textAt, totalAt } from './answer-fields.ts'
import { refusalFault, sendingFault, wholeFault } from './answer-shape.ts'
import { httpReply } from './http.ts'
import {
  idsOf,
  type OfficialForm,
  officialRefusal,
  readPayload,
  SHARED_FIELDS,
} from './official-answer.ts'

const PHASES: Readonly<Record<UcpStatus, SessionPhase>> = {
  incomplete: 'open',
  requires_escalation: 'buyer',
  ready_for_complete: 'ready',
  complete_in_progress: 'paying',
  completed: 'completed',
  canceled: 'canceled',
}

const FIELDS: OfficialForm['fields'] = {
  ...SHARED_FIELDS,
  title: 'line_items[].item.title',
  price: 'line_items[].item.price',
  shipping: 'fulfillment.methods[].groups[].options[]',
  handlers: 'ucp.payment_handlers',
  error: 'messages[type=error]',
}

/** The form of official UCP's answers: a checkout, an order, or an error envelope. */
export const ucpForm = (version: UcpVersion): OfficialForm => ({
  fields: FIELDS,
  session: ucpCheckout(version),
  phases: PHASES,
  place: 'path',
  text: 'content',
  isError: (body) =>
    field(body.ucp, 'status') === 'error' ||
    (!Array.isArray(body.line_items) &&
      ['code', 'error', 'detail', 'messages'].some((name) => Object.hasOwn(body, name))),
  errorIn: (body) => recordsAt(body, 'messages').find(({ type }) => type === 'error'),
  declinedFault: (body, isTyped) => restFault(ucpEnvelope(version), body, isTyped),
  takenFault: (body) => refusalFault(ucpEnvelope(version), body),
  priceOf: (line) => integerAt(field(line, 'item'), 'price'),
  subtotalOf: (body) => totalAt(body, 'subtotal'),
  // UCP, Totals: every entry but the total adds up to it; discounts were once subtracted.
  partOf(type, amount) {
    if (type === 'total') return null
    const isTakenOff = UCP.of(version).discounts === 'positive' && DISCOUNTS.includes(type)
    return isTakenOff ? 0 - Math.abs(amount) : amount
  },
  optionsIn: (body) =>
    groupsIn(body).flatMap((group) => recordsAt(group, 'options').map((option) => ({ option }))),
  ofMessage: () => ({}),
  challengeIn(body) {
    const challenge = challengeOf(body)
    return challenge && { page: pageAt(field(challenge, 'config'), 'url') }
  },
  own: (body) => ({
    chosen: chosenOf(groupsIn(body)),
    deliveries: methodsIn(body).flatMap(readDelivery),
    handlers: handlersOf(field(body.ucp, 'payment_handlers')),
  }),
})

/** Reads the JSON-RPC answer of a tool: its body is that of REST, and its errors carry the code. */
export function readUcpMcp(
  form: OfficialForm,
  operation: BuyerOperation,
  seen: JsonSeen,
): WalkReply {
  const { fetched } = seen
  const read = mcpBody(seen)
  const status = fetched.kind === 'answer' ? fetched.status : 0
  if ('body' in read) return readPayload(form, operation, read.body, status)
  if ('error' in read) return refuseRpc(form, operation, status, read.error)
  const reply = httpReply(seen)
  if (reply.is === 'silent') return reply
  if (reply.is === 'declined') {
    return officialRefusal(
      form,
      operation,
      status,
      reply.value,
      wholeFault('is not a JSON-RPC error'),
    )
  }
  // A tool that fails reports it in prose: an agent can repeat that, but not interpret it.
  const result = field(jsonOf(seen), 'result')
  if (field(result, 'isError') === true) {
    const text = textAt(recordsAt(result, 'content')[0], 'text')
    const reason = isNoTool(text) ? ('failed' as const) : ('other' as const)
    const refusal = { status, code: null, text, reason, fault: wholeFault('has no code') }
    return { is: 'refused', refusal }
  }
  return { is: 'unreadable', why: read.problem }
}

// Unspecified: UCP's documents show both forms for answers of 400 and more, so both are accepted.
function restFault(whole: z.ZodType, body: unknown, isTyped: boolean): RefusalFault | null {
  const sending = sendingFault(body, isTyped)
  if (sending !== null) return sending
  const flat = refusalFault(UcpFlatError, body)
  if (flat === null) return null
  const envelope = refusalFault(whole, body)
  const isFlat = textAt(body, 'code') !== null
  return envelope === null ? null : isFlat ? flat : envelope
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
  form: OfficialForm,
  operation: BuyerOperation,
  status: number,
  { code: number, message, data }: RpcError,
): WalkReply {
  const { refusal } = officialRefusal(form, operation, status, data, null)
  const code = refusal.code ?? (number === null ? null : String(number))
  const text = refusal.text ?? (message.trim() === '' ? null : message)
  const own =
    refusal.code !== null
      ? undefined
      : isNoTool(message)
        ? ('failed' as const)
        : RPC_REASONS.get(number)
  const reason = own ?? (number === -32_603 ? 'failed' : refusal.reason)
  const lacks = code === null ? 'code' : text === null ? 'message' : null
  const fault = lacks && wholeFault(`has no ${lacks}`)
  return { is: 'refused', refusal: { status, code, text, reason, fault } }
}

const methodsIn = (body: unknown) =>
  recordsAt(field(body, 'fulfillment'), 'methods').filter(({ type }) => type === 'shipping')

const groupsIn = (body: unknown) => methodsIn(body).flatMap((method) => recordsAt(method, 'groups'))

/** The bank's challenge as an Action, under the name of any release. */
function challengeOf(body: unknown): Record<string, unknown> | null {
  const actions = field(body, 'actions')
  if (!isRecord(actions)) return null
  const name = Object.keys(actions).find((key) => key.endsWith('.three_ds_challenge'))
  return name === undefined ? null : (recordsAt(actions, name)[0] ?? null)
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
        const options = idsOf(recordsAt(group, 'options'))
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
    ? Object.keys(registry).flatMap((name) => idsOf(recordsAt(registry, name)))
    : null
