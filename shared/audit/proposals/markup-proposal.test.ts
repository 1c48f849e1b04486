import { describe, expect, test } from 'vitest'
import { readPage } from '../../markup/page.ts'
import type { Fetched } from '../../web/http/fetched.ts'
import { answerFrom } from '../../web/testing/answer-from.ts'
import { entityRules } from '../checks/entity/rules.ts'
import { schemaRules } from '../checks/schema/rules.ts'
import type { Evidence } from '../evidence.ts'
import { runRules } from '../rule.ts'
import { scoreOf } from '../score.ts'
import { MarkupProposalRequest, proposeMarkup } from './markup-proposal.ts'
import type { Proposed, ProposedFile } from './proposal.ts'

const URL_OF_PAGE = 'https://shop.example/boot'
const HOME = 'https://shop.example/'

const answer = (url: string): Fetched =>
  answerFrom(url, { headers: { date: 'Sun, 22 Nov 2026 10:00:00 GMT' } })
const seenAt = (url: string, html: string) => ({ fetched: answer(url), page: readPage(html, url) })

const block = (value: unknown) =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`
const pageOf = (...parts: string[]) =>
  `<html><head><title>Boot</title>${parts.join('')}</head><body></body></html>`
const og = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, content]) => `<meta property="${name}" content="${content}">`)
    .join('')

const SHOP = { '@type': 'OnlineStore', name: 'Shop', url: HOME, logo: `${HOME}logo.png` }

function evidenceOf(html: string, catalog: object | null, home = block(SHOP)): Partial<Evidence> {
  const value = { products: catalog === null ? [] : [catalog] }
  const first = { fetched: answer(`${HOME}ucp/products`), json: { ok: true, value } }
  return {
    site: { domain: 'shop.example', label: 'shop', https: answer(HOME), http: answer(HOME) },
    homePage: seenAt(HOME, pageOf(home)),
    productPages: [{ ...seenAt(URL_OF_PAGE, html), found_by: 'catalog' }],
    catalog: { dialect: 'spec', first, next: [] } as unknown as Evidence['catalog'],
  }
}

function judged(evidence: Partial<Evidence>) {
  const outcomes = runRules([...schemaRules, ...entityRules], evidence)
  const gaps = outcomes.flatMap(({ rule, verdict }) => (verdict.kind === 'gap' ? [rule.gap] : []))
  return { gaps, score: scoreOf(outcomes)?.score ?? 0 }
}

const propose = (evidence: Partial<Evidence>, given: object = {}): Proposed =>
  proposeMarkup(MarkupProposalRequest.parse({ domain: 'shop.example', ...given }), evidence)

/** The page as it is once what a file replaces is gone and the file stands in its head. */
function applied(html: string, { content, replaces }: ProposedFile): string {
  const gone = [...(replaces ?? '').matchAll(/JSON-LD block (\d+)/g)].map(([, number]) => number)
  let number = 0
  return html
    .replace(/<script type="application\/ld\+json">.*?<\/script>/gs, (found) => {
      number += 1
      return gone.includes(String(number)) ? '' : found
    })
    .replace('</head>', () => `${content}</head>`)
}

/** Every value of a document with its place. */
function leavesOf(value: unknown, at = '$'): string[] {
  if (typeof value !== 'object' || value === null) return [`${at} ${JSON.stringify(value)}`]
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, `${at}.${key}`))
}

const jsonOf = (file: ProposedFile | undefined): unknown =>
  JSON.parse(file?.content.replace(/^<script[^>]*>|<\/script>\s*$/g, '') ?? '')

const POLICIES = {
  shippingDetails: {
    '@type': 'OfferShippingDetails',
    shippingRate: { '@type': 'MonetaryAmount', value: '4.90', currency: 'EUR' },
    shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'DE' },
  },
  hasMerchantReturnPolicy: {
    '@type': 'MerchantReturnPolicy',
    applicableCountry: 'DE',
    returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
    merchantReturnDays: 30,
    refundType: 'https://schema.org/FullRefund',
  },
}
const OFFER = {
  '@type': 'Offer',
  url: URL_OF_PAGE,
  price: '189.00',
  priceCurrency: 'EUR',
  availability: 'https://schema.org/InStock',
  itemCondition: 'https://schema.org/UsedCondition',
  ...POLICIES,
}
const USED = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Boot',
  description: `A boot,\nworn once. ${'می\u200cخواهم '.repeat(60)}`,
  image: [`${URL_OF_PAGE}.jpg`],
  brand: { '@type': 'Brand', name: 'Borealis' },
  sku: 'B-1',
  gtin13: '4006381333931',
  mpn: 'X-7',
  aggregateRating: { '@type': 'AggregateRating', ratingValue: 4.5, reviewCount: 12 },
  offers: OFFER,
}
const variant = (size: string, price: string, stock: string, more: object = {}) => ({
  '@type': 'Product',
  name: `Boot ${size}`,
  size,
  sku: `B-${size}`,
  image: `${URL_OF_PAGE}-${size}.jpg`,
  offers: { ...OFFER, price, availability: `https://schema.org/${stock}` },
  ...more,
})
const GROUP = {
  '@context': 'https://schema.org',
  '@graph': [
    { '@type': 'BreadcrumbList', itemListElement: [] },
    {
      '@type': 'ProductGroup',
      name: 'Boot',
      description: 'A boot.',
      brand: 'Borealis',
      hasVariant: [variant('42', '189.00', 'InStock'), variant('43', '199.00', 'OutOfStock')],
    },
  ],
}
const without = <Node extends object>(node: Node, ...names: string[]) =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)))
const withOffer = (more: object, ...lacks: string[]) => ({
  ...USED,
  offers: { ...without(OFFER, ...lacks), ...more },
})
const groupWithout = (name: string) => ({
  ...GROUP,
  '@graph': GROUP['@graph'].map((node) => without(node, name)),
})

