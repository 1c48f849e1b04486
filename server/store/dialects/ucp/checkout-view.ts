import type { ShippingOption } from '../../../../shared/protocols/spec/ucp.ts'
import type { UcpErrorMessage } from '../../../../shared/protocols/ucp/checkout.ts'
import {
  AUTHENTICATION,
  ap2MandateIn,
  CHECKOUT,
  FULFILLMENT,
} from '../../../../shared/protocols/ucp/names.ts'
import { UCP, type UcpStatus, type UcpVersion } from '../../../../shared/protocols/ucp/versions.ts'
import type { SigningKey } from '../../../signatures/jwk.ts'
import { actionOf, type ChallengeAction, checkoutUrl } from '../../buyer/addresses.ts'
import type { Snapshot } from '../../checkout/answers.ts'
import { isFinal } from '../../checkout/sessions.ts'
import type { CheckoutSession, Order, SessionItem } from '../../db/tables.ts'
import type { JsonObject, StoreRequest } from '../../http/store-request.ts'
import { lineId, receiptUrl } from '../../orders/orders.ts'
import type { Acceptance } from '../../psp/acceptance.ts'
import { imagePath } from '../../shop/assortment.ts'
import { policyLinks } from '../../shop/pages/policies.ts'
import { missingOf, readDestination, selectedOf, shownOf, withAddress } from './destination.ts'
import { type Agreed, errorMessage, type UcpAnswer, ucpOf } from './envelope.ts'
import { authorized, needsMandate } from './mandates.ts'
import { hasHandlers, INSTRUMENT_ID, usableHandlers } from './profile/payment-handlers.ts'

/** The parts of an answer apart from the session. */
export interface Saying {
  status?: number
  /** Why the operation changed nothing, or not all. */
  complaints?: UcpErrorMessage[]
}

/** Whether a payment is in progress. */
export const isInProgress = (snapshot: Snapshot): boolean =>
  snapshot.session.status === 'completing' ||
  (snapshot.session.status === 'completed' && !isFinal(snapshot))

const METHOD = '$.fulfillment.methods[0]'

/** Who is shown a checkout, by which store. */
interface Showing extends Agreed {
  deps: { acceptance: Acceptance }
  signer: SigningKey | null
}

/** A session as UCP shows a checkout (UCP, Checkout). */
export function showCheckout(
  { request, negotiated, signer, deps: { acceptance } }: Showing,
  snapshot: Snapshot,
  { status = 200, complaints = [] }: Saying = {},
): UcpAnswer {
  const { session, order } = snapshot
  const content = contentOf(snapshot)
  const { capabilities, version } = negotiated
  const withDelivery = capabilities.has(FULFILLMENT)
  const challenge = order ? actionOf(order, request.origin) : null
  const canAct = capabilities.has(AUTHENTICATION)
  const messages = [
    ...complaints,
    ...lackingOf(snapshot, withDelivery),
    ...(challenge && !canAct ? [CHALLENGED] : []),
    ...(hasHandlers(request, acceptance) || isInProgress(snapshot) || isFinal(snapshot)
      ? []
      : [NO_HANDLER]),
  ]
  const state = statusOf(snapshot, messages)
  const { buyer, instrument } = shownOf(content.official ?? { shown: {} })
  // The status decides the shape of an answer: with a checkout in it, messages are part of a
  // success (UCP, Checkout, Error Handling).
  const names = [CHECKOUT, FULFILLMENT, AUTHENTICATION, ap2MandateIn(version)]
  const ucp = ucpOf(negotiated, 'success', ...names)
  const body: JsonObject = {
    ucp: { ...ucp, payment_handlers: usableHandlers(request, version, acceptance) },
    id: session.id,
    status: state,
    currency: session.currency,
    line_items: content.items.map((item, index) => lineItem(request, item, index)),
    totals: totalsOf(content),
    ...(withDelivery && { fulfillment: { methods: [shippingMethod(content, version)] } }),
    payment: { instruments: instrument ? [instrument] : [] },
    links: policyLinks(request),
    expires_at: session.expires_at.toISOString(),
    ...(buyer && { buyer }),
    ...(messages.length > 0 && { messages: messages.map(errorMessage) }),
    ...(challenge && canAct && { actions: actionsOf(challenge, instrument?.id) }),
    ...(isFinal(snapshot) ? {} : { continue_url: checkoutUrl(session) }),
    ...(state === 'completed' && order && { order: confirmationOf(order) }),
  }
  return { status, body: needsMandate(negotiated, session) ? authorized(body, signer) : body }
}

