import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { CHECKS } from '../../shared/audit/checks/index.ts'
import { BROWSER_USER_AGENT, NAMED_AGENTS } from '../../shared/audit/checks/well-known/ai-agents.ts'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import { CHECK_NAMES } from '../../shared/audit/vocabulary.ts'
import { UCP } from '../../shared/protocols/ucp/versions.ts'
import { DIRECTORY_PATH, DIRECTORY_TYPE } from '../../shared/protocols/web-bot-auth.ts'
import { TEST_KEYS, TEST_SIGNER } from '../signatures/testing/test-signer.ts'
import { createStore } from '../store/app.ts'
import type { Env } from '../store/http/routing.ts'
import { openaiCells } from '../store/shop/feeds/openai.ts'
import { FEED_PATH } from '../store/shop/settings.ts'
import { auditPlatforms } from '../store/testing/platforms.ts'
import { testDeps, visitTo } from '../store/testing/store.ts'
import { JUDGES_HERE } from './judging/testing/judges-here.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { auditSession } from './probe/session.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'
import { validateUrl } from './validate-manifest.ts'

type Json = Record<string, unknown>
interface Asked {
  path: string
  method: string
  host: string
  search: string
  /** The caller's User-Agent. */
  agent: string
  isSigned: boolean
  /** How many requests this store has had from others than the audit itself. */
  visit: number
}

const changed = async (response: Response, change: (body: Json) => Json): Promise<Response> => {
  const body = (await response.json()) as Json
  return new Response(JSON.stringify(change(body)), {
    status: response.status,
    headers: response.headers,
  })
}

const typed = (response: Response, type: string): Response => {
  const headers = new Headers(response.headers)
  headers.set('content-type', type)
  return new Response(response.body, { status: response.status, headers })
}

const rewritten = async (response: Response, change: (body: string) => string): Promise<Response> =>
  new Response(change(await response.text()), {
    status: response.status,
    headers: response.headers,
  })
/** The store's feed, changed. */
const feed =
  (change: (text: string, origin: string) => string): Variant['twist'] =>
  async (response, { path, host }) =>
    path === FEED_PATH
      ? new Response(change(await response.text(), `https://${host}`), { status: response.status })
      : response

const MORE_OF_ITEM = `<g:shipping><g:country>US</g:country><g:price>0 USD</g:price></g:shipping>
<g:google_product_category>Apparel &amp; Accessories &gt; Clothing</g:google_product_category>
<g:adult>no</g:adult><g:native_commerce>TRUE</g:native_commerce><g:size_system>US</g:size_system>
<g:consumer_notice><g:consumer_notice_type>prop_65</g:consumer_notice_type></g:consumer_notice>
<g:age_group>adult</g:age_group><g:availability_date>2027-03-01T09:00+0100</g:availability_date>`

const refusal = (status: number, code: string) =>
  Response.json({ error: { code, message: 'Not here.', retryable: false } }, { status })

interface Variant {
  name: string
  /** What the store does differently, and may. */
  twist: (response: Response, asked: Asked) => Response | Promise<Response>
  /** The gaps that are true all the same. */
  gaps: string[]
  /** It is asked in the names of AI agents too, and judged by `well_known` alone. */
  agents?: true
}

