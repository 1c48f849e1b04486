import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { FeedItem } from '../../commerce/feed.ts'
import { readPage } from '../../markup/page.ts'
import { EXPECTATIONS } from '../../walk/expectations.ts'
import type { Fetched, JsonSeen } from '../../web/http/fetched.ts'
import type { AccessAnswer, AccessPage, Evidence, PageSeen } from '../evidence.ts'
import { Readiness } from '../readiness/groups.ts'
import { narrowReadiness, readinessOf } from '../readiness/readiness.ts'
import { titlesOf } from '../result/product-titles.ts'
import { CHECK_NAMES } from '../vocabulary.ts'
import { shareOf } from './catalog/seen-products.ts'
import { countRow, emptyTally } from './feed/tally.ts'
import { GOOGLE } from './feed/vendors/google.ts'
import { OPENAI } from './feed/vendors/openai.ts'
import { CHECKS } from './index.ts'

const status = fc.constantFrom(200, 201, 204, 301, 400, 401, 403, 404, 405, 409, 422, 429, 500, 503)
const headers = fc.dictionary(
  fc.constantFrom(
    'content-type',
    'cache-control',
    'www-authenticate',
    'content-security-policy',
    'x',
  ),
  fc.oneof(
    fc.constantFrom('application/json', 'text/html', 'max-age=1e99', 'script-src', ';;,=,"'),
    fc.string(),
  ),
)
const url = fc.constantFrom('https://shop.example/ucp/products', 'https://shop.example/p/1', '')

const fetched = (body: fc.Arbitrary<string>): fc.Arbitrary<Fetched> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('answer' as const),
      method: fc.constant('GET'),
      url,
      final_url: url,
      redirects: fc.constant([]).map((none) => [...none]),
      status,
      headers,
      body,
      truncated: fc.boolean(),
      ms: fc.nat(9000),
    }),
    fc.record({
      kind: fc.constant('no_answer' as const),
      method: fc.constant('GET'),
      url,
      why: fc.constantFrom('unreachable' as const, 'timeout' as const),
      message: fc.string(),
      ms: fc.nat(9000),
    }),
    fc.record({ kind: fc.constant('not_asked' as const), reason: fc.string() }),
  )

/** JSON that looks like what is expected, so that it gets past the first guard. */
const wire = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.constantFrom('in_stock', 'USD', '1.0', 'https://shop.example/p/1', 1999, 19.99, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        ...'products id name description price amount currency availability variants attributes'.split(
          ' ',
        ),
        ...'pagination next capabilities product_catalog checkout endpoint error code message'.split(
          ' ',
        ),
        ...'subtotal expires_at shipping_options domain version ucp images url protocol supported_versions supported_currencies type __proto__'.split(
          ' ',
        ),
      ),
      tie('value'),
      { maxKeys: 8 },
    ),
  ),
})).value

const jsonSeen: fc.Arbitrary<JsonSeen> = fc.record({
  fetched: fetched(fc.json()),
  json: fc.oneof(
    fc.constant(null),
    fc.record({ ok: fc.constant(true as const), value: wire }),
    fc.record({ ok: fc.constant(false as const), problem: fc.string() }),
  ),
})

