import { ACP_PATHS } from '../../../shared/protocols/acp.ts'
import { isRecord } from '../../../shared/web/json.ts'
import type { AcpOperationName } from '../dialects/acp/operations.ts'
import { ACP_SERVICES } from '../dialects/acp/paths.ts'
import { ACP_VERSIONS } from '../dialects/acp/versions.ts'
import type { JsonObject, OperationCall, Overrides, StoreRequest } from '../http/store-request.ts'
import { CURRENCY } from '../shop/assortment.ts'
import {
  deadPage,
  type StoreFault,
  sessionFaultsOf,
  storeFault,
  unjudgedFault,
  walkFault,
} from './fault.ts'
import {
  at,
  DEAREST_OPTION,
  eachOf,
  endsSoon,
  failing,
  inDecimals,
  instead,
  isAbroad,
  isDeclined,
  isKnown,
  isMuch,
  isNowhere,
  isSoldOut,
  lockedOnceShipped,
  nested,
  patch,
  raise,
  SURCHARGE,
  TOO_SLOW,
  unsold,
  withHeader,
  without,
  withoutHeaders,
} from './overrides.ts'

type Change = (body: JsonObject, request: StoreRequest) => JsonObject

/**
 * Changes each session and each cart that is shown; refusals have no lines. The order stays right.
 */
const inBaskets = (change: Change): Overrides => ({
  acpAnswer: ({ operation, body }, request) => ({
    operation,
    body: 'line_items' in body ? change(body, request) : body,
  }),
})

/** Carts have neither a version nor a status, and are not shipped. */
const inSessions = (change: Change): Overrides =>
  inBaskets((body, request) => ('status' in body ? change(body, request) : body))

const given = (change: (given: JsonObject) => JsonObject): Overrides => ({
  acpCall: (call) => ({ ...call, given: change(call.given) }),
})

const fault = sessionFaultsOf('acp')
const broken = failing('acpCall')

const withoutTool = (tool: AcpOperationName): Overrides => ({
  tools: (all) => all.filter((name) => name !== tool),
})

const isBelow = (service: string, path: string): boolean =>
  path === service || path.startsWith(`${service}/`)

/** The amounts that a line adds to. */
const WITH_LINES = ['items_base_amount', 'subtotal', 'total']

const costMore = (more: number) => (holder: JsonObject) => ({
  ...holder,
  unit_amount: Number(holder.unit_amount) + more,
})

/** All sums are of the dearer prices, and add up. */
function dearer(body: JsonObject): JsonObject {
  let sum = 0
  const withLines = eachOf(body, 'line_items', (line) => {
    const more = SURCHARGE * Number(line.quantity)
    sum += more
    const priced = patch(costMore(SURCHARGE)(line), 'item', costMore(SURCHARGE))
    return eachOf(priced, 'totals', raise(WITH_LINES, more))
  })
  return eachOf(withLines, 'totals', raise(WITH_LINES, sum))
}

const OTHER_VERSION: Readonly<Record<string, string>> = {
  '2026-04-17': '2026-01-30',
  '2026-01-30': '2026-04-17',
}

const linesIn = ({ line_items }: JsonObject): JsonObject[] =>
  Array.isArray(line_items) ? line_items.filter(isRecord) : []
const countryIn = (payload: JsonObject): unknown =>
  nested(payload, 'fulfillment_details', 'address', 'country')

/** Whether the session that is asked for is one that the shop should open. */
const isOrdinary = (payload: JsonObject): boolean =>
  linesIn(payload).every(
    ({ id, quantity }) => isKnown(id) && !isSoldOut(id) && !isMuch(quantity),
  ) &&
  !isNowhere(countryIn(payload)) &&
  String(payload.currency).toUpperCase() === CURRENCY

const isOpening = ({ operation }: OperationCall): boolean => operation === 'create_checkout_session'

