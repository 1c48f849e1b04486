import { expect, test } from 'vitest'
import { GAP_RULES, type GapRule } from '../../../shared/audit/checks/index.ts'
import { EVIDENCE_READS, type Evidence, type PageSeen } from '../../../shared/audit/evidence.ts'
import { sourcesOf } from '../../../shared/audit/gap/sources.ts'
import { runRules } from '../../../shared/audit/rule.ts'
import type { GapWords } from '../../../shared/audit/rule-words.ts'
import type { CheckName } from '../../../shared/audit/vocabulary.ts'
import { gapWords } from '../../../shared/audit/words.ts'
import { readPage } from '../../../shared/markup/page.ts'
import type { Answer, Fetched, JsonSeen } from '../../../shared/web/http/fetched.ts'
import { isRecord } from '../../../shared/web/json/json.ts'
import { answerFrom } from '../../../shared/web/testing/answer-from.ts'
import { readFeed } from '../../audit/probe/feed/reader.ts'
import { parseGlimpse } from '../../audit/probe/session.ts'

const RULES = GAP_RULES.map((rule) => ({ gap: rule.gap, rule, doc: gapWords(rule.gap) }))

test.each(RULES)('$gap says something of its own', ({ rule, doc }) => {
  const { meaning, why, before, after } = doc
  for (const text of [meaning, why]) {
    expect(text.length).toBeGreaterThan(45)
    expect(text).toMatch(/^[/\w].*[.!]$/s)
  }
  expect(after).not.toBe(before)
  expect(meaning).not.toContain(rule.label)
  for (const { title, url } of sourcesOf(rule.authority)) {
    expect(title).not.toBe('')
    if (!title.startsWith('Specification')) expect(url, title).toMatch(/^https:/)
  }
})

const SHOP = 'https://shop.example'
const NOTHING: Fetched = { kind: 'not_asked', reason: 'not part of the example' }

const answer = (change: Partial<Answer>): Answer =>
  answerFrom(`${SHOP}/`, { final_url: change.url ?? `${SHOP}/`, ms: 50, ...change })

/** An example in HTTP: a request, then an answer or none. `…` stands for what does not matter. */
function exchange(text: string): Fetched {
  const [, method = '', url = ''] = /^([A-Z]+) (\S+)/.exec(text) ?? []
  const response = /HTTP\/1\.1 (\d+)[^\n]*\n?([\s\S]*)/.exec(text)
  if (response === null) {
    return { kind: 'no_answer', method, url, why: 'unreachable', message: 'refused', ms: 1 }
  }
  const [head = '', ...body] = (response[2] ?? '').split('\n\n')
  const headers = Object.fromEntries(
    head
      .split('\n')
      .filter((line) => line.includes(': '))
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
  )
  const whole = body.join('\n\n').replaceAll(/(, )?…/g, '')
  return answer({ method, url, status: Number(response[1]), headers, body: whole })
}

const seen = (fetched: Fetched): JsonSeen => ({ fetched, json: parseGlimpse(fetched) })
const asJson = (body: string, url: string, method = 'GET'): JsonSeen =>
  seen(answer({ body, url, method, headers: { 'content-type': 'application/json' } }))

const MANIFEST = {
  version: '1.0',
  domain: 'shop.example',
  capabilities: {
    product_catalog: { endpoint: `${SHOP}/ucp/products`, format: 'json', version: '1.0' },
    checkout: {
      endpoint: `${SHOP}/ucp/checkout`,
      supported_methods: ['POST'],
      requires_authentication: false,
      version: '1.0',
    },
  },
}
const PRODUCT = {
  id: '1001',
  name: 'Fell Boot',
  description: 'A light boot of waxed leather for wet hills, with a sole that can be replaced.',
  price: { amount: 18900, currency: 'USD' },
  availability: 'in_stock',
  url: `${SHOP}/p/fell-boot`,
}
const CART = {
  checkout_id: 'chk_7Q2',
  subtotal: { amount: 18900, currency: 'USD' },
  shipping_options: [],
  tax: { amount: 0, currency: 'USD' },
  expires_at: '2026-11-21T10:20:00Z',
}

