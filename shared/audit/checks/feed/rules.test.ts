import { describe, expect, test } from 'vitest'
import type { FeedItem, FeedTally, FeedVendor } from '../../../commerce/feed.ts'
import { readPage } from '../../../markup/page.ts'
import type { Fetched } from '../../../web/http/fetched.ts'
import { answerFrom } from '../../../web/testing/answer-from.ts'
import type { CatalogSeen, Evidence, FeedSeen, PageSeen, ProductPageSeen } from '../../evidence.ts'
import { runRules } from '../../rule.ts'
import { feedRules } from './rules.ts'
import { countRow, emptyTally } from './tally.ts'

const URL = 'https://shop.example/feeds/google.xml'

const answer = (url: string, status = 200, body = ''): Fetched =>
  answerFrom(url, { status, headers: { 'content-type': 'text/html' }, body })

const item = (row: number, more: Partial<FeedItem> = {}): FeedItem => ({
  row,
  id: `A-${row}`,
  title: 'Tent',
  description: 'Two people, three seasons.',
  link: `https://shop.example/p/${row}`,
  image_link: 'https://shop.example/tent.jpg',
  availability: 'in_stock',
  price: '249.00 EUR',
  sale_price: null,
  brand: 'Fjell',
  gtin: '4006381333931',
  mpn: null,
  ...more,
})

const feedOf = (more: Partial<FeedSeen> = {}): FeedSeen => {
  const { items = [item(1), item(2), item(3)], vendor = 'google' } = more
  return {
    url: URL,
    found_by: 'link rel="alternate"',
    kind: 'rss',
    vendor,
    fetched: answer(URL),
    items,
    tally: tallyOf(vendor, items),
    problem: null,
    cut: null,
    tried: [URL],
    ...more,
  }
}

/** What is counted of these rows, whose names are the vendor's. */
function tallyOf(vendor: FeedVendor | null, rows: readonly object[]): FeedTally {
  const tally = emptyTally()
  for (const { row: _, ...values } of rows as Record<string, unknown>[]) {
    const stated = Object.entries(values).filter(([, value]) => value !== null)
    countRow(tally, new Map(stated.map(([name, value]) => [name, String(value)])), vendor)
  }
  return tally
}

const notFound = (fetched: Fetched) => feedOf({ url: null, kind: null, items: [], fetched })

const homePage = (html = ''): PageSeen => {
  const url = 'https://shop.example/'
  return { fetched: answer(url, 200, html), page: readPage(html, url) }
}

const productPage = (path: string, product: object, canonical = path): ProductPageSeen => {
  const url = `https://shop.example${path}`
  const markup = JSON.stringify({ '@context': 'https://schema.org', ...product })
  const html = `<link rel="canonical" href="${canonical}"><script type="application/ld+json">${markup}</script>`
  return { fetched: answer(url, 200, html), page: readPage(html, url), found_by: 'catalog' }
}

/** A catalog that lists these; without any there is no catalog. */
function catalogOf(...products: object[]): CatalogSeen {
  const none: Fetched = { kind: 'not_asked', reason: 'there is no catalog' }
  const unseen = { fetched: none, json: null }
  const listed = {
    fetched: answer('https://shop.example/ucp/products'),
    json: { ok: true as const, value: { products } },
  }
  return {
    dialect: 'spec',
    endpoint: null,
    first: products.length > 0 ? listed : unseen,
    again: unseen,
    next: [],
    search: null,
    filters: null,
    official: null,
  }
}

const offer = (price: string, priceCurrency = 'EUR') => ({ '@type': 'Offer', price, priceCurrency })
const product = (price: string, currency?: string, more: object = {}) => ({
  '@type': 'Product',
  name: 'Tent',
  offers: offer(price, currency),
  ...more,
})

function judge(id: string, more: Partial<Evidence> = {}) {
  const evidence = {
    feed: feedOf(),
    homePage: homePage(),
    productPages: [productPage('/p/1', product('249.00'))],
    catalog: catalogOf(),
    ...more,
  }
  const found = runRules(feedRules, evidence).find(
    ({ rule }) => rule.gap === id || rule.passed === id,
  )
  return found!.verdict
}

