import { expect, test } from 'vitest'
import { recognisePlatform } from './recognise.ts'
import { readPlatformSigns, SHOP_PLATFORMS, type ShopPlatform } from './signs.ts'

/** Heads of pages as each software writes them. */
const PAGES: Record<ShopPlatform, string[]> = {
  shopify: [
    '<script>var Shopify = Shopify || {};\nShopify.theme = {"name":"Dawn","id":1};</script>',
    '<link href="//shop.example/cdn/shop/t/2/assets/base.css?v=1" rel="stylesheet">',
    '<img src="https://cdn.shopify.com/s/files/1/0001/products/a.jpg">',
  ],
  woocommerce: [
    '<meta name="generator" content="WooCommerce 9.4.1" />',
    '<link rel="stylesheet" href="https://shop.example/wp-content/plugins/woocommerce/assets/css/a.css">',
    '<body class="home wp-theme woocommerce-page woocommerce-no-js">',
  ],
  magento: [
    '<script type="text/x-magento-init">{"*":{}}</script>',
    '<script src="https://shop.example/static/version1700000000/frontend/Magento/luma/en_US/a.js"></script>',
  ],
  prestashop: [
    '<meta name="generator" content="PrestaShop" >',
    '<script>var prestashop = {"cart":{}};</script>',
  ],
  bigcommerce: [
    "<meta name='platform' content='bigcommerce.stencil' />",
    '<link href="https://cdn11.bigcommerce.com/s-abc/stencil/a.css" rel="stylesheet">',
  ],
}

const HEADERS: [ShopPlatform, Record<string, string>][] = [
  ['shopify', { 'x-shopid': '1' }],
  ['shopify', { 'powered-by': 'Shopify' }],
  ['magento', { 'x-magento-cache-debug': 'HIT' }],
  ['prestashop', { 'powered-by': 'PrestaShop' }],
]

const seen = (html: string, headers = {}) => {
  const signs = readPlatformSigns(html, headers)
  return recognisePlatform({ homePage: signs.length > 0 ? { signs } : {} })
}

test.each(SHOP_PLATFORMS.flatMap((id) => PAGES[id].map((html) => [id, html] as const)))(
  '%s is recognised by %s',
  (id, html) => {
    expect(seen(html)).toMatchObject({ id, seen_by: [expect.any(String)] })
  },
)

test.each(HEADERS)('%s is recognised by the headers %j', (id, headers) => {
  expect(seen('', headers)?.id).toBe(id)
})

test.each([
  '<p>We moved from Shopify to WooCommerce, and not to Magento, PrestaShop or BigCommerce.</p>',
  '<a href="https://www.shopify.com/">Shopify</a><a href="/blog/woocommerce-seo">SEO</a>',
  '<link href="/wp-content/themes/a/style.css"><meta name="generator" content="WordPress 6.6">',
  '<p>content=PrestaShop and Shopify.theme</p>',
  '',
])('a page that only mentions software shows none: %s', (html) => {
  expect(seen(html)).toBeNull()
})

test('signs of all pages and the feed count, each once', () => {
  const [theme = '', file = ''] = PAGES.shopify
  expect(
    recognisePlatform({
      homePage: { signs: readPlatformSigns(theme, {}) },
      productPages: [{ signs: readPlatformSigns(theme + file, {}) }, {}],
      feed: { kind: 'shopify' },
    }),
  ).toEqual({
    id: 'shopify',
    name: 'Shopify',
    seen_by: [
      'the script variable Shopify.theme',
      'files below /cdn/shop/',
      'products at /products.json',
    ],
  })
  expect(recognisePlatform({ feed: { kind: 'woocommerce' } })?.id).toBe('woocommerce')
  expect(recognisePlatform({ feed: { kind: 'rss' } })).toBeNull()
  expect(recognisePlatform({})).toBeNull()
})

test('of two platforms the one that shows more is taken, and none where both show the same', () => {
  const [image = ''] = PAGES.shopify.slice(2)
  const [generator = '', styles = ''] = PAGES.woocommerce
  expect(seen(image + generator + styles)?.id).toBe('woocommerce')
  expect(seen(image + generator)).toBeNull()
})

test('a page made to be slow takes no longer for it', () => {
  const html = `${'<meta content="'.repeat(50_000)}${"'(  //".repeat(50_000)}${'/static/version1'.repeat(50_000)}`
  expect(readPlatformSigns(html, {})).toEqual([])
})