const merge = (base: unknown, part: unknown): unknown =>
  isRecord(base) && isRecord(part)
    ? {
        ...base,
        ...Object.fromEntries(
          Object.entries(part).map(([key, value]) => [key, merge(base[key], value)]),
        ),
      }
    : part

/** A part of a document becomes the document; what is whole, or no JSON, stays. */
function wholeOf(code: string, base: object, isWhole: (part: object) => boolean): string {
  try {
    const part = JSON.parse(code)
    return isWhole(part) ? code : JSON.stringify(merge(base, part))
  } catch {
    return code
  }
}

const markedUp = (price: string): string =>
  `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Fell Boot","sku":"FB-42","gtin13":"4006381333931",
  "offers":{"@type":"Offer","price":"${price}","priceCurrency":"USD","availability":"https://schema.org/InStock"}}</script>`

const page = (html: string, url: string): PageSeen => ({
  fetched: answer({ url, body: html, headers: { date: 'Sat, 21 Nov 2026 10:00:00 GMT' } }),
  page: readPage(html, url),
})
const productPage = (html: string) => [
  { ...page(html, `${SHOP}/p/fell-boot`), found_by: 'catalog' as const },
]

const manifestOf = (first: JsonSeen, www: JsonSeen = seen(NOTHING)) => ({ ...first, www })

/** What an audit would know if a store were as the example shows it. */
const EVIDENCE: Record<
  CheckName,
  (code: string, doc: GapWords, rule: GapRule) => Partial<Evidence>