test('a good feed has no gap, and only Merchant Center is unknown', () => {
  const evidence = {
    feed: feedOf(),
    homePage: homePage(),
    productPages: [productPage('/p/1', product('249.00'))],
    catalog: catalogOf(),
  }
  const verdicts = runRules(feedRules, evidence).map(({ rule, verdict }) => [
    rule.passed,
    verdict.kind,
  ])
  expect(Object.fromEntries(verdicts)).toEqual({
    feed_exists: 'pass',
    feed_readable: 'pass',
    feed_items_complete: 'pass',
    feed_gtin_valid: 'pass',
    feed_ids_unique: 'pass',
    feed_sale_prices: 'pass',
    feed_variants: 'pass',
    feed_google_values: 'pass',
    feed_google_lengths: 'pass',
    feed_google_identifiers: 'pass',
    feed_google_dates: 'pass',
    feed_openai_values: 'not_applicable',
    feed_openai_lengths: 'not_applicable',
    feed_openai_eligibility: 'not_applicable',
    feed_price_matches: 'pass',
    feed_availability_matches: 'pass',
    feed_currency_matches: 'pass',
    feed_identifiers_match: 'pass',
    merchant_center_connected: 'skip',
  })
  expect(judge('feed_missing')).toMatchObject({
    note: `RSS 2.0 at ${URL}, found by link rel="alternate"`,
  })
})

describe('feed_missing', () => {
  test.each([
    ['404', answer(URL, 404), 'gap', /Not found publicly: .*google\.xml\..*Merchant Center/],
    ['a page', answer(URL, 200, '<html>'), 'gap', /Not found publicly/],
    ['403', answer(URL, 403), 'skip', /403: it blocks our requests/],
    ['503', answer(URL, 503), 'skip', /503, which may be temporary/],
    ['401', answer(URL, 401), 'skip', /401/],
    ['not asked', { kind: 'not_asked', reason: 'the budget is used up' }, 'skip', /budget/],
    [
      'a time-out',
      { kind: 'no_answer', method: 'GET', url: URL, why: 'timeout', message: 'late', ms: 9 },
      'skip',
      /no answer: late/,
    ],
  ] as [string, Fetched, string, RegExp][])('%s', (_, fetched, kind, said) => {
    const verdict = judge('feed_missing', { feed: notFound(fetched) })
    expect(verdict.kind).toBe(kind)
    expect(JSON.stringify(verdict)).toMatch(said)
  })

  test('the other rules of the feed have nothing to say then', () => {
    const outcomes = runRules(feedRules, { feed: notFound(answer(URL, 404)), productPages: [] })
    const kinds = new Set(outcomes.slice(1).map(({ verdict }) => verdict.kind))
    expect(kinds).toEqual(new Set(['skip', 'not_applicable']))
  })
})

describe('feed_unreadable', () => {
  test('names the fault and what came before it', () => {
    const problem = 'line 9, column 4: unclosed tag: item'
    expect(judge('feed_unreadable', { feed: feedOf({ problem }) })).toEqual({
      kind: 'gap',
      detail: `${URL}: ${problem}. 3 items came before it.`,
    })
  })

  test('a feed without items is one', () => {
    const feed = feedOf({ items: [] })
    expect(judge('feed_unreadable', { feed }).kind).toBe('gap')
    expect(judge('feed_items_incomplete', { feed }).kind).toBe('skip')
    expect(judge('feed_price_mismatch', { feed }).kind).toBe('skip')
  })
})

