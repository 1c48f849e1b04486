import { html } from 'hono/html'
import { type Availability, toMajor } from '../../../../shared/commerce/product.ts'
import type { Article, Offer } from '../../db/tables.ts'
import { applyFaults, type Reply, type StoreRequest } from '../../http/store-request.ts'
import { imagePath, offersOf, variantName } from '../assortment.ts'
import type { InventoryRequest } from '../inventory.ts'
import { BASKET_PATH, RETURN_DAYS, SHOP_NAME } from '../settings.ts'
import { notFoundPage } from './error.ts'
import { jsonLdText, renderStorePage } from './frame.ts'
import {
  breadcrumbMarkup,
  departmentAnchor,
  priceLabel,
  productMarkup,
  productOpenGraph,
} from './markup.ts'

const WORDS: Record<Availability, string> = {
  in_stock: 'In stock',
  out_of_stock: 'Sold out',
  preorder: 'Order now, ships on release',
  backorder: 'On its way to us, ships later',
}

/** How buyers order from the page by hand. */
export interface HandOrder {
  /** The path that opens a checkout of this offer. */
  pathOf: (offer: Offer) => string
  quantity: number
  /** The buyer followed a link that did not name a variant. */
  isToChoose: boolean
}

/**
 * `GET /products/:id`: the product with its variants, or a 404 page. A shop without checkouts for
 * buyers has no `order`.
 */
export function productPage(request: InventoryRequest, id: string, order: HandOrder | null): Reply {
  const article = request.inventory.find(id)
  if (article === undefined) return notFoundPage(request)
  request.noteView({ source: 'web', product_id: article.id })
  const buy = order && orderLink(article, article.name, order, 'button')
  const basket = order && basketForm(article, order)
  return renderStorePage(request, {
    parts: {
      title: `${article.name} by ${article.brand} | ${SHOP_NAME}`,
      description: article.description,
      openGraph: productOpenGraph(request, article),
      jsonLd: [productMarkup(request, article), breadcrumbMarkup(request, article)].map(jsonLdText),
    },
    main: html`<nav aria-label="Breadcrumb"><a href="/">Home</a> ›
<a href="/#${departmentAnchor(article.category)}">${article.category}</a></nav>
<article class="product">
<img src="${imagePath(article)}" alt="${article.name}" width="480" height="360">
<div>
<h1>${article.name}</h1>
<p>${article.brand}</p>
<p class="price">${priceLabel(request, article)}</p>
<p>${WORDS[article.availability]}</p>
<p>${article.description}</p>
${
  article.variants.length > 0
    ? html`${order?.isToChoose && html`<p class="notice">Please choose which one you want.</p>`}
${basket}
${variantTable(request, article, order)}`
    : html`${basket}${buy && html`<p>${buy}</p>`}`
}
<p>Article ${article.sku}. Returns are free within ${RETURN_DAYS} days.</p>
</div>
</article>`,
  })
}

/** Puts one offer into the basket; null if none can be ordered. */
const basketForm = (article: Article, { quantity }: HandOrder) => {
  const offers = offersOf(article).filter(({ availability }) => availability !== 'out_of_stock')
  const [only] = offers
  if (only === undefined) return null
  const choice =
    article.variants.length === 0
      ? html`<input type="hidden" name="item" value="${only.id}">`
      : html`<div class="field"><label for="item">Variant</label>
<select id="item" name="item" required><option value="">Choose one</option>
${offers.map((offer) => html`<option value="${offer.id}">${Object.values(offer.attributes).join(', ')}</option>\n`)}</select></div>`
  return html`<form method="post" action="${BASKET_PATH}" class="buy">
${choice}
<div class="field"><label for="quantity">Quantity</label>
<input id="quantity" name="quantity" type="number" min="1" max="99" value="${quantity}" required></div>
<button class="button">Add to basket</button>
</form>`
}

const variantTable = (
  request: StoreRequest,
  article: Article,
  order: HandOrder | null,
) => html`<table>
<thead><tr><th scope="col">Variant</th><th scope="col">Price</th><th scope="col">Stock</th>${order && html`<th scope="col">Order</th>`}</tr></thead>
<tbody>
${article.variants.map(
  (variant) => html`<tr><th scope="row">${variantName(article, variant)}</th>
<td>$${toMajor(applyFaults(request, 'shelfPrice', variant.price))}</td>
<td>${WORDS[variant.availability]}</td>${order && html`<td>${orderLink(variant, variantName(article, variant), order)}</td>`}</tr>
`,
)}
</tbody>
</table>`

/**
 * Each request of its path opens a checkout: it is for people, and not for crawlers to follow. Null
 * if the offer cannot be ordered.
 */
const orderLink = (offer: Offer, name: string, order: HandOrder, style?: 'button') => {
  if (offer.availability === 'out_of_stock') return null
  const label = order.quantity === 1 ? 'Buy' : `Buy ${order.quantity}`
  return html`<a href="${order.pathOf(offer)}" rel="nofollow" aria-label="${label}: ${name}"${style && html` class="${style}"`}>${label}</a>`
}
