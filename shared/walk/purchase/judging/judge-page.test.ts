import { expect, test } from 'vitest'
import type { Good } from '../../goods.ts'
import type { HandedOver } from '../../hand-over/judge-arrival.ts'
import { judgeLinkedPage } from './judge-page.ts'
import { readPageText } from './page-text.ts'

const good = (id: string, name: string, more: Partial<Good> = {}): Good => ({
  product_id: id,
  variant_id: null,
  name,
  price: { amount: 1800, currency: 'USD' },
  availability: 'in_stock',
  options: 0,
  ...more,
})
const BEANIE = good('17', 'Beanie')
const shirt = (variant: string, size: string) =>
  good('shirt', `Trail Shirt, ${size}`, { variant_id: variant, options: 1 })
const LISTED = [BEANIE, good('18', 'Polo'), shirt('shirt-s', 'S'), shirt('shirt-m', 'M')]

const expected = (wanted = BEANIE, quantity = 2): HandedOver => ({
  lines: [{ good: wanted, title: wanted.name, quantity, price: wanted.price }],
  listed: LISTED,
  sums: [{ amount: 1800 * quantity, currency: 'USD' }],
})

const judge = (html: string, it = expected(), url = 'https://shop.example/cart/') => {
  const { is, said } = judgeLinkedPage({ page: readPageText(html), html, url }, it)
  return said === null ? is : `${is}: ${said}`
}

const SCRIPT = '<script src="/theme.js"></script>'
const money = (amount: string) =>
  `<span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&#36;</span>${amount}</bdi></span>`
/** As WooCommerce's classic cart writes it. */
const woo = (name: string, quantity: number, price: string, sum: string) =>
  `<title>Cart – Shop</title>${SCRIPT}<h1>Cart</h1><table class="shop_table cart"><tr><th>Product</th><th>Price</th><th>Quantity</th><th>Subtotal</th></tr>
<tr class="cart_item"><td class="product-remove"><a href="/cart/?remove_item=c4ca">×</a></td><td class="product-name"><a href="/product/x/">${name}</a></td>
<td class="product-price">${money(price)}</td><td class="product-quantity"><div class="quantity"><label class="screen-reader-text" for="quantity_1">${name} quantity</label>
<input type="number" id="quantity_1" class="input-text qty text" name="cart[c4ca][qty]" value="${quantity}" aria-label="Product quantity" min="0"></div></td>
<td class="product-subtotal">${money(sum)}</td></tr></table><h2>Cart totals</h2> Total ${money(sum)}`
/** As themes of Shopify write it: an empty drawer stands in the markup of each page. */
const shopify = `<title>Your Shopping Cart</title>${SCRIPT}<div class="drawer__inner-empty"><h2>Your cart is empty</h2><a href="/account/login">Log in</a></div>
<h1>Your cart</h1><a href="/products/beanie">Beanie</a><div class="product-option">$18.00</div>
<input class="quantity__input" type="number" name="updates[]" id="Quantity-1" value="2" aria-label="Quantity for Beanie"><span class="price">$36.00</span>`
const german = `<title>Warenkorb</title><h1>Ihr Warenkorb</h1><p>Beanie</p><p>Menge: 2</p><p>Einzelpreis 18,00 $</p><p>Summe 36,00 $</p>`

test.each<[string, string, HandedOver?]>([
  ['the classic cart of WooCommerce', woo('Beanie', 2, '18.00', '36.00')],
  ['a theme with an empty drawer', shopify],
  ['a basket in German', german],
  [
    'a checkout with a log-in for those who have one',
    `<h1>Checkout</h1><p>Returning customer? <input type="password" name="pw"></p><td>Beanie × 2</td><td>$36.00</td><td>Tax $2.88</td><td>$38.88</td>`,
  ],
  [
    'sizes beside a name',
    `<h1>Cart</h1><td>Beanie</td><td>20 x 30 cm</td><td>Qty 2</td><td>$18.00</td>`,
  ],
  [
    'other products beside it',
    `<h1>Cart</h1><td>2 × Beanie</td><td>$36.00</td><h2>You may also like</h2><a>Polo</a> $20.00`,
  ],
  ['the sum alone', `<h1>Cart</h1><td>Beanie</td><td>$36.00</td>`],
  [
    'a variant by the name of its product, and the size in a line of its own',
    `<h1>Cart</h1><p>Trail Shirt</p><p>Size: S</p><p>Qty 2</p><p>$18.00</p>`,
    expected(shirt('shirt-s', 'S')),
  ],
])('innocent: %s', (_, html, it) => {
  expect(judge(html, it)).toBe('right')
})

