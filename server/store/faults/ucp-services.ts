import { FULFILLMENT } from '../../../shared/protocols/ucp/names.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import { isRecord } from '../../../shared/web/json/json.ts'
import { refused } from '../dialects/mcp/refused.ts'
import { OFFICIAL_PATHS } from '../dialects/ucp/paths.ts'
import type { JsonObject, OperationCall, Overrides } from '../http/store-request.ts'
import { CURRENCY } from '../shop/assortment.ts'
import { CART_LINK_FAULTS } from './cart-links.ts'
import { officialFault, type StoreFault, storeFault, unjudgedFault, walkFault } from './fault.ts'
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
  without,
  withoutHeaders,
} from './overrides.ts'
import { type BodyChange, officialFaults } from './session-faults.ts'

/** Changes what the operations of these names show, wherever they show more than a refusal. */
const shownBy =
  (operations: RegExp, change: BodyChange): NonNullable<Overrides['ucpAnswer']> =>
  ({ operation, body }, request) => {
    const isShown = ['line_items', 'products', 'product'].some((name) => name in body)
    return { operation, body: isShown && operations.test(operation) ? change(body, request) : body }
  }
const inCheckouts = (change: BodyChange): Overrides => ({
  ucpAnswer: shownBy(/_checkout$/, change),
})
/** What a buyer would pay: in a cart it is as wrong as in the checkout that follows. */
const inBaskets = (change: BodyChange): Overrides => ({
  ucpAnswer: shownBy(/_(checkout|cart)$/, change),
})

/** Changes the arguments of the operations of these names. */
const givenTo = (
  operations: RegExp,
  argument: string,
  change: (given: JsonObject) => JsonObject,
): NonNullable<Overrides['ucpCall']> => {
  return (call) =>
    operations.test(call.operation) ? { ...call, given: patch(call.given, argument, change) } : call
}

const eachMethod = (holder: JsonObject, change: (group: JsonObject) => JsonObject): JsonObject =>
  patch(holder, 'fulfillment', (fulfillment) =>
    eachOf(fulfillment, 'methods', (method) => eachOf(method, 'groups', change)),
  )

/** Changes each product of an answer of the catalog, and each variant. */
const eachListing =
  (change: (listing: JsonObject) => JsonObject): BodyChange =>
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

const inOtherVersion = (holder: JsonObject): JsonObject => ({
  ...holder,
  version: otherVersion(UCP.served, holder.version),
})

const recordsOf = (holder: unknown, key: string): JsonObject[] => {
  const list = isRecord(holder) ? holder[key] : null
  return Array.isArray(list) ? list.filter(isRecord) : []
}

/** The ids of what a checkout is to hold. */
const idsIn = ({ given }: OperationCall): unknown[] =>
  recordsOf(given.checkout, 'line_items').map((line) => nested(line, 'item', 'id'))

/** Whether the checkout that is asked for is one that the shop should open. */
const isOrdinary = (call: OperationCall): boolean =>
  idsIn(call).length > 0 &&
  idsIn(call).every((id) => isKnown(id) && !isSoldOut(id)) &&
  !recordsOf(call.given.checkout, 'line_items').some(({ quantity }) => isMuch(quantity))

/** Changes each line that a checkout is to hold. */
const lines = (change: (line: JsonObject) => JsonObject): Overrides => ({
  ucpCall: givenTo(/_checkout$/, 'checkout', (checkout) => eachOf(checkout, 'line_items', change)),
})

const eachDestination = (
  checkout: JsonObject,
  change: (destination: JsonObject) => JsonObject,
): JsonObject =>
  patch(checkout, 'fulfillment', (fulfillment) =>
    eachOf(fulfillment, 'methods', (method) => eachOf(method, 'destinations', change)),
  )

const methodsIn = (checkout: unknown): JsonObject[] =>
  isRecord(checkout) ? recordsOf(checkout.fulfillment, 'methods') : []

/** The shipping options that are chosen in a checkout. */
const chosenIn = (checkout: unknown): unknown[] =>
  methodsIn(checkout).flatMap((method) =>
    recordsOf(method, 'groups').flatMap(({ selected_option_id }) => selected_option_id ?? []),
  )

