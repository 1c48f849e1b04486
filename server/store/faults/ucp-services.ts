import { refused } from '../dialects/mcp/transport.ts'
import { OFFICIAL_PATHS } from '../dialects/ucp/paths.ts'
import type { JsonObject, OperationCall, Overrides } from '../http/store-request.ts'
import { CURRENCY } from '../shop/assortment.ts'
import { officialTwin, type StoreFault, storeFault, unjudgedFault } from './fault.ts'
import {
  eachOf,
  nested,
  patch,
  raise,
  SURCHARGE,
  unsold,
  without,
  withoutHeaders,
} from './overrides.ts'

type Change = (body: JsonObject) => JsonObject

/** Changes what the operations of these names show, wherever they show more than a refusal. */
const shownBy =
  (operations: RegExp, change: Change): NonNullable<Overrides['ucpAnswer']> =>
  ({ operation, body }) => {
    const isShown = ['line_items', 'products', 'product'].some((name) => name in body)
    return { operation, body: isShown && operations.test(operation) ? change(body) : body }
  }
const inCheckouts = (change: Change): Overrides => ({
  ucpAnswer: shownBy(/_checkout$/, change),
})
/** What a buyer would pay: in a cart it is as wrong as in the checkout that follows. */
const inBaskets = (change: Change): Overrides => ({
  ucpAnswer: shownBy(/_(checkout|cart)$/, change),
})

/** Changes the arguments of the operations of these names. */
const givenTo = (
  operations: RegExp,
  argument: string,
  change: Change,
): NonNullable<Overrides['ucpCall']> => {
  return (call) =>
    operations.test(call.operation) ? { ...call, given: patch(call.given, argument, change) } : call
}

/** The server fails, and does nothing, in the calls that `when` picks. */
const broken = (when: (call: OperationCall) => boolean): Overrides => ({
  ucpCall: (call) => (when(call) ? { ...call, isBroken: true } : call),
})

/** The amounts that a line adds to. */
const WITH_LINES = ['subtotal', 'total']

/** All sums are of the dearer prices, and add up. */
function dearer(body: JsonObject): JsonObject {
  let sum = 0
  const withLines = eachOf(body, 'line_items', (line) => {
    const more = SURCHARGE * Number(line.quantity)
    sum += more
    const priced = patch(line, 'item', (item) => ({
      ...item,
      price: Number(item.price) + SURCHARGE,
    }))
    return eachOf(priced, 'totals', raise(WITH_LINES, more))
  })
  return eachOf(withLines, 'totals', raise(WITH_LINES, sum))
}

const eachMethod = (holder: JsonObject, change: (group: JsonObject) => JsonObject): JsonObject =>
  patch(holder, 'fulfillment', (fulfillment) =>
    eachOf(fulfillment, 'methods', (method) => eachOf(method, 'groups', change)),
  )

/** Changes each product of an answer of the catalog, and each variant. */
const eachListing =
  (change: Change): Change =>
  (body) => {
    const listing = (product: JsonObject) => eachOf(change(product), 'variants', change)
    return patch(eachOf(body, 'products', listing), 'product', listing)
  }

const lowerCase = (holder: JsonObject): JsonObject =>
  'currency' in holder ? { ...holder, currency: String(holder.currency).toLowerCase() } : holder
const lowerPrices = eachListing((each) =>
  patch(patch(each, 'price', lowerCase), 'price_range', (range) =>
    patch(patch(range, 'min', lowerCase), 'max', lowerCase),
  ),
)

const OTHER_VERSION: Readonly<Record<string, string>> = {
  '2026-08-25': '2026-04-08',
  '2026-04-08': '2026-08-25',
}
const inOtherVersion = (holder: JsonObject): JsonObject => ({
  ...holder,
  version: OTHER_VERSION[String(holder.version)] ?? holder.version,
})

/** The ways to be wrong in the catalog and in a purchase of official UCP, over REST and MCP alike. */
export const UCP_SERVICE_FAULTS: readonly StoreFault[] = [
  unjudgedFault(
    'ucp-complete-fails',
    broken(({ operation }) => operation === 'complete_checkout'),
  ),
  // The profile, its leaf and each checkout. The buyer is led to the store's own page, as without a PSP.
  storeFault('ucp_payment_handlers_missing', {
    paymentHandlers: (ids, { path }) => (path.startsWith('/acp/') ? ids : []),
  }),
  unjudgedFault(
    'ucp-continue-url-missing',
    inCheckouts((body) =>
      body.status === 'requires_escalation' ? without(body, 'continue_url') : body,
    ),
  ),
  unjudgedFault('ucp-price-mismatch', inBaskets(dearer)),
  unjudgedFault(
    'ucp-currency-mismatch',
    inBaskets((body) => ({ ...body, currency: 'CAD' })),
  ),
  unjudgedFault('ucp-shipping-options-missing', {
    // None can be chosen either, so that a checkout never becomes ready.
    ucpCall: givenTo(/_checkout$/, 'checkout', (checkout) =>
      eachMethod(checkout, (group) => without(group, 'selected_option_id')),
    ),
    ...inCheckouts((body) => eachMethod(body, (group) => ({ ...group, options: [] }))),
  }),
  unjudgedFault(
    'ucp-totals-wrong',
    inBaskets((body) => eachOf(body, 'totals', raise(['total'], SURCHARGE))),
  ),
  unjudgedFault('ucp-variant-unavailable', {
    ucpCall: (call) => {
      const rename: Change = (basket) =>
        eachOf(basket, 'line_items', (line) => patch(line, 'item', (item) => unsold(item)))
      return { ...call, given: patch(patch(call.given, 'checkout', rename), 'cart', rename) }
    },
  }),
  unjudgedFault(
    'ucp-foreign-currency-fails',
    broken(({ given }) =>
      ['catalog', 'cart', 'checkout'].some((argument) => {
        const currency = nested(given, argument, 'context', 'currency')
        return typeof currency === 'string' && currency.toUpperCase() !== CURRENCY
      }),
    ),
  ),
  unjudgedFault('ucp-idempotency-ignored', {
    ucpCall: (call) => ({ ...call, isKeyed: false }),
  }),
  storeFault('ucp_version_mismatch', {
    ucpAnswer: ({ operation, body }) => ({
      operation,
      body: patch(body, 'ucp', (ucp) =>
        patch(inOtherVersion(ucp), 'capabilities', (all) =>
          Object.keys(all).reduce((changed, name) => eachOf(changed, name, inOtherVersion), all),
        ),
      ),
    }),
  }),
  storeFault('ucp_accept_refused', {
    refusal: (_, { path, accept }) =>
      path === OFFICIAL_PATHS.mcp && !accept.includes('text/event-stream')
        ? refused(null, {
            status: 406,
            code: -32000,
            message: 'Send Accept: application/json, text/event-stream.',
          })
        : null,
  }),
  officialTwin('catalog_currency_invalid', {
    ucpAnswer: shownBy(/_(catalog|product|cart|checkout)$/, (body) => lowerPrices(lowerCase(body))),
  }),
  // Its digest is no signature, and stays.
  unjudgedFault('ucp-webhooks-unsigned', {
    webhookHeaders: withoutHeaders('signature', 'signature-input'),
  }),
]