> = {
  well_known: (code, { language }, { gap }) => {
    if (gap === 'https_missing') {
      return { site: siteOf(exchange(code)) }
    }
    if (gap === 'signature_directory_unusable') {
      return { signatureDirectory: seen(exchange(code)) }
    }
    if (gap === 'ucp_signature_not_asked_for') {
      const [unsigned, signed] = [exchange(code), answer({ status: 400 })]
      const rest = { endpoint: SHOP, checkout: seen(signed), unknown: null }
      const signature = { as: 'https://aisle.example', signed, unsigned }
      return {
        manifest: manifestOf(asJson('{"ucp":{"version":"2026-08-25"}}', SHOP)),
        ucp: { agent: AGENT, rest: { ...rest, signature }, mcp: null, a2a: null, versions: [] },
      }
    }
    if (gap === 'store_behind_password') {
      return { site: siteOf(exchange(code)), homePage: page('', `${SHOP}/`) }
    }
    if (gap === 'product_pages_dead') {
      const fetched = exchange(code)
      const isThere = fetched.kind === 'answer' && fetched.status === 200
      const found = { fetched, page: isThere ? readPage('', SHOP) : null }
      return { productPages: [{ ...found, found_by: 'catalog' }] }
    }
    if (language === 'text') return robotsOf(code)
    if (language === 'html') return { productPages: productPage(code) }
    if (gap === 'ucp_supported_versions_broken') {
      const fetched = exchange(code)
      const isServed = fetched.kind === 'answer' && fetched.status === 200
      const fault = isServed ? null : 'answered 404'
      return {
        manifest: manifestOf(asJson('{"ucp":{"version":"2026-08-25"}}', SHOP)),
        ucp: {
          agent: AGENT,
          rest: null,
          mcp: null,
          a2a: null,
          versions: [{ version: '2026-04-08', fault }],
        },
      }
    }
    if (gap === 'ucp_agent_card_invalid') {
      const a2a = { endpoint: `${SHOP}/.well-known/agent-card.json`, card: seen(exchange(code)) }
      return {
        manifest: manifestOf(asJson('{"ucp":{"version":"2026-08-25"}}', SHOP)),
        ucp: { agent: AGENT, rest: null, mcp: null, a2a, versions: [] },
      }
    }
    if (gap.startsWith('ucp_') && language === 'http') return ucpServicesOf(code)
    const whole = wholeOf(code, MANIFEST, (part) => 'version' in part || 'ucp' in part)
    const official = code.includes('"keys"')
      ? wholeOf(code, { ucp: { version: '2026-08-25' } }, () => false)
      : whole
    const www = asJson(JSON.stringify(MANIFEST), `https://www.shop.example/.well-known/ucp`)
    const first =
      language === 'json' ? asJson(official, `${SHOP}/.well-known/ucp`) : seen(exchange(code))
    const isElsewhere = gap === 'well_known_only_on_subdomain'
    return {
      site: siteOf(answer({})),
      manifest: followed(manifestOf(first, isElsewhere ? www : seen(NOTHING))),
    }
  },
  catalog: (code, { language }, { gap }) => {
    if (/^ucp_(?:description|lookup|product|transports)/.test(gap)) return officialOf(gap, code)
    if (gap.startsWith('ucp_')) return { manifest: manifestOf(asJson(code, SHOP)) }
    const isWhole = (part: object) => 'products' in part || 'data' in part
    const isPagination = code.startsWith('{ "pagination"')
    const body = isPagination
      ? JSON.stringify(merge({ products: [PRODUCT] }, JSON.parse(code)))
      : wholeOf(`{"products":[${wholeOf(code, PRODUCT, isWhole)}]}`, {}, () => true)
    const whole = /"(products|data)"/.test(code) ? code : body
    const url = `${SHOP}/ucp/products`
    return {
      catalog: catalogOf(language === 'json' ? asJson(whole, url) : seen(exchange(code)), url),
      ucp: { agent: SHOP, rest: null, mcp: null, a2a: null, versions: [] },
      productPages: productPage(markedUp(gap.includes('major') ? '25.00' : '189.00')),
    }
  },
  checkout: (code, { language }, { gap }) => {
    if (gap.startsWith('ucp_')) {
      return language === 'json'
        ? { manifest: manifestOf(asJson(code, SHOP)) }
        : ucpServicesOf(code)
    }
    const url = /"endpoint": "([^"]+)"/.exec(code)?.[1] ?? `${SHOP}/ucp/checkout`
    const isRefusal = /accepts|error_body/.test(gap)
    const cart = asJson(
      language === 'json' && !code.includes('"endpoint"')
        ? wholeOf(code, CART, (part) => 'id' in part || 'checkout_id' in part)
        : JSON.stringify(CART),
      url,
      'POST',
    )
    const example = language === 'http' ? seen(exchange(code)) : cart
    return {
      checkout: {
        endpoint: { url, declared: true },
        item: { product_id: '1001', name: 'Fell Boot', price: PRODUCT.price },
        asked_at: '2026-11-21T10:00:00Z',
        create: isRefusal ? cart : example,
        invalid_address: example,
        unknown_variant: gap === 'checkout_error_body_invalid' ? seen(NOTHING) : example,
      },
    }
  },
  pages: (code) => ({ homePage: page('', `${SHOP}/`), productPages: productPage(code) }),
  acp: (code, { language }, { gap }) => {
    const other = seen(NOTHING)
    const none = { create: other, update: other, complete: other }
    const isOfficial =
      /tools?_missing|services_missing|version_mismatch|carts|error_type|cacheable/.test(gap)
    const example = seen(exchange(code))
    const operation = /update|complete/.exec(gap)?.[0] ?? 'create'
    const isCarts = gap === 'acp_carts_missing'
    const named = { protocol: { version: '2026-04-17', supported_versions: ['2026-04-17'] } }
    const isOfTools = /tools?_missing/.test(gap)
    const tried = [{ how: 'plain' as const, seen: example }]
    const service = {
      endpoint: `${SHOP}/acp/mcp`,
      tried,
      tools: example,
      more: [],
      unknown: null,
    }
    const found = { ...service, how: 'plain' as const }
    const official = {
      base: `${SHOP}/acp`,
      versions: [],
      carts: isCarts ? example : null,
      ...(isOfTools && { mcp: { asked: [found], found } }),
    }
    const discovery = isOfficial ? asJson(JSON.stringify(named), SHOP) : other
    const operations = { ...none, ...(!isCarts && !isOfTools && { [operation]: example }) }
    const acp: Evidence['acp'] = {
      discovery,
      spoken: [{ dialect: isOfficial ? 'official' : 'specification', ...operations }],
      official: isOfficial ? official : null,
      perhaps: null,
      doubt: null,
    }
    if (language === 'json') return { acp: { ...acp, discovery: asJson(code, SHOP) } }
    return { acp: gap === 'acp_discovery_not_cacheable' ? { ...acp, discovery: example } : acp }
  },
  schema: (code) => ({ productPages: productPage(code), homePage: page('', `${SHOP}/`) }),
  feed: (code, { language }) => {
    if (language === 'html') {
      const isNamed = code.includes('rel="alternate"')
      return { feed: feedOf(isNamed ? RSS : '', isNamed) }
    }
    return {
      feed: feedOf(code, true),
      productPages: productPage(markedUp('189.00')),
      catalog: catalogOf(seen(NOTHING), null),
    }
  },
  attribution: (code) => ({ homePage: page(code, `${SHOP}/`) }),
  entity: (code) => ({ homePage: page(code, `${SHOP}/`), site: siteOf(answer({})) }),
}