describe('the items', () => {
  const gapOf = (id: string, items: FeedItem[]) => judge(id, { feed: feedOf({ items }) })

  test('incomplete ones are counted, by attribute and row', () => {
    const items = [
      item(1, { image_link: null, availability: null }),
      item(2),
      item(3, { image_link: null }),
      item(4, { price: 'call us' }),
    ]
    expect(gapOf('feed_items_incomplete', items)).toEqual({
      kind: 'gap',
      detail:
        '3 of 4 items (75 %) lack a required attribute: image_link in 2 (rows 1, 3); ' +
        'availability in 1 (rows 1); price in 1 (rows 4: "call us").',
    })
  })

  test('brand, gtin and mpn may be absent', () => {
    const items = [item(1, { brand: null, gtin: null, mpn: null })]
    expect(gapOf('feed_items_incomplete', items).kind).toBe('pass')
    expect(gapOf('feed_gtin_invalid', items).kind).toBe('not_applicable')
  })

  test('a wrong GTIN is named with its row', () => {
    const items = [item(1), item(2, { gtin: '4006381333932' })]
    expect(gapOf('feed_gtin_invalid', items)).toMatchObject({
      kind: 'gap',
      detail: expect.stringMatching(
        /^gtin in 1 of 2 items, .* digit 1: row 2 \(id A-2\): "4006381333932"/,
      ),
    })
  })

  test('shared ids are named with their rows', () => {
    const items = [item(1), item(2, { id: 'A-1' }), item(3), item(4, { id: null })]
    expect(gapOf('feed_duplicate_ids', items)).toMatchObject({
      kind: 'gap',
      detail: 'id in 1 of 4 items, expected an id of its own: row 2 (id A-1): "the id of row 1".',
    })
    expect(gapOf('feed_duplicate_ids', [item(1, { id: null })]).kind).toBe('skip')
  })

  test('a long list of faults is cut', () => {
    const items = Array.from({ length: 9 }, (_, index) => item(index + 1, { gtin: '1' }))
    expect(JSON.stringify(gapOf('feed_gtin_invalid', items))).toMatch(/and 6 more\./)
  })
})

