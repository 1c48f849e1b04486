import { field, isRecord } from '../../../shared/web/json/json.ts'
import { refuse } from '../dialects/refuse.ts'
import {
  CALL_FAILURES,
  type JsonObject,
  type OperationCall,
  type Overrides,
  type Reply,
} from '../http/store-request.ts'
import { CURRENCY } from '../shop/assortment.ts'
import { type StoreFault, walkFault } from './fault.ts'
import {
  below,
  DEAREST_OPTION,
  eachOf,
  endsSoon,
  instead,
  isAbroad,
  isKnown,
  isMuch,
  isNowhere,
  isSoldOut,
  patch,
  SOLD_OUT,
  SURCHARGE,
  TOO_SLOW,
  unsold,
} from './overrides.ts'
import { sharedFaults } from './session-faults.ts'

const SESSIONS = '/acp/checkout/'
const ORDERS = '/acp/orders/'

/** Changes what is said of a session by the answers whose paths end so; a refusal stays. */
const inAnswers = (suffix: string, change: (reply: Reply) => Reply): Overrides => ({
  reply: below(SESSIONS, suffix, (reply) => (reply.status === 200 ? change(reply) : reply)),
})
const inBodies = (suffix: string, change: (body: JsonObject) => JsonObject): Overrides =>
  inAnswers(suffix, (reply) => ({
    ...reply,
    body: JSON.stringify(change(JSON.parse(reply.body))),
  }))

/** Changes what the specification's UCP says that was charged. */
const inConfirmed = (change: (total: JsonObject) => JsonObject): Overrides => ({
  reply: below('/ucp/checkout/', '/confirm', (reply) => ({
    ...reply,
    body: JSON.stringify(patch(JSON.parse(reply.body), 'total', change)),
  })),
})

/** Changes what calls of this operation ask for. */
const given = (operation: string, change: (given: JsonObject) => JsonObject): Overrides => ({
  specAcpCall: (call) =>
    call.operation === operation ? { ...call, given: change(call.given) } : call,
})

/** An item by the one id that official dialects would have for it, and back. */
const eachItem = (payload: JsonObject, change: (item: JsonObject) => JsonObject): JsonObject =>
  eachOf(payload, 'items', ({ product_id, variant_id, ...item }) => {
    const asked = { ...item, id: variant_id ?? product_id }
    const { id, ...changed } = change(asked)
    return id === asked.id
      ? { ...changed, product_id, ...(variant_id !== undefined && { variant_id }) }
      : { ...changed, product_id: id }
  })

const itemsIn = ({ items }: JsonObject): JsonObject[] =>
  Array.isArray(items) ? items.filter(isRecord) : []
const idsIn = (payload: JsonObject): unknown[] =>
  itemsIn(payload).map(({ product_id, variant_id }) => variant_id ?? product_id)
const countryIn = ({ shipping_address }: JsonObject): unknown => field(shipping_address, 'country')

const isOpening = ({ operation }: OperationCall): boolean => operation === 'create'

/** Whether the session that is asked for is one that the shop should open. */
const isOrdinary = ({ given: payload }: OperationCall): boolean =>
  itemsIn(payload).length > 0 &&
  idsIn(payload).every((id) => isKnown(id) && !isSoldOut(id)) &&
  !itemsIn(payload).some(({ quantity }) => isMuch(quantity)) &&
  !isNowhere(countryIn(payload))

const costMore =
  (more: number) =>
  (money: JsonObject): JsonObject => ({ ...money, amount: Number(money.amount) + more })

/** The session's subtotal is of the dearer prices. */
function dearer(body: JsonObject): JsonObject {
  let sum = 0
  const priced = eachOf(body, 'items', (item) => {
    sum += SURCHARGE * Number(item.quantity)
    return patch(item, 'unit_price', costMore(SURCHARGE))
  })
  return patch(priced, 'subtotal', costMore(sum))
}

const inDecimals = (money: JsonObject): JsonObject => ({
  ...money,
  amount: (Number(money.amount) / 100).toFixed(2),
})

const shared = sharedFaults({
  dialect: 'spec-acp',
  calls: 'specAcpCall',
  named: (verb) => verb,
  isOrdinary,
})
const { fault, broken } = shared

