import { describe, expect, test } from 'vitest'

import {
  AllowedOrigin,
  askingOrigin,
  defaultOrigins,
  type Here,
  isAllowedOrigin,
} from './property-origins.ts'

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['HTTPS://Shop.Example/', 'https://shop.example'],
  ['https://shop.example:8443', 'https://shop.example:8443'],
  ['https://shop.example:443', 'https://shop.example'],
  ['https://*.shop.example', 'https://*.shop.example'],
  ['https://*.shop.example:8443', 'https://*.shop.example:8443'],
  ['https://*.mine.myshopify.com', 'https://*.mine.myshopify.com'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['http://*.shop.example', 'http://*.shop.example'],
  ['http://shop.test', 'http://shop.test'],
])('%s is kept as %s', (given, kept) => {
  expect(AllowedOrigin.parse(given)).toBe(kept)
})

test.each([
  ['shop.example', 'This is not a valid origin.'],
  ['', 'This is not a valid origin.'],
  ['null', 'This is not a valid origin.'],
  ['*', 'This is not a valid origin.'],
  ['https://', 'This is not a valid origin.'],
  ['http://shop.com', 'An origin starts with https://'],
  ['http://10.0.0.1', 'An origin starts with https://'],
  ['ftp://shop.example', 'An origin starts with https://'],
  ['javascript:alert(1)', 'An origin starts with https://'],
  ['https://shop.example/path', 'An origin has no path'],
  ['https://shop.example?q', 'An origin has no path'],
  ['https://user@shop.example', 'An origin has no path'],
  ['https://shop.*', 'A star is allowed only'],
  ['https://*.*.example', 'A star is allowed only'],
  ['https://*.com', 'Anyone can get a name under com.'],
  ['https://*.co.uk', 'Anyone can get a name under co.uk.'],
  ['https://*.myshopify.com', 'Anyone can get a name under myshopify.com.'],
])('%s is refused: %s', (given, says) => {
  const read = AllowedOrigin.safeParse(given)
  expect(read.error?.issues[0]?.message).toMatch(says)
  expect(read.error?.issues[0]?.message).toMatch(/ Send one such as https:\/\/shop\.example/)
})

test('the domain and all below it are the default', () => {
  expect(defaultOrigins('www.shop.example')).toEqual(defaultOrigins('shop.example'))
  expect(defaultOrigins('shop.example')).toEqual(['https://shop.example', 'https://*.shop.example'])
})

test('a store on this machine reports from where a browser opens it', () => {
  const opened = (domain: string, here: Here | null, origin: string) =>
    isAllowedOrigin(origin, defaultOrigins(domain, here))
  expect(defaultOrigins('localhost-3000.test')[0]).toBe('http://localhost:3000')
  expect(opened('localhost-3000.test', null, 'http://127.0.0.1:3000')).toBe(true)
  const here = { pattern: 'shop.example', origin: 'http://127.0.0.1:3000' }
  for (const host of ['localhost:3000', '127.0.0.1:3000', 'shop.example:3000', 'shop.example']) {
    expect(opened('shop.example', here, `http://${host}`)).toBe(true)
    expect(opened('shop.example', null, `http://${host}`)).toBe(false)
  }
  expect(opened('shop.example', here, 'https://www.shop.example')).toBe(true)
  // No name that the public internet has reports over http.
  expect(opened('shop.com', here, 'http://shop.com')).toBe(false)
  expect(opened('shop.com', { ...here, origin: 'http://127.0.0.1' }, 'http://localhost')).toBe(true)
  const byName = defaultOrigins('shop.example', { ...here, pattern: '*.example' })
  expect(byName[0]).toBe('https://shop.example')
  for (const origin of byName) {
    expect(AllowedOrigin.parse(origin)).toBe(origin)
  }
})

describe('of a request', () => {
  const own = defaultOrigins('shop.example')
  const allowedOrigin = (asked: Parameters<typeof askingOrigin>[0], allowed: string[]) => {
    const origin = askingOrigin(asked)
    return origin !== null && isAllowedOrigin(origin, allowed) ? origin : null
  }

  test.each(['https://shop.example', 'https://www.shop.example', 'https://a.b.shop.example'])(
    '%s is allowed',
    (origin) => {
      expect(allowedOrigin({ origin, referer: undefined }, own)).toBe(origin)
      expect(allowedOrigin({ origin: undefined, referer: `${origin}/cart?x=1` }, own)).toBe(origin)
    },
  )

  test.each([
    'https://shop.example.evil.example',
    'https://evil-shop.example',
    'https://evilshop.example',
    'https://example',
    'https://shop.example.',
    'https://shop.example:8443',
    'https://www.shop.example:8443',
    'https://user@shop.example',
    'https://shop.example/',
    'https://shop.example#@evil.example',
    'https://evil.example/https://shop.example',
    'http://shop.example',
    'http://www.shop.example',
    'HTTPS://shop.example',
    'chrome-extension://shop.example',
    'null',
    '*',
    '',
    'x'.repeat(300),
  ])('%s is not', (origin) => {
    expect(allowedOrigin({ origin, referer: undefined }, own)).toBeNull()
    expect(allowedOrigin({ origin, referer: 'https://shop.example/' }, own)).toBeNull()
  })

  test.each([
    'https://evil.example/?https://shop.example',
    'http://shop.example/',
    'about:blank',
    '',
  ])('Referer %s is not', (referer) =>
    expect(allowedOrigin({ origin: undefined, referer }, own)).toBeNull(),
  )

  test('a port and a local scheme are compared as well', () => {
    const local = ['http://*.shop.example:3000', 'http://localhost:3000']
    const allowed = (origin: string) => allowedOrigin({ origin, referer: undefined }, local)
    expect(allowed('http://a.shop.example:3000')).toBe('http://a.shop.example:3000')
    expect(allowed('http://localhost:3000')).toBe('http://localhost:3000')
    for (const origin of [
      'http://a.shop.example',
      'https://a.shop.example:3000',
      'http://shop.example:3000',
      'http://localhost',
      'http://127.0.0.1:3000',
    ]) {
      expect(allowed(origin)).toBeNull()
    }
  })
})
