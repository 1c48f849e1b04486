import { expect, test } from 'vitest'
import { readPage } from '../../markup/page.ts'
import { answerFrom } from '../../web/testing/answer-from.ts'
import { entityRules } from '../checks/entity/rules.ts'
import { schemaRules } from '../checks/schema/rules.ts'
import { runRules } from '../rule.ts'
import { findRemedy } from './remedies.ts'
import type { ShopPlatform } from './signs.ts'

const block = (value: object) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const seen = (html: string, url: string) => ({
  fetched: answerFrom(url, { status: 200, headers: { date: 'Sun, 22 Nov 2026 10:00:00 GMT' } }),
  page: readPage(html, url),
  found_by: 'catalog' as const,
})
const unasked = { kind: 'not_asked', reason: 'not needed' } as const

/** The gaps of a shop with this page of a product and this home page. */
const gapsOf = (product: string, home: string): string[] =>
  runRules([...schemaRules, ...entityRules], {
    productPages: [seen(product, 'https://fell.example/boot')],
    homePage: seen(home, 'https://fell.example/'),
    site: { domain: 'fell.example', label: 'fell', https: unasked, http: unasked },
  }).flatMap(({ rule, verdict }) => (verdict.kind === 'gap' ? [rule.gap ?? ''] : []))

const boot = {
  '@context': 'https://schema.org/',
  '@type': 'Product',
  name: 'Fell Boot',
  description: 'A boot for the fells.',
  image: 'https://fell.example/boot.jpg',
  url: 'https://fell.example/boot',
}
const sold = { availability: 'https://schema.org/InStock', url: 'https://fell.example/boot' }
const shop = { '@type': 'Organization', name: 'Fell', url: 'https://fell.example' }
const withoutPolicies = ['product_schema_return_policy_missing', 'product_schema_shipping_missing']

// As the templates of each platform print one product, where nobody has changed them.
const THEMES: [string, ShopPlatform, product: string, home: string, gaps: string[]][] = [
  [
    'Dawn, without barcodes and with one social network',
    'shopify',
    block({
      ...boot,
      brand: { '@type': 'Brand', name: 'Borealis' },
      category: '',
      offers: { '@type': 'Offer', ...sold, price: '189.00', priceCurrency: 'EUR' },
    }),
    block({
      ...shop,
      logo: 'https://fell.example/logo.png',
      sameAs: ['', 'https://social.example/fell', '', ''],
    }),
    ['product_schema_identifier_missing', ...withoutPolicies, 'organization_same_as_invalid'],
  ],
  [
    'WooCommerce, a product without variations',
    'woocommerce',
    block({
      ...boot,
      sku: 12,
      offers: [
        {
          '@type': 'Offer',
          ...sold,
          priceSpecification: [
            { '@type': 'UnitPriceSpecification', price: '189.00', priceCurrency: 'EUR' },
          ],
          seller: shop,
        },
      ],
    }),
    '<title>Fell</title>',
    ['product_schema_brand_missing', ...withoutPolicies, 'organization_missing'],
  ],
  [
    'WooCommerce, variations of different prices',
    'woocommerce',
    block({
      ...boot,
      sku: 13,
      offers: [
        {
          '@type': 'AggregateOffer',
          ...sold,
          lowPrice: '179.00',
          highPrice: '199.00',
          priceCurrency: 'EUR',
        },
      ],
    }),
    '<title>Fell</title>',
    ['product_schema_aggregate_offer_only', 'product_schema_brand_missing', 'organization_missing'],
  ],
  [
    'Luma',
    'magento',
    `<body itemscope itemtype="http://schema.org/Product"><h1><span itemprop="name">Fell Boot</span></h1>
      <img class="gallery-placeholder__image" src="/boot.jpg">
      <span itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="189"><meta itemprop="priceCurrency" content="EUR"></span>
      <div itemprop="sku">B-1</div><div itemprop="description">A boot for the fells.</div></body>`,
    '<title>Fell</title>',
    [
      'product_schema_incomplete',
      'product_schema_availability_invalid',
      'product_schema_brand_missing',
      ...withoutPolicies,
      'organization_missing',
    ],
  ],
  [
    'Classic, which names the shop where there is no brand',
    'prestashop',
    block({
      ...boot,
      sku: 'B-1',
      mpn: 'B-1',
      brand: { '@type': 'Brand', name: 'Fell' },
      offers: { '@type': 'Offer', ...sold, price: '189', priceCurrency: 'EUR', seller: shop },
    }),
    block({ ...shop, logo: { '@type': 'ImageObject', url: 'https://fell.example/logo.png' } }),
    withoutPolicies,
  ],
  [
    'Cornerstone, variants of different prices',
    'bigcommerce',
    block({
      ...boot,
      sku: 'B-1',
      offers: {
        '@type': 'Offer',
        ...sold,
        priceCurrency: 'EUR',
        minPrice: '179',
        maxPrice: '199',
      },
    }),
    '<title>Fell</title>',
    [
      'product_schema_price_invalid',
      'product_schema_brand_missing',
      ...withoutPolicies,
      'organization_missing',
    ],
  ],
]

test.each(THEMES)(
  '%s: what it lacks has a remedy on its platform',
  (_, platform, product, home, gaps) => {
    expect(gapsOf(product, home)).toEqual(gaps)
    expect(gaps.filter((gap) => findRemedy(platform, gap) === null)).toEqual([])
  },
)