test('a page of names alone is not called wrong, and says what it does not show', () => {
  const page = '<h1>Your cart</h1><p>Beanie</p>'
  expect(judge(page)).toBe('right: How many there are does not stand in its markup.')
})

test.each<[string, string, string, (HandedOver | undefined)?, string?]>([
  [
    'an empty basket',
    '<h1>Your cart is currently empty.</h1>',
    'The page says that the basket is empty.',
  ],
  [
    'an empty basket that recommends it',
    '<h1>Your cart is empty</h1><a>Beanie</a> $18.00',
    'The page says that the basket is empty.',
  ],
  [
    'another product',
    woo('Polo', 2, '18.00', '36.00').replace(SCRIPT, ''),
    'The page shows Polo, and not Beanie.',
  ],
  ['a page about nothing', '<h1>Welcome</h1>', 'The page does not name Beanie.'],
  [
    'another variant',
    '<h1>Cart</h1><p>2 × Trail Shirt, M</p><p>$36.00</p>',
    'The page shows Trail Shirt, M, and not Trail Shirt, S.',
    expected(shirt('shirt-s', 'S')),
  ],
  [
    'another quantity, in a field',
    woo('Beanie', 1, '18.00', '18.00'),
    'The page shows 1 of Beanie, and the link is for 2.',
  ],
  [
    'another quantity, in words',
    '<h1>Warenkorb</h1><p>Beanie</p><p>Menge: 1</p><p>18,00 $</p>',
    'The page shows 1 of Beanie, and the link is for 2.',
  ],
  [
    'another price',
    woo('Beanie', 2, '21.00', '42.00'),
    'The page shows Beanie for $ 21.00, and the link is for 18.00 USD each.',
  ],
  [
    'a log-in',
    '<h1>Welcome back</h1><input name="mail"><input type="password" name="pw">',
    'The page asks the buyer to log in.',
  ],
  [
    'a log-in with scripts, by its address',
    `${SCRIPT}<h1>Welcome back</h1><input type="password" name="pw">`,
    'The link ends at a log-in: /my-account/',
    undefined,
    'https://shop.example/my-account/',
  ],
  [
    'the start page',
    '<h1>Shop</h1><a>Beanie</a> $18.00 <a>Polo</a> $20.00',
    'The link ends at the start page of the store.',
    undefined,
    'https://shop.example/',
  ],
])('wrong: %s', (_, html, said, it, url) => {
  expect(judge(html, it, url)).toBe(`wrong: ${said}`)
})

test.each<[string, string, string]>([
  [
    // WooCommerce's block has both the empty and the full basket in its markup.
    'an empty basket that scripts may fill',
    `${SCRIPT}<div data-block-name="woocommerce/empty-cart-block"><h2>Your cart is currently empty!</h2></div>`,
    'The page says that the basket is empty.',
  ],
  ['nothing yet', `${SCRIPT}<div id="root"></div>`, 'The page does not name Beanie.'],
])('unknown: %s', (_, html, said) => {
  expect(judge(html)).toBe(`unknown: Before its scripts run, this holds: ${said}`)
  // Data for search engines runs nothing.
  const data = html.replace(SCRIPT, '<script type="application/ld+json">{}</script>')
  expect(judge(data)).toBe(`wrong: ${said}`)
})

test('prices in other money are not compared', () => {
  const page = woo('Beanie', 2, '17.00', '34.00').replaceAll('&#36;', '€')
  expect(judge(page)).toBe('unknown: The page is in other money: € 17.00.')
})