/** The countries that a checkout is to be sent to. */
const countriesIn = ({ given }: OperationCall): unknown[] =>
  methodsIn(given.checkout).flatMap((method) =>
    recordsOf(method, 'destinations').map(({ address_country }) => address_country),
  )

const shared = officialFaults({
  dialect: 'ucp',
  calls: 'ucpCall',
  named: (verb) => `${verb}_checkout`,
  isOrdinary,
  ready: 'ready_for_complete',
  inSessions: inCheckouts,
  inBaskets,
  withLines: ['subtotal', 'total'],
  dearerLine: (line) =>
    patch(line, 'item', (item) => ({ ...item, price: Number(item.price) + SURCHARGE })),
  read: 'get_checkout',
  titleOf: 'title',
  shippedOtherwise: (body) =>
    eachMethod(body, (group) => ({ ...group, selected_option_id: DEAREST_OPTION })),
  paymentIn: (payload) => nested(payload, 'checkout', 'payment'),
})
const { fault, broken } = shared

/** An order names the copy that it was made in, if it names any. */
const PAID_TWICE: StoreFault = {
  ...shared.paidTwice,
  overrides: {
    ...shared.paidTwice.overrides,
    ucpAnswer: (answer, request) =>
      answer.operation === 'get_order'
        ? { ...answer, body: without(answer.body, 'checkout_id') }
        : (shared.paidTwice.overrides.ucpAnswer?.(answer, request) ?? answer),
  },
}

/** What is wrong in the sessions of a purchase, step by step. */
const SESSION_FAULTS: readonly StoreFault[] = [
  shared.dryRunFails,
  shared.inDecimals,
  fault('checkout_slow', {
    reply: (reply, { path }) => {
      const opens = path === `${OFFICIAL_PATHS.rest}/checkout-sessions` && reply.status === 201
      // Over MCP all operations have one address; only checkouts end some time.
      const isShown = path === OFFICIAL_PATHS.mcp && reply.body.includes('"expires_at"')
      return opens || isShown ? { ...reply, ...TOO_SLOW } : reply
    },
  }),
  // Two of a thing become one, and no word of it.
  fault(
    'checkout_lines_wrong',
    lines((line) => (line.quantity === 2 ? { ...line, quantity: 1 } : line)),
  ),
  shared.endsSoon,
  shared.neverReady,
  fault(
    'checkout_accepts_sold_out',
    lines((line) => ({
      ...patch(line, 'item', (item) => instead(item, isSoldOut)),
      ...(isMuch(line.quantity) && { quantity: 1 }),
    })),
  ),
  fault(
    'checkout_accepts_unknown_variant',
    lines((line) => patch(line, 'item', (item) => instead(item, (id) => !isKnown(id)))),
  ),
  fault('checkout_accepts_invalid_address', {
    ucpCall: givenTo(/_checkout$/, 'checkout', (checkout) =>
      eachDestination(checkout, (destination) =>
        isNowhere(destination.address_country)
          ? { ...destination, street_address: 'Main Street 1', address_country: 'US' }
          : destination,
      ),
    ),
  }),
  fault(
    'checkout_abroad_fails',
    broken((call) => countriesIn(call).some(isAbroad)),
  ),
  {
    ...officialFault(
      'checkout_error_body_invalid',
      broken((call) => call.operation === 'create_checkout' && idsIn(call).some(isSoldOut)),
    ),
    needsWalk: true,
  },
  shared.cancelFails,
  shared.declineFails,
  fault(
    'checkout_order_unreadable',
    broken(({ operation }) => operation === 'get_order'),
  ),
  PAID_TWICE,
  shared.reopens,
  walkFault(
    'ucp',
    'basket-locked',
    'changes_count',
    broken(lockedOnceShipped(({ checkout }) => chosenIn(checkout).length > 0)),
  ),
  walkFault('ucp', 'shipping-choice-ignored', 'shipping_can_be_chosen', {
    ucpCall: givenTo(/_checkout$/, 'checkout', (checkout) =>
      eachMethod(checkout, (group) =>
        typeof group.selected_option_id === 'string'
          ? { ...group, selected_option_id: DEAREST_OPTION }
          : group,
      ),
    ),
  }),
  shared.signInWithoutUrl,
  // It declares codes as it declares how it ships, and takes no notice of any.
  walkFault('ucp', 'coupon-ignored', 'coupon_is_answered', {
    profile: (document) =>
      patch(document, 'ucp', (ucp) =>
        patch(ucp, 'capabilities', (all) => ({
          ...all,
          'dev.ucp.shopping.discount': JSON.parse(
            JSON.stringify(all[FULFILLMENT]).replaceAll('fulfillment', 'discount'),
          ),
        })),
      ),
  }),
  ...shared.agents,
]