describe('feed_price_mismatch', () => {
  const group = {
    '@type': 'ProductGroup',
    name: 'Tent',
    hasVariant: [product('239.00', 'EUR', { sku: 'S' }), product('249.00', 'EUR', { sku: 'L' })],
  }
  const range = {
    '@type': 'Product',
    name: 'Tent',
    offers: { '@type': 'AggregateOffer', lowPrice: '99', highPrice: '300', priceCurrency: 'EUR' },
  }
  /** As WooCommerce writes it. */
  const net = (price: string) => ({
    ...{ '@type': 'Product', name: 'Tent' },
    offers: {
      '@type': 'Offer',
      priceSpecification: [
        {
          '@type': 'UnitPriceSpecification',
          price,
          priceCurrency: 'EUR',
          valueAddedTaxIncluded: false,
        },
      ],
    },
  })
  const twoMoneys = {
    ...product('249.00'),
    offers: [offer('249.00', 'EUR'), offer('259.00', 'USD')],
  }
  const feedWith = (more: Partial<FeedItem>, kind: FeedSeen['kind'] = 'rss') =>
    feedOf({ kind, items: [item(1, more)] })

  test.each([
    ['the same price', feedOf(), product('249'), 'pass'],
    ['another price', feedOf(), product('259.00'), 'gap'],
    ['as people write it', feedWith({ price: '1.249,00 €' }), product('1249.00'), 'pass'],
    ['thousands', feedWith({ price: '1,249 EUR' }), product('1249.00'), 'pass'],
    ['a comma in dinars', feedWith({ price: '4,250 TND' }), product('4.25', 'TND'), 'pass'],
    ['a decimal point', feedWith({ price: '1.249 EUR' }), product('1249.00'), 'gap'],
    ['a fraction too long', feedWith({ price: '248.999999 EUR' }), product('249.00'), 'pass'],
    ['yen', feedWith({ price: '24900 JPY' }), product('24900', 'JPY'), 'pass'],
    ['yen with decimals', feedWith({ price: '24900.00 JPY' }), product('24900', 'JPY'), 'pass'],
    ['other yen', feedWith({ price: '249.00 JPY' }), product('24900', 'JPY'), 'gap'],
    ['dinars', feedWith({ price: '24.250 KWD' }), product('24.25', 'KWD'), 'pass'],
    ['other dinars', feedWith({ price: '24.25 KWD' }), product('24.255', 'KWD'), 'gap'],
    ['a sale price', feedWith({ sale_price: '199.00 EUR' }), product('199.00'), 'pass'],
    ['a sale that is over', feedWith({ sale_price: '199.00 EUR' }), product('249.00'), 'pass'],
    ['the price of one variant', feedOf(), group, 'pass'],
    ['the price of no variant', feedWith({ price: '1.00 EUR' }), group, 'gap'],
    ['a price within a range', feedOf(), range, 'skip'],
    ['the price with its tax', feedWith({ price: '296.31 EUR' }), net('249.00'), 'pass'],
    ['the price without its tax', feedWith({ price: '209.24 EUR' }), net('249.00'), 'pass'],
    ['more than any tax', feedWith({ price: '320.00 EUR' }), net('249.00'), 'gap'],
    [
      'a tax, of which the page says nothing',
      feedWith({ price: '296.31 EUR' }),
      product('249.00'),
      'gap',
    ],
    ['a range that begins with it', feedWith({ price: '99.00 EUR' }), range, 'pass'],
    ['another currency', feedOf(), product('259.00', 'USD'), 'skip'],
    ['no price on the page', feedOf(), { '@type': 'Product', name: 'Tent' }, 'skip'],
    ['no price in the feed', feedWith({ price: null }), product('259.00'), 'skip'],
    ['numbers alone', feedWith({ price: '249.00' }, 'shopify'), product('249.00'), 'pass'],
    [
      'other numbers, in the currency of the pages',
      feedWith({ price: '250.00' }, 'shopify'),
      product('249.00'),
      'gap',
    ],
    ['the price with tax', feedWith({ price: '49.90' }, 'shopify'), product('41.93'), 'gap'],
    ['tax that is stated', feedWith({ price: '59.38' }, 'shopify'), net('49.90'), 'pass'],
    ['a sign of several currencies', feedWith({ price: '$250' }), product('249.00', 'USD'), 'skip'],
    ['one of two currencies', feedWith({ price: '250.00' }, 'shopify'), twoMoneys, 'skip'],
    ['a relative link', feedWith({ link: '/p/1' }, 'shopify'), product('250.00'), 'gap'],
    ['a link to a variant', feedWith({ link: '/p/1?size=m' }), product('250.00'), 'gap'],
    ['a link to a longer path', feedWith({ link: '/p/11' }), product('250.00'), 'skip'],
    ['a link to elsewhere', feedWith({ link: '/p/9' }), product('250.00'), 'skip'],
    ['an id', feedWith({ link: null, id: 'S' }), product('250.00', 'EUR', { sku: 'S' }), 'gap'],
    [
      'an id, with a link to another site',
      feedWith({ link: 'https://ads.example/p/1', id: 'S' }),
      product('250.00', 'EUR', { sku: 'S' }),
      'gap',
    ],
    [
      'an id like the sku of another page',
      feedWith({ link: '/p/9', id: '15' }),
      product('250.00', 'EUR', { sku: '15' }),
      'skip',
    ],
    ['a price that is paid by the month', feedWith({ price: '0 EUR' }), product('9.00'), 'skip'],
    ['no link and no id', feedWith({ link: null, id: null }), product('250.00'), 'skip'],
  ] as [string, FeedSeen, object, string][])('%s', (_, feed, markup, kind) => {
    const productPages = [productPage('/p/1?utm_source=x', markup)]
    expect(judge('feed_price_mismatch', { feed, productPages }).kind).toBe(kind)
  })

  const rated = (rate: string): ProductPageSeen => {
    const url = 'https://shop.example/p/1'
    const script = `<script>Shopify.currency = {"active":"USD","rate":"${rate}"};</script>`
    const markup = JSON.stringify({ '@context': 'https://schema.org', ...product('271.50', 'USD') })
    const html = `${script}<script type="application/ld+json">${markup}</script>`
    return { fetched: answer(url, 200, html), page: readPage(html, url), found_by: 'catalog' }
  }
  const bare = feedWith({ price: '249.00' }, 'shopify')
  const other = feedOf({ items: [item(1, { price: '249.00' }), item(2, { price: '99.00' })] })
  const whole = 'https://shop.example/p/1'

  test.each<[string, FeedSeen, ProductPageSeen[], string]>([
    ['no page', feedOf(), [], 'no product page could be read, and no product of the catalog is'],
    [
      'another page',
      feedOf(),
      [productPage('/x', product('1'))],
      'no product page that was read, and',
    ],
    [
      'a page without markup',
      feedOf(),
      [productPage('/p/1', {})],
      'no product page that was read has Product markup, and',
    ],
    [
      'other money',
      feedOf(),
      [productPage('/p/1', product('9', 'USD'))],
      `the feed has EUR, and ${whole} another currency`,
    ],
    [
      'a converted page',
      bare,
      [rated('1.09')],
      `the list states no currency, and ${whole} converts its prices`,
    ],
    [
      'pages in several currencies',
      other,
      [productPage('/p/1', product('9', 'EUR')), productPage('/p/2', product('9', 'USD'))],
      'the list states no currency, and its pages state EUR and USD',
    ],
    [
      'a page without a price',
      feedOf(),
      [productPage('/p/1', { '@type': 'Product', name: 'Tent' })],
      `${whole} states no price that can be read`,
    ],
    [
      'a row without a price',
      feedWith({ price: null }),
      [productPage('/p/1', product('9'))],
      `the feed states no price of ${whole} that can be read`,
    ],
    [
      'a range',
      feedWith({ price: '1.00 EUR' }),
      [productPage('/p/1', range)],
      `${whole} states a range of prices`,
    ],
  ])('why nothing was compared: %s', (_, feed, productPages, reason) => {
    expect(judge('feed_price_mismatch', { feed, productPages })).toEqual({
      kind: 'skip',
      reason: expect.stringContaining(reason),
    })
  })

  test('a list without a currency is compared in the money of a shop that converts nothing', () => {
    expect(judge('feed_price_mismatch', { feed: bare, productPages: [rated('1.0')] }).kind).toBe(
      'gap',
    )
  })

  test('the detail names both prices and where they stand', () => {
    const productPages = [
      productPage('/p/1', product('249.00')),
      productPage('/p/2', product('259.00')),
    ]
    expect(judge('feed_price_mismatch', { productPages })).toEqual({
      kind: 'gap',
      detail:
        '1 of 2 compared differ: ' +
        'row 2 (id A-2) costs 249.00 EUR in the feed and 259.00 EUR on https://shop.example/p/2.',
    })
  })

  test.each([
    ['names as its address', '/p/1', 'gap'],
    ['names at another shop', 'https://other.example/p/1', 'skip'],
    ['does not name', '/p/9', 'skip'],
  ])('the home page is compared with the item of a page that it %s', (_, canonical, kind) => {
    const productPages = [productPage('/', product('259.00'), canonical)]
    expect(judge('feed_price_mismatch', { productPages }).kind).toBe(kind)
  })

  test('the page of a variant is compared with the item of that variant', () => {
    const items = [
      item(1, { link: '/p/1?variant=1', price: '259.00 EUR' }),
      item(2, { link: 'http://shop.example/p/1?variant=2&utm_source=feed' }),
    ]
    const productPages = [
      productPage('/p/1?variant=1', product('249.00')),
      productPage('/p/1?variant=2', product('259.00')),
    ]
    expect(judge('feed_price_mismatch', { feed: feedOf({ items }), productPages })).toMatchObject({
      detail: expect.stringMatching(
        /^2 of 2 compared differ: row 1 .* costs 259.* 249\.00 EUR on .*=1; row 2 .* costs 249.* 259\.00 EUR on .*=2\.$/,
      ),
    })
  })

  test('items of its own address come before those of the address that a page names', () => {
    const items = [item(1), item(2, { link: '/p/1?color=red&size=m' })]
    const productPages = [productPage('/p/1?color=red', product('259.00'), '/p/1')]
    expect(judge('feed_price_mismatch', { feed: feedOf({ items }), productPages })).toMatchObject({
      detail: expect.stringContaining('row 2 (id A-2) costs 249.00 EUR'),
    })
  })

  test('without product pages there is nothing to compare', () => {
    expect(judge('feed_price_mismatch', { productPages: [] }).kind).toBe('skip')
  })
})

