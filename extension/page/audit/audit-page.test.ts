import { expect, test } from 'vitest'
import { linksTo } from '../../../shared/audit/gap/links.ts'
import { readPage } from '../../../shared/markup/page.ts'
import type { Collected, Served } from '../collect/collected.ts'
import { auditPage, siteLabel } from './audit-page.ts'
import type { PageAudit } from './page-audit.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const PRODUCT_URL = 'https://shop.example/products/mug'

const PRODUCT = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Mug',
  description: 'A mug for tea.',
  image: 'https://shop.example/mug.jpg',
  brand: { '@type': 'Brand', name: 'Kiln' },
  sku: 'MUG-1',
  offers: {
    '@type': 'Offer',
    price: '12.50',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
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
  },
}
const SNIPPET = '<script async src="https://aisle.example/attribution.js?id=prop_1"></script>'
const block = (value: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const html = (head: string, body = '') =>
  `<!doctype html><html lang="en"><head><title>Mug</title>${head}</head><body>${body}</body></html>`

const answer = (body: string, rest: Partial<Extract<Served, { kind: 'answer' }>> = {}): Served => ({
  kind: 'answer',
  status: 200,
  final_url: PRODUCT_URL,
  headers: { 'content-type': 'text/html' },
  body,
  truncated: false,
  ms: 5,
  ...rest,
})

const collected = (shown: string, served: Served, url = PRODUCT_URL): Collected => ({
  url,
  content_type: 'text/html',
  status: 200,
  html: shown,
  controls: readPage(shown, url).controls,
  served,
})

function audit(page: Collected): PageAudit {
  const audited = auditPage(page, () => NOW)
  if ('refusal' in audited) throw new Error(`refused: ${audited.refusal}`)
  return audited
}

const ids = ({ result }: PageAudit) => result.gaps.map(({ id }) => id)

test('a whole product page has no gap, and says what it found', () => {
  const page = html(block(PRODUCT) + SNIPPET)
  const audited = audit(collected(page, answer(page)))
  expect(audited.result).toMatchObject({
    domain: 'shop.example',
    score: 100,
    grade: 'A',
    checked_at: NOW.toISOString(),
    gaps: [],
    breakdown: { discoverability: 100, attribution: 100 },
    checks: ['schema', 'entity', 'attribution', 'pages'],
  })
  expect(audited).toMatchObject({
    url: PRODUCT_URL,
    origin: 'https://shop.example',
    domain: 'shop.example',
    title: 'Mug',
    served: { ok: true, status: 200 },
    needs_script: [],
  })
  expect(audited.found).toEqual({
    products: [
      {
        type: 'Product',
        name: 'Mug',
        where: 'JSON-LD block 1, $',
        sku: 'MUG-1',
        variants: 0,
        offers: [{ price: '12.50', currency: 'EUR', availability: 'https://schema.org/InStock' }],
        in_served: true,
      },
    ],
    organizations: [],
    snippet: {
      id: 'prop_1',
      src: 'https://aisle.example/attribution.js?id=prop_1',
      count: 1,
      in_head: true,
      blocked_by_csp: null,
      in_served: true,
    },
    json_ld_blocks: 1,
    broken_blocks: 0,
  })
})

test('the home page is judged by other rules than a product page', () => {
  const organization = {
    '@type': 'OnlineStore',
    name: 'Shop',
    url: 'https://shop.example/',
    logo: 'https://shop.example/logo.png',
  }
  const home = 'https://shop.example/'
  const page = html(block(organization) + SNIPPET)
  const audited = audit(collected(page, answer(page, { final_url: home }), home))
  expect(ids(audited)).toEqual([])
  expect(audited.result.passed).toContain('organization_present')
  expect(audited.result.skipped.map(({ id }) => id)).toContain('product_schema_missing')
  expect(audited.found.organizations).toEqual([
    {
      types: ['OnlineStore'],
      name: 'Shop',
      url: 'https://shop.example/',
      where: 'JSON-LD block 1, $',
      in_served: true,
    },
  ])
})

test('markup that only a script writes is a gap that neither page shows alone', () => {
  const shown = html(block(PRODUCT) + SNIPPET)
  const audited = audit(collected(shown, answer(html('<meta name="x" content="y">'))))
  expect(ids(audited)).toContain('product_schema_only_after_javascript')
  expect(ids(audited)).not.toContain('product_schema_missing')
  expect(audited.needs_script).toEqual([
    { what: 'product', text: 'Mug' },
    { what: 'offer', text: '12.50 EUR' },
    { what: 'snippet', text: 'https://aisle.example/attribution.js?id=prop_1' },
  ])
  expect(audited.found.products[0]?.in_served).toBe(false)
  expect(audited.found.snippet?.in_served).toBe(false)
})

test.each<[string, string, string]>([
  ['an address of a product page', html(SNIPPET), PRODUCT_URL],
  [
    'og:type',
    html(`${SNIPPET}<meta property="og:type" content="product">`),
    'https://shop.example/mug',
  ],
  [
    'a broken block',
    html(`${SNIPPET}<script type="application/ld+json">{"@type":"Product",}</script>`),
    'https://shop.example/mug',
  ],
])('a page that says by %s that it sells a product must mark it up', (_, page, url) => {
  const audited = audit(collected(page, answer(page, { final_url: url }), url))
  expect(ids(audited)).toEqual([
    page.includes('ld+json') ? 'jsonld_broken' : 'product_schema_missing',
  ])
})

test.each([
  [
    'a category page',
    block({
      '@type': 'ItemList',
      itemListElement: [
        { '@type': 'ListItem', item: { ...PRODUCT, url: '/products/a' } },
        { '@type': 'ListItem', item: { ...PRODUCT, url: '/products/b' } },
      ],
    }),
    'https://shop.example/mugs',
  ],
  [
    'a page of many products',
    [1, 2, 3].map((n) => block({ ...PRODUCT, name: `Mug ${n}`, url: `/products/${n}` })).join(''),
    'https://shop.example/mugs',
  ],
  ['a page about something else', '', 'https://shop.example/about'],
])('%s is no product page', (_, head, url) => {
  const page = html(head + SNIPPET)
  const audited = audit(collected(page, answer(page, { final_url: url }), url))
  expect(ids(audited)).toEqual([])
  expect(audited.result.skipped.map(({ id }) => id)).toContain('product_schema_missing')
})

const LIST = block({
  '@type': 'ItemList',
  itemListElement: [{ '@type': 'ListItem', url: '/products/a' }],
})
const ORGANIZATION = block({ '@type': 'OnlineStore', name: 'Shop', url: 'https://shop.example/' })

test.each([
  ['product', true, block(PRODUCT), PRODUCT_URL],
  ['home', true, ORGANIZATION, 'https://shop.example/'],
  ['list', false, LIST, 'https://shop.example/mugs'],
  ['visitor', false, '', 'https://shop.example/cart'],
  ['other', false, block({ '@type': 'AboutPage' }), 'https://shop.example/about'],
  ['unclear', false, block({ '@type': 'Product', name: 'Lamp' }), 'https://shop.example/hello'],
] as const)('of a page that is %s, there is a number: %s', (place, is_scored, head, url) => {
  const page = html(head + SNIPPET)
  expect(audit(collected(page, answer(page, { final_url: url }), url))).toMatchObject({
    place,
    is_scored,
  })
})

test.each<[string, boolean, Partial<Collected>]>([
  ['the page came with 404', true, { status: 404 }],
  ['it came with 500', true, { status: 500 }],
  [
    'it came with 200, and is not sent without cookies',
    false,
    { served: answer('', { status: 404 }) },
  ],
  [
    'its own status is not known, and it is not sent again',
    true,
    { status: null, served: answer('', { status: 404 }) },
  ],
  [
    'its own status is not known, and we are refused',
    false,
    { status: null, served: answer('', { status: 403 }) },
  ],
])('where %s, it is an error page: %s', (_, isError, change) => {
  const url = 'https://shop.example/hello'
  const page = html(SNIPPET)
  const given = { ...collected(page, answer(page, { final_url: url }), url), ...change }
  const audited = auditPage(given, () => NOW)
  expect('refusal' in audited ? audited.refusal : null).toBe(isError ? 'error_page' : null)
})

test('buttons and fields are judged as shown, and on product pages alone', () => {
  const sent = html(block(PRODUCT) + SNIPPET, '<button>Buy</button><button><svg></svg></button>')
  const shown = html(
    block(PRODUCT) + SNIPPET,
    '<button>Buy</button><button aria-label="Close"><svg></svg></button><input type="email">',
  )
  expect(ids(audit(collected(sent, answer(sent))))).toEqual(['pages_buttons_unnamed'])
  expect(ids(audit(collected(shown, answer(sent))))).toEqual([
    'pages_fields_unnamed',
    'pages_autocomplete_missing',
  ])
  const { result } = audit(collected(sent, answer(sent)))
  expect(result).toMatchObject({ score: 100, first_steps: null })
  expect(result.breakdown).not.toHaveProperty('checkout')
  expect(result.gaps[0]).not.toHaveProperty('points')
  const about = html(SNIPPET, '<button></button>')
  const url = 'https://shop.example/about'
  expect(ids(audit(collected(about, answer(about, { final_url: url }), url)))).toEqual([])
})

test('variants that a script alone names are a gap, until they are shown', () => {
  const data = { name: 'Mug', variants: ['Blue', 'Red'].map((color) => ({ sku: color, color })) }
  const script = `<h1>Mug</h1><script type="application/json">${JSON.stringify(data)}</script>`
  const sent = html(block(PRODUCT) + SNIPPET, script)
  const shown = html(block(PRODUCT) + SNIPPET, `${script}<button>Blue</button><button>Red</button>`)
  expect(ids(audit(collected(sent, answer(sent))))).toEqual(['pages_variants_scripted'])
  const { result } = audit(collected(shown, answer(sent)))
  expect(result.passed).toContain('pages_variants_in_html')
  const plain = html(block(PRODUCT) + SNIPPET)
  expect(audit(collected(plain, answer(plain))).result.passed).not.toContain(
    'pages_variants_in_html',
  )
})

const STORY = '<p>It happened on a day, and cost $ 20.</p>'.repeat(60)

test.each<[string, string, string, string]>([
  [
    'an article behind a paywall',
    block({
      '@type': 'NewsArticle',
      isPartOf: { '@type': ['CreativeWork', 'Product'], name: 'The Paper' },
    }),
    'https://paper.example/p/the-day',
    'its markup describes a NewsArticle',
  ],
  [
    'a review',
    block({ '@type': 'Review', itemReviewed: PRODUCT }),
    'https://paper.example/mug-tested',
    'its markup describes a Review',
  ],
  [
    'a post without markup',
    '<meta property="og:type" content="article">',
    'https://paper.example/p/why-mugs',
    'its Open Graph markup is of the type "article"',
  ],
  [
    'an episode',
    block({ '@type': 'PodcastEpisode' }),
    'https://talk.example/products/12',
    'its markup describes a PodcastEpisode',
  ],
  [
    'a program',
    block({ '@type': 'SoftwareApplication', offers: { '@type': 'Offer', price: 0 } }),
    'https://soft.example/product/editor',
    'its markup describes a SoftwareApplication',
  ],
  [
    'a home page that calls itself a product',
    '<meta property="og:type" content="product">',
    'https://soft.example/',
    'it is the home page',
  ],
  [
    'a page with an address of one',
    '',
    'https://soft.example/products/a',
    'nothing on it can be bought',
  ],
])('%s is not a product page, and says why', (_, head, url, why) => {
  const page = html(head + SNIPPET, STORY)
  const { kind, result } = audit(collected(page, answer(page, { final_url: url }), url))
  expect(kind).toEqual({ is: 'other', because: expect.arrayContaining([why]) })
  expect(result.gaps.filter(({ check }) => check === 'schema')).toEqual([])
  expect(result.product_pages).toEqual([])
  const skipped = result.skipped.find(({ id }) => id === 'product_schema_missing')
  expect(skipped?.reason).toMatch(/^this is not a product page: /)
})

test.each<[string, Served, object]>([
  [
    'a login',
    answer('<h1>Log in</h1>', { final_url: 'https://shop.example/login' }),
    { reason: 'redirected', detail: 'https://shop.example/login' },
  ],
  ['a refusal', answer('no', { status: 403 }), { reason: 'status', detail: '403' }],
  [
    'data',
    answer('{}', { headers: { 'content-type': 'application/json' } }),
    { reason: 'not_html', detail: 'application/json' },
  ],
  ['nothing', { kind: 'failed', why: 'timeout' }, { reason: 'timeout', detail: '' }],
])(
  'where the server sends a bot %s, the shown page is judged, and that is said',
  (_, served, why) => {
    const audited = audit(collected(html(block(PRODUCT) + SNIPPET), served))
    expect(ids(audited)).toEqual([])
    expect(audited.served).toEqual({ ok: false, ...why })
    expect(audited.needs_script).toEqual([])
    expect(audited.found.products[0]?.in_served).toBe(true)
  },
)

test('a slash, a query or a fragment makes no other page of it', () => {
  const page = html(block(PRODUCT) + SNIPPET)
  const served = answer(page, { final_url: `${PRODUCT_URL}/` })
  const audited = audit(collected(page, served, `${PRODUCT_URL}?size=l#reviews`))
  expect(audited.served).toEqual({ ok: true, status: 200 })
})

test.each([
  ['header', '', { 'content-security-policy': "script-src 'self'" }],
  ['meta', `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">`, {}],
  [
    'header against its reports',
    '',
    { 'content-security-policy': "script-src https:; connect-src 'self'" },
    "connect-src 'self'",
  ],
])('a policy in the %s that blocks the snippet is named', (_, head, headers, said?: string) => {
  const page = html(head + SNIPPET)
  const url = 'https://shop.example/about'
  const audited = audit(collected(page, answer(page, { headers, final_url: url }), url))
  expect(ids(audited)).toEqual(['snippet_blocked_by_csp'])
  expect(audited.found.snippet?.blocked_by_csp).toBe(said ?? "script-src 'self'")
})

test('the browser hides nonces: whether one lets the snippet in is read from the served page', () => {
  const served = html(SNIPPET.replace('<script', '<script nonce="abc"'))
  const shown = html(SNIPPET.replace('<script', '<script nonce=""'))
  const url = 'https://shop.example/about'
  const headers = { 'content-security-policy': "script-src 'nonce-abc'" }
  const audited = audit(collected(shown, answer(served, { headers, final_url: url }), url))
  expect(ids(audited)).toEqual([])
  expect(audited.found.snippet?.blocked_by_csp).toBeNull()
})

test('a snippet that stands there twice and names no property is counted', () => {
  const page = html('', SNIPPET.replace('?id=prop_1', '') + SNIPPET)
  const url = 'https://shop.example/about'
  const audited = audit(collected(page, answer(page, { final_url: url }), url))
  expect(ids(audited)).toEqual(['snippet_without_id', 'snippet_duplicated', 'snippet_not_in_head'])
  expect(audited.found.snippet).toMatchObject({ id: null, count: 2, in_head: false })
})

test('each gap knows where it shows', () => {
  const { offers: _, brand: __, ...bare } = PRODUCT
  const page = html(block({ '@type': 'WebPage' }) + block(bare))
  const audited = audit(collected(page, answer(page)))
  expect(audited.targets.product_schema_no_offer).toEqual({
    kind: 'json_ld',
    block: 2,
    start: expect.stringContaining('"name":"Mug"'),
  })
  expect(audited.targets.dark_traffic_untracked).toEqual({ kind: 'snippet' })
  const item = '<div itemscope itemtype="https://schema.org/Product">'
  const microdata = html(
    '',
    `${item}</div>${item}<b itemprop="name">Mug</b><a itemprop="url" href="${PRODUCT_URL}"></a></div>`,
  )
  const other = audit(collected(microdata, answer(microdata)))
  expect(other.targets.product_schema_no_offer).toEqual({
    kind: 'microdata',
    type: 'Product',
    index: 1,
  })
})

test('the software that made the page is recognised, so that its remedies can be shown', () => {
  const shop = html('<script src="https://cdn.shopify.com/s/files/1/theme.js"></script>')
  const plain = html('')
  const platformOf = (shown: string, sent: string) =>
    audit(collected(shown, answer(sent))).result.platform
  expect(platformOf(shop, shop)).toMatchObject({ id: 'shopify', name: 'Shopify' })
  // Scripts may have written it, and a page that could not be fetched again still shows it.
  expect(platformOf(shop, plain)).toMatchObject({ id: 'shopify' })
  expect(platformOf(plain, plain)).toBeUndefined()
})

test('without a server, a gap links to nothing', () => {
  const page = html('')
  for (const gap of audit(collected(page, answer(page))).result.gaps) {
    expect([gap.docs_url, gap.fix_url]).toEqual([null, null])
  }
})

test('the links of a gap lead to the server that is configured', () => {
  const page = html('')
  const audited = auditPage(
    collected(page, answer(page)),
    () => NOW,
    linksTo('https://aisle.example'),
  )
  expect('result' in audited && audited.result.gaps[0]).toMatchObject({
    fix_url: 'https://aisle.example/tools/schema?domain=shop.example',
    docs_url: 'https://aisle.example/gaps/product_schema_missing',
  })
})

test.each([
  ['chrome://newtab/', 'text/html', 'browser_page'],
  ['https://shop.example/terms', 'application/pdf', 'not_html'],
])('%s as %s is refused', (url, content_type, refusal) => {
  expect(auditPage({ ...collected('', answer('')), url, content_type }, () => NOW)).toEqual({
    refusal,
  })
})

const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

test.each<[string, string]>([
  [
    'ten megabytes of JSON-LD',
    html(
      block(
        Array.from({ length: 1000 }, (_, n) => ({ ...PRODUCT, name: `${n}${'x'.repeat(10_000)}` })),
      ),
    ),
  ],
  [
    'long words everywhere',
    html(
      Array.from({ length: 30 }, (_, n) =>
        block({
          ...PRODUCT,
          name: `${n}${'n'.repeat(900)}`,
          offers: Array.from({ length: 30 }, () => ({
            '@type': 'Offer',
            price: '1'.repeat(900),
            priceCurrency: 'E'.repeat(900),
            availability: 'I'.repeat(900),
          })),
        }),
      ).join(''),
    ),
  ],
  ['a block without end', `<script type="application/ld+json">${'{"a":['.repeat(200_000)}`],
  ['JSON of great depth', `<script type="application/ld+json">${deep(100_000)}</script>`],
  [
    'names of the prototype',
    html(
      `<script type="application/ld+json">{"@type":"Product","__proto__":{"name":"x"},"constructor":1,"toString":"y","hasOwnProperty":1}</script>`,
    ),
  ],
  ['nothing', ''],
  ['NUL and lone surrogates', html(block({ ...PRODUCT, name: '\u0000\ud800' }))],
  ['tags without end', '<div>'.repeat(100_000)],
])('a page of %s is judged like any other', (_, page) => {
  const audited = auditPage(collected(page, answer(page)), () => NOW)
  if ('refusal' in audited) expect(audited.refusal).toBe('nothing_judged')
  else expect(audited.result.score).toBeGreaterThanOrEqual(0)
  expect(JSON.stringify(audited).length).toBeLessThan(100_000)
  expect(Object.prototype).not.toHaveProperty('name')
})

test('script in a name stays text', () => {
  const name = '<img src=x onerror=alert(1)>'
  const page = html(block({ ...PRODUCT, name }).replaceAll('<img', '\\u003cimg'))
  expect(audit(collected(page, answer(page))).found.products[0]?.name).toBe(name)
})

test.each([
  ['shop.example', 'shop'],
  ['www.shop.co.uk', 'shop'],
  ['www.bigshop.com', 'bigshop'],
  ['de.bigshop.com.au', 'bigshop'],
  ['localhost', 'localhost'],
])('%s is labelled %s', (host, label) => {
  expect(siteLabel(host)).toBe(label)
})
