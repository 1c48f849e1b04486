import { expect, test } from 'vitest'
import { readLanding, reduceReferrer } from './landing.ts'

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