const AGENT = 'https://audit.example/.well-known/ucp-agent'

/**
 * Each exchange of an example is with the service that its path is of; a second has more accepted.
 */
function ucpServicesOf(code: string): Partial<Evidence> {
  const all = code.split(/\n\n(?=POST )/).map((text) => seen(exchange(text)))
  const isMcp = (each: JsonSeen) => 'url' in each.fetched && each.fetched.url.endsWith('/mcp')
  const [checkout = null, unknown = null] = all.filter((each) => !isMcp(each))
  const tried = all
    .filter(isMcp)
    .map((each, index) => ({ how: WAYS[index] ?? ('handshake' as const), seen: each }))
  const tools = tried.at(-1)?.seen
  return {
    manifest: manifestOf(asJson('{"ucp":{"version":"2026-08-25"}}', SHOP)),
    ucp: {
      agent: AGENT,
      rest: checkout && { endpoint: `${SHOP}/ucp`, checkout, unknown },
      mcp: tools
        ? { endpoint: `${SHOP}/ucp/mcp`, how: 'plain', tried, tools, more: [], unknown: null }
        : null,
      a2a: null,
      versions: [],
    },
  }
}
const WAYS = ['plain', 'event_stream'] as const

const catalogOf = (first: JsonSeen, url: string | null): Evidence['catalog'] => ({
  dialect: 'spec',
  endpoint: url === null ? null : { url, declared: true },
  first,
  again: seen(NOTHING),
  next: [],
  search: null,
  filters: null,
  official: null,
})

const UCP_PRODUCT = {
  id: 'boot',
  title: 'Fell Boot',
  description: { plain: 'A light boot for rough paths, waterproof, that can be resoled.' },
  price_range: {
    min: { amount: 18900, currency: 'USD' },
    max: { amount: 18900, currency: 'USD' },
  },
  variants: [
    {
      id: 'boot-42',
      title: '42',
      description: { plain: 'Size 42' },
      price: { amount: 18900, currency: 'USD' },
      options: [{ name: 'size', label: '42' }],
    },
  ],
}

/** A catalog of official UCP whose answer to the question of a rule is the example. */
function officialOf(gap: string, code: string): Pick<Evidence, 'catalog'> {
  const url = `${SHOP}/ucp/catalog/search`
  const answered = asJson(code, url, 'POST')
  const listed = (product: object) => asJson(JSON.stringify({ products: [product] }), url, 'POST')
  const isProduct = gap === 'ucp_description_invalid'
  const [product, variant] = ['boot', 'boot-42']
  return {
    catalog: {
      ...catalogOf(listed({ ...UCP_PRODUCT, ...(isProduct && JSON.parse(code)) }), url),
      dialect: 'ucp',
      search: gap === 'ucp_transports_differ' ? { q: 'boot', seen: answered } : null,
      official: {
        version: '2026-08-25',
        transport: 'rest',
        other: 'mcp',
        lookup: { product, variant, seen: answered },
        detail: { product, variant, selected: [{ name: 'size', label: '42' }], seen: answered },
      },
    },
  }
}