describe('what feed and catalog say differently', () => {
  const listed = (n: number, more: object = {}) => ({
    id: `A-${n}`,
    url: `https://shop.example/p/${n}`,
    price: { amount: 24900, currency: 'EUR' },
    availability: 'in_stock',
    gtin: '4006381333931',
    ...more,
  })
  const dear = { price: { amount: 25900, currency: 'EUR' } }
  const page2 = productPage('/p/2', product('249.00'))

  test.each([
    ['the same', 'price', listed(2), 'pass'],
    ['another price', 'price', listed(2, dear), 'gap'],
    ['without a currency', 'price', listed(2, { price: { amount: 25900 } }), 'skip'],
    ['another currency', 'price', listed(2, { price: { amount: 25900, currency: 'USD' } }), 'skip'],
    [
      'another currency',
      'currency',
      listed(2, { price: { amount: 24900, currency: 'USD' } }),
      'gap',
    ],
    [
      'a converted price',
      'currency',
      listed(2, { price: { amount: 27500, currency: 'USD' } }),
      'pass',
    ],
    ['sold out', 'availability', listed(2, { availability: 'out_of_stock' }), 'gap'],
    ['a preorder', 'availability', listed(2, { availability: 'preorder' }), 'pass'],
    ['another number', 'identifiers', listed(2, { gtin: '9506000134352' }), 'gap'],
    ['a UPC', 'identifiers', listed(2, { gtin: '04006381333931' }), 'pass'],
    ['another id', 'price', listed(2, { ...dear, id: 'B-2' }), 'skip'],
    ['another page', 'price', listed(2, { ...dear, url: 'https://shop.example/p/9' }), 'skip'],
  ])('%s: %s', (_, what, one, kind) => {
    expect(judge(`feed_${what}_mismatch`, { productPages: [], catalog: catalogOf(one) }).kind).toBe(
      kind,
    )
    // What could not be read is no agreement: a page that fails must not close a gap.
    const unread = [{ ...productPage('/p/1', {}), fetched: answer(URL, 500), page: null }]
    const beside = { productPages: unread, catalog: catalogOf(one) }
    expect(judge(`feed_${what}_mismatch`, beside).kind).toBe(kind === 'pass' ? 'skip' : kind)
  })

  test('the detail names both prices and where they stand', () => {
    const variant = { ...listed(2, dear), url: undefined }
    const catalog = catalogOf({ ...listed(9), url: variant.url, variants: [listed(3), variant] })
    expect(judge('feed_price_mismatch', { productPages: [], catalog })).toEqual({
      kind: 'gap',
      detail:
        '1 of 2 compared differ: row 2 (id A-2) has the price "249.00 EUR" in the feed, and "259.00 EUR" in products[0].variants[1] on https://shop.example/ucp/products.',
    })
  })

  test('a price on sale is one of two', () => {
    const feed = feedOf({ items: [item(2, { price: '300.00 EUR', sale_price: '249.00 EUR' })] })
    for (const amount of [30000, 24900]) {
      const catalog = catalogOf(listed(2, { price: { amount, currency: 'EUR' } }))
      expect(judge('feed_price_mismatch', { feed, productPages: [], catalog }).kind).toBe('pass')
    }
  })

  test.each([
    ['249.50 KWD', 249500, 'KWD', 'pass'],
    ['249.500 KWD', 24950, 'KWD', 'gap'],
    ['24900 JPY', 24900, 'JPY', 'pass'],
    ['249 JPY', 24900, 'JPY', 'gap'],
    ['2.490,00 EUR', 249000, 'EUR', 'pass'],
  ])('%s is compared with %i of %s', (price, amount, currency, kind) => {
    const feed = feedOf({ items: [item(2, { price })] })
    const catalog = catalogOf(listed(2, { price: { amount, currency } }))
    expect(judge('feed_price_mismatch', { feed, productPages: [], catalog }).kind).toBe(kind)
  })

  test('a price that is paid by the month is none to compare', () => {
    const feed = feedOf({ items: [item(2, { price: '0.00 EUR' })] })
    const catalog = catalogOf(listed(2))
    expect(judge('feed_price_mismatch', { feed, productPages: [], catalog }).kind).toBe('skip')
  })

  test('where the page was read, it decides', () => {
    const catalog = catalogOf(listed(2, dear), listed(3, dear))
    expect(judge('feed_price_mismatch', { productPages: [page2], catalog }).kind).toBe('pass')
  })

  test('ids that stand twice match nothing', () => {
    const twice = catalogOf(listed(2, dear), listed(2, dear))
    expect(judge('feed_price_mismatch', { productPages: [], catalog: twice }).kind).toBe('skip')
    const feed = feedOf({ items: [item(2), item(2)] })
    const catalog = catalogOf(listed(2, dear))
    expect(judge('feed_price_mismatch', { feed, productPages: [], catalog }).kind).toBe('skip')
  })
})

