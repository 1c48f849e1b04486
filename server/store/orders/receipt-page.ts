import { html } from 'hono/html'
import { formatMoney, type Money } from '../../../shared/commerce/product.ts'
import type { OrderStatus } from '../db/statuses.ts'
import type { Order } from '../db/tables.ts'
import type { Reply, StoreRequest } from '../http/store-request.ts'
import { countryName } from '../shop/pages/country-name.ts'
import { notFoundPage } from '../shop/pages/error.ts'
import { type Markup, renderStorePage } from '../shop/pages/frame.ts'
import { SHOP_NAME } from '../shop/settings.ts'

const WORDS: Record<OrderStatus, string> = {
  awaiting_payment: 'Waiting for the payment',
  confirmed: 'Confirmed',
  processing: 'Being packed',
  shipped: 'On its way',
  delivered: 'Delivered',
  canceled: 'Canceled',
  returned: 'Returned',
  payment_failed: 'Not paid',
}

/** The states in which the parcel is still to come. */
const AWAITED: ReadonlySet<OrderStatus> = new Set([
  'awaiting_payment',
  'confirmed',
  'processing',
  'shipped',
])

/**
 * Anyone with the address can read the receipt, so it is kept out of caches, indexes, analytics and
 * referrers.
 */
const PRIVATE = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, noarchive',
  'referrer-policy': 'no-referrer',
}

/** The page at `receipt_url`; a 404 page if there is no such order. */
export function receiptReply(request: StoreRequest, order: Order | null): Reply {
  if (order === null) return notFoundPage(request)
  const { confirmation_number: number } = order
  const page = renderStorePage(request, {
    parts: {
      title: `Order ${number} | ${SHOP_NAME}`,
      description: `Receipt of order ${number}.`,
      jsonLd: [],
      feed: null,
      snippets: { head: [], body: [] },
    },
    main: html`<h1>Order ${number}</h1>
<p>${WORDS[order.status]}. Placed on ${order.created_at.toISOString().slice(0, 10)}${
      AWAITED.has(order.status) ? `, expected by ${order.estimated_delivery}` : ''
    }.</p>
${trackingOf(order)}
${mandateOf(order)}
${itemsOf(order)}
${addressOf(order)}`,
  })
  return { ...page, headers: { ...page.headers, ...PRIVATE } }
}

function trackingOf({ tracking }: Order): Markup | '' {
  if (tracking === null) return ''
  const { carrier, number, url = '' } = tracking
  const isLink = /^https?:$/.test(URL.parse(url)?.protocol ?? '')
  const shown = isLink ? html`<a href="${url}" rel="noreferrer">${number}</a>` : number
  return html`<p>Sent${carrier === undefined ? '' : ` with ${carrier}`}: ${shown}</p>`
}

/** Who signed that the buyer agreed, and when we verified it. */
function mandateOf({ mandate, official }: Order): Markup | '' {
  const platform = URL.parse(official?.platform ?? '')?.host
  if (mandate === null || platform === undefined) return ''
  const day = mandate.verified_at.slice(0, 10)
  return html`<p>Bought with a mandate that ${platform} signed, verified on ${day}.</p>`
}

function itemsOf(order: Order): Markup {
  const { items, shipping, currency } = order
  const money = (amount: number) => formatMoney({ amount, currency })
  const row = (name: string, cost: string) =>
    html`<tr><th scope="row" colspan="2">${name}</th><td>${cost}</td></tr>\n`
  return html`<table>
<thead><tr><th scope="col">Item</th><th scope="col">Pieces</th><th scope="col">Price</th></tr></thead>
<tbody>
${items.map(
  ({ name, quantity, unit_price }) =>
    html`<tr><th scope="row">${name}</th><td>${quantity}</td>
<td>${formatMoney(times(unit_price, quantity))}</td></tr>\n`,
)}
</tbody>
<tfoot>
${row('Subtotal', money(order.subtotal))}
${row(`Shipping: ${shipping.name}`, formatMoney(shipping.cost))}
${row('Tax', money(order.tax))}
${row('Total', money(order.total))}
${order.refunds.map(({ amount, refunded_at }) =>
  row(`Refunded on ${refunded_at.slice(0, 10)}`, money(-amount)),
)}
</tfoot>
</table>`
}

const times = ({ amount, currency }: Money, quantity: number): Money => ({
  amount: amount * quantity,
  currency,
})

function addressOf({ address }: Order): Markup | '' {
  if (address === null) return ''
  const { name, street, line_two, city, state, zip, country = '' } = address
  // A field may be empty if the country does not need it.
  const region = [state, zip].filter(Boolean).join(' ')
  const place = [city, region].filter(Boolean).join(', ')
  return html`<h2>Ships to</h2>
<address>${name}<br>${street}<br>${line_two ? html`${line_two}<br>` : ''}${place}<br>${countryName(country)}</address>`
}