/** What is wrong in the sessions of a purchase, step by step. */
const SESSION_FAULTS: readonly StoreFault[] = [
  fault(
    'checkout_dry_run_failed',
    broken((call) => isOpening(call) && isOrdinary(call.given)),
  ),
  fault('checkout_invalid_shape', inSessions(inDecimals)),
  fault('checkout_slow', {
    reply: (reply, { path }) =>
      path === ACP_SERVICES.sessions && reply.status === 201 ? { ...reply, ...TOO_SLOW } : reply,
  }),
  // Updates of the items are ignored, and no word of it.
  fault('checkout_lines_wrong', {
    acpCall: (call) =>
      call.operation === 'update_checkout_session'
        ? { ...call, given: without(call.given, 'line_items') }
        : call,
  }),
  fault('checkout_expiry_invalid', inSessions(endsSoon)),
  fault(
    'checkout_never_ready',
    inSessions((body) =>
      body.status === 'ready_for_payment' ? { ...body, status: 'incomplete' } : body,
    ),
  ),
  fault(
    'checkout_accepts_sold_out',
    given((payload) =>
      eachOf(payload, 'line_items', (line) => ({
        ...instead(line, isSoldOut),
        ...(isMuch(line.quantity) && { quantity: 1 }),
      })),
    ),
  ),
  fault(
    'checkout_accepts_unknown_variant',
    given((payload) =>
      eachOf(payload, 'line_items', (line) => instead(line, (id) => !isKnown(id))),
    ),
  ),
  fault(
    'checkout_accepts_invalid_address',
    given((payload) =>
      patch(payload, 'fulfillment_details', (details) =>
        patch(details, 'address', (address) =>
          isNowhere(address.country)
            ? { ...address, line_one: 'Main Street 1', country: 'US' }
            : address,
        ),
      ),
    ),
  ),
  fault(
    'checkout_abroad_fails',
    broken((call) => isAbroad(countryIn(call.given))),
  ),
  {
    fault: 'acp-checkout-error-body-invalid',
    gap: 'checkout_error_body_invalid',
    needsWalk: true,
    overrides: broken(
      (call) => isOpening(call) && linesIn(call.given).some(({ id }) => isSoldOut(id)),
    ),
  },
  fault(
    'checkout_cancel_fails',
    broken(({ operation }) => operation === 'cancel_checkout_session'),
  ),
  fault(
    'checkout_decline_fails',
    broken((call) => call.operation === 'complete_checkout_session' && isDeclined(call.given)),
  ),
  walkFault('acp', 'paid-twice', 'one_order', {
    acpCall: (call) =>
      call.operation === 'complete_checkout_session'
        ? { ...call, isKeyed: false, subject: 'copied' }
        : call,
  }),
  walkFault('acp', 'canceled-reopens', 'stays_ended', {
    acpCall: (call) =>
      call.operation === 'update_checkout_session' ? { ...call, subject: 'reopened' } : call,
  }),
  walkFault(
    'acp',
    'basket-locked',
    'changes_count',
    broken(lockedOnceShipped((payload) => 'selected_fulfillment_options' in payload)),
  ),
  walkFault(
    'acp',
    'shipping-choice-ignored',
    'shipping_can_be_chosen',
    given((payload) =>
      eachOf(payload, 'selected_fulfillment_options', (selection) => ({
        ...selection,
        option_id: DEAREST_OPTION,
      })),
    ),
  ),
  walkFault(
    'acp',
    'sign-in-without-url',
    'leads_the_buyer_on',
    inSessions((body) =>
      body.status === 'ready_for_payment'
        ? { ...without(body, 'continue_url'), status: 'requires_escalation' }
        : body,
    ),
  ),
  // It lists codes among its extensions, and takes no notice of any.
  walkFault('acp', 'coupon-ignored', 'coupon_is_answered', {
    ...given((payload) => without(payload, 'discounts')),
    acpDiscovery: (document) =>
      patch(document, 'capabilities', (all) => ({ ...all, extensions: [{ name: 'discount' }] })),
  }),
  walkFault(
    'acp',
    'agents-kept-out',
    'admits_agents',
    broken((call) => isOpening(call) && isOrdinary(call.given), 'unauthorized'),
  ),
  walkFault(
    'acp',
    'agents-throttled',
    'answers',
    broken((call) => isOpening(call) && isOrdinary(call.given), 'rate_limited'),
  ),
]