describe('what feed and page say differently', () => {
  const sold = (availability: string, more: object = {}) => ({
    ...product('249.00'),
    offers: { ...offer('249.00'), availability: `https://schema.org/${availability}` },
    gtin13: '4006381333931',
    mpn: 'FJ-1',
    ...more,
  })
  const two = {
    '@type': 'ProductGroup',
    name: 'Tent',
    hasVariant: [sold('InStock', { sku: 'S' }), sold('OutOfStock', { sku: 'L' })],
  }
  const rows = (...changes: Partial<FeedItem>[]) =>
    feedOf({ items: changes.map((change, n) => item(n + 1, { link: item(1).link, ...change })) })
  const cut = (change: Partial<FeedItem>) => {
    const feed = rows(change)
    return { ...feed, tally: { ...feed.tally, rows: 1000 } }
  }

  test.each<[string, string, FeedSeen, object, string]>([
    ['the same', 'availability', rows({}), sold('InStock'), 'pass'],
    ['old words', 'availability', rows({ availability: 'In Stock' }), sold('InStock'), 'pass'],
    ['one word', 'availability', rows({ availability: 'InStock' }), sold('OutOfStock'), 'gap'],
    ['short', 'availability', rows({ availability: 'oos' }), sold('InStock'), 'gap'],
    ['to order', 'availability', rows({ availability: 'pre_order' }), sold('OutOfStock'), 'pass'],
    ['another word', 'availability', rows({ availability: 'Lager' }), sold('OutOfStock'), 'pass'],
    ['a few left', 'availability', rows({}), sold('LimitedAvailability'), 'pass'],
    ['sold out', 'availability', rows({}), sold('OutOfStock'), 'gap'],
    ['back', 'availability', rows({ availability: 'out_of_stock' }), sold('InStock'), 'gap'],
    ['a preorder', 'availability', rows({ availability: 'preorder' }), sold('OutOfStock'), 'pass'],
    ['one size left', 'availability', rows({}), two, 'pass'],
    ['nothing said', 'availability', rows({}), product('249.00'), 'pass'],
    ['the same', 'currency', rows({}), product('249'), 'pass'],
    ['other money', 'currency', rows({}), product('249.00', 'USD'), 'gap'],
    ['money that was changed', 'currency', rows({}), product('271.50', 'USD'), 'gap'],
    [
      'several currencies, one of the page',
      'currency',
      rows({ price: '271.50 USD' }, { price: '249.00 EUR' }),
      product('249.00'),
      'pass',
    ],
    [
      'a country of its own',
      'currency',
      rows({ link: 'https://shop.example/p/1?country=US' }),
      product('249.00', 'USD'),
      'skip',
    ],
    [
      'a currency of its own',
      'currency',
      rows({ link: 'https://shop.example/p/1?wmc-currency=EUR' }),
      product('271.50', 'USD'),
      'skip',
    ],
    ['no money', 'currency', rows({ price: '249.00' }), product('249.00', 'USD'), 'skip'],
    [
      'no money in the list of a platform',
      'currency',
      { ...rows({ price: '249.00' }), vendor: null },
      product('249.00', 'USD'),
      'not_applicable',
    ],
    ['the same', 'identifiers', rows({}), sold('InStock'), 'pass'],
    ['with a zero', 'identifiers', rows({ gtin: '04006381333931' }), sold('InStock'), 'pass'],
    ['another number', 'identifiers', rows({ gtin: '9506000134352' }), sold('InStock'), 'gap'],
    [
      'one of several',
      'identifiers',
      rows({ gtin: '9506000134352' }, { gtin: '4006381333931' }),
      sold('InStock'),
      'pass',
    ],
    ['another part', 'identifiers', rows({ gtin: null, mpn: 'X' }), sold('InStock'), 'gap'],
    [
      'the part in small',
      'identifiers',
      rows({ gtin: null, mpn: 'fj 1' }),
      sold('InStock'),
      'pass',
    ],
    ['none', 'identifiers', rows({ gtin: null }), sold('InStock'), 'pass'],
    [
      'a variant of a feed that goes on',
      'identifiers',
      cut({ gtin: '9506000134352', link: 'https://shop.example/p/1?variant=2' }),
      sold('InStock'),
      'skip',
    ],
    [
      'a product of a feed that goes on',
      'identifiers',
      cut({ gtin: '9506000134352' }),
      sold('InStock'),
      'gap',
    ],
  ])('%s: %s', (_, about, feed, markup, kind) => {
    const productPages = [productPage('/p/1', markup)]
    expect(judge(`feed_${about}_mismatch`, { feed, productPages }).kind).toBe(kind)
  })

  test('both values are named, and where they stand', () => {
    const productPages = [productPage('/p/1', sold('OutOfStock'))]
    expect(judge('feed_availability_mismatch', { productPages })).toMatchObject({
      detail:
        '1 of 1 compared differ: row 1 (id A-1) has the availability "in_stock" in the feed, and "https://schema.org/OutOfStock" on https://shop.example/p/1.',
    })
  })
})