const VARIANTS: Variant[] = [
  {
    name: 'json-as-html',
    twist: (response, { path }) =>
      path.startsWith('/ucp/') || path === '/.well-known/ucp'
        ? typed(response, 'text/html; charset=UTF-8')
        : response,
    gaps: [
      'well_known_wrong_content_type',
      'catalog_wrong_content_type',
      'checkout_error_body_invalid',
    ],
  },
  {
    name: 'ships-elsewhere',
    twist: (response, { path }) =>
      path === '/ucp/checkout' ? refusal(422, 'invalid_address') : response,
    gaps: [],
  },
  {
    name: 'sold-out-meanwhile',
    twist: (response, { path }) =>
      path === '/ucp/checkout' ? refusal(409, 'out_of_stock') : response,
    gaps: [],
  },
  {
    name: 'refuses-with-200',
    twist: (response, { path }) =>
      path === '/ucp/checkout'
        ? new Response(response.body, { headers: response.headers, status: 200 })
        : response,
    gaps: [],
  },
  {
    name: 'sold-out-with-200',
    twist: (response, { path }) =>
      path === '/ucp/checkout' ? refusal(200, 'out_of_stock') : response,
    gaps: [],
  },
  {
    name: 'ships-elsewhere-with-404',
    twist: (response, { path }) =>
      path === '/ucp/checkout' ? refusal(404, 'invalid_address') : response,
    gaps: [],
  },
  {
    name: 'maintenance',
    twist: (response, { path }) =>
      path === '/ucp/checkout' ? new Response('', { status: 503 }) : response,
    gaps: [],
  },
  {
    name: 'gated-pages',
    twist: (response, { path }) =>
      path.startsWith('/products/') ? new Response('', { status: 403 }) : response,
    gaps: [],
  },
  {
    name: 'gated-manifest',
    twist: (response, { path }) =>
      path === '/.well-known/ucp' ? new Response('', { status: 429 }) : response,
    gaps: [],
  },
  {
    name: 'robots-down',
    twist: (response, { path }) =>
      path === '/robots.txt' ? new Response('', { status: 503 }) : response,
    gaps: [],
  },
  {
    name: 'training-refused',
    // Training is the store's own policy, and one crawler may have signals of its own.
    twist: async (response, { path }) =>
      path === '/robots.txt'
        ? new Response(
            `User-agent: *\nContent-Signal: search=yes, ai-train=no, use=reference\nContent-Usage: /help search=n\nAllow: /\n\nUser-agent: GPTBot\nContent-Signal: ai-input=no\nDisallow: /\n\n${await response.text()}`,
            { headers: response.headers },
          )
        : response,
    gaps: [],
  },
  {
    name: 'news-refused',
    // One crawler alone, previews of images, and pages that are no product's.
    twist: (response, { path }) => {
      const headers = new Headers(response.headers)
      const rules = 'googlebot-news: noindex, max-image-preview: none'
      headers.set('x-robots-tag', path.startsWith('/products/') ? rules : 'noindex')
      return new Response(response.body, { status: response.status, headers })
    },
    gaps: [],
  },
  {
    name: 'moved-catalog',
    twist: (response, { path, host, search }) => {
      if (path !== '/ucp/products') return response
      return host.startsWith('www.')
        ? response
        : Response.redirect(`https://www.${host}/ucp/products${search}`, 301)
    },
    gaps: [],
  },
  {
    name: 'shared-page',
    twist: (response, { path }) =>
      path === '/ucp/products'
        ? changed(response, (body) => {
            const [first, second, ...rest] = body.products as Json[]
            if (!first || !second) return body
            return { ...body, products: [first, { ...second, url: first.url }, ...rest] }
          })
        : response,
    gaps: [],
  },
  {
    name: 'on-sale',
    // Facebook's tags have the list price and the sale; the markup has the price that is charged.
    twist: (response, { path }) =>
      path.startsWith('/products/')
        ? rewritten(response, (body) =>
            body.replace(
              /<meta property="product:price:amount" content="([\d.]+)">/,
              '<meta property="product:price:amount" content="999,00">' +
                '<meta property="product:sale_price:amount" content="$1">',
            ),
          )
        : response,
    gaps: [],
  },
  {
    name: 'said-twice',
    // A theme marks up in RDFa what a plugin says in JSON-LD, with the price as people write it.
    twist: (response, { path }) =>
      path.startsWith('/products/')
        ? rewritten(response, (body) => {
            const price = /product:price:amount" content="(\d+)\.(\d+)"/.exec(body)
            const name = /<h1>([^<]*)/.exec(body)?.[1]
            return body.replace(
              '<footer>',
              `<div vocab="https://schema.org/" typeof="Product"><b property="name">${name}</b>
<p property="offers" typeof="Offer"><i property="price">${price?.[1]},${price?.[2]} $</i></p></div><footer>`,
            )
          })
        : response,
    gaps: [],
  },
  {
    name: 'newer-profile',
    twist: (response, { path }) =>
      path === '/.well-known/ucp'
        ? Response.json(
            { ucp: { version: '2027-01-15', services: {}, payment_handlers: {} } },
            { headers: { 'cache-control': 'public, max-age=300' } },
          )
        : response,
    gaps: [],
  },
  {
    name: 'ucp-own-fields',
    // A profile may hold members of its own: readers ignore what they do not know.
    twist: (response, { path }) =>
      path === '/.well-known/ucp'
        ? changed(response, (body) => ({ ...body, 'com.shop.notes': { team: 'web' } }))
        : response,
    gaps: [],
  },
  {
    name: 'feed-in-old-words',
    // What shops have written for years, and what is not needed.
    twist: feed((text) =>
      text
        .replaceAll('>in_stock<', '>In Stock<')
        .replaceAll('>new<', '>New<')
        .replaceAll(/<g:gtin>\d+<\/g:gtin>\n/g, '')
        .replaceAll(/<g:price>(.*?)<\/g:price>/g, '$&<g:sale_price>$1</g:sale_price>')
        .replaceAll('</item>', `${MORE_OF_ITEM}</item>`),
    ),
    gaps: [],
  },
  {
    name: 'feed-on-sale',
    // The page charges the lower price, and the shop's own goods have no numbers.
    twist: feed((text) =>
      text
        .replaceAll(
          /<g:price>(.*?)<\/g:price>/g,
          '<g:price>9$1</g:price><g:sale_price>$1</g:sale_price><g:sale_price_effective_date>2026-01-01T00:00+0100/2026-12-31</g:sale_price_effective_date>',
        )
        .replaceAll(/<g:(?:gtin|mpn)>.*?\n/g, '')
        .replaceAll('</item>', '<g:identifier_exists>no</g:identifier_exists></item>'),
    ),
    gaps: [],
  },
  {
    name: 'feed-of-another-country',
    twist: feed((text) =>
      text
        .replaceAll(/<link>(.*?\/products\/[^<?]*)/g, '<link>$1?currency=EUR')
        .replaceAll('?currency=EUR?', '?currency=EUR&amp;')
        .replaceAll(' USD<', ' EUR<'),
    ),
    gaps: [],
  },
  {
    name: 'feed-for-openai',
    twist: feed((_, origin) =>
      openaiCells(visitTo({ origin }))
        .map((row) => `${JSON.stringify({ ...row, is_eligible_search: true, gtin: null })}\n`)
        .join(''),
    ),
    gaps: [],
  },
  {
    name: 'feed-for-openai-in-older-names',
    twist: feed((_, origin) => {
      const rows = openaiCells(visitTo({ origin })).map(
        ({ item_id = '', url = '', image_url = '', is_eligible_search: _, ...row }) => ({
          ...{ id: item_id, link: url, image_link: image_url, enable_search: 'true' },
          ...row,
          enable_checkout: 'true',
        }),
      )
      const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
      const cell = (value = '') => `"${value.replaceAll('"', '""')}"`
      const lines = rows.map((row: Record<string, string>) =>
        names.map((name) => cell(row[name])).join(','),
      )
      return [names.join(','), ...lines].join('\n')
    }),
    gaps: [],
  },
  {
    name: 'ucp-robots-down',
    twist: (response, { path }) =>
      path === '/robots.txt' ? new Response('', { status: 503 }) : response,
    gaps: [],
  },
]

