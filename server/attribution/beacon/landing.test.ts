import { expect, test } from 'vitest'
import { readLanding, reduceReferrer } from './landing.ts'
import { PRIVATE_PATHS, PRODUCT_PATHS } from './testing/paths.ts'

test.each([
  ['https://shop.example/p/1?q=secret#me', 'https://shop.example/'],
  [
    'https://shop.example/p?utm_source=chatgpt.com&utm_medium=ai&utm_campaign=a%20b&utm_term=me&mail=x',
    'https://shop.example/?utm_source=chatgpt.com&utm_medium=ai&utm_campaign=a+b',
  ],
  ['https://shop.example/?gclid=PERSON&fbclid=', 'https://shop.example/?gclid=1'],
  ['https://shop.example/?oppref=PERSON&olref=PERSON', 'https://shop.example/?oppref=1'],
  ['https://shop.example/?oppref=a&=1&gclid=b', 'https://shop.example/?oppref=1&gclid=1'],
  [`https://shop.example/?${'x'.repeat(99)}clid=a`, 'https://shop.example/'],
  ['https://user:pass@shop.example:8443/', 'https://shop.example:8443/'],
  [
    'https://shop.example/?utm_source=a&utm_source=b&__proto__=x',
    'https://shop.example/?utm_source=a',
  ],
  ['https://shop.example/?utm_source=%00%ff', 'https://shop.example/?utm_source=%00%EF%BF%BD'],
  ['https://shop.example/?utm_source=\ud800', 'https://shop.example/?utm_source=%EF%BF%BD'],
  [
    `https://shop.example/?utm_source=${'x'.repeat(500)}`,
    `https://shop.example/?utm_source=${'x'.repeat(100)}`,
  ],
  [
    `https://shop.example/?utm_campaign=${'夏'.repeat(50)}`,
    `https://shop.example/?utm_campaign=${'%E5%A4%8F'.repeat(11)}`,
  ],
  [`https://${'long.'.repeat(60)}example/?utm_source=chatgpt.com`, ''],
  ['file:///etc/passwd?utm_source=chatgpt.com', ''],
  ['javascript:alert(1)', ''],
  ['/p?utm_source=chatgpt.com', ''],
  ['', ''],
])('of the page %j is kept %j', (given, kept) => {
  expect(readLanding(given).landing).toBe(kept)
})

test.each([
  ['/', '/'],
  ['/products/boot/', '/products/boot'],
  ['/products/leather-boots-for-winter-2026', '/products/leather-boots-for-winter-2026'],
  ['/p/1?mail=x', '/p/1'],
  ['/p/1#:~:text=secret', '/p/1'],
  ['/login/7Hq2mZ8xW4kP0sLd9vB3nC6t', '/login/*'],
  ['/u/0f8fad5b-d9cb-469f-a165-70867728950e', '/u/*'],
  ['/u/deadbeefdeadbeefdeadbeefdead', '/u/*'],
  ['/unsubscribe/me@shop.example/now', '/unsubscribe/*/now'],
  ['/unsubscribe/me%40shop.example', '/unsubscribe/*'],
  ['/stövel', '/st%C3%B6vel'],
  [`/${'x'.repeat(300)}`, `/${'x'.repeat(199)}`],
  [`/${'x'.repeat(197)}%C3%B6`, `/${'x'.repeat(197)}`],
  ['//', '/'],
  ['products', null],
  ['', null],
])('of the path %j is kept %j', (path, kept) => {
  expect(readLanding(`https://shop.example/?utm_source=chatgpt.com#${path}`).path).toBe(kept)
})