const CATALOG = {
  id: '1',
  name: 'Boot',
  description: 'A boot that keeps warm in snow and dry in rain, with a sole of rubber.',
  price: { amount: 18900, currency: 'EUR' },
  availability: 'in_stock',
  images: [`${URL_OF_PAGE}.jpg`],
  url: URL_OF_PAGE,
  brand: 'Borealis',
  sku: 'B-1',
  gtin: '4006381333931',
}
const SHIPPING = { shipping: { price: '4.90', country: 'DE' } }
const RETURNS = { returns: { days: 30, country: 'DE', free: true } }

/** A gap, the markup that has it, what the catalog says, what the merchant states. */
const CORRECTED: [
  gap: string,
  of: string,
  markup: object,
  catalog: object | null,
  given: object,
][] = [
  ['product_schema_brand_missing', 'used goods', without(USED, 'brand'), null, { brand: 'Acme' }],
  ['product_schema_brand_missing', 'used goods', without(USED, 'brand'), CATALOG, {}],
  ['product_schema_brand_missing', 'variants', groupWithout('brand'), null, { brand: 'Acme' }],
  [
    'product_schema_brand_missing',
    'a product that is sold new and used',
    {
      ...without(USED, 'brand'),
      offers: [
        { ...OFFER, availability: 'https://schema.org/OutOfStock' },
        { ...OFFER, price: '120.00' },
      ],
    },
    null,
    { brand: 'Acme' },
  ],
  ['product_schema_description_missing', 'variants', groupWithout('description'), CATALOG, {}],
  ['product_schema_incomplete', 'no image', without(USED, 'image'), CATALOG, {}],
  [
    'product_schema_no_offer',
    'no offer',
    without(USED, 'offers'),
    CATALOG,
    { ...SHIPPING, ...RETURNS },
  ],
  ['product_schema_price_invalid', 'words', withOffer({ price: 'call us' }), CATALOG, {}],
  ['product_schema_currency_invalid', 'a sign', withOffer({ priceCurrency: '€' }), CATALOG, {}],
  ['product_schema_currency_lower_case', 'one', withOffer({ priceCurrency: 'eur' }), null, {}],
  ['product_schema_availability_invalid', 'words', withOffer({ availability: 'yes' }), CATALOG, {}],
  [
    'product_schema_price_valid_until_invalid',
    'a past day',
    withOffer({ priceValidUntil: '2020-12-31' }),
    null,
    {},
  ],
  ['product_schema_gtin_invalid', 'a misprint', { ...USED, gtin13: '4006381333932' }, CATALOG, {}],
  ['product_schema_sku_spaces', 'one', { ...USED, sku: 'B 1' }, CATALOG, {}],
  [
    'product_schema_identifier_missing',
    'no number',
    without(USED, 'sku', 'gtin13', 'mpn'),
    CATALOG,
    {},
  ],
  ['product_schema_shipping_missing', 'none', withOffer({}, 'shippingDetails'), null, SHIPPING],
  [
    'product_schema_shipping_incomplete',
    'an empty one',
    withOffer({ shippingDetails: { '@type': 'OfferShippingDetails' } }),
    null,
    SHIPPING,
  ],
  [
    'product_schema_return_policy_missing',
    'none',
    withOffer({}, 'hasMerchantReturnPolicy'),
    null,
    RETURNS,
  ],
  [
    'product_schema_return_policy_incomplete',
    'one without days',
    withOffer({
      hasMerchantReturnPolicy: without(POLICIES.hasMerchantReturnPolicy, 'merchantReturnDays'),
    }),
    null,
    RETURNS,
  ],
]
const FAULTY = /"(call us|€|eur|yes|2020-12-31|4006381333932|B 1)"$/