const isShopPage = ({ path }: Asked) => path === '/' || path.startsWith('/products/')
const isAgent = ({ agent }: Asked) => NAMED_AGENTS.some(({ userAgent }) => userAgent === agent)
/** The audit under its own name is let in everywhere: it reads what the other rules judge. */
const isAudit = ({ agent }: Asked) => agent.startsWith('Aisle')
const forbidden = (status = 403) => new Response('<title>No</title>', { status })

/** Stores that answer others than browsers otherwise, or everyone at random, and may. */
const ACCESS_VARIANTS: Omit<Variant, 'gaps'>[] = [
  {
    name: 'varies',
    // Another title and length each time: recommendations, a news ticker, personalised blocks.
    twist: (response, asked) =>
      isShopPage(asked)
        ? rewritten(response, (html) =>
            html
              .replace('<title>', `<title>${asked.visit} new: `)
              .replace('</main>', `${'For you '.repeat((asked.visit * 331) % 900)}</main>`),
          )
        : response,
  },
  {
    name: 'price-test',
    twist: (response, asked) =>
      isShopPage(asked) && !isAudit(asked) && asked.visit % 2 === 0
        ? rewritten(response, (html) => html.replaceAll(/"price": "\d+/g, '"price": "7'))
        : response,
  },
  {
    name: 'rare-layout',
    // One answer in seven comes from a cache without the markup.
    twist: (response, asked) =>
      isShopPage(asked) && !isAudit(asked) && asked.visit % 7 === 5
        ? rewritten(response, (html) => html.replaceAll('application/ld+json', 'text/plain'))
        : response,
  },
  {
    name: 'compresses',
    twist: (response, asked) =>
      isShopPage(asked) && isAgent(asked) && response.body !== null
        ? new Response(response.body.pipeThrough(new CompressionStream('gzip')), {
            headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
          })
        : response,
  },
  {
    name: 'banner',
    // Robots are spared the question about cookies.
    twist: (response, asked) =>
      isShopPage(asked) && asked.agent === BROWSER_USER_AGENT
        ? rewritten(response, (html) =>
            html.replace('</main>', `${'We value your privacy. '.repeat(200)}</main>`),
          )
        : response,
  },
  {
    name: 'login-wall',
    twist: (response, asked) => (isShopPage(asked) && !isAudit(asked) ? forbidden(401) : response),
  },
  {
    name: 'limits',
    twist: (response, asked) =>
      isShopPage(asked) && !isAudit(asked) && asked.visit > 9 ? forbidden(429) : response,
  },
  {
    name: 'falters',
    twist: (response, asked) =>
      isShopPage(asked) && isAgent(asked) && asked.visit % 5 === 0 ? forbidden(502) : response,
  },
  {
    name: 'people-only',
    twist: (response, asked) =>
      isShopPage(asked) && !isAudit(asked) && asked.agent !== BROWSER_USER_AGENT
        ? forbidden()
        : response,
  },
  {
    name: 'knows-addresses',
    // Every name that a firewall can verify is refused from an address that is not its own.
    twist: (response, asked) => (isShopPage(asked) && isAgent(asked) ? forbidden() : response),
  },
  {
    name: 'decoys',
    twist: (response, asked) =>
      isShopPage(asked) && isAgent(asked)
        ? new Response('<title>Hello</title>', { headers: { 'content-type': 'text/html' } })
        : response,
  },
  {
    name: 'no-robots',
    twist: (response, { path }) => (path === '/robots.txt' ? forbidden(404) : response),
  },
]
for (const variant of ACCESS_VARIANTS) VARIANTS.push({ ...variant, gaps: [], agents: true })
VARIANTS.push({
  name: 'means-it',
  // robots.txt says no, and so does the firewall; ChatGPT-User may come in spite of the one.
  twist: async (response, asked) => {
    const closed = 'User-agent: ChatGPT-User\nUser-agent: Claude-User\nDisallow: /\n\n'
    if (asked.path === '/robots.txt') return rewritten(response, (text) => closed + text)
    const isRefused = isShopPage(asked) && /ChatGPT-User|Claude-User/.test(asked.agent)
    return isRefused ? forbidden() : response
  },
  gaps: ['robots_blocks_ai_agents'],
  agents: true,
})

/** Agents of A2A 1.0 and of versions before, which say in another way where they are. */
for (const [name, where] of [
  [
    'ucp-agent-card',
    { supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'GRPC' }] },
  ],
  ['ucp-agent-card-older', { url: 'https://a.example/a2a', protocolVersion: '0.3.0' }],
] as const) {
  VARIANTS.push({
    name,
    twist: (response, { path, host }) => {
      if (path === '/.well-known/agent-card.json') {
        const modes = ['text/plain']
        const skills = [{ id: 'buy', name: 'Buy', description: 'It sells.', tags: ['shop'] }]
        const card = {
          name: 'A',
          description: 'B',
          version: '1',
          capabilities: {},
          skills,
          ...where,
        }
        return Response.json({ ...card, defaultInputModes: modes, defaultOutputModes: modes })
      }
      if (path !== '/.well-known/ucp') return response
      const endpoint = `https://${host}/.well-known/agent-card.json`
      const service = JSON.stringify({ version: UCP.newest, transport: 'a2a', endpoint })
      return rewritten(response, (body) =>
        body.replace('"dev.ucp.shopping":[', `"dev.ucp.shopping":[${service},`),
      )
    },
    gaps: [],
  })
}

