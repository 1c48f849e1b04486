import { describe, expect, test } from 'vitest'
import { readPage } from '../../../markup/page.ts'
import type { Fetched } from '../../../web/fetched.ts'
import type { PageSeen, ProductPageSeen } from '../../evidence.ts'
import { runRules, type Verdict } from '../../rule.ts'
import { schemaRules } from './rules.ts'

const block = (value: unknown) =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`
const answer = (url: string, status = 200): Fetched => ({
  kind: 'answer',
  method: 'GET',
  url,
  final_url: url,
  redirects: [],
  status,
  headers: {},
  body: '',
  truncated: false,
  ms: 1,
})
const seen = (html: string, url = 'https://shop.example/p/1'): ProductPageSeen => ({
  fetched: answer(url),
  page: readPage(html, url),
  found_by: 'catalog',
})
const home = (html: string): PageSeen => seen(html, 'https://shop.example/')

const offer = {
  '@type': 'Offer',
  price: '19.99',
  priceCurrency: 'EUR',
  availability: 'https://schema.org/InStock',
  shippingDetails: { '@type': 'OfferShippingDetails' },
  hasMerchantReturnPolicy: { '@type': 'MerchantReturnPolicy' },
}
const boot = {
  '@type': 'Product',
  name: 'Boot',
  description: 'A boot.',
  image: '/a.jpg',
  brand: 'Borealis',
  gtin13: '4006381333931',
  offers: offer,
}
const withOffer = (changes: object) => block({ ...boot, offers: { ...offer, ...changes } })

function judge(pages: ProductPageSeen[], homePage: PageSeen = home('')): Map<string, Verdict> {
  const outcomes = runRules(schemaRules, { productPages: pages, homePage })
  return new Map(outcomes.map(({ rule, verdict }) => [rule.gap ?? '', verdict]))
}
const gapsOf = (verdicts: Map<string, Verdict>) =>
  [...verdicts].flatMap(([id, verdict]) => (verdict.kind === 'gap' ? [[id, verdict.detail]] : []))

test('a page that states everything passes every rule', () => {
  const verdicts = judge([seen(block(boot))])
  expect([...verdicts.values()].map(({ kind }) => kind)).toEqual(schemaRules.map(() => 'pass'))
})

describe('one fault, one gap', () => {
  const without = (name: keyof typeof boot) => block({ ...boot, [name]: undefined })
  test.each([
    ['product_schema_missing', '<h1>Boot</h1>', 'no Product or ProductGroup'],
    [
      'product_schema_only_after_javascript',
      `<script>const s = document.createElement('script'); s.type = 'application/ld+json'; s.text = JSON.stringify({ '@type': 'Product' })</script>`,
      'a script adds the JSON-LD',
    ],
    [
      'jsonld_broken',
      `${block(boot)}${block('{"@type":"BreadcrumbList",}')}`,
      'JSON-LD block 2 (character ',
    ],
    [
      'jsonld_broken',
      block('{"@type":"Product","name":"Boot",}'),
      'trailing comma at line 1, column 33, at "{\\"@type',
    ],
    ['product_schema_incomplete', without('name'), 'name missing (JSON-LD block 1, $)'],
    [
      'product_schema_incomplete',
      block({ ...boot, image: '', name: '' }),
      'name and image missing',
    ],
    ['product_schema_no_offer', without('offers'), 'no offers (JSON-LD block 1, $)'],
    [
      'product_schema_aggregate_offer_only',
      block({
        ...boot,
        offers: { '@type': 'AggregateOffer', lowPrice: '1', highPrice: '1', priceCurrency: 'EUR' },
      }),
      'an AggregateOffer and no Offer (JSON-LD block 1, $.offers)',
    ],
    [
      'product_schema_price_invalid',
      withOffer({ price: '0.00' }),
      'price is "0.00" (JSON-LD block 1, $.offers), expected',
    ],
    ['product_schema_price_invalid', withOffer({ price: 'call us' }), 'price is "call us"'],
    ['product_schema_price_invalid', withOffer({ price: '19,99' }), 'price is "19,99"'],
    ['product_schema_price_invalid', withOffer({ price: null }), 'price is missing'],
    [
      'product_schema_currency_invalid',
      withOffer({ priceCurrency: 'US$' }),
      'priceCurrency is "US$"',
    ],
    [
      'product_schema_currency_invalid',
      withOffer({ priceCurrency: undefined }),
      'priceCurrency is missing',
    ],
    [
      'product_schema_availability_invalid',
      withOffer({ availability: 'in stock maybe' }),
      'availability is "in stock maybe"',
    ],
    [
      'product_schema_availability_invalid',
      withOffer({ availability: undefined }),
      'availability is missing',
    ],
    [
      'product_schema_gtin_invalid',
      block({ ...boot, gtin13: '4006381333932' }),
      'gtin13 "4006381333932" ends in 2, expected the check digit 1',
    ],
    ['product_schema_gtin_invalid', withOffer({ gtin: '1' }), '(JSON-LD block 1, $.offers)'],
    ['product_schema_brand_missing', without('brand'), 'no brand'],
    ['product_schema_description_missing', without('description'), 'no description'],
    [
      'product_schema_return_policy_missing',
      withOffer({ hasMerchantReturnPolicy: undefined }),
      'no hasMerchantReturnPolicy',
    ],
    [
      'product_schema_shipping_missing',
      withOffer({ shippingDetails: undefined }),
      'no shippingDetails',
    ],
  ])('%s: %s', (id, html, detail) => {
    const gaps = gapsOf(judge([seen(html)]))
    expect(gaps.map(([gap]) => gap)).toEqual([id])
    expect(gaps[0]?.[1]).toContain(detail)
    expect(gaps[0]?.[1]).toContain('https://shop.example/p/1: ')
  })
  test('markup that only the rendered page has', () => {
    const page = {
      ...seen('<h1>Boot</h1>'),
      rendered: readPage(block(boot), 'https://shop.example/p/1'),
    }
    expect(gapsOf(judge([page]))).toEqual([
      ['product_schema_only_after_javascript', expect.stringContaining('but its HTML has none')],
    ])
  })
})

test.each([
  ['an ISBN of ten characters', block({ ...boot, gtin13: undefined, isbn: '0-306-40615-2' })],
  [
    'an aggregate beside an offer',
    block({
      ...boot,
      offers: [{ '@type': 'AggregateOffer', lowPrice: 1, priceCurrency: 'EUR' }, offer],
    }),
  ],
  [
    'a group whose variants hold the offers',
    block({
      ...boot,
      '@type': 'ProductGroup',
      gtin13: undefined,
      offers: undefined,
      hasVariant: [{ '@type': 'Product', sku: '1', offers: offer }],
    }),
  ],
  [
    'a group whose offer stands for all',
    block({ ...boot, '@type': 'ProductGroup', hasVariant: [{ '@type': 'Product', sku: '1' }] }),
  ],
  ['a script that only mentions products', `${block(boot)}<script>Product['ld+json']</script>`],
])('no gap: %s', (_, html) => {
  expect(gapsOf(judge([seen(html)]))).toEqual([])
})

describe('shipping and returns', () => {
  const silent = seen(withOffer({ hasMerchantReturnPolicy: undefined, shippingDetails: undefined }))
  const shop = { '@type': 'OnlineStore', hasMerchantReturnPolicy: {}, hasShippingService: {} }
  test('may be stated once for the shop', () => {
    const verdicts = judge([silent], home(block(shop)))
    expect(verdicts.get('product_schema_return_policy_missing')?.kind).toBe('pass')
    expect(verdicts.get('product_schema_shipping_missing')?.kind).toBe('pass')
  })
  test('are unknown where the home page could not be read', () => {
    const unread: PageSeen = { fetched: answer('https://shop.example/', 503), page: null }
    expect(judge([silent], unread).get('product_schema_shipping_missing')?.kind).toBe('skip')
  })
})

describe('several pages', () => {
  const page = (index: number, html: string) => seen(html, `https://shop.example/p/${index}`)
  test('the failing ones are named, three at most', () => {
    const pages = [block(boot), ...Array.from({ length: 4 }, () => withOffer({ price: '0' }))].map(
      (html, index) => page(index, html),
    )
    const [[id, detail] = []] = gapsOf(judge(pages))
    expect(id).toBe('product_schema_price_invalid')
    expect(detail).toMatch(/^4 of 5 product pages\. /)
    expect(detail?.match(/https:\/\/shop\.example\/p\/\d/g)).toHaveLength(3)
  })
  test('a detail stays short', () => {
    const html = withOffer({ price: 'x'.repeat(5000) })
    for (const [, detail] of gapsOf(judge([1, 2, 3].map((index) => page(index, html))))) {
      expect(detail?.length).toBeLessThanOrEqual(600)
    }
  })
  test('a page without markup leaves the others to be judged', () => {
    const gaps = gapsOf(judge([page(1, ''), page(2, withOffer({ price: '0' }))]))
    expect(gaps.map(([id]) => id)).toEqual([
      'product_schema_missing',
      'product_schema_price_invalid',
    ])
  })
})