describe('a proposal that is written as it says', () => {
  test.each(CORRECTED)('closes %s of %s and loses nothing', (gap, _, markup, catalog, given) => {
    const html = pageOf(block({ '@type': 'WebPage', name: 'Boot' }), block(markup))
    const before = judged(evidenceOf(html, catalog))
    expect(before.gaps).toEqual([gap])
    const { files, missing } = propose(evidenceOf(html, catalog), given)
    expect(missing).toEqual([])
    expect(files).toMatchObject([{ replaces: 'JSON-LD block 2 of the page', url: URL_OF_PAGE }])
    const [file] = files
    const after = judged(evidenceOf(applied(html, file as ProposedFile), catalog))
    expect(after.gaps).toEqual([])
    expect(after.score).toBeGreaterThan(before.score)
    const kept = leavesOf(markup).filter((leaf) => !FAULTY.test(leaf))
    expect(leavesOf(jsonOf(file))).toEqual(expect.arrayContaining(kept))
    expect(JSON.stringify(jsonOf(file))).not.toContain('NewCondition')
  })

  test('knows the page by an address with what follows a visit', () => {
    const html = pageOf(block(without(USED, 'brand')))
    const catalog = { ...CATALOG, url: `${URL_OF_PAGE}?utm_source=ucp` }
    const { files } = propose(evidenceOf(html, catalog))
    expect(files).toMatchObject([{ url: URL_OF_PAGE }])
    expect(JSON.stringify(jsonOf(files[0]))).toContain('Borealis')
  })

  test('says nothing of a condition that nobody stated, where the page has no markup', () => {
    const { files } = propose(evidenceOf(pageOf(), CATALOG), { ...SHIPPING, ...RETURNS })
    expect(files[0]?.content).not.toContain('itemCondition')
    expect(judged(evidenceOf(applied(pageOf(), files[0] as ProposedFile), CATALOG)).gaps).toEqual(
      [],
    )
  })

  test('takes the block that cannot be read with it', () => {
    const html = pageOf(block('{"@type":"BreadcrumbList"}'), block('{"@type":"Product",}'))
    const { files } = propose(evidenceOf(html, CATALOG), { ...SHIPPING, ...RETURNS })
    expect(files[0]?.replaces).toMatch(/^JSON-LD block 2 of the page, which is not valid: trailing/)
    expect(judged(evidenceOf(html, CATALOG)).gaps).toContain('jsonld_broken')
    expect(judged(evidenceOf(applied(html, files[0] as ProposedFile), CATALOG)).gaps).toEqual([])
  })

  test('names markup that is no longer read as what it replaces', () => {
    const html = pageOf().replace('<body>', '<body><div class="hproduct"></div>')
    const { files } = propose(evidenceOf(html, CATALOG))
    expect(files[0]?.replaces).toMatch(/^the microformat hproduct \(line 1, column \d+\)$/)
  })

  test('names the shop where the home page has an Organization only as a seller', () => {
    const home = block({ ...USED, offers: { ...OFFER, seller: SHOP } })
    const evidence = evidenceOf(pageOf(block(USED)), null, home)
    expect(judged(evidence).gaps).toEqual(['organization_missing'])
    const given = { shop_name: 'Shop', logo: `${HOME}logo.png` }
    const { files } = propose(evidence, given)
    expect(files).toMatchObject([{ path: 'markup/home.html', url: HOME }])
    const mended = evidenceOf(pageOf(block(USED)), null, `${home}${files[0]?.content}`)
    expect(judged(mended).gaps).toEqual([])
  })
})

