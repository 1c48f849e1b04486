import { OfficialAcpError } from '../../protocols/acp/error.ts'
import { acpSession } from '../../protocols/acp/session.ts'
import { ACP, type AcpStatus, type AcpVersion } from '../../protocols/acp/versions.ts'
import { field } from '../../web/json/json.ts'
import type { SessionPhase } from '../session.ts'
import { integerAt, recordsAt, textAt, totalAt } from './answer-fields.ts'
import { refusalFault, sendingFault, wholeFault } from './answer-shape.ts'
import { idsOf, type OfficialForm, SHARED_FIELDS } from './official-answer.ts'
import { isForBuyer } from './official-codes.ts'

const PHASES: Readonly<Record<AcpStatus, SessionPhase>> = {
  incomplete: 'open',
  not_ready_for_payment: 'open',
  requires_escalation: 'buyer',
  authentication_required: 'challenge',
  ready_for_payment: 'ready',
  // Unspecified: this status follows a payment, and the agent can only ask again, as while a
  // payment is in progress.
  pending_approval: 'paying',
  complete_in_progress: 'paying',
  in_progress: 'paying',
  completed: 'completed',
  canceled: 'canceled',
  expired: 'expired',
}

/** Lines that are sent to the buyer's address; the buyer collects or downloads the rest. */
const DELIVERED = ['shipping', 'local_delivery']

/** ACP: discounts and store credit are positive, and subtracted. */
const TAKEN_OFF = ['discount', 'items_discount', 'store_credit']
/** Details of other entries, already included there. Without a subtotal, they count. */
const WITHIN_SUBTOTAL = ['items_base_amount', 'items_discount']
const BESIDE = ['total', 'amount_refunded']

const FIELDS: OfficialForm['fields'] = {
  ...SHARED_FIELDS,
  title: 'line_items[].item.name',
  price: 'line_items[].item.unit_amount',
  shipping: 'fulfillment_options[]',
  error: 'code',
  handlers: 'capabilities.payment.handlers',
}

/** Before payment handlers a store named one provider, and items had quantities. */
const FIRST_FIELDS: OfficialForm['fields'] = {
  ...FIELDS,
  title: 'line_items[].name',
  price: 'line_items[].base_amount',
  quantity: 'line_items[].item.quantity',
  handlers: 'payment_provider.provider',
}

/** The form of official ACP's answers: a session, or the flat error if there is none. */
export const acpForm = (version: AcpVersion): OfficialForm => ({
  fields: ACP.of(version).hasHandlers ? FIELDS : FIRST_FIELDS,
  session: acpSession(version),
  phases: PHASES,
  place: 'param',
  text: 'message',
  isError: (body) =>
    !Array.isArray(body.line_items) &&
    ['code', 'error', 'message'].some((name) => Object.hasOwn(body, name)),
  errorIn: (body) =>
    textAt(body, 'param') === null ? (field(body, 'error') ?? field(body, 'detail')) : body,
  declinedFault: (body, isTyped) =>
    sendingFault(body, isTyped) ?? refusalFault(OfficialAcpError, body),
  takenFault: (_, status) => wholeFault(`has the status ${status}`),
  priceOf(line) {
    // The prices of a line are optional: its cost before discounts says the same.
    const item = field(line, 'item')
    const stated = integerAt(line, 'unit_amount') ?? integerAt(item, 'unit_amount')
    const quantity = integerAt(line, 'quantity') ?? integerAt(item, 'quantity')
    const base = totalAt(line, 'items_base_amount') ?? integerAt(line, 'base_amount')
    const shared = base === null || quantity === null ? null : base / quantity
    return stated ?? (Number.isSafeInteger(shared) ? shared : null)
  },
  subtotalOf(body) {
    const base = totalAt(body, 'items_base_amount')
    const items = base === null ? null : base - (totalAt(body, 'items_discount') ?? 0)
    return totalAt(body, 'subtotal') ?? items
  },
  partOf(type, amount, body) {
    if (BESIDE.includes(type)) return null
    if (WITHIN_SUBTOTAL.includes(type) && totalAt(body, 'subtotal') !== null) return null
    return TAKEN_OFF.includes(type) ? 0 - amount : amount
  },
  optionsIn: (body) =>
    recordsAt(body, 'fulfillment_options').flatMap((option) => {
      const kind = textAt(option, 'type')
      return kind !== null && DELIVERED.includes(kind) ? [{ option, kind }] : []
    }),
  ofMessage: (message, code) =>
    isForBuyer(code, textAt(message, 'resolution') ?? '') ? { isForBuyer: true } : {},
  challengeIn: () => null,
  own: (body) => ({
    chosen: chosenIn(body, ACP.of(version)),
    // A session that does not say how it can be paid has no payment method.
    handlers: ACP.of(version).hasHandlers
      ? idsOf(recordsAt(field(field(body, 'capabilities'), 'payment'), 'handlers'))
      : [textAt(field(body, 'payment_provider'), 'provider') ?? []].flat(),
  }),
})

/** The id of the option that is chosen. */
function chosenIn(
  body: unknown,
  { hasHandlers, hasOneAddress }: ReturnType<typeof ACP.of>,
): string | null {
  if (hasOneAddress) return textAt(body, 'fulfillment_option_id')
  const [selected] = recordsAt(body, 'selected_fulfillment_options')
  const type = textAt(selected, 'type')
  const nested = hasHandlers || type === null ? selected : field(selected, type)
  return textAt(nested, 'option_id') ?? textAt(selected, 'option_id')
}