const RSS =
  '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id><title>Fell Boot</title></item></channel></rss>'

const siteOf = (https: Fetched) => ({
  domain: 'shop.example',
  label: 'shop',
  https,
  http: answer({ url: 'http://shop.example/' }),
})

/** The audit follows a redirect, and then says that it had to. */
function followed(manifest: Evidence['manifest']): Evidence['manifest'] {
  const { fetched } = manifest
  if (fetched.kind !== 'answer' || fetched.status !== 301) return manifest
  const location = fetched.headers.location ?? ''
  return {
    ...manifest,
    fetched: { ...fetched, status: 200, redirects: [{ status: 301, location }] },
  }
}

const robotsOf = (code: string): Partial<Evidence> => ({
  site: siteOf(answer({})),
  robots: answer({ url: `${SHOP}/robots.txt`, body: code }),
  homePage: page('', `${SHOP}/`),
  productPages: productPage(''),
})

function feedOf(text: string, isFound: boolean): Evidence['feed'] {
  const url = `${SHOP}/feeds/google.xml`
  const fetched = answer({ url, status: isFound ? 200 : 404 })
  return { ...readFeed(text), url, found_by: 'link', fetched, tried: [url] }
}

/** They show a course of requests, which no single answer holds. */
const NOT_ONE_ANSWER = GAP_RULES.filter(({ gap, reads }) => {
  const { language } = gapWords(gap)
  return (
    language === 'text' &&
    !reads.includes('walk') &&
    !['robots_blocks_ai_agents', 'content_signal_refuses_agents'].includes(gap)
  )
}).map(({ gap }) => gap)

test('most examples can be judged', () => {
  expect(NOT_ONE_ANSWER.toSorted()).toEqual([
    'agents_challenged',
    'agents_get_less',
    'agents_refused',
    'agents_refused_despite_robots',
    'ai_search_kept_out',
    'catalog_filters_ineffective',
    'catalog_ids_unstable',
    'catalog_pagination_missing',
    'catalog_search_ineffective',
    'checkout_expires_late',
    'checkout_expiry_invalid',
    'checkout_slow',
    'signed_agents_refused',
    'ucp_catalog_tools_missing',
    'ucp_checkout_tools_missing',
    'ucp_tools_missing',
  ])
})

/** They show what a browser met: `server/audit/browser/pages.e2e.ts` has whole pages. */
const OF_PAGES = GAP_RULES.filter(({ reads }) => reads.includes('pagesWalk')).map(({ gap }) => gap)

/** They show a step of a purchase: `server/audit/walk/walk.table.db.test.ts` has whole ones. */
const OF_PURCHASES = GAP_RULES.filter(({ reads }) => reads.includes('walk')).map(({ gap }) => gap)

test.each(
  RULES.filter(({ gap }) => ![...NOT_ONE_ANSWER, ...OF_PURCHASES, ...OF_PAGES].includes(gap)),
)("the rule of $gap finds it in the example's before, and not in its after", ({ rule, doc }) => {
  const judge = (code: string) =>
    runRules([rule], EVIDENCE[rule.check](code, doc, rule))[0]!.verdict
  expect(judge(doc.before)).toMatchObject({ kind: 'gap' })
  expect(judge(doc.after)).toMatchObject({ kind: 'pass' })
})

test('of a feed it is said that all rows are read, and how many are compared', () => {
  const rows = Array.from({ length: 300 }, (_, row) => `${row},Tent`)
  const { items, tally } = readFeed(['id,title', ...rows].join('\n'))
  expect(tally.rows).toBe(300)
  expect(EVIDENCE_READS.feed).toMatch(
    new RegExp(`^the rows of the product feed, .*the first ${items.length} are compared`),
  )
})