describe('what cannot be written is said', () => {
  const said = (html: string, catalog: object | null = null, given = {}) => {
    const { files, missing } = propose(evidenceOf(html, catalog), given)
    return { files: files.length, missing: missing.join('\n') }
  }

  test('a brand that nobody names is asked for, and nothing is said against the catalog', () => {
    expect(said(pageOf(block(without(USED, 'brand'))))).toEqual({
      files: 0,
      missing: expect.stringMatching(/^brand: who makes the product.*boot\.$/),
    })
  })

  test.each([
    [
      'identifiers of variants',
      pageOf(
        block({
          ...GROUP['@graph'][1],
          hasVariant: [
            without(variant('42', '1.00', 'InStock'), 'sku'),
            variant('43', '2', 'InStock'),
          ],
        }),
      ),
      CATALOG,
      /no gtin, mpn or sku \(JSON-LD block 1, \$\.hasVariant\[0\]\)\. Add a gtin/,
    ],
    [
      'which of two offers is in stock',
      pageOf(block({ ...USED, offers: [OFFER, without(OFFER, 'availability')] })),
      CATALOG,
      /availability is missing \(JSON-LD block 1, \$\.offers\[1\]\).*Set availability/,
    ],
    [
      'the price that Open Graph contradicts',
      pageOf(og({ 'product:price:amount': '120.00', 'product:price:currency': 'EUR' })),
      CATALOG,
      /the catalog says 189\.00 EUR and Open Graph 120\.00 EUR/,
    ],
    [
      'a brand in microdata',
      pageOf().replace(
        '<body>',
        `<body><div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Boot</b></div>`,
      ),
      CATALOG,
      /no brand \(microdata at line 1.*Add brand\.name/,
    ],
    [
      'another block that is broken',
      pageOf(block(USED), block('{"@type":"BreadcrumbList",}')),
      CATALOG,
      /JSON-LD block 2 .*trailing comma.* Fix the block/,
    ],
  ])('%s', (_, html, catalog, line) => {
    expect(said(html, catalog)).toEqual({ files: 0, missing: expect.stringMatching(line) })
  })

  test('markup that is right stays as it is', () => {
    const { files, missing, notes } = propose(evidenceOf(pageOf(block(USED)), CATALOG))
    expect([files, missing, notes]).toEqual([
      [],
      [],
      [`The markup is right as it is on ${URL_OF_PAGE}.`],
    ])
  })

  test('a rate that is no amount of the currency is a fault of the input', () => {
    const yen = { ...CATALOG, price: { amount: 1900, currency: 'JPY' } }
    const { files, missing } = propose(evidenceOf(pageOf(), yen), { ...SHIPPING, ...RETURNS })
    expect(missing).toEqual(['shipping.price: Amounts in JPY have no decimals.'])
    expect(files).toHaveLength(1)
    const given = { domain: 'shop.example', shipping: { ...SHIPPING.shipping, currency: 'JPY' } }
    expect(MarkupProposalRequest.safeParse(given).error?.issues).toMatchObject([
      { path: ['shipping', 'price'] },
    ])
  })

  test('a rate is stated in its own currency alone', () => {
    const lacks = withOffer({}, 'shippingDetails')
    const offers = [lacks.offers, { ...lacks.offers, priceCurrency: 'USD' }]
    const html = pageOf(block({ ...USED, offers }))
    expect(said(html, null, SHIPPING).missing).toMatch(/^shipping\.currency: .*EUR, USD\./)
  })

  test('a description that was not kept whole is left out', () => {
    const html = pageOf(og({ 'og:description': 'x'.repeat(1200) }))
    const { files } = propose(evidenceOf(html, { ...CATALOG, description: undefined }))
    expect(files[0]?.content).not.toContain('description')
  })
})