/**
 * The ways to be wrong in the catalog and in a purchase of official UCP, over REST and MCP alike.
 */
export const UCP_SERVICE_FAULTS: readonly StoreFault[] = [
  walkFault('ucp', 'cart-ignored', 'goods_as_asked', {
    ucpCall: givenTo(/^create_checkout$/, 'checkout', (checkout) => without(checkout, 'cart_id')),
  }),
  walkFault('ucp', 'cart-not-kept', 'is_read_as_answered', {
    ucpAnswer: shownBy(/^get_cart$/, (body) =>
      eachOf(body, 'line_items', (line) => ({ ...line, quantity: Number(line.quantity) + 1 })),
    ),
  }),
  shared.linkDead,
  ...CART_LINK_FAULTS,
  walkFault('ucp', 'tools-misshapen', 'tools_fit', {
    reply: at(OFFICIAL_PATHS.mcp, (reply) =>
      reply.body.includes('"tools":[')
        ? { ...reply, body: reply.body.replaceAll('"line_items"', '"items"') }
        : reply,
    ),
  }),
  shared.completeFails,
  // The profile, its leaf and each checkout. The buyer is led to the store's own page, as without a
  // PSP.
  storeFault('ucp_payment_handlers_missing', {
    paymentHandlers: (ids, { path }) => (path.startsWith('/acp/') ? ids : []),
  }),
  shared.continueUrlMissing,
  shared.dearer,
  fault(
    'checkout_currency_mismatch',
    inBaskets((body) => ({ ...body, currency: 'CAD' })),
  ),
  fault('checkout_shipping_options_missing', {
    // None can be chosen either, so that a checkout never becomes ready.
    ucpCall: givenTo(/_checkout$/, 'checkout', (checkout) =>
      eachMethod(checkout, (group) => without(group, 'selected_option_id')),
    ),
    ...inCheckouts((body) => eachMethod(body, (group) => ({ ...group, options: [] }))),
  }),
  shared.totalsWrong,
  shared.chargesMore,
  ...shared.atTheEnd,
  ...shared.keeping,
  fault('checkout_variant_unavailable', {
    ucpCall: (call) => {
      const rename = (basket: JsonObject) =>
        eachOf(basket, 'line_items', (line) => patch(line, 'item', (item) => unsold(item)))
      return { ...call, given: patch(patch(call.given, 'checkout', rename), 'cart', rename) }
    },
  }),
  fault(
    'checkout_foreign_currency_fails',
    broken(({ given }) =>
      ['catalog', 'cart', 'checkout'].some((argument) => {
        const currency = nested(given, argument, 'context', 'currency')
        return typeof currency === 'string' && currency.toUpperCase() !== CURRENCY
      }),
    ),
  ),
  shared.keysIgnored,
  walkFault(
    'ucp',
    'terms-unsigned',
    'terms_are_signed',
    inCheckouts((body) => without(body, 'ap2')),
  ),
  // As if a proxy had changed it on its way.
  walkFault(
    'ucp',
    'terms-changed',
    'terms_are_signed',
    inCheckouts((body) =>
      isRecord(body.ap2) ? { ...body, ap2: { ...body.ap2 }, via: 'proxy' } : body,
    ),
  ),
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
  officialFault('catalog_currency_invalid', {
    ucpAnswer: shownBy(/_(catalog|product|cart|checkout)$/, (body, request) =>
      lowerPrices(lowerCase(body), request),
    ),
  }),
  // The digest of a webhook is not a signature, and stays.
  unjudgedFault('ucp-webhooks-unsigned', {
    webhookHeaders: withoutHeaders('signature', 'signature-input'),
  }),
  ...SESSION_FAULTS,
]