/** The ways to be wrong in official ACP, over REST and MCP alike. */
export const ACP_SERVICE_FAULTS: readonly StoreFault[] = [
  storeFault('acp_discovery_not_cacheable', {
    reply: at(ACP_PATHS.discovery, withHeader('cache-control', 'private, max-age=3600')),
  }),
  storeFault('acp_carts_missing', {
    refusal: (reply, { path }) => (isBelow(ACP_SERVICES.carts, path) ? deadPage() : reply),
  }),
  storeFault('acp_error_type_invalid', {
    reply: (reply, { path }) =>
      isBelow(ACP_SERVICES.sessions, path) && reply.status >= 400
        ? { ...reply, body: JSON.stringify(without(JSON.parse(reply.body), 'type')) }
        : reply,
  }),
  storeFault('acp_tools_missing', withoutTool('complete_checkout_session')),
  storeFault('acp_cancel_tool_missing', withoutTool('cancel_checkout_session')),
  storeFault('acp_services_missing', {
    // Nothing answers below this address, which the document names all the same.
    acpDiscovery: (document, { origin }) => ({ ...document, api_base_url: `${origin}/acp/v1` }),
  }),
  fault(
    'checkout_complete_fails',
    broken(({ operation }) => operation === 'complete_checkout_session'),
  ),
  fault('acp_payment_handlers_missing', {
    // Handlers of official UCP are another matter.
    paymentHandlers: (ids, { path }) => (path.startsWith('/acp/') ? [] : ids),
  }),
  fault(
    'checkout_continue_url_missing',
    inSessions((body) =>
      body.status === 'requires_escalation' ? without(body, 'continue_url') : body,
    ),
  ),
  fault('checkout_price_mismatch', inBaskets(dearer)),
  fault(
    'checkout_currency_mismatch',
    inBaskets((body) => ({ ...body, currency: 'cad' })),
  ),
  fault('checkout_shipping_options_missing', {
    // None can be chosen either, so that a session never becomes ready.
    ...given((payload) => without(payload, 'selected_fulfillment_options')),
    ...inSessions((body) => ({ ...body, fulfillment_options: [] })),
  }),
  fault(
    'checkout_totals_wrong',
    inBaskets((body) => eachOf(body, 'totals', raise(['total'], SURCHARGE))),
  ),
  fault(
    'checkout_variant_unavailable',
    given((payload) =>
      eachOf(payload, 'line_items', (line) => patch(unsold(line), 'item', unsold)),
    ),
  ),
  fault(
    'checkout_foreign_currency_fails',
    broken(
      ({ given: { currency } }) =>
        typeof currency === 'string' && currency.toUpperCase() !== CURRENCY,
    ),
  ),
  fault('checkout_idempotency_ignored', {
    acpCall: (call) => ({ ...call, isKeyed: false }),
  }),
  storeFault('acp_version_mismatch', {
    // A version that no operation accepts, and sessions in another than was asked for.
    acpDiscovery: (document) =>
      patch(document, 'protocol', (protocol) => ({
        ...protocol,
        supported_versions: ['2025-09-29', ...ACP_VERSIONS],
      })),
    ...inSessions((body) =>
      patch(body, 'protocol', ({ version }) => ({
        version: OTHER_VERSION[String(version)] ?? version,
      })),
    ),
  }),
  fault(
    'acp_currency_invalid',
    inBaskets((body) => ({ ...body, currency: 'US$' })),
  ),
  unjudgedFault('acp-webhooks-unsigned', {
    webhookHeaders: withoutHeaders('merchant-signature'),
  }),
  ...SESSION_FAULTS,
]
