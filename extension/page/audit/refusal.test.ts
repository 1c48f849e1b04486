import { expect, test } from 'vitest'
import { isHtmlType, pageRefusal, REFUSAL_WORDS } from './refusal.ts'

test.each([
  [undefined, 'no_grant'],
  ['', 'no_grant'],
  ['chrome://extensions/', 'browser_page'],
  ['about:blank', 'browser_page'],
  ['edge://settings', 'browser_page'],
  ['view-source:https://shop.example/', 'browser_page'],
  ['devtools://devtools/x', 'browser_page'],
  ['data:text/html,<h1>', 'browser_page'],
  ['not a url', 'browser_page'],
  ['file:///home/me/page.html', 'file'],
  ['chrome-extension://abc/app.html', 'extension_page'],
  ['moz-extension://abc/app.html', 'extension_page'],
  ['https://chromewebstore.google.com/detail/x', 'store_page'],
  ['https://chrome.google.com/webstore/detail/x', 'store_page'],
  ['https://addons.mozilla.org/firefox/', 'store_page'],
  ['https://microsoftedge.microsoft.com/addons/detail/x', 'store_page'],
  ['https://shop.example/catalog.PDF', 'not_html'],
] as const)('%s is refused as %s', (url, reason) => {
  expect(pageRefusal(url)).toBe(reason)
  expect(REFUSAL_WORDS[reason]).toMatch(/^[A-Z].*\.$/)
})

test.each([
  'https://shop.example/',
  'http://localhost:3000/products/1',
  'https://chrome.google.com/',
  'https://shop.example/?file=a.pdf',
])('%s may be read', (url) => {
  expect(pageRefusal(url)).toBeNull()
})

test.each([
  ['text/html', true],
  ['text/html; charset=utf-8', true],
  ['application/xhtml+xml', true],
  ['application/pdf', false],
  ['application/json', false],
  ['text/plain', false],
  ['text/htmlx', false],
  ['', false],
])('%j is HTML: %s', (type, isHtml) => {
  expect(isHtmlType(type)).toBe(isHtml)
})