test('a feed that was cut says how much of it was judged', () => {
  const items = [item(1, { gtin: '1' }), item(2)]
  const feed = feedOf({ items, cut: 'its size' })
  expect(judge('feed_gtin_invalid', { feed })).toMatchObject({
    detail: expect.stringMatching(/ Only the first 2 items were read, because of its size\.$/),
  })
  expect(judge('feed_readable', { feed })).toMatchObject({
    note: 'the first 2 items were read, because of its size',
  })
})

describe('merchant_center_connected', () => {
  const WIDGET =
    '<script src="https://www.gstatic.com/shopping/merchant/merchantwidget.js"></script>'
  test.each([
    [
      `${WIDGET}<script>merchantwidget.start({ merchant_id: 123456, position: 'LEFT' })</script>`,
      'merchant_id 123456 in merchantwidget.js',
    ],
    [
      '<script>gapi.surveyoptin.render({"merchant_id":"7654321","order_id":"1"})</script>',
      'merchant_id 7654321 in gapi.surveyoptin.render',
    ],
  ])('%s', (html, note) => {
    expect(judge('merchant_center_connected', { homePage: homePage(html) })).toEqual({
      kind: 'pass',
      note,
    })
  })

  test('what only the scripts of the page add counts as well', () => {
    const seen = {
      ...homePage(WIDGET),
      rendered: homePage(`${WIDGET}<script>a={merchant_id:123}</script>`).page!,
    }
    expect(judge('merchant_center_connected', { homePage: seen }).kind).toBe('pass')
  })

  test.each(['', WIDGET, '<script>x({ merchant_id: 123 })</script>', '<p>merchant_id: 123456</p>'])(
    'no proof: %s',
    (html) => {
      expect(judge('merchant_center_connected', { homePage: homePage(html) })).toEqual({
        kind: 'skip',
        reason: expect.stringMatching(/cannot be seen from outside/),
      })
    },
  )
})