test.each([
  ['no page', [], 'no product page was found'],
  [
    'an error',
    [
      {
        fetched: answer('https://shop.example/p/1', 500),
        page: null,
        found_by: 'catalog' as const,
      },
    ],
    'no product page could be read: GET https://shop.example/p/1 answered 500',
  ],
])('%s: every rule skips and says why', (_, pages, reason) => {
  expect(new Set([...judge(pages).values()].map((verdict) => JSON.stringify(verdict)))).toEqual(
    new Set([JSON.stringify({ kind: 'skip', reason })]),
  )
})

describe('a page that could not be read completely', () => {
  const cut = (html: string) => `${html}${'<div>'.repeat(600)}`
  const judgeCut = (html: string) => judge([seen(cut(html))])
  test.each([
    ['a whole product', block(boot), 'product_schema_missing', 'pass'],
    ['no product', '', 'product_schema_missing', 'skip'],
    ['a broken block', `${block(boot)}${block('{,}')}`, 'jsonld_broken', 'gap'],
  ])('%s: only what is certain is said', (_, html, certain, kind) => {
    for (const [id, verdict] of judgeCut(html)) {
      const isCertain = id === certain || (id === 'product_schema_missing' && html !== '')
      if (isCertain && verdict.kind !== 'skip') continue
      expect(verdict, id).toMatchObject({
        kind: 'skip',
        reason: expect.stringMatching(/could not be read completely: it has more than 512/),
      })
    }
    expect(judgeCut(html).get(certain)?.kind).toBe(kind)
  })
  test.each([
    ['a wrong price', withOffer({ price: 'free' })],
    ['nothing but a type', block({ '@type': 'Product' })],
    ['a product that a script adds', '<script>a="ld+json Product"</script>'],
  ])('%s is no gap', (_, html) => {
    expect(gapsOf(judge([seen(html)]))).not.toEqual([])
    expect(gapsOf(judgeCut(html))).toEqual([])
  })
  test('values that were left out are neither right nor wrong', () => {
    const html = block({ ...boot, gtin13: Array.from({ length: 2_501 }, () => '4006381333931') })
    expect(judge([seen(html)]).get('product_schema_gtin_valid')).toBeUndefined()
    expect(judge([seen(html)]).get('product_schema_gtin_invalid')).toMatchObject({
      kind: 'skip',
      reason: expect.stringContaining('2,500 values of one property'),
    })
  })
  test('the home page may state a policy behind the cut', () => {
    const html = withOffer({ hasMerchantReturnPolicy: undefined })
    const id = 'product_schema_return_policy_missing'
    expect(judge([seen(html)]).get(id)?.kind).toBe('gap')
    expect(judge([seen(html)], home(cut(''))).get(id)?.kind).toBe('skip')
  })
  test('the others are judged', () => {
    const verdicts = judge([seen(cut(block(boot))), seen(withOffer({ price: 'free' }))])
    expect(verdicts.get('product_schema_price_invalid')?.kind).toBe('gap')
  })
})