test.each([
  '/products/mens_waterproof_jacket_2026',
  '/deguisement-bebe-noir-blanc_P658201C658202',
  '/product-detail/Lemon-Cheese-Handheld-Stainless_62320522213.html',
  '/shop/3f2b1c4d-9a8b-4c6d-8e7f-1a2b3c4d5e6f',
  '/de/produkt/507f1f77bcf86cd799439011',
  '/store/prod_01J8ZK3M5QW7RT9YB2C4D6F8GH',
  '/item/1005006123456789.html',
  '/p/4006381333931',
  '/dp/B07PXGQC1Q',
  '/1005006123456789.html',
  '/iphone-15-pro-max-256gb-5g-a16-m2',
  '/winter_boots_for_men_and_women_2026_edition_v2',
  '/collections/new_arrivals_spring_summer_2026?page=2',
  '/Samsung_Galaxy_S25_Ultra_512GB_Titanium',
  '/catalog/product/view/id/62320522213',
  '/order-now-2026',
  '/my-little-pony-2026',
])('the address of a product page is kept: %j', (path) => {
  const kept = path.replace(/[?].*/, '')
  expect(readLanding(`https://shop.example/#${path}`).path).toBe(kept)
})

const keptOf = (path: string) => readLanding(`https://shop.example/#${path}`).path

test('addresses of products and lists are kept whole, but for their parameters', () => {
  expect(PRODUCT_PATHS.length).toBeGreaterThan(100)
  const cut = PRODUCT_PATHS.map((path) => path.replace(/[?].*/, '').replace(/\/$/, ''))
  expect(PRODUCT_PATHS.map(keptOf)).toEqual(cut)
})

test('addresses of persons, sessions and secrets are kept without them', () => {
  expect(PRIVATE_PATHS.length).toBeGreaterThan(100)
  expect(PRIVATE_PATHS.map(([path]) => [path, keptOf(path)])).toEqual(PRIVATE_PATHS)
})

test.each([
  ['/products/me@shop.example', '/products/*'],
  ['/products/me%2540shop.example', '/products/*'],
  ['/reset/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '/reset/*'],
  ['/p/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '/p/*'],
  ['/call/+14155552671', '/call/*'],
  ['/products/%2B491701234567', '/products/*'],
  ['/products/415-555-2671', '/products/*'],
  ['/from/4155552671', '/from/*'],
  ['/pay/4111111111111111', '/pay/*'],
  ['/products/4111-1111-1111-1111', '/products/*'],
  ['/products/378282246310005', '/products/*'],
  ['/shop/account/orders/3f2b1c4d-9a8b-4c6d-8e7f-1a2b3c4d5e6f', '/shop/account/orders/*'],
  ['/orders/1001/status', '/orders/*/status'],
  ['/customers/8675309/gid', '/customers/*/gid'],
  ['/mein/konto/bestellungen/2026-1187', '/mein/konto/bestellungen/*'],
  ['/checkouts/cn/Z2NwLWV1cm9wZS13ZXN0NDowMUo', '/checkouts/cn/*'],
  ['/l/a1b2c3d4e5f6g7h8i9', '/l/*'],
  ['/3f2b1c4d-9a8b-4c6d-8e7f-1a2b3c4d5e6f', '/*'],
])('what may be personal is not: %j', (path, kept) => {
  expect(readLanding(`https://shop.example/#${path}`).path).toBe(kept)
})

test.each(['https://shop.example/p/1', 'https://shop.example/?', 'javascript:alert(1)#/p', ''])(
  'of %j, which names no path, none is kept',
  (landing) => {
    expect(readLanding(landing).path).toBeNull()
  },
)

test.each([
  ['https://chatgpt.com/c/some-private-chat?x=1', 'https://chatgpt.com/'],
  ['https://chatgpt.com', 'https://chatgpt.com/'],
  ['android-app://com.OpenAI.chatgpt/path', 'android-app://com.openai.chatgpt/'],
  ['android-app://', ''],
  ['android-app:// a', ''],
  ['javascript:alert(1)', ''],
  ['null', ''],
  ['\u0000', ''],
  ['', ''],
])('of the referrer %j is kept %j', (given, kept) => {
  expect(reduceReferrer(given)).toBe(kept)
})