// A checkout that is open to agents that sign, and says so.
for (const [name, header, value] of [
  ['ucp-asks-for-signature', 'accept-signature', 'sig1=("@method" "@authority" "@path")'],
  ['ucp-authenticates-by-signature', 'www-authenticate', 'Signature'],
] as const) {
  VARIANTS.push({
    name,
    twist: (response, { path, isSigned }) =>
      path.includes('checkout-sessions') && !isSigned
        ? Response.json({ error: 'closed' }, { status: 401, headers: { [header]: value } })
        : response,
    gaps: [],
  })
}

// Keys that the store signs its own requests with.
for (const [name, keys] of [
  ['key-directory', TEST_KEYS.filter(({ kty }) => kty === 'OKP')],
  ['ucp-key-directory', TEST_KEYS],
] as const) {
  VARIANTS.push({
    name,
    twist: (response, { path }) =>
      path === DIRECTORY_PATH
        ? new Response(JSON.stringify({ keys }), { headers: { 'content-type': DIRECTORY_TYPE } })
        : response,
    gaps: [],
  })
}

let fetcher: Fetcher
const visits = new Map<string, number>()

beforeAll(async () => {
  const deps = await testDeps({ now: () => new Date() })
  const store = createStore({ ...deps, platforms: auditPlatforms, faults: [] })
  const front = new Hono<Env>().all('*', async (c) => {
    const { pathname, search } = new URL(c.req.url)
    const host = c.req.header('host') ?? ''
    const name = host.replace(/^www\./, '').split('.')[0]
    const response = await store.fetch(c.req.raw, c.env)
    const variant = VARIANTS.find((each) => each.name === name)
    const agent = c.req.header('user-agent') ?? ''
    const visit = visits.get(host) ?? 0
    if (!agent.startsWith('Aisle')) visits.set(host, visit + 1)
    const isSigned = c.req.header('signature-input') !== undefined
    const asked = { path: pathname, method: c.req.method, host, search, agent, isSigned, visit }
    return variant === undefined ? response : variant.twist(response, asked)
  })
  // How long an answer takes depends on this machine, and no variant is slow.
  fetcher = await fetcherTo(front, { clock: () => 0, signer: TEST_SIGNER })
})