const html = fc.oneof(
  fc.string(),
  wire.map((value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`),
  wire.map(
    (value) =>
      `<script type="application/ld+json">{"@type":"Product","offers":${JSON.stringify(value)}}</script>`,
  ),
)
const pageSeen: fc.Arbitrary<PageSeen> = fc.record({
  fetched: fetched(fc.constant('')),
  page: fc.oneof(
    fc.constant(null),
    html.map((text) => readPage(text, 'https://shop.example/p/1')),
  ),
})
const text = fc.oneof(fc.constant(null), fc.string())
const FEED_FIELDS = [GOOGLE, OPENAI].flatMap(({ fields }) =>
  fields.flatMap(({ name, also = [] }) => [name, ...also]),
)
const feedItem: fc.Arbitrary<FeedItem> = fc.record({
  row: fc.nat(),
  id: text,
  title: text,
  description: text,
  link: text,
  image_link: text,
  availability: text,
  price: text,
  sale_price: text,
  brand: text,
  gtin: text,
  mpn: text,
})
const endpoint = fc.option(
  fc.record({
    url: fc.constantFrom('https://shop.example/ucp/products', 'http://shop.example/', ''),
    declared: fc.boolean(),
  }),
)

const accessAnswer: fc.Arbitrary<AccessAnswer> = fc.record({
  fetched: fetched(fc.constant('')),
  content: fc.option(
    fc.record({
      bytes: fc.nat(),
      title: text,
      text: fc.nat(),
      product: text,
      prices: fc.array(fc.string(), { maxLength: 2 }),
      challenge: text,
    }),
  ),
})
const accessPage: fc.Arbitrary<AccessPage> = fc.record({
  url: fc.constantFrom('https://shop.example/', ''),
  is: fc.constantFrom('home page', 'product page'),
  browsers: fc.array(accessAnswer, { maxLength: 2 }),
  robot: accessAnswer,
  agents: fc.array(
    fc.record({
      token: fc.constantFrom('ChatGPT-User', 'Googlebot', 'OAI-SearchBot', 'nobody'),
      answers: fc.array(accessAnswer, { maxLength: 2 }),
    }),
    { maxLength: 4 },
  ),
})

const walk = fc.option(
  fc.record({
    started_at: fc.string(),
    mode: fc.constantFrom('look' as const, 'sandbox' as const),
    whole: fc.boolean(),
    judged: fc.array(
      fc.record({
        expectation: fc.constantFrom(...EXPECTATIONS.map(({ id }) => id)),
        protocol: fc.constantFrom('ucp' as const, 'acp' as const),
        label: fc.string(),
        held: fc.boolean(),
        failure: fc.option(
          fc.record({
            party: fc.constantFrom('store' as const, 'agent' as const, 'network' as const),
            found: fc.string(),
            intent: fc.string(),
            step: fc.string(),
          }),
        ),
      }),
      { maxLength: 8 },
    ),
  }),
)

const mcpSeen = fc.record({
  endpoint: fc.string(),
  how: fc.constantFrom('plain', 'event_stream', 'handshake', 'stateless', null),
  tried: fc.array(
    fc.record({
      how: fc.constantFrom('plain', 'event_stream', 'handshake', 'stateless', 'initialize'),
      seen: jsonSeen,
    }),
    { maxLength: 4 },
  ),
  tools: jsonSeen,
  more: fc.array(jsonSeen, { maxLength: 2 }),
  unknown: fc.option(jsonSeen),
})

const evidence: fc.Arbitrary<Evidence> = fc.record({
  walk,
  pagesWalk: fc.option(
    fc.record({
      unseen: fc.option(fc.string()),
      reached: fc.boolean(),
      stages: fc.subarray(['product' as const, 'basket' as const, 'checkout' as const]),
      findings: fc.array(
        fc.record({
          id: fc.constantFrom('captcha' as const, 'price_changed' as const),
          detail: fc.string(),
          url: fc.string(),
          element: fc.string(),
        }),
        { maxLength: 3 },
      ),
      tools: fc.option(
        fc.record({
          unseen: fc.option(fc.string()),
          offered: fc.nat(3),
          called: fc.nat(3),
          findings: fc.array(
            fc.record({
              id: fc.constantFrom('call_fails' as const, 'price_differs' as const),
              tool: fc.string(),
              detail: fc.string(),
            }),
            { maxLength: 3 },
          ),
        }),
      ),
    }),
  ),
  access: fc.record({ not_asked: text, pages: fc.array(accessPage, { maxLength: 2 }) }),
  site: fc.record({
    domain: fc.constant('shop.example'),
    label: fc.constant('shop'),
    https: fetched(fc.string()),
    http: fetched(fc.string()),
    signature: fc.record({
      as: fc.string(),
      signed: fetched(fc.string()),
      unsigned: fetched(fc.string()),
    }),
  }),
  signatureDirectory: jsonSeen,
  robots: fetched(fc.string()),
  manifest: fc.tuple(jsonSeen, jsonSeen).map(([manifest, www]) => ({ ...manifest, www })),
  homePage: pageSeen,
  productPages: fc.array(
    fc.tuple(pageSeen, pageSeen).map(([seen, other]) => ({
      ...seen,
      ...(other.page && { rendered: other.page }),
      found_by: 'catalog' as const,
    })),
    { maxLength: 3 },
  ),
  catalog: fc.record({
    dialect: fc.constantFrom('spec' as const, 'ucp' as const),
    endpoint,
    first: jsonSeen,
    again: jsonSeen,
    middle: jsonSeen,
    next: fc.array(jsonSeen, { maxLength: 2 }),
    search: fc.oneof(fc.constant(null), fc.record({ q: fc.string(), seen: jsonSeen })),
    filters: fc.oneof(
      fc.constant(null),
      fc.record({
        params: fc.dictionary(
          fc.constantFrom('category', 'min_price', 'availability'),
          fc.string(),
        ),
        seen: jsonSeen,
      }),
    ),
    official: fc.oneof(
      fc.constant(null),
      fc.record({
        version: fc.constantFrom('2026-08-25', '2026-04-08'),
        transport: fc.constantFrom('rest' as const, 'mcp' as const),
        other: fc.constantFrom('mcp' as const, null),
        lookup: fc.oneof(
          fc.constant(null),
          fc.record({ product: fc.string(), variant: fc.string(), seen: jsonSeen }),
        ),
        detail: fc.oneof(
          fc.constant(null),
          fc.record({
            product: fc.string(),
            variant: fc.string(),
            selected: fc.array(fc.record({ name: fc.string(), label: fc.string() })),
            seen: jsonSeen,
          }),
        ),
      }),
    ),
  }),
  checkout: fc.record({
    endpoint,
    item: fc.oneof(
      fc.constant(null),
      fc.record({
        product_id: fc.string(),
        name: fc.string(),
        price: fc.oneof(fc.constant(null), fc.constant({ amount: 1999, currency: 'USD' })),
      }),
    ),
    asked_at: fc.constantFrom('2026-11-20T10:00:00.000Z', ''),
    create: jsonSeen,
    invalid_address: jsonSeen,
    unknown_variant: jsonSeen,
  }),
  ucp: fc.record({
    agent: fc.string(),
    rest: fc.option(
      fc.record({ endpoint: fc.string(), checkout: jsonSeen, unknown: fc.option(jsonSeen) }),
    ),
    mcp: fc.option(mcpSeen),
    a2a: fc.option(fc.record({ endpoint: fc.string(), card: jsonSeen })),
    versions: fc.array(fc.record({ version: fc.string(), fault: text }), { maxLength: 2 }),
  }),
  acp: fc.record({
    discovery: jsonSeen,
    spoken: fc.array(
      fc.record({
        dialect: fc.constantFrom('official' as const, 'specification' as const),
        create: jsonSeen,
        update: jsonSeen,
        complete: jsonSeen,
      }),
      { minLength: 1, maxLength: 2 },
    ),
    official: fc.option(
      fc.record({
        base: url,
        versions: fc.array(fc.record({ asked: fc.string(), seen: jsonSeen }), { maxLength: 2 }),
        carts: fc.option(jsonSeen),
        mcp: fc.record({
          asked: fc.array(mcpSeen, { maxLength: 2 }),
          found: fc.option(mcpSeen),
        }),
      }),
    ),
    perhaps: text,
    doubt: text,
  }),
  feed: fc.record({
    url: fc.constantFrom(null, 'https://shop.example/feed.xml'),
    found_by: fc.string(),
    kind: fc.constantFrom(null, 'rss' as const, 'shopify' as const, 'woocommerce' as const),
    vendor: fc.constantFrom(null, 'google' as const, 'openai' as const),
    cut: text,
    tally: fc
      .tuple(
        fc.constantFrom(null, 'google' as const, 'openai' as const),
        fc.array(fc.dictionary(fc.constantFrom(...FEED_FIELDS), fc.string()), { maxLength: 4 }),
      )
      .map(([vendor, rows]) => {
        const tally = emptyTally()
        for (const row of rows) countRow(tally, new Map(Object.entries(row)), vendor)
        return tally
      }),
    fetched: fetched(fc.string()),
    items: fc.array(feedItem, { maxLength: 4 }),
    problem: fc.oneof(fc.constant(null), fc.string()),
    tried: fc.array(fc.string(), { maxLength: 3 }),
  }),
})

// To make one up costs more than to judge it: each is judged by all.
test('no evidence makes a rule throw', () => {
  fc.assert(
    fc.property(evidence, (found) => {
      for (const [check, rules] of Object.entries(CHECKS)) {
        for (const { gap, judge } of rules) {
          const [verdict, name] = [judge(found), `${check}: ${gap}`]
          expect(['pass', 'gap', 'skip', 'not_applicable'], name).toContain(verdict.kind)
          if (verdict.kind === 'gap') expect(verdict.detail.length, name).toBeLessThan(20_000)
        }
      }
      for (const { product_id, title } of titlesOf(found)) {
        expect(`${product_id}${title}`.length).toBeLessThan(500)
        expect(title).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      }
      const share = shareOf(found.catalog)
      expect(share?.of ?? Number.MAX_SAFE_INTEGER).toBeGreaterThanOrEqual(share?.products ?? 0)
    }),
  )
})

test('no evidence makes a requirement of a surface throw, and a part is what its checks alone say', () => {
  fc.assert(
    fc.property(evidence, fc.subarray([...CHECK_NAMES]), (found, checks) => {
      const whole = readinessOf(CHECK_NAMES, found)
      expect(z.array(Readiness).parse(whole)).toEqual(whole)
      expect(narrowReadiness(whole, checks)).toEqual(readinessOf(checks, found))
      for (const { evidence: said } of whole.flatMap(({ items }) => items)) {
        expect(said.length).toBeLessThan(20_000)
        expect(said).not.toMatch(/could not be judged/)
      }
    }),
  )
})