/** What only a purchase shows of the specification's ACP, and the one thing of its UCP. */
export const SPEC_SESSION_FAULTS: readonly StoreFault[] = [
  // Its other faults are named after their gaps, as an audit that opens a cart sees them.
  walkFault('spec-ucp', 'paid-twice', 'one_order', {
    specUcpCall: (call) => ({ ...call, isKeyed: false, subject: 'copied' }),
  }),
  // A fee that the cart does not have, and the sum in another currency.
  walkFault('spec-ucp', 'charges-more', 'charged_as_agreed', inConfirmed(costMore(SURCHARGE))),
  walkFault(
    'spec-ucp',
    'charges-in-another-currency',
    'charged_as_agreed',
    inConfirmed((total) => ({ ...total, currency: 'CAD' })),
  ),
  // The catalog has it, and the checkout looks elsewhere.
  fault(
    'checkout_variant_unavailable',
    given('create', (payload) =>
      eachItem(payload, (item) => (unsold(item) === item ? item : { ...item, id: SOLD_OUT })),
    ),
  ),
  shared.dryRunFails,
  fault(
    'checkout_invalid_shape',
    inBodies('/create', (body) => patch(body, 'subtotal', inDecimals)),
  ),
  fault(
    'checkout_slow',
    inAnswers('/create', (reply) => ({ ...reply, ...TOO_SLOW })),
  ),
  fault(
    'checkout_currency_mismatch',
    inAnswers('', (reply) => ({
      ...reply,
      body: reply.body.replaceAll(`"currency":"${CURRENCY}"`, '"currency":"CAD"'),
    })),
  ),
  fault('checkout_price_mismatch', inBodies('/create', dearer)),
  // Two of a thing become one, and no word of it.
  fault(
    'checkout_lines_wrong',
    given('create', (payload) =>
      eachOf(payload, 'items', (item) => (item.quantity === 2 ? { ...item, quantity: 1 } : item)),
    ),
  ),
  // A fee that no answer names.
  fault(
    'checkout_totals_wrong',
    inBodies('/update', (body) => patch(body, 'total', costMore(SURCHARGE))),
  ),
  fault('checkout_expiry_invalid', {
    reply: below(SESSIONS, '/create', (reply, request) =>
      reply.status === 200
        ? { ...reply, body: JSON.stringify(endsSoon(JSON.parse(reply.body), request)) }
        : reply,
    ),
  }),
  fault(
    'checkout_shipping_options_missing',
    inBodies('/create', (body) => ({ ...body, shipping_options: [] })),
  ),
  fault(
    'checkout_accepts_sold_out',
    given('create', (payload) =>
      eachItem(payload, (item) => ({
        ...instead(item, isSoldOut),
        ...(isMuch(item.quantity) && { quantity: 1 }),
      })),
    ),
  ),
  fault(
    'checkout_accepts_unknown_variant',
    given('create', (payload) => eachItem(payload, (item) => instead(item, (id) => !isKnown(id)))),
  ),
  fault(
    'checkout_accepts_invalid_address',
    given('create', (payload) =>
      patch(payload, 'shipping_address', (address) =>
        isNowhere(address.country)
          ? { ...address, street: 'Main Street 1', country: 'US' }
          : address,
      ),
    ),
  ),
  fault(
    'checkout_abroad_fails',
    broken((call) => isAbroad(countryIn(call.given))),
  ),
  fault(
    'checkout_error_body_invalid',
    broken((call) => isOpening(call) && idsIn(call.given).some(isSoldOut)),
  ),
  shared.keysIgnored,
  fault(
    'checkout_complete_fails',
    broken((call) => call.operation === 'complete' && 'payment_method' in call.given),
  ),
  shared.declineFails,
  fault('checkout_order_unreadable', {
    refusal: (reply, request) =>
      request.path.startsWith(ORDERS)
        ? refuse(request, 500, 'internal_error', CALL_FAILURES.internal_error.message)
        : reply,
  }),
  shared.paidTwice,
  shared.reopens,
  walkFault(
    'spec-acp',
    'charges-more',
    'charged_as_agreed',
    inBodies('/complete', (body) =>
      patch(body, 'total', (total) => ({ ...total, currency: 'CAD' })),
    ),
  ),
  walkFault(
    'spec-acp',
    'updates-fail',
    'changes_count',
    broken((call) => call.operation === 'update' && 'shipping_option_id' in call.given),
  ),
  walkFault(
    'spec-acp',
    'shipping-choice-ignored',
    'shipping_can_be_chosen',
    given('update', (payload) => ({ ...payload, shipping_option_id: DEAREST_OPTION })),
  ),
  ...shared.agents,
]
