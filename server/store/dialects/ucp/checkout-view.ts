import type { ShippingOption } from '../../../../shared/protocols/ucp.ts'
import type { Line } from '../../checkout/steps/basket.ts'
import type { JsonObject, StoreRequest } from '../../http/store-request.ts'
import { CURRENCY, imagePath, titleOf } from '../../shop/assortment.ts'
import { policyLinks } from '../../shop/pages/policies.ts'
import { type Priced, priceCart, type UcpSession } from './cart.ts'
import {
  type Agreed,
  errorMessage,
  type UcpErrorDetail,
  type UcpResult,
  ucpOf,
} from './envelope.ts'
import { CHECKOUT, FULFILLMENT } from './profile.ts'

/** A session as UCP shows a checkout. A complaint says why the operation changed nothing. */
export function showCheckout(
  { request, negotiated }: Agreed,
  session: UcpSession,
  { status = 200, complaint }: { status?: number; complaint?: UcpErrorDetail } = {},
): UcpResult {
  const priced = priceCart(session)
  const { lines, canceled, buyer } = session
  const complaints = [
    ...(complaint === undefined ? [] : [complaint]),
    ...(canceled ? [] : priced.missing),
  ]
  const ucp = ucpOf(
    negotiated,
    complaint === undefined ? 'success' : 'error',
    CHECKOUT,
    FULFILLMENT,
  )
  const body: JsonObject = {
    ucp: { ...ucp, payment_handlers: {} },
    id: session.checkout_id,
    status: canceled ? 'canceled' : priced.missing.length > 0 ? 'incomplete' : 'ready_for_complete',
    currency: CURRENCY,
    line_items: lines.map((line, index) => lineItem(request, line, index)),
    totals: totalsOf(priced),
    fulfillment: { methods: [shippingMethod(session, priced)] },
    links: policyLinks(request),
    expires_at: session.expires_at,
    ...(buyer !== undefined && { buyer }),
    ...(complaints.length > 0 && { messages: complaints.map(errorMessage) }),
  }
  return { status, body }
}

const lineId = (index: number): string => `line-${index + 1}`

function lineItem(
  { origin }: StoreRequest,
  { article, offer, quantity }: Line,
  index: number,
): JsonObject {
  const amount = offer.price.amount * quantity
  return {
    id: lineId(index),
    item: {
      id: offer.id,
      title: titleOf(article, offer),
      price: offer.price.amount,
      image_url: origin + imagePath(article),
    },
    quantity,
    totals: [total('subtotal', amount), total('total', amount)],
  }
}

const total = (type: string, amount: number, display_text?: string): JsonObject => ({
  type,
  amount,
  ...(display_text !== undefined && { display_text }),
})

function totalsOf({ subtotal, shipping, option }: Priced): JsonObject[] {
  const tax = shipping?.tax.amount ?? 0
  const cost = option?.cost.amount ?? 0
  return [
    total('subtotal', subtotal, 'Subtotal'),
    ...(option === null ? [] : [total('fulfillment', cost, option.name)]),
    ...(shipping === null ? [] : [total('tax', tax, 'Tax')]),
    total('total', subtotal + cost + tax, 'Total'),
  ]
}

/** The one way in which the store delivers: everything in one parcel to one address. */
function shippingMethod(
  { lines, destination }: UcpSession,
  { shipping, option }: Priced,
): JsonObject {
  const line_item_ids = lines.map((_, index) => lineId(index))
  const id = destination?.id ?? 'address'
  return {
    id: 'shipping',
    type: 'shipping',
    line_item_ids,
    selected_destination_id: destination === undefined ? null : id,
    ...(destination !== undefined && {
      destinations: [{ ...destination, id, type: 'shipping_address' }],
    }),
    ...(shipping !== null && {
      groups: [
        {
          id: 'parcel',
          line_item_ids,
          options: shipping.shipping_options.map(shippingOption),
          selected_option_id: option?.id ?? null,
        },
      ],
    }),
  }
}

const shippingOption = ({ id, name, cost }: ShippingOption): JsonObject => ({
  id,
  title: name,
  totals: [total('total', cost.amount)],
})
