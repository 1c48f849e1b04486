import { describe, expect, test } from 'vitest'
import { readPage } from '../../../markup/page.ts'
import type { Fetched } from '../../../web/http/fetched.ts'
import { answerFrom } from '../../../web/testing/answer-from.ts'
import type { PageSeen, ProductPageSeen } from '../../evidence.ts'
import { runRules, type Verdict } from '../../rule.ts'
import { schemaRules } from './rules.ts'

const block = (value: unknown) =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`
const answer = (url: string, status = 200): Fetched =>
  answerFrom(url, { status, headers: { date: 'Sun, 22 Nov 2026 10:00:00 GMT' } })
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
  priceValidUntil: '2026-11-22',
  shippingDetails: {
    '@type': 'OfferShippingDetails',
    shippingDestination: { addressCountry: 'DE' },
    shippingRate: { value: 4.9, currency: 'EUR' },
  },
  hasMerchantReturnPolicy: {
    '@type': 'MerchantReturnPolicy',
    applicableCountry: 'DE',
    returnPolicyCategory: 'https://schema.org/MerchantReturnUnlimitedWindow',
  },
}
const boot = {
  '@type': 'Product',
  name: 'Boot',
  description: 'A boot.',
  image: '/a.jpg',
  brand: 'Borealis',
  gtin13: '4006381333931',
  sku: 'AB-1001',
  offers: offer,
}
/** Open Graph as theirs is written: a name, then what it says. */
const og = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, content]) => `<meta property="${name}" content="${content}">`)
    .join('')
const agreeing = og({
  'product:price:amount': '19.99',
  'product:price:currency': 'EUR',
  'product:availability': 'in stock',
  'product:retailer_item_id': 'AB-1001',
})
const without = (node: Record<string, unknown>, name: string) => ({ ...node, [name]: undefined })
const withOffer = (changes: object) => block({ ...boot, offers: { ...offer, ...changes } })

function judge(pages: ProductPageSeen[], homePage: PageSeen = home('')): Map<string, Verdict> {
  const outcomes = runRules(schemaRules, { productPages: pages, homePage })
  return new Map(outcomes.map(({ rule, verdict }) => [rule.gap ?? '', verdict]))
}
const gapsOf = (verdicts: Map<string, Verdict>) =>
  [...verdicts].flatMap(([id, verdict]) => (verdict.kind === 'gap' ? [[id, verdict.detail]] : []))

test.each([
  ['a page that states everything', ''],
  [
    'one with a node of a review app',
    block({ '@type': 'Product', name: 'Boot', aggregateRating: { ratingValue: 4.7 } }),
  ],
])('%s passes every rule', (_, more) => {
  const verdicts = judge([seen(`${agreeing}${block(boot)}${more}`)])
  expect([...verdicts.values()].map(({ kind }) => kind)).toEqual(schemaRules.map(() => 'pass'))
})

describe('one fault, one gap', () => {
  const lacking = (name: keyof typeof boot) => block({ ...boot, [name]: undefined })
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
    ['product_schema_incomplete', lacking('name'), 'name missing (JSON-LD block 1, $)'],
    [
      'product_schema_incomplete',
      block({ ...boot, image: '', name: '' }),
      'name and image missing',
    ],
    [
      'product_schema_incomplete',
      block({ ...boot, image: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' }),
      'image missing (JSON-LD block 1, $)',
    ],
    ['product_schema_no_offer', lacking('offers'), 'no offers (JSON-LD block 1, $)'],
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
    ['product_schema_brand_missing', lacking('brand'), 'no brand'],
    ['product_schema_description_missing', lacking('description'), 'no description'],
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
    [
      'product_schema_currency_lower_case',
      withOffer({ priceCurrency: 'eur' }),
      'priceCurrency is "eur" (JSON-LD block 1, $.offers), expected EUR',
    ],
    ['product_schema_price_invalid', withOffer({ price: '19,99 €' }), 'price is "19,99 €"'],
    [
      'product_schema_price_valid_until_invalid',
      withOffer({ priceValidUntil: '2026-11-20' }),
      'priceValidUntil is "2026-11-20" (JSON-LD block 1, $.offers), which is past on 2026-11-22',
    ],
    [
      'product_schema_price_valid_until_invalid',
      withOffer({ priceValidUntil: '2027-02-30' }),
      'expected a date',
    ],
    [
      'product_schema_price_valid_until_invalid',
      withOffer({ priceValidUntil: '31.12.2027' }),
      'expected a date',
    ],
    [
      'product_schema_identifier_missing',
      block({ ...boot, sku: '', gtin13: undefined }),
      'no gtin, mpn or sku (JSON-LD block 1, $)',
    ],
    ['product_schema_sku_spaces', block({ ...boot, sku: 'AB 1' }), 'sku is "AB 1"'],
    [
      'product_vocabulary_retired',
      `${block(boot)}<div itemscope itemtype="http://data-vocabulary.org/Breadcrumb">`,
      'data-vocabulary.org (line 1, column ',
    ],
    [
      'product_vocabulary_retired',
      `${block(boot)}<div typeof="gr:Offering">`,
      'GoodRelations (line 1, column ',
    ],
    ['product_vocabulary_retired', `${block(boot)}<p class="a hproduct">`, 'hproduct (line 1'],
    [
      'product_schema_return_policy_incomplete',
      withOffer({ hasMerchantReturnPolicy: {} }),
      'hasMerchantReturnPolicy is empty (JSON-LD block 1, $.offers)',
    ],
    [
      'product_schema_return_policy_incomplete',
      withOffer({
        hasMerchantReturnPolicy: {
          applicableCountry: 'DE',
          returnPolicyCategory: 'MerchantReturnFiniteReturnWindow',
        },
      }),
      'hasMerchantReturnPolicy has no merchantReturnDays',
    ],
    [
      'product_schema_shipping_incomplete',
      withOffer({ shippingDetails: { shippingRate: { value: 0 } } }),
      'shippingDetails has no shippingDestination.addressCountry, shippingRate.currency, deliveryTime',
    ],
    [
      'product_schema_price_contradicted',
      `${og({ 'product:price:amount': '4.90' })}${withOffer({
        priceSpecification: { '@type': 'DeliveryChargeSpecification', price: '4.90' },
      })}`,
      'price is "19.99 EUR" (JSON-LD block 1, $.offers) and "4.90"',
    ],
    [
      'product_schema_price_contradicted',
      block([boot, { ...boot, offers: { ...offer, price: '24.99' } }]),
      'price is "19.99 EUR" (JSON-LD block 1, $[0].offers) and "24.99 EUR" (JSON-LD block 1, $[1].offers)',
    ],
    [
      'product_schema_currency_contradicted',
      block([boot, { ...boot, offers: { ...offer, priceCurrency: 'USD' } }]),
      'currency is "EUR" (JSON-LD block 1, $[0].offers) and "USD"',
    ],
    [
      'product_schema_availability_contradicted',
      block([boot, { ...boot, offers: { ...offer, availability: 'OutOfStock' } }]),
      'availability is "https://schema.org/InStock" (JSON-LD block 1, $[0].offers) and "OutOfStock"',
    ],
    [
      'product_schema_identifier_contradicted',
      block([boot, { ...boot, gtin13: '4012345678901' }]),
      'GTIN is "04006381333931" (JSON-LD block 1, $[0]) and "04012345678901"',
    ],
    [
      'product_schema_price_invalid',
      block([boot, { ...boot, offers: { ...offer, price: '19,99 €' } }]),
      'price is "19,99 €" (JSON-LD block 1, $[1].offers)',
    ],
    [
      'product_schema_price_contradicted',
      `${og({ 'product:price:amount': '24.99', 'product:price:currency': 'EUR' })}${block(boot)}`,
      'price is "19.99 EUR" (JSON-LD block 1, $.offers) and "24.99 EUR" (product:price:amount)',
    ],
    [
      'product_schema_price_contradicted',
      `${og({ 'og:price:amount': '1.999,00' })}${block(boot)}`,
      '"1.999,00" (og:price:amount)',
    ],
    [
      'product_schema_price_contradicted',
      `${block(boot)}<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>boot</b>
       <p itemprop=offers itemscope itemtype="https://schema.org/Offer"><b itemprop=price>21,50 €</b></div>`,
      'price is "19.99 EUR" (JSON-LD block 1, $.offers) and "21,50 €" (microdata at line 2',
    ],
    [
      'product_schema_price_contradicted',
      `${block(boot)}<div vocab="https://schema.org/" typeof="Product"><b property=name>Boot</b>
       <p property=offers typeof=Offer><b property=price content=21.50>21,50</b></div>`,
      '"21.50" (RDFa at line 2',
    ],
    [
      'product_schema_currency_contradicted',
      `${og({ 'product:price:amount': '19.99', 'product:price:currency': 'USD' })}${block(boot)}`,
      'currency is "EUR" (JSON-LD block 1, $.offers) and "USD" (product:price:currency)',
    ],
    [
      'product_schema_availability_contradicted',
      `${og({ 'product:availability': 'oos' })}${block(boot)}`,
      'availability is "https://schema.org/InStock" (JSON-LD block 1, $.offers) and "oos" (product:availability)',
    ],
    [
      'product_schema_identifier_contradicted',
      `${og({ 'product:ean': '4006381333948' })}${block(boot)}`,
      'GTIN is "04006381333931" (JSON-LD block 1, $) and "04006381333948" (product:ean)',
    ],
    [
      'product_schema_identifier_contradicted',
      `${og({ 'product:retailer_item_id': 'AB-2002' })}${block(boot)}`,
      'product number is "AB-1001" (JSON-LD block 1, $) and "AB-2002"',
    ],
    [
      'product_schema_identifier_contradicted',
      `<title>Boot | Shop</title>${og({ 'og:type': 'product', 'og:title': 'Straw hat' })}${block(boot)}${block({ '@type': 'ItemList', itemListElement: [{ '@type': 'Product', name: 'Straw hat' }] })}`,
      'name is "Boot" (JSON-LD block 1, $) and "Straw hat" (og:title)',
    ],
    [
      'product_schema_identifier_contradicted',
      `${block(boot)}<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Boot</b><b itemprop=sku>ZZ-9</b></div>`,
      'sku is "AB-1001" (JSON-LD block 1, $) and "ZZ-9" (microdata at',
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
  [
    'a productID in one syntax, and a sku in the other',
    `${block(boot)}<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Boot</b><b itemprop=productID>44012345</b></div>`,
  ],
  [
    'other skus, and a productID in common',
    `${block({ ...boot, productID: '44012345' })}<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Boot</b><b itemprop=sku>44012345</b></div>`,
  ],
  [
    "a retailer's id that looks like the productID",
    `${og({ 'product:retailer_item_id': 'P-20002' })}${block({ ...boot, productID: 'P-10001' })}`,
  ],
  ['one price in another notation', `${og({ 'og:price:amount': '19,99 €' })}${block(boot)}`],
  [
    'a thousand in another notation',
    `${og({ 'og:price:amount': '1.299,00' })}${withOffer({ price: '1299.00' })}`,
  ],
  ['a thousand, ambiguous', `${og({ 'og:price:amount': '1.299' })}${withOffer({ price: '1299' })}`],
  ['a rounding of a computer', `${og({ 'og:price:amount': '19.989999' })}${block(boot)}`],
  [
    'the list price, and the sale',
    `${og({ 'product:price:amount': '29.99', 'product:sale_price:amount': '19.99' })}${block(boot)}`,
  ],
  [
    'the list price of the markup',
    `${og({ 'product:price:amount': '29.99' })}${withOffer({
      priceSpecification: { price: '29.99', priceType: 'https://schema.org/StrikethroughPrice' },
    })}`,
  ],
  [
    'a price within the range',
    `${og({ 'product:price:amount': '24.00' })}${block({
      ...boot,
      offers: [
        offer,
        { '@type': 'AggregateOffer', lowPrice: 20, highPrice: '30', priceCurrency: 'EUR' },
      ],
    })}`,
  ],
  [
    'the price of one variant',
    `${og({ 'product:price:amount': '24.00' })}${block({
      ...boot,
      '@type': 'ProductGroup',
      offers: undefined,
      hasVariant: [19.99, 24].map((price) => ({ sku: `A-${price}`, offers: { ...offer, price } })),
    })}`,
  ],
  [
    'the price before taxes',
    `${og({ 'product:price:amount': '16.80' })}${withOffer({
      price: undefined,
      priceSpecification: { price: '19.99', valueAddedTaxIncluded: true },
    })}`,
  ],
  [
    'thousands before taxes',
    `${og({ 'product:price:amount': '1.680 €' })}${withOffer({
      price: undefined,
      priceSpecification: { price: '1999.00', valueAddedTaxIncluded: true },
    })}`,
  ],
  [
    'several currencies',
    `${og({ 'product:price:amount': '22.00', 'product:price:currency': 'USD' })}${block({
      ...boot,
      offers: [offer, { ...offer, price: '22', priceCurrency: 'USD' }],
    })}`,
  ],
  ['a sign instead of a currency', `${og({ 'product:price:currency': '$' })}${block(boot)}`],
  ['in stock, for a preorder', `${og({ 'og:availability': 'preorder' })}${block(boot)}`],
  [
    'in stock, of a few',
    `${og({ 'og:availability': 'instock' })}${withOffer({ availability: 'LimitedAvailability' })}`,
  ],
  [
    'sold out in one size',
    `${og({ 'og:availability': 'out of stock' })}${block([
      boot,
      { ...boot, sku: 'AB-1002', offers: { ...offer, availability: 'OutOfStock' } },
    ])}`,
  ],
  ['a number of the shop', `${og({ 'product:retailer_item_id': '77123' })}${block(boot)}`],
  [
    'a number of the shop that looks like its skus',
    `${og({ 'product:retailer_item_id': '77123' })}${block({ ...boot, sku: '10017' })}`,
  ],
  ['the sku of a variant', `${og({ 'product:retailer_item_id': 'AB-1001-42' })}${block(boot)}`],
  ...['Natural oak shoe', 'Jetzt 20 % sparen!'].map((title): [string, string] => [
    `a title that is a translation or a slogan: ${title}`,
    `<title>Boot | Shop</title>${og({ 'og:type': 'product', 'og:title': title })}${block(boot)}`,
  ]),
  [
    'an image below a placeholder',
    block({ ...boot, image: ['data:image/gif;base64,R0lGODlhAQABAAAAACw=', '/a.jpg'] }),
  ],
  ['the name of the shop', `${og({ 'og:type': 'product', 'og:title': 'Shop' })}${block(boot)}`],
  [
    'a thing to buy with it in microdata',
    `${block(boot)}<p itemscope itemtype="https://schema.org/Product"><a itemprop=url href=/p/2><b itemprop=name>Lace for Boot</b></a><b itemprop=sku>L-1</b>
     <i itemprop=offers itemscope itemtype="https://schema.org/Offer"><b itemprop=price>3.99</b><meta itemprop=priceCurrency content=EUR></i></p>`,
  ],
  ['one product twice, alike', block([boot, boot])],
  [
    'one product per size, of one number, at other prices',
    block([
      { ...boot, size: '40' },
      { ...boot, size: '41', offers: { ...offer, price: '24.99' } },
    ]),
  ],
  [
    'another product in microdata',
    `${block(boot)}${['Hat', 'Scarf'].map((name) => `<p itemscope itemtype="https://schema.org/Product"><b itemprop=name>${name}</b><i itemprop=sku>${name}</i></p>`).join('')}`,
  ],
  [
    'offers within an aggregate, which has no price of its own',
    block({
      ...boot,
      offers: {
        '@type': 'AggregateOffer',
        priceCurrency: 'EUR',
        offers: [without(offer, 'priceCurrency')],
      },
    }),
  ],
  [
    'a group whose range has no price, with priced variants',
    block({
      ...boot,
      '@type': 'ProductGroup',
      offers: { '@type': 'AggregateOffer', offerCount: 1 },
      hasVariant: [{ '@type': 'Product', sku: '1', offers: offer }],
    }),
  ],
  [
    'brand, description, image and number in microdata alone',
    `${block({ ...boot, brand: undefined, description: '', image: undefined, gtin13: undefined, sku: undefined })}
     <p itemscope itemtype="https://schema.org/Product"><b itemprop=name>Boot</b><b itemprop=brand>Borealis</b>
     <b itemprop=description>A boot.</b><b itemprop=mpn>7</b><img itemprop=image src=/a.jpg></p>`,
  ],
  [
    'the price of a kilogram alone',
    withOffer({
      price: undefined,
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: 3.49,
        priceCurrency: 'EUR',
        referenceQuantity: { value: 1, unitCode: 'KGM' },
      },
    }),
  ],
  [
    'an old price of what is sold out',
    withOffer({ priceValidUntil: '2020-01-01', availability: 'SoldOut' }),
  ],
  ['a day that is not over everywhere', withOffer({ priceValidUntil: '2026-11-21' })],
  ['a moment', withOffer({ priceValidUntil: '2026-11-30T23:59:59+01:00' })],
  [
    'policies that stand elsewhere',
    withOffer({
      hasMerchantReturnPolicy: { '@id': 'https://shop.example/#returns' },
      shippingDetails: { '@type': 'OfferShippingDetails', '@id': 'https://shop.example/#shipping' },
    }),
  ],
  [
    'a link to the policy',
    withOffer({ hasMerchantReturnPolicy: { merchantReturnLink: '/returns' } }),
  ],
  [
    'what is not shipped',
    withOffer({
      shippingDetails: { doesNotShip: true, shippingDestination: { addressCountry: 'US' } },
    }),
  ],
  ['a handmade thing with a number', block({ ...boot, gtin13: undefined, brand: 'Us' })],
  [
    'ways to pay of GoodRelations',
    withOffer({ acceptedPaymentMethod: 'http://purl.org/goodrelations/v1#Cash' }),
  ],
  [
    'a brand in one element',
    `<div itemscope itemtype="https://schema.org/Product"><meta itemprop=brand itemscope itemtype="https://schema.org/Brand" content=Borealis>
     <b itemprop=name>Boot</b><b itemprop=description>A boot.</b><b itemprop=sku>1</b><img itemprop=image src=/a.jpg>
     <p itemprop=offers itemscope itemtype="https://schema.org/Offer"><meta itemprop=price content=1><meta itemprop=priceCurrency content=EUR>
     <meta itemprop=availability content=InStock><a itemprop=hasMerchantReturnPolicy href=/r></a><a itemprop=shippingDetails href=/s></a></p></div>`,
  ],
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