const results = new Map<string, Promise<AuditResult>>()

/** Each store is audited once, whichever tests ask for it. */
function audited(domain: string, agents = false): Promise<AuditResult> {
  const known = results.get(domain)
  if (known !== undefined) return known
  const result = auditHere(
    { domain, checks: agents ? ['well_known'] : CHECK_NAMES, agents },
    { fetcher },
  )
  results.set(domain, result)
  return result
}

test.each(VARIANTS)(
  'a store that is different, not wrong: $name',
  async ({ name, gaps, agents }) => {
    const result = await audited(`${name}.example`, agents)
    expect(result.gaps.map(({ id }) => id).toSorted()).toEqual(gaps.toSorted())
  },
)

test('every rule is proved innocent: it is judged, and passes, in two of these stores', async () => {
  const stores = [{ name: 'shop' }, { name: 'ucp' }, ...VARIANTS]
  const passes = new Map<string, string[]>()
  for (const { name = '', agents } of stores as Partial<Variant>[]) {
    const { passed } = await audited(`${name}.example`, agents)
    for (const id of passed) passes.set(id, [...(passes.get(id) ?? []), name])
  }
  const rules = Object.values(CHECKS)
    .flat()
    // Those that a walk alone can judge pass in `walked.whole.db.test.ts`, in each of three stores.
    // Those of walks through pages do in `browser/pages.e2e.ts`.
    .filter(
      ({ gap, reads }) =>
        gap !== null && reads.some((key) => key !== 'walk' && key !== 'pagesWalk'),
    )
  expect(
    rules.map(({ passed }) => passed).filter((id) => (passes.get(id) ?? []).length < 2),
  ).toEqual([])
})

test('the faultless store validates, over safe requests alone', async () => {
  for (const host of ['shop.example', 'ucp.example']) {
    const session = fetcher.open()
    const { valid, errors } = await validateUrl(
      auditSession(session, JUDGES_HERE),
      `https://${host}/.well-known/ucp`,
    )
    await session.close()
    expect(errors).toEqual([])
    expect(valid).toBe(true)
  }
})
