import { ACP_PATHS } from '../../../shared/protocols/acp.ts'
import { ACP_SERVICES } from '../dialects/acp/paths.ts'
import { ACP_VERSIONS } from '../dialects/acp/versions.ts'
import type { JsonObject, OperationCall, Overrides } from '../http/store-request.ts'
import { CURRENCY } from '../shop/assortment.ts'
import { deadPage, type StoreFault, storeFault, unjudgedFault } from './fault.ts'
import {
  at,
  eachOf,
  patch,
  raise,
  SURCHARGE,
  unsold,
  withHeader,
  without,
  withoutHeaders,
} from './overrides.ts'

type Change = (body: JsonObject) => JsonObject

/** Changes each session and each cart that is shown; refusals have no lines. The order stays right. */
const inBaskets = (change: Change): Overrides => ({
  acpAnswer: ({ operation, body }) => ({
    operation,
    body: 'line_items' in body ? change(body) : body,
  }),
})

/** Carts have neither a version nor a status, and are not shipped. */
const inSessions = (change: Change): Overrides =>
  inBaskets((body) => ('status' in body ? change(body) : body))

const given = (change: Change): Overrides => ({
  acpCall: (call) => ({ ...call, given: change(call.given) }),
})

/** The server fails, and does nothing, in the calls that `when` picks. */
const broken = (when: (call: OperationCall) => boolean): Overrides => ({
  acpCall: (call) => (when(call) ? { ...call, isBroken: true } : call),
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
  storeFault('acp_services_missing', {
    // Nothing answers below this address, which the document names all the same.
    acpDiscovery: (document, { origin }) => ({ ...document, api_base_url: `${origin}/acp/v1` }),
  }),
  unjudgedFault(
    'acp-complete-fails',
    broken(({ operation }) => operation === 'complete_checkout_session'),
  ),
  unjudgedFault('acp-payment-handlers-missing', {
    // Handlers of official UCP are another matter.
    paymentHandlers: (ids, { path }) => (path.startsWith('/acp/') ? [] : ids),
  }),
  unjudgedFault(
    'acp-continue-url-missing',
    inSessions((body) =>
      body.status === 'requires_escalation' ? without(body, 'continue_url') : body,
    ),
  ),
  unjudgedFault('acp-price-mismatch', inBaskets(dearer)),
  unjudgedFault(
    'acp-currency-mismatch',
    inBaskets((body) => ({ ...body, currency: 'cad' })),
  ),
  unjudgedFault('acp-shipping-options-missing', {
    // None can be chosen either, so that a session never becomes ready.
    ...given((payload) => without(payload, 'selected_fulfillment_options')),
    ...inSessions((body) => ({ ...body, fulfillment_options: [] })),
  }),
  unjudgedFault(
    'acp-totals-wrong',
    inBaskets((body) => eachOf(body, 'totals', raise(['total'], SURCHARGE))),
  ),
  unjudgedFault(
    'acp-variant-unavailable',
    given((payload) =>
      eachOf(payload, 'line_items', (line) => patch(unsold(line), 'item', unsold)),
    ),
  ),
  unjudgedFault(
    'acp-foreign-currency-fails',
    broken(
      ({ given: { currency } }) =>
        typeof currency === 'string' && currency.toUpperCase() !== CURRENCY,
    ),
  ),
  unjudgedFault('acp-idempotency-ignored', {
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
  unjudgedFault(
    'acp-currency-invalid',
    inBaskets((body) => ({ ...body, currency: CURRENCY })),
  ),
  unjudgedFault('acp-webhooks-unsigned', {
    webhookHeaders: withoutHeaders('merchant-signature'),
  }),
]
