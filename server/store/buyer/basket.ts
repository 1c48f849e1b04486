import { html } from 'hono/html'
import { formatMoney } from '../../../shared/commerce/product.ts'
import type { Db } from '../../db/connect.ts'
import type { Reply, StoreRequest } from '../http/store-request.ts'
import { pagePath, variantName } from '../shop/assortment.ts'
import { inventoryOfIds } from '../shop/inventory.ts'
import { BASKET_PATH } from '../shop/settings.ts'
import { cartUrl } from './addresses.ts'
import { readItems } from './permalink-items.ts'
import { privatePage, seeOther } from './private-page.ts'

/** The cookie that holds a basket, written like a permalink: `ao-1101:2,ao-1204:1`. */
export const BASKET_COOKIE = 'basket'

const MOST_LINES = 20
const MOST_PIECES = 99

type Basket = ReadonlyMap<string, number>

// Unspecified: the reference store keeps a basket in its buyer's browser alone, as the items of a
// permalink: nothing is stored for it before a checkout is opened.
export const readBasket = (cookie: string | undefined): Basket =>
  new Map(
    (readItems(cookie ?? '') ?? [])
      .slice(0, MOST_LINES)
      .map(({ id, quantity }) => [id, Math.min(quantity, MOST_PIECES)]),
  )

/** What a form of a product's page or of the basket does to the basket. */
export function changedBasket(basket: Basket, form: URLSearchParams): Basket {
  const changed = new Map(basket)
  const item = form.get('item') ?? ''
  const typed = Number(/^\d{1,3}$/.exec(form.get('quantity') ?? '1')?.[0] ?? 1)
  const does = form.get('do')
  const before = does === 'set' ? 0 : (basket.get(item) ?? 0)
  const quantity = does === 'remove' ? 0 : Math.min(typed + before, MOST_PIECES)
  if (quantity === 0) changed.delete(item)
  else if (/^[\w.-]{1,100}$/.test(item) && (basket.has(item) || basket.size < MOST_LINES)) {
    changed.set(item, quantity)
  }
  return changed
}

/** Answers a form: the browser keeps the basket, and shows it. */
export function keepBasket(basket: Basket): Reply {
  const value = [...basket].map(([id, quantity]) => `${id}:${quantity}`).join(',')
  const kept = `${BASKET_COOKIE}=${value}; Path=/; Max-Age=${value === '' ? 0 : 86_400}; HttpOnly; SameSite=Lax`
  const reply = seeOther(BASKET_PATH)
  return { ...reply, headers: { ...reply.headers, 'set-cookie': kept } }
}

/** `GET /basket`: what is in it, and the way to the checkout. */
export async function basketPage(db: Db, request: StoreRequest, basket: Basket): Promise<Reply> {
  const inventory = await inventoryOfIds(db, [...basket.keys()])
  const lines = [...basket].flatMap(([id, quantity]) => {
    const found = inventory.findOffer(id)
    const offer = found?.offer
    return found && offer ? [{ article: found.article, offer, quantity }] : []
  })
  const [first] = lines
  if (first === undefined) {
    return privatePage(request, {
      title: 'Your basket is empty',
      main: html`<h1>Your basket is empty</h1><p><a href="/">To the shop</a></p>`,
    })
  }
  const { currency } = first.offer.price
  const costs = lines.map(({ offer, quantity }) => offer.price.amount * quantity)
  const subtotal = costs.reduce((sum, cost) => sum + cost, 0)
  const items = lines.map(({ article, offer, quantity }) => ({
    product_id: article.id,
    ...(offer.id !== article.id && { variant_id: offer.id }),
    quantity,
  }))
  return privatePage(request, {
    title: 'Your basket',
    main: html`<h1>Your basket</h1>
<table>
<thead><tr><th scope="col">Item</th><th scope="col">Price</th><th scope="col">Quantity</th><th scope="col">Cost</th></tr></thead>
<tbody>
${lines.map(({ article, offer, quantity }, at) => {
  const name = offer.id === article.id ? article.name : variantName(article, offer)
  return html`<tr><th scope="row"><a href="${pagePath(article)}">${name}</a></th>
<td>${formatMoney(offer.price)}</td>
<td><form method="post" action="${BASKET_PATH}" class="buy">
<input type="hidden" name="item" value="${offer.id}">
<div class="field"><input name="quantity" type="number" min="0" max="${MOST_PIECES}" value="${quantity}" aria-label="Quantity: ${name}"></div>
<button class="button second" name="do" value="set">Update</button>
<button class="button second" name="do" value="remove" aria-label="Remove: ${name}">Remove</button>
</form></td>
<td>${formatMoney({ amount: costs[at] ?? 0, currency })}</td></tr>
`
})}</tbody>
<tfoot><tr><th scope="row" colspan="3">Subtotal</th><td>${formatMoney({ amount: subtotal, currency })}</td></tr></tfoot>
</table>
<p><a href="${cartUrl(request.host, items)}" class="button" rel="nofollow">Checkout</a></p>`,
  })
}
