import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Readiness } from '../../shared/audit/readiness/groups.ts'
import { ROUTES } from '../../shared/audit/readiness/routes.ts'
import { narrowResult } from '../../shared/audit/result/narrow.ts'
import { AuditResult } from '../../shared/audit/result/result.ts'
import type { CheckName } from '../../shared/audit/vocabulary.ts'
import { createStore } from '../store/app.ts'
import { products } from '../store/db/tables.ts'
import type { PlatformProfiles } from '../store/dialects/ucp/negotiation/platform-profiles.ts'
import { TEST_ACCEPTANCE } from '../store/psp/acceptance.ts'
import { platformsWith } from '../store/testing/platforms.ts'
import { testDeps } from '../store/testing/store.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'
import { withoutAcp, withoutUcp } from './testing/official-shops/acp.ts'
import {
  type Ask,
  type Asked,
  at,
  behind,
  type Change,
  changed,
  type Front,
  gone,
  patch,
  withBody,
  without,
} from './testing/official-shops/front.ts'
import { inCapabilities, inUcp, mcpOnly, onlyNewest } from './testing/official-shops/ucp.ts'

const GOOGLE_PAY = 'com.google.pay'
const FEED = /^\/feeds\/google\.xml$/

/** The feed as another text. */
const inFeed = (change: (text: string) => string): Front =>
  at(FEED, async (asked, ask) => {
    const answer = await ask(asked)
    return withBody(answer, change(await answer.text()))
  })

/** Rows with a legal notice. */
const NOTICE =
  '<g:consumer_notice><g:consumer_notice_type>prop_65</g:consumer_notice_type><g:consumer_notice_message>It warms.</g:consumer_notice_message></g:consumer_notice>'
const noticed = inFeed((text) => text.replaceAll('</item>', `${NOTICE}</item>`))

/** The config of Google Pay in the profile and its leaf. */
const inGooglePay = (change: Change): Front =>
  inUcp((ucp) =>
    patch(ucp, 'payment_handlers', (handlers) => {
      const [entry] = [handlers[GOOGLE_PAY]].flat()
      return { ...handlers, [GOOGLE_PAY]: [patch(Object(entry), 'config', change)] }
    }),
  )

const withoutGooglePay = inUcp((ucp) =>
  patch(ucp, 'payment_handlers', (handlers) => without(handlers, GOOGLE_PAY)),
)
const withoutNative = inFeed((text) =>
  text.replaceAll(/<g:native_commerce>.*?<\/g:native_commerce>/gs, ''),
)

/** OpenAI's feed where the home page names the feed, each row changed. */
const forOpenai = (change: (row: Record<string, unknown>, at: number) => object): Front =>
  at(FEED, async (asked, ask) => {
    const answer = await ask({ ...asked, path: '/feeds/openai.jsonl' })
    const rows = (await answer.text()).trim().split('\n')
    return withBody(
      answer,
      rows.map((row, index) => `${JSON.stringify(change(JSON.parse(row), index))}\n`).join(''),
    )
  })
const openai = forOpenai((row) => row)

/** robots.txt as another text. */
const robots = (text: string): Front => at(/^\/robots\.txt$/, () => new Response(text))

/** The MCP service with one tool more. */
const withTool = (meta: object): Front =>
  at(/^\/ucp\/mcp$/, async (asked, ask) => {
    const answer = await ask(asked)
    return changed(answer, (body) =>
      patch(body, 'result', (result) =>
        Array.isArray(result.tools)
          ? { ...result, tools: [...result.tools, { name: 'checkout_session', _meta: meta }] }
          : result,
      ),
    )
  })
const plugin = withTool({ ui: { resourceUri: 'ui://widget/checkout-session.html' } })

const keptOut = (surface: string, token: string, ...fronts: Front[]): RouteCase[] => [
  {
    name: `without-${token.toLowerCase()}`,
    surface,
    fronts: [robots(`User-agent: ${token}\nDisallow: /\n`), ...fronts],
    open: { crawlers_allowed: 'no' },
    says: new RegExp(`^${token} may not read https://.* \\(line 2\\)`),
  },
]

/** The home page with one element more in its head. */
const inHead = (element: string): Front =>
  at(/^\/$/, async (asked, ask) => {
    const answer = await ask(asked)
    const html = await answer.text()
    return withBody(answer, html.replace('</head>', `${element}</head>`))
  })

