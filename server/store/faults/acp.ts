import { ACP_DISCOVERY } from '../../../shared/protocols/acp/discovery.ts'
import { ACP } from '../../../shared/protocols/acp/versions.ts'
import { isRecord } from '../../../shared/web/json/json.ts'
import type { AcpOperationName } from '../dialects/acp/operations.ts'
import { ACP_SERVICES } from '../dialects/acp/paths.ts'
import type { JsonObject, OperationCall, Overrides } from '../http/store-request.ts'
import { CURRENCY } from '../shop/assortment.ts'
import { deadPage, type StoreFault, storeFault, unjudgedFault, walkFault } from './fault.ts'
import {
  at,
  DEAREST_OPTION,
  eachOf,
  instead,
  isAbroad,
  isKnown,
  isMuch,
  isNowhere,
  isSoldOut,
  lockedOnceShipped,
  nested,
  otherVersion,
  patch,
  SURCHARGE,
  TOO_SLOW,
  unsold,
  withHeader,
  without,
  withoutHeaders,
} from './overrides.ts'
import { type BodyChange, officialFaults } from './session-faults.ts'

/**
 * Changes each session and each cart that is shown; refusals have no lines. The order stays right.
 */
const inBaskets = (change: BodyChange): Overrides => ({
  acpAnswer: ({ operation, body }, request) => ({
    operation,
    body: 'line_items' in body ? change(body, request) : body,
  }),
})

/** Carts have neither a version nor a status, and are not shipped. */
const inSessions = (change: BodyChange): Overrides =>
  inBaskets((body, request) => ('status' in body ? change(body, request) : body))

const given = (change: (given: JsonObject) => JsonObject): Overrides => ({
  acpCall: (call) => ({ ...call, given: change(call.given) }),
})

const withoutTool = (tool: AcpOperationName): Overrides => ({
  tools: (all) => all.filter((name) => name !== tool),
})

const isBelow = (service: string, path: string): boolean =>
  path === service || path.startsWith(`${service}/`)

const costMore = (more: number) => (holder: JsonObject) => ({
  ...holder,
  unit_amount: Number(holder.unit_amount) + more,
})

const linesIn = ({ line_items }: JsonObject): JsonObject[] =>
  Array.isArray(line_items) ? line_items.filter(isRecord) : []
const countryIn = (payload: JsonObject): unknown =>
  nested(payload, 'fulfillment_details', 'address', 'country')

/** Whether the session that is asked for is one that the shop should open. */
const isOrdinary = ({ given: payload }: OperationCall): boolean =>
  linesIn(payload).every(
    ({ id, quantity }) => isKnown(id) && !isSoldOut(id) && !isMuch(quantity),
  ) &&
  !isNowhere(countryIn(payload)) &&
  String(payload.currency).toUpperCase() === CURRENCY

const isOpening = ({ operation }: OperationCall): boolean => operation === 'create_checkout_session'

const shared = officialFaults({
  dialect: 'acp',
  calls: 'acpCall',
  named: (verb) => `${verb}_checkout_session`,
  isOrdinary,
  ready: 'ready_for_payment',
  inSessions,
  inBaskets,
  withLines: ['items_base_amount', 'subtotal', 'total'],
  dearerLine: (line) => patch(costMore(SURCHARGE)(line), 'item', costMore(SURCHARGE)),
  read: 'get_checkout_session',
  titleOf: 'name',
  shippedOtherwise: (body) =>
    eachOf(body, 'selected_fulfillment_options', (each) => ({
      ...each,
      option_id: DEAREST_OPTION,
    })),
  paymentIn: ({ payment_data }) => payment_data,
})
const { fault, broken } = shared

/** What is wrong in the sessions of a purchase, step by step. */
const SESSION_FAULTS: readonly StoreFault[] = [
  shared.dryRunFails,
  shared.inDecimals,
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
  shared.endsSoon,
  shared.neverReady,
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
  shared.cancelFails,
  shared.declineFails,
  shared.paidTwice,
  shared.reopens,
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
  shared.signInWithoutUrl,
  // It lists codes among its extensions, and takes no notice of any.
  walkFault('acp', 'coupon-ignored', 'coupon_is_answered', {
    ...given((payload) => without(payload, 'discounts')),
    acpDiscovery: (document) =>
      patch(document, 'capabilities', (all) => ({ ...all, extensions: [{ name: 'discount' }] })),
  }),
  ...shared.agents,
]

/** The ways to be wrong in official ACP, over REST and MCP alike. */
export const ACP_SERVICE_FAULTS: readonly StoreFault[] = [
  storeFault('acp_discovery_not_cacheable', {
    reply: at(ACP_DISCOVERY, withHeader('cache-control', 'private, max-age=3600')),
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
  shared.completeFails,
  fault('acp_payment_handlers_missing', {
    // Handlers of official UCP are another matter.
    paymentHandlers: (ids, { path }) => (path.startsWith('/acp/') ? [] : ids),
  }),
  shared.continueUrlMissing,
  shared.dearer,
  fault(
    'checkout_currency_mismatch',
    inBaskets((body) => ({ ...body, currency: 'cad' })),
  ),
  fault('checkout_shipping_options_missing', {
    // None can be chosen either, so that a session never becomes ready.
    ...given((payload) => without(payload, 'selected_fulfillment_options')),
    ...inSessions((body) => ({ ...body, fulfillment_options: [] })),
  }),
  shared.totalsWrong,
  shared.chargesMore,
  ...shared.atTheEnd,
  ...shared.keeping,
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
  shared.keysIgnored,
  shared.linkDead,
  walkFault('acp', 'other-currency-declared', 'currency_is_declared', {
    acpDiscovery: (document) =>
      patch(document, 'capabilities', (all) => ({ ...all, supported_currencies: ['eur'] })),
  }),
  storeFault('acp_version_mismatch', {
    // A version that no operation accepts, and sessions in another than was asked for.
    acpDiscovery: (document) =>
      patch(document, 'protocol', (protocol) => ({
        ...protocol,
        supported_versions: [ACP.all[0], ...ACP.served],
      })),
    ...inSessions((body) =>
      patch(body, 'protocol', ({ version }) => ({
        version: otherVersion(ACP.served, version),
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
