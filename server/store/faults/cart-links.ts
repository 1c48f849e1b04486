import { formatMoney } from '../../../shared/commerce/product.ts'
import { BUYER_PATHS } from '../buyer/addresses.ts'
import { readItems } from '../buyer/permalink-items.ts'
import { html, type JsonObject, type Overrides, type StoreRequest } from '../http/store-request.ts'
import { ARTICLES, offersOf, variantName } from '../shop/assortment.ts'
import { BASKET_PATH } from '../shop/settings.ts'
import { type StoreFault, walkFault } from './fault.ts'
import { SURCHARGE } from './overrides.ts'

/** Where the carts of a shop lead their buyers instead. */
const leadsTo = (change: (url: string, request: StoreRequest) => string): Overrides => ({
  ucpAnswer: ({ operation, body }, request) => ({
    operation,
    body:
      operation.endsWith('_cart') && typeof body.continue_url === 'string'
        ? ({ ...body, continue_url: change(body.continue_url, request) } satisfies JsonObject)
        : body,
  }),
})

/** Two products that can be bought; a cart leads to one that it does not hold. */
const SOLD = ARTICLES.flatMap((article) =>
  offersOf(article).flatMap(({ id, availability }) => (availability === 'in_stock' ? [id] : [])),
)

function another(url: string): string {
  const held = /([^/:,]+):\d+/.exec(url)?.[1] ?? ''
  const own = ARTICLES.map(offersOf).find((offers) => offers.some(({ id }) => id === held))
  const other = SOLD.find((id) => own?.every((each) => each.id !== id))
  return url.replace(held, other ?? held)
}

const SIGN_IN = '/account/sign-in'

const DEAR = '/carts/dear'

/** A basket of these items at other prices than the cart has. */
function dearPage(items: string): string {
  const lines = (readItems(items) ?? []).flatMap(({ id, quantity }) =>
    ARTICLES.flatMap((article) => {
      const offer = offersOf(article).find((each) => each.id === id)
      if (offer === undefined) return []
      const { amount, currency } = offer.price
      const price = formatMoney({ amount: quantity * (amount + SURCHARGE), currency })
      return [`<p>${quantity} × ${variantName(article, offer)}</p><p>${price}</p>`]
    }),
  )
  return `<!doctype html><title>Your basket</title><h1>Your basket</h1>${lines.join('')}`
}

/** What is wrong where a cart hands its buyer over to the shop's pages. */
export const CART_LINK_FAULTS: readonly StoreFault[] = [
  walkFault(
    'ucp',
    'cart-link-empty',
    'link_leads_on',
    leadsTo((_, { origin }) => origin + BASKET_PATH),
  ),
  walkFault(
    'ucp',
    'cart-link-dead',
    'link_leads_on',
    leadsTo((_, { origin }) => `${origin}/carts/expired`),
  ),
  walkFault('ucp', 'cart-link-other-item', 'link_leads_on', leadsTo(another)),
  walkFault(
    'ucp',
    'cart-link-other-quantity',
    'link_leads_on',
    leadsTo((url) => url.replace(/:\d+$/, ':1')),
  ),
  walkFault(
    'ucp',
    'cart-link-other-shop',
    'link_leads_on',
    leadsTo((url) => url.replace('://', '://sister-')),
  ),
  walkFault('ucp', 'cart-link-other-price', 'link_leads_on', {
    ...leadsTo((url) => url.replace(BUYER_PATHS.permalink, DEAR)),
    refusal: (right, { path }) =>
      path.startsWith(`${DEAR}/`) ? html(dearPage(path.slice(DEAR.length + 1))) : right,
  }),
  walkFault('ucp', 'cart-link-log-in', 'link_leads_on', {
    ...leadsTo((url) => url.replace(BUYER_PATHS.permalink, `${SIGN_IN}/cart`)),
    refusal: (right, { path, origin }) => {
      if (path === SIGN_IN) return html(LOG_IN)
      const location = origin + SIGN_IN
      return path.startsWith(`${SIGN_IN}/`)
        ? { status: 303, headers: { location }, body: '' }
        : right
    },
  }),
]

const LOG_IN =
  '<!doctype html><title>Log in</title><h1>Log in</h1><form method="post"><label>E-mail <input name="email"></label><label>Password <input name="password" type="password"></label><button>Log in</button></form>'