const ofWooCommerce = inHead('<meta name="generator" content="WooCommerce 9.4.2">')
const ofShopify: Front = at(/^\/$/, async (asked, ask) => {
  const answer = await ask(asked)
  return withBody(answer, await answer.text(), { 'powered-by': 'Shopify', 'x-shopid': '1' })
})

const shut = (surface: string, ...fronts: Front[]): RouteCase[] => [
  {
    name: `shut-${surface.replaceAll('_', '-')}`,
    surface,
    fronts: [inHead('<meta name="woo-coming-soon-page" content="yes">'), ...fronts],
    open: { store_open: 'no' },
    says: /has a meta element "woo-coming-soon-page"/,
  },
]

const deadPages = (surface: string): RouteCase[] => [
  {
    name: `dead-${surface.replaceAll('_', '-')}`,
    surface,
    fronts: [gone(/^\/products\//)],
    open: { product_pages_open: 'no' },
    says: /none is there/,
  },
]

interface Case {
  name: string
  fronts: Front[]
  /** States that differ from those of the store that has all. */
  open: Record<string, 'no' | 'unknown'>
  says: RegExp
}

type RouteCase = Case & { surface: string }

const GOOGLE_CASES: Case[] = [
  {
    name: 'no-leaf',
    fronts: [gone(/^\/\.well-known\/ucp\/2026-04-08$/)],
    open: { ucp_profile: 'no' },
    says: /profile of 2026-04-08 in supported_versions cannot be used/,
  },
  {
    name: 'newest-alone',
    fronts: [onlyNewest],
    open: { ucp_profile: 'unknown' },
    says: /offers 2026-08-25 alone/,
  },
  { name: 'mcp-alone', fronts: [mcpOnly], open: { rest_service: 'no' }, says: /over mcp\. Google/ },
  {
    name: 'dead-rest',
    fronts: [at(/^\/ucp\/v1\//, () => new Response('Not found', { status: 404 }))],
    open: { rest_service: 'no' },
    says: /answered 404/,
  },
  {
    name: 'no-checkout',
    fronts: [inCapabilities((all) => without(all, 'dev.ucp.shopping.checkout'))],
    // What extends it goes with it.
    open: { checkout_capability: 'no', fulfillment_capability: 'no' },
    says: /does not offer dev\.ucp\.shopping\.checkout/,
  },
  {
    name: 'no-delivery',
    fronts: [inCapabilities((all) => without(all, 'dev.ucp.shopping.fulfillment'))],
    open: { fulfillment_capability: 'no' },
    says: /does not offer dev\.ucp\.shopping\.fulfillment/,
  },
  {
    name: 'no-orders',
    fronts: [inCapabilities((all) => without(all, 'dev.ucp.shopping.order'))],
    open: { order_capability: 'no' },
    says: /does not offer dev\.ucp\.shopping\.order/,
  },
  {
    name: 'no-google-pay',
    fronts: [withoutGooglePay],
    open: { google_pay: 'no', google_pay_production: 'no' },
    says: /does not have com\.google\.pay/,
  },
  {
    name: 'google-pay-test',
    fronts: [inGooglePay((config) => ({ ...config, environment: 'TEST' }))],
    open: { google_pay_production: 'no' },
    says: /^The environment is "TEST", expected "PRODUCTION"\.$/,
  },
  {
    name: 'google-pay-nobody',
    fronts: [
      inGooglePay((config) =>
        patch(config, 'merchant_info', (info) => without(info, 'merchant_id')),
      ),
    ],
    open: { google_pay_production: 'no' },
    says: /^merchant_info has no merchant_id\.$/,
  },
  {
    name: 'google-pay-nowhere',
    fronts: [inGooglePay((config) => ({ ...config, allowed_payment_methods: [{ type: 'CARD' }] }))],
    open: { google_pay_production: 'no' },
    says: /names a gateway/,
  },
  {
    name: 'google-pay-later',
    fronts: [inGooglePay((config) => without(config, 'merchant_info'))],
    open: { google_pay_production: 'unknown' },
    says: /^The config has no merchant_info\.$/,
  },
  {
    name: 'no-keys',
    fronts: [
      at(/^\/\.well-known\/ucp$/, async (asked, ask) =>
        changed(await ask(asked), (profile) => without(profile, 'keys')),
      ),
    ],
    open: { webhook_keys: 'no' },
    says: /has no keys/,
  },
  {
    name: 'opted-out',
    fronts: [inFeed((text) => text.replaceAll('eligibility>true', 'eligibility>false'))],
    open: { feed_native_commerce: 'no', feed_products: 'unknown' },
    says: /native_commerce is false in (\d+) of \1 rows/,
  },
  {
    name: 'no-native',
    fronts: [withoutNative],
    open: { feed_native_commerce: 'unknown', feed_products: 'unknown' },
    says: /supplemental feed/,
  },
  {
    name: 'one-without-price',
    fronts: [inFeed((text) => text.replace(/<g:price>.*?<\/g:price>/, ''))],
    open: { feed_products: 'no' },
    says: /have every required value\. In the feed: price missing \(1\)\.$/,
  },
  {
    name: 'half-notice',
    fronts: [
      inFeed((text) =>
        text.replace(/<g:consumer_notice_message>.*?<\/g:consumer_notice_message>/, ''),
      ),
    ],
    open: { feed_consumer_notice: 'no' },
    says: /^1 of \d+ rows with a notice lack/,
  },
]

/** Every route but Google's checkout, each with all of it but the row that is named first. */
const ROUTE_CASES: RouteCase[] = [
  {
    name: 'shown-nowhere',
    surface: 'chatgpt_search',
    fronts: [forOpenai((row) => ({ ...row, is_eligible_search: false }))],
    open: { search_eligible: 'no', search_fields: 'unknown' },
    says: /^0 of \d+ rows may be shown/,
  },
  {
    name: 'fields-missing',
    surface: 'chatgpt_search',
    fronts: [forOpenai((row, index) => (index < 2 ? without(row, 'brand') : row))],
    open: { search_fields: 'no' },
    says: /qualify\. In the feed: brand missing \(2\)\.$/,
  },
  {
    name: 'no-openai-feed',
    surface: 'chatgpt_search',
    fronts: [gone(/^\/feeds\//)],
    open: { openai_feed: 'unknown', search_eligible: 'unknown', search_fields: 'unknown' },
    says: /^No public product feed was read/,
  },
  ...keptOut('chatgpt_search', 'OAI-SearchBot', openai),
  ...shut('chatgpt_browser'),
  ...deadPages('chatgpt_browser'),
  ...shut('chatgpt_external_checkout'),
  {
    name: 'other-widget',
    surface: 'chatgpt_plugin',
    fronts: [openai, withTool({ ui: { resourceUri: 'ui://widget/other.html' } })],
    open: { plugin_tool: 'no' },
    says: /is "ui:\/\/widget\/other\.html", expected/,
  },
  {
    name: 'no-tool',
    surface: 'chatgpt_plugin',
    fronts: [openai],
    open: { plugin_tool: 'unknown' },
    says: /has no tool checkout_session/,
  },
  {
    name: 'plugin-alone',
    surface: 'chatgpt_plugin',
    fronts: [plugin],
    open: { plugin_feed: 'unknown' },
    says: /does not have OpenAI’s names/,
  },
  ...keptOut('google_free_listings', 'Googlebot'),
  ...shut('google_free_listings'),
  ...deadPages('google_free_listings'),
  {
    name: 'no-feed',
    surface: 'google_free_listings',
    fronts: [gone(/^\/feeds\//)],
    open: { listing_feed: 'unknown', listing_products: 'unknown' },
    says: /^No public product feed was read/,
  },
  {
    name: 'listing-price',
    surface: 'google_free_listings',
    fronts: [inFeed((text) => text.replace(/<g:price>.*?<\/g:price>/, ''))],
    open: { listing_products: 'no' },
    says: /have every required value\. In the feed: price missing \(1\)\.$/,
  },
  {
    name: 'no-leaf-for-carts',
    surface: 'google_cart_transfer',
    fronts: [gone(/^\/\.well-known\/ucp\/2026-04-08$/)],
    open: { ucp_profile: 'no' },
    says: /profile of 2026-04-08 in supported_versions cannot be used/,
  },
  {
    name: 'no-rest-for-carts',
    surface: 'google_cart_transfer',
    fronts: [at(/^\/ucp\/v1\//, () => new Response('Not found', { status: 404 }))],
    open: { rest_service: 'no' },
    says: /answered 404/,
  },
  {
    name: 'no-carts',
    surface: 'google_cart_transfer',
    fronts: [inCapabilities((all) => without(all, 'dev.ucp.shopping.cart'))],
    open: { cart_capability: 'no' },
    says: /does not offer dev\.ucp\.shopping\.cart/,
  },
  ...keptOut('microsoft_shopping', 'bingbot'),
  ...shut('microsoft_shopping'),
  ...deadPages('microsoft_shopping'),
  {
    name: 'long-ids',
    surface: 'microsoft_shopping',
    fronts: [inFeed((text) => text.replace(/<g:id>/, `<g:id>${'x'.repeat(60)}`))],
    open: { microsoft_ids: 'no' },
    says: /^1 of \d+ ids are longer, such as x+/,
  },
  {
    name: 'links-away',
    surface: 'microsoft_shopping',
    fronts: [
      inFeed((text) =>
        text.replace(/(<(?:g:)?link>)https:\/\/[^/]+(\/products)/, '$1https://other.example$2'),
      ),
    ],
    open: { microsoft_links: 'no' },
    says: /^1 of \d+ links leave linksaway\.example/,
  },
  {
    name: 'microsoft-no-feed',
    surface: 'microsoft_shopping',
    fronts: [gone(/^\/feeds\//)],
    open: { microsoft_feed: 'unknown', microsoft_ids: 'unknown', microsoft_links: 'unknown' },
    says: /^No public product feed was read/,
  },
  ...keptOut('perplexity', 'PerplexityBot'),
  ...shut('perplexity'),
  ...deadPages('perplexity'),
  {
    name: 'other-software',
    surface: 'shopify_catalog',
    fronts: [ofWooCommerce],
    open: { on_shopify: 'no' },
    says: /made with WooCommerce/,
  },
  {
    name: 'unknown-software',
    surface: 'shopify_catalog',
    fronts: [],
    open: { on_shopify: 'unknown' },
    says: /was not recognised/,
  },
  ...shut('shopify_catalog', ofShopify),
  ...keptOut('amazon_agents', 'Amazonbot'),
  ...shut('amazon_agents'),
  ...deadPages('amazon_agents'),
  {
    name: 'agents-shut-out',
    surface: 'card_networks_first_level',
    fronts: [robots('User-agent: ChatGPT-User\nUser-agent: OAI-SearchBot\nDisallow: /\n')],
    open: { agents_not_blocked: 'no' },
    says: /OAI-SearchBot may not read/,
  },
  ...shut('card_networks_first_level'),
  ...deadPages('card_networks_first_level'),
]

const SHOPS: { name: string; fronts: Front[] }[] = [
  { name: 'has-all', fronts: [noticed] },
  ...GOOGLE_CASES.map(({ name, fronts }) => ({ name, fronts: [...fronts, noticed] })),
  { name: 'for-openai', fronts: [openai] },
  { name: 'all-of-chatgpt', fronts: [openai, plugin] },
  { name: 'on-shopify', fronts: [ofShopify] },
  ...ROUTE_CASES,
  { name: 'as-it-is', fronts: [] },
  { name: 'with-notices', fronts: [noticed] },
  { name: 'sold-in-chatgpt', fronts: [openai] },
  { name: 'wants-none', fronts: [withoutGooglePay, withoutNative, withoutAcp] },
  { name: 'wants-nothing', fronts: [withoutUcp, withoutAcp, gone(/^\/feeds\//)] },
]

/** 2026-04-08 allows no hyphen in the name of a handler, and so none in this domain. */
const domainOf = (name: string) => `${name.replaceAll('-', '')}.example`

const CHECKS: CheckName[] = ['well_known', 'feed', 'acp']
const platforms: PlatformProfiles = {
  find: (url) => platformsWith(/\d{4}-\d\d-\d\d/.exec(url)?.[0]).find(url),
}
let fetcher: Fetcher

beforeAll(async () => {
  const googlePay = {
    environment: 'PRODUCTION',
    merchantId: 'BCR2DN4TEST',
    merchantName: 'Shop',
    gateway: 'stripe',
    gatewayMerchantId: 'acct_1',
  } as const
  const { deps } = await testDeps({ acceptance: { ...TEST_ACCEPTANCE, googlePay } })
  await deps.db.delete(products).where(sql`right(${products.id}, 2)::int > 5`)
  const store = createStore({ deps, faults: [], official: true, platforms })
  const shops = new Map(
    SHOPS.map(({ name, fronts }): [string, Ask] => [
      domainOf(name),
      behind(fronts, async ({ method, host, path, search, headers, text, env }) =>
        store.fetch(
          new Request(`http://${host}${path}${search}`, {
            method,
            headers,
            ...(text !== '' && { body: text }),
          }),
          env,
        ),
      ),
    ]),
  )
  const front = {
    fetch: async (request: Request, env: Asked['env']): Promise<Response> => {
      const { hostname: host, pathname: path, search } = new URL(request.url)
      const { method, headers } = request
      const text = await request.text()
      const shop = shops.get(host)
      return shop === undefined
        ? new Response('Unknown host.', { status: 421 })
        : shop({ method, host, path, search, headers, text, env })
    },
  }
  fetcher = await fetcherTo(front, { clock: () => 0 })
})

const audit = (name: string, checks = CHECKS) =>
  auditHere({ domain: domainOf(name), checks }, { fetcher })

async function groupOf(name: string, surface: string): Promise<Readiness | undefined> {
  const { readiness = [] } = await audit(name)
  return readiness.find((each) => each.surface === surface)
}

const statesOf = (group: Readiness | undefined) =>
  Object.fromEntries(group?.items.map(({ id, state }) => [id, state]) ?? [])

const statesBySurface = (groups: readonly Readiness[]) =>
  Object.fromEntries(groups.map((group) => [group.surface, statesOf(group)]))

const GOOGLE_ALL = {
  ucp_profile: 'yes',
  rest_service: 'yes',
  checkout_capability: 'yes',
  fulfillment_capability: 'yes',
  order_capability: 'yes',
  google_pay: 'yes',
  google_pay_production: 'yes',
  webhook_keys: 'yes',
  feed_native_commerce: 'yes',
  feed_products: 'yes',
  feed_consumer_notice: 'yes',
  merchant_center: 'unknown',
}

/** What only a walk shows: `hand-over.db.test.ts` has a store that lacks it in each way. */
const BY_WALK = ['google_cart_transfer cart_link']

/** A store that has all that can be seen of each route, and what is left to check by hand. */
const ALL: Record<string, { shop: string; states: Record<string, string> }> = {
  chatgpt_search: {
    shop: 'all-of-chatgpt',
    states: {
      openai_feed: 'yes',
      search_eligible: 'yes',
      search_fields: 'yes',
      crawlers_allowed: 'yes',
      openai_onboarding: 'unknown',
    },
  },
  chatgpt_browser: {
    shop: 'all-of-chatgpt',
    states: {
      store_open: 'yes',
      product_pages_open: 'yes',
      agent_let_in: 'unknown',
      agent_can_check_out: 'unknown',
    },
  },
  chatgpt_external_checkout: {
    shop: 'all-of-chatgpt',
    states: {
      store_open: 'yes',
      basket_link: 'unknown',
      plugin_tools: 'unknown',
      plugin_approved: 'unknown',
    },
  },
  chatgpt_plugin: {
    shop: 'all-of-chatgpt',
    states: { plugin_tool: 'yes', plugin_feed: 'yes', plugin_access: 'unknown' },
  },
  google_free_listings: {
    shop: 'has-all',
    states: {
      crawlers_allowed: 'yes',
      store_open: 'yes',
      product_pages_open: 'yes',
      listing_feed: 'yes',
      listing_products: 'yes',
      listing_account: 'unknown',
    },
  },
  google_cart_transfer: {
    shop: 'has-all',
    states: {
      ucp_profile: 'yes',
      rest_service: 'yes',
      cart_capability: 'yes',
      cart_validated: 'unknown',
      cart_account: 'unknown',
    },
  },
  google_native_checkout: { shop: 'has-all', states: GOOGLE_ALL },
  microsoft_shopping: {
    shop: 'has-all',
    states: {
      crawlers_allowed: 'yes',
      store_open: 'yes',
      product_pages_open: 'yes',
      microsoft_feed: 'yes',
      microsoft_ids: 'yes',
      microsoft_links: 'yes',
      microsoft_account: 'unknown',
    },
  },
  perplexity: {
    shop: 'has-all',
    states: {
      crawlers_allowed: 'yes',
      store_open: 'yes',
      product_pages_open: 'yes',
      perplexity_firewall: 'unknown',
    },
  },
  shopify_catalog: {
    shop: 'on-shopify',
    states: { on_shopify: 'yes', store_open: 'yes', shopify_eligible: 'unknown' },
  },
  amazon_agents: {
    shop: 'has-all',
    states: {
      crawlers_allowed: 'yes',
      store_open: 'yes',
      product_pages_open: 'yes',
      amazon_hosts: 'unknown',
    },
  },
  card_networks_first_level: {
    shop: 'has-all',
    states: {
      store_open: 'yes',
      product_pages_open: 'yes',
      agents_not_blocked: 'yes',
      network_tokens: 'unknown',
      agents_told_from_bots: 'unknown',
    },
  },
}

/** Stores of which one has all that a store has which lacks one thing. */
const BASES = ['as-it-is', 'with-notices', 'sold-in-chatgpt', 'on-shopify', 'all-of-chatgpt']

/** Requirements that several routes have, each for itself. */
const OF_SEVERAL = ['store_open', 'product_pages_open', 'ucp_profile', 'rest_service']

/** What else is open where a route lacks something, since another route asks for it in its way. */
const SHARED: Record<string, string[]> = {
  'chatgpt_search openai_feed': ['chatgpt_plugin plugin_feed'],
  'chatgpt_plugin plugin_feed': [
    ...['openai_feed', 'search_eligible', 'search_fields'].map((id) => `chatgpt_search ${id}`),
  ],
  'chatgpt_search crawlers_allowed': ['card_networks_first_level agents_not_blocked'],
  'google_free_listings crawlers_allowed': ['card_networks_first_level agents_not_blocked'],
  'microsoft_shopping crawlers_allowed': ['card_networks_first_level agents_not_blocked'],
  'perplexity crawlers_allowed': ['card_networks_first_level agents_not_blocked'],
  // Its robots.txt turns away the agents of ChatGPT's search too.
  'card_networks_first_level agents_not_blocked': ['chatgpt_search crawlers_allowed'],
  'google_native_checkout feed_products': ['google_free_listings listing_products'],
  'google_free_listings listing_products': ['google_native_checkout feed_products'],
  'google_free_listings listing_feed': [
    ...['google_native_checkout feed_native_commerce', 'google_native_checkout feed_products'],
    ...['feed', 'ids', 'links'].map((id) => `microsoft_shopping microsoft_${id}`),
  ],
  'microsoft_shopping microsoft_feed': [
    ...['google_free_listings listing_feed', 'google_free_listings listing_products'],
    ...['google_native_checkout feed_native_commerce', 'google_native_checkout feed_products'],
  ],
}

/** The rows of other routes that demand what one lacks. */
function sharedWith(surface: string, id: string): string[] {
  const same = ROUTES.filter(
    ({ surface: other, ended, requirements }) =>
      other !== surface &&
      ended === undefined &&
      OF_SEVERAL.includes(id) &&
      requirements.some((each) => each.id === id),
  ).map(({ surface: other }) => `${other} ${id}`)
  return [...same, ...(SHARED[`${surface} ${id}`] ?? [])].sort()
}

/** Rows that are there in one store and not in the other, of all routes. */
async function worseThan(base: string, name: string): Promise<string[]> {
  const [there, here] = await Promise.all([audit(base), audit(name)])
  const before = statesBySurface(there.readiness ?? [])
  return (here.readiness ?? []).flatMap(({ surface, ended, items }) =>
    items.flatMap(({ id, state }) =>
      ended === undefined && state !== 'yes' && before[surface]?.[id] === 'yes'
        ? [`${surface} ${id}`]
        : [],
    ),
  )
}

const isSaid = (group: Readiness | undefined, { open, says }: Case) => {
  const [first = ''] = Object.keys(open)
  expect(group?.items.find(({ id }) => id === first)?.evidence).toMatch(says)
}

describe('checkout on Google', () => {
  test('a store that has all that can be seen', async () => {
    expect(statesOf(await groupOf('has-all', 'google_native_checkout'))).toEqual(GOOGLE_ALL)
  })

  test.each(GOOGLE_CASES)('$name', async (each) => {
    const group = await groupOf(each.name, 'google_native_checkout')
    expect(statesOf(group)).toEqual({ ...GOOGLE_ALL, ...each.open })
    isSaid(group, each)
  })
})

describe('every route', () => {
  test('is in the table', () => {
    const open = ROUTES.filter(({ ended }) => ended === undefined)
    expect(open.map(({ surface }) => surface).sort()).toEqual(Object.keys(ALL).sort())
  })

  test.each(Object.entries(ALL))(
    '%s: a store that has all of it',
    async (surface, { shop, states }) => {
      expect(statesOf(await groupOf(shop, surface))).toEqual(states)
    },
  )

  test.each(ROUTE_CASES)('$surface: $name', async (each) => {
    const group = await groupOf(each.name, each.surface)
    expect(statesOf(group)).toEqual({ ...ALL[each.surface]?.states, ...each.open })
    isSaid(group, each)
  })

  test.each([
    ...GOOGLE_CASES.map((each) => ({ ...each, surface: 'google_native_checkout' })),
    ...ROUTE_CASES,
  ])('$surface: $name takes nothing from the other routes but what they share', async (each) => {
    const [lacked = ''] = Object.keys(each.open)
    const shared = sharedWith(each.surface, lacked)
    const found = await Promise.all(
      BASES.map(async (base) => {
        const rows = await worseThan(base, each.name)
        return rows.filter((row) => !row.startsWith(`${each.surface} `)).sort()
      }),
    )
    // Of one of them: it has all else that this store has.
    expect(found).toContainEqual(shared)
  })

  test('each requirement that can be seen has a store that lacks it alone', () => {
    const lacking = new Set([
      ...BY_WALK,
      ...GOOGLE_CASES.map(({ open }) => `google_native_checkout ${Object.keys(open)[0]}`),
      ...ROUTE_CASES.map(({ surface, open }) => `${surface} ${Object.keys(open)[0]}`),
    ])
    const needed = ROUTES.flatMap(({ surface, ended, requirements }) =>
      ended === undefined
        ? requirements.flatMap(({ id, check }) => (check === null ? [] : [`${surface} ${id}`]))
        : [],
    )
    expect(needed.filter((each) => !lacking.has(each))).toEqual([])
    expect([...lacking].filter((each) => !needed.includes(each))).toEqual([])
  })

  test('what is to be checked by hand is so in every store, and says where', async () => {
    for (const shop of ['all-of-chatgpt', 'wants-nothing']) {
      const { readiness = [] } = await audit(shop)
      for (const { surface, items } of readiness) {
        const route = ROUTES.find((each) => each.surface === surface)
        if (route?.ended !== undefined) continue
        const hand = route?.requirements.filter(({ check }) => check === null) ?? []
        const shown = items.filter(({ where }) => where !== undefined)
        expect(shown.map(({ id, state }) => `${id} ${state}`)).toEqual(
          hand.map(({ id }) => `${id} unknown`),
        )
      }
    }
  })
})

test('a program that has ended is said to have, with what the store still has for it', async () => {
  const ended = await groupOf('sold-in-chatgpt', 'chatgpt_checkout')
  expect(ended?.ended).toMatch(/^It ended in March 2026/)
  expect(statesOf(ended)).toEqual({ checkout_eligible: 'yes', acp_service: 'yes' })
  expect(ended?.shortest).toBeUndefined()
  expect(await groupOf('wants-nothing', 'chatgpt_checkout')).toBeUndefined()
})

test('of each vendor with several routes, the one with the least left is marked', async () => {
  const shortest = async (name: string) => {
    const { readiness = [] } = await audit(name)
    return readiness.flatMap((each) => (each.shortest === true ? [each.surface] : []))
  }
  expect(await shortest('has-all')).toEqual(['chatgpt_browser', 'google_free_listings'])
  expect(await shortest('all-of-chatgpt')).toContain('chatgpt_search')
  // What the store sells by its pages alone.
  expect(await shortest('wants-nothing')).toContain('google_free_listings')
})

test.each<[string, CheckName[]]>([
  ['has-all', ['well_known', 'feed']],
  ['has-all', ['well_known']],
  ['no-google-pay', ['well_known']],
  ['for-openai', ['feed']],
  ['for-openai', ['feed', 'acp']],
  ['shown-nowhere', ['feed']],
])('%s: a part of the result lists what an audit by %j lists', async (name, checks) => {
  const { readiness = [] } = await audit(name, checks)
  const part = narrowResult(await audit(name), checks).readiness ?? []
  expect(statesBySurface(part)).toEqual(statesBySurface(readiness))
})

test('the result is of its own schema', async () => {
  const result = await audit('has-all')
  expect(AuditResult.parse(result)).toEqual(result)
})
