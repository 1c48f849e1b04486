import { expect, test } from 'vitest'
import { isActing, isOfVisitor } from './visitor-address.ts'

const at = (path: string) => `https://shop.example${path}`

test.each([
  '/sklep/?add-to-cart=17',
  '/?add_to_wishlist=17',
  '/index.php?action=buy_now&products_id=1',
  '/product_info.php?products_id=1&action=add_product',
  '/index.php?BUYproducts_id=4&cPath=2',
  '/cart.php?action=add&product_id=1',
  '/index.php?route=checkout/cart/add&product_id=4',
  '/index.php?main_page=index&action=multiple_products_add_product',
  '/index.php?controller=cart&add=1&id_product=3',
  '/index.php?cl=start&fnc=tobasket&anid=4',
  '/?edd_action=add_to_cart&download_id=3',
  '/panier?add=1&id_product=3',
  '/cart/add?id=42',
  '/cart/42:1',
  '/checkout/cart/add/uenc/aHR0/product/123/',
  '/wishlist/add/product/5/',
  '/catalog/product_compare/add/product/5/',
  '/on/demandware.store/Sites-x-Site/default/Cart-AddProduct?pid=1',
  '/gp/AddToCart.html?ASIN.1=x',
  '/shop/add-to-basket/3',
])('opening %s does something', (path) => {
  expect(isActing(at(path))).toBe(true)
  expect(isOfVisitor(at(path))).toBe(true)
})

test.each([
  '/cart',
  '/en/warenkorb.html',
  '/Panier/',
  '/ko%C5%A1%C3%ADk',
  '/корзина',
  '/compare',
  '/my_account/orders',
  '/login?back=%2Fproducts%2Foak',
])('%s is of one visitor, and does nothing', (path) => {
  expect(isOfVisitor(at(path))).toBe(true)
  expect(isActing(at(path))).toBe(false)
})

test.each([
  '/products/oak-table',
  '/product_info.php?products_id=1',
  '/index.php?route=product/product&product_id=4',
  '/index.php?controller=product&id_product=4',
  '/int.php?page=product&pid=4265',
  '/int.php?page=scart-cable',
  '/shopping-cart-trolley-120',
  '/baskets/willow-basket-40',
  '/golf-carts/cart-add-on-kit',
  '/addresses/additional-table-leaf',
  '/p/oak?address=1&mode=grid&view=list',
  '/marken/cos/kleid',
  '/homme/basket/nike-air-max-90.html',
  '/panier/panier-osier-rond-12',
  '/vergleich/waschmaschine-wm-14',
])('%s may be a product', (path) => {
  expect(isOfVisitor(at(path))).toBe(false)
})