interface Content
  extends Pick<CheckoutSession, 'items' | 'subtotal' | 'tax' | 'address' | 'official'> {
  options: ShippingOption[]
  /** The one that is chosen. */
  option: ShippingOption | undefined
}

/**
 * The content of a checkout. Once it is completed, that is the order: if a failed payment came
 * after all, the session may have changed in between. Unspecified: a completed checkout lists only
 * the shipping option that was bought.
 */
function contentOf({ session, order }: Snapshot): Content {
  if (session.status === 'completed' && order) {
    return { ...order, options: [order.shipping], option: order.shipping }
  }
  const { shipping_options: options, shipping_option_id } = session
  return { ...session, options, option: options.find(({ id }) => id === shipping_option_id) }
}

const confirmationOf = (order: Order): JsonObject => ({
  id: order.id,
  permalink_url: receiptUrl(order),
  label: order.confirmation_number,
})

function statusOf(snapshot: Snapshot, messages: readonly UcpErrorMessage[]): UcpStatus {
  const { session } = snapshot
  if (session.status === 'canceled' || session.status === 'expired') return 'canceled'
  const isEscalated = messages.some(({ severity }) => severity.startsWith('requires_'))
  if (isInProgress(snapshot)) return isEscalated ? 'requires_escalation' : 'complete_in_progress'
  if (session.status === 'completed') return 'completed'
  // A declined payment leaves the checkout ready for another instrument (UCP, Payment, Errors).
  const blocking = messages.filter(({ code }) => code !== 'payment_failed')
  if (blocking.some(({ severity }) => severity === 'recoverable')) return 'incomplete'
  return isEscalated ? 'requires_escalation' : 'ready_for_complete'
}

const CHALLENGED: UcpErrorMessage = {
  code: 'requires_3ds',
  content: 'The bank asks the buyer to confirm this payment. Open continue_url.',
  severity: 'requires_buyer_input',
}

const NO_HANDLER: UcpErrorMessage = {
  code: 'payment_required',
  content: 'This shop takes the payment on its own page. Open continue_url to pay.',
  severity: 'requires_buyer_input',
}

/** The bank's challenge as an Action: the page reports to the platform when the buyer is done. */
const actionsOf = ({ id, url }: ChallengeAction, instrument = INSTRUMENT_ID): JsonObject => ({
  'dev.ucp.common.payment.three_ds_challenge': [
    { id, config: { payment_instrument_id: instrument, url } },
  ],
})

/**
 * What a session still lacks, each with its JSONPath (UCP, Checkout: `messages[].path`). If the
 * platform lacks the extension for delivery, the buyer gives it on our page.
 */
function lackingOf({ session, order }: Snapshot, withDelivery: boolean): UcpErrorMessage[] {
  if (session.status !== 'pending_confirmation') return []
  const failed: UcpErrorMessage[] = order?.status === 'payment_failed' ? [PAYMENT_FAILED] : []
  const lacking = deliveryLacks(session)
  if (lacking.length === 0 || withDelivery) return [...failed, ...lacking]
  return [...failed, DELIVERY_BY_HAND]
}

const PAYMENT_FAILED: UcpErrorMessage = {
  code: 'payment_failed',
  content: 'The payment failed. Please pay another way.',
  severity: 'recoverable',
  path: '$.payment.instruments[0]',
}

const DELIVERY_BY_HAND: UcpErrorMessage = {
  code: 'missing',
  content: 'The address and the shipping are chosen on our page. Open continue_url.',
  severity: 'requires_buyer_input',
}

const NO_DESTINATION: UcpErrorMessage = {
  code: 'missing',
  content: 'The shipping address is missing: add a destination to the method "shipping".',
  severity: 'recoverable',
  path: `${METHOD}.destinations`,
}

