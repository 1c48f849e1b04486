/** Shop software that is recognised by its pages, and for which there is advice of its own. */
export const SHOP_PLATFORMS = [
  'shopify',
  'woocommerce',
  'magento',
  'prestashop',
  'bigcommerce',
] as const
export type ShopPlatform = (typeof SHOP_PLATFORMS)[number]

export const PLATFORM_NAMES: Readonly<Record<ShopPlatform, string>> = {
  shopify: 'Shopify',
  woocommerce: 'WooCommerce',
  magento: 'Magento (Adobe Commerce)',
  prestashop: 'PrestaShop',
  bigcommerce: 'BigCommerce',
}

/** One thing that shows a platform, in our own words, as a part of a sentence. */
export interface PlatformSign {
  platform: ShopPlatform
  sign: string
}

/** What a page is asked for: its HTML as sent, and its headers by lower-case name. */
type Look = (html: string, headers: Readonly<Record<string, string>>) => boolean

const inHtml =
  (pattern: RegExp): Look =>
  (html) =>
    pattern.test(html)

const inHeader =
  (name: string, pattern: RegExp): Look =>
  (_, headers) =>
    pattern.test(headers[name] ?? '')

// Each is linear in the length of the page, and none is met by a page that only mentions the
// software.
const SIGNS: readonly (readonly [ShopPlatform, sign: string, Look])[] = [
  ['shopify', 'the header Powered-By: Shopify', inHeader('powered-by', /^Shopify\b/i)],
  ['shopify', 'the header X-ShopId', (_, headers) => headers['x-shopid'] !== undefined],
  ['shopify', 'the script variable Shopify.theme', inHtml(/\bShopify\.theme\s*=/)],
  [
    'shopify',
    'files from cdn.shopify.com',
    inHtml(/["'(]\s{0,9}(?:https?:)?\/\/cdn\.shopify\.com\/s\/files\//),
  ],
  ['shopify', 'files below /cdn/shop/', inHtml(/\/cdn\/shop\/(?:t|files|products)\//)],
  ['woocommerce', 'the generator WooCommerce', inHtml(/\bcontent=["']WooCommerce \d/)],
  ['woocommerce', 'files of the plugin WooCommerce', inHtml(/\/plugins\/woocommerce\/assets\//)],
  ['woocommerce', 'WooCommerce’s classes of the body', inHtml(/\bwoocommerce-(?:page|js|no-js)\b/)],
  [
    'magento',
    'scripts of the type text/x-magento-init',
    inHtml(/\btype=["']text\/x-magento-init["']/),
  ],
  [
    'magento',
    'files below /static/version…/frontend/',
    inHtml(/\/static\/version\d{1,20}\/frontend\//),
  ],
  [
    'magento',
    'headers that begin with X-Magento',
    (_, headers) => Object.keys(headers).some((name) => name.startsWith('x-magento-')),
  ],
  ['prestashop', 'the header Powered-By: PrestaShop', inHeader('powered-by', /^PrestaShop\b/i)],
  ['prestashop', 'the generator PrestaShop', inHtml(/\bcontent=["']PrestaShop["']/)],
  ['prestashop', 'the script variable prestashop', inHtml(/\bvar prestashop\s*=\s*\{/)],
  ['bigcommerce', 'files from BigCommerce’s CDN', inHtml(/\/\/cdn\d{1,3}\.bigcommerce\.com\//)],
  [
    'bigcommerce',
    'the platform bigcommerce.stencil',
    inHtml(/\bcontent=["']bigcommerce\.stencil["']/),
  ],
]

/** What of a page shows which platform made it. */
export const readPlatformSigns = (
  html: string,
  headers: Readonly<Record<string, string>>,
): PlatformSign[] =>
  SIGNS.flatMap(([platform, sign, look]) => (look(html, headers) ? [{ platform, sign }] : []))