const UNSELECTED: UcpErrorMessage = {
  code: 'missing',
  content: 'Choose a destination: set selected_destination_id to one of the destinations.',
  severity: 'recoverable',
  path: `${METHOD}.selected_destination_id`,
}

/** The expected form of a field, if its name does not say it. */
const FORMS: Readonly<Record<string, string>> = { address_country: ': send a code such as US' }

function deliveryLacks({
  official,
  address,
  shipping_option_id,
}: CheckoutSession): UcpErrorMessage[] {
  const shown = shownOf(official ?? { shown: {} })
  const known = address ?? {}
  const missing = missingOf(known)
  const unchosen: UcpErrorMessage[] =
    shipping_option_id === null
      ? [
          {
            code: 'missing',
            content: 'Choose a shipping option: set selected_option_id to one of the options.',
            severity: 'recoverable',
            path: `${METHOD}.groups[0].selected_option_id`,
          },
        ]
      : []
  if (missing.length === 0) return unchosen
  const destination = selectedOf(shown)
  if (destination === undefined) {
    return [shown.destinations ? UNSELECTED : NO_DESTINATION, ...unchosen]
  }
  const at = `${METHOD}.destinations[${shown.destinations?.indexOf(destination) ?? 0}]`
  const { wrong } = readDestination(destination, shown.buyer)
  const lacking = missing.map((name): UcpErrorMessage => {
    const isWrong = wrong.includes(name)
    return {
      code: isWrong ? 'address_undeliverable' : 'missing',
      content: isWrong
        ? `We cannot ship to this address. Please check ${name}${FORMS[name] ?? ''}.`
        : `The shipping address is incomplete. Please add ${name}.`,
      severity: 'recoverable',
      path: `${at}.${name}`,
    }
  })
  return [...lacking, ...unchosen]
}

/** A line of a checkout or of a cart. */
export function lineItem(
  { origin }: StoreRequest,
  { product_id, variant_id, title, quantity, unit_price }: SessionItem,
  index: number,
): JsonObject {
  const amount = unit_price.amount * quantity
  return {
    id: lineId(index),
    item: {
      id: variant_id ?? product_id,
      title,
      price: unit_price.amount,
      image_url: origin + imagePath({ id: product_id }),
    },
    quantity,
    totals: [ucpTotal('subtotal', amount), ucpTotal('total', amount)],
  }
}

/** An entry of `totals`, in the currency's smallest unit. */
export const ucpTotal = (type: string, amount: number, display_text?: string): JsonObject => ({
  type,
  amount,
  ...(display_text !== undefined && { display_text }),
})

/** Without a country the tax is unknown, and nothing is charged. */
function totalsOf({ subtotal, tax: known, address, option }: Content): JsonObject[] {
  const tax = address?.country === undefined ? null : known
  const cost = option?.cost.amount ?? 0
  return [
    ucpTotal('subtotal', subtotal, 'Subtotal'),
    ...(option === undefined ? [] : [ucpTotal('fulfillment', cost, option.name)]),
    ...(tax === null ? [] : [ucpTotal('tax', tax, 'Tax')]),
    ucpTotal('total', subtotal + cost + (tax ?? 0), 'Total'),
  ]
}

/** The store's only delivery: everything in one parcel to one address. */
function shippingMethod(content: Content, version: UcpVersion): JsonObject {
  const { items, address, options, option, official } = content
  const line_item_ids = items.map((_, index) => lineId(index))
  const { buyer, destinations, selected } = shownOf(official ?? { shown: {} })
  return {
    id: 'shipping',
    type: 'shipping',
    line_item_ids,
    selected_destination_id: selected ?? null,
    ...(destinations && {
      destinations: destinations.map((destination) => ({
        ...(destination.id === selected
          ? withAddress(destination, address ?? {}, buyer)
          : destination),
        ...(UCP.of(version).typesDestinations && { type: 'shipping_address' }),
      })),
    }),
    groups: [
      {
        id: 'parcel',
        line_item_ids,
        options: options.map(shippingOption),
        selected_option_id: option?.id ?? null,
      },
    ],
  }
}

const shippingOption = ({ id, name, cost }: ShippingOption): JsonObject => ({
  id,
  title: name,
  totals: [ucpTotal('total', cost.amount)],
})
