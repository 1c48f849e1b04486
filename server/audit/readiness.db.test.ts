import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Readiness } from '../../shared/audit/readiness/groups.ts'
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

interface Case {
  name: string
  fronts: Front[]
  /** States that differ from those of the store that has all. */
  open: Record<string, 'no' | 'unknown'>
  says: RegExp
}

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

const OPENAI_CASES: (Case & { surface: string })[] = [
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
    name: 'without-terms',
    surface: 'chatgpt_checkout',
    fronts: [forOpenai((row, index) => (index === 0 ? without(row, 'seller_tos') : row))],
    open: { checkout_terms: 'no' },
    says: /have all of it\. In the feed: seller_tos missing \(1\)\.$/,
  },
  {
    name: 'sold-nowhere',
    surface: 'chatgpt_checkout',
    fronts: [forOpenai((row) => ({ ...row, is_eligible_checkout: false }))],
    open: { checkout_eligible: 'no', checkout_terms: 'unknown' },
    says: /^0 of \d+ rows opt in\.$/,
  },
  {
    name: 'without-acp',
    surface: 'chatgpt_checkout',
    fronts: [withoutAcp, openai],
    // A store of UCP need not have it; where it would be is not known.
    open: { acp_service: 'unknown' },
    says: /ACP/,
  },
  {
    name: 'acp-alone',
    surface: 'chatgpt_checkout',
    fronts: [gone(FEED)],
    open: { checkout_eligible: 'unknown', checkout_terms: 'unknown' },
    says: /^No public feed has OpenAI’s names/,
  },
]

const SHOPS: { name: string; fronts: Front[] }[] = [
  { name: 'has-all', fronts: [noticed] },
  ...GOOGLE_CASES.map(({ name, fronts }) => ({ name, fronts: [...fronts, noticed] })),
  { name: 'for-openai', fronts: [openai] },
  ...OPENAI_CASES,
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

const OPENAI_ALL: Record<string, Record<string, string>> = {
  chatgpt_search: {
    openai_feed: 'yes',
    search_eligible: 'yes',
    search_fields: 'yes',
    openai_onboarding: 'unknown',
  },
  chatgpt_checkout: {
    checkout_eligible: 'yes',
    checkout_terms: 'yes',
    acp_service: 'yes',
    openai_checkout_approval: 'unknown',
  },
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

describe('ChatGPT', () => {
  test('a store that has all that can be seen', async () => {
    const { readiness = [] } = await audit('for-openai')
    expect(statesBySurface(readiness)).toMatchObject(OPENAI_ALL)
  })

  test.each(OPENAI_CASES)('$name', async (each) => {
    const group = await groupOf(each.name, each.surface)
    expect(statesOf(group)).toEqual({ ...OPENAI_ALL[each.surface], ...each.open })
    isSaid(group, each)
  })
})

test.each(['wants-none', 'wants-nothing'])('%s: no group', async (name) => {
  expect((await audit(name)).readiness).toEqual([])
})

test('a feed of Google’s alone says nothing of ChatGPT without the check of ACP', async () => {
  const { readiness = [] } = await audit('has-all', ['well_known', 'feed'])
  expect(readiness.map(({ surface }) => surface)).toEqual(['google_native_checkout'])
})

test.each<[string, CheckName[]]>([
  ['has-all', ['well_known', 'feed']],
  ['has-all', ['well_known']],
  ['no-google-pay', ['well_known']],
  ['for-openai', ['feed']],
  ['for-openai', ['feed', 'acp']],
  ['sold-nowhere', ['feed']],
])('%s: a part of the result lists what an audit by %j lists', async (name, checks) => {
  const { readiness = [] } = await audit(name, checks)
  const part = narrowResult(await audit(name), checks).readiness ?? []
  expect(statesBySurface(part)).toEqual(statesBySurface(readiness))
})

test('the result is of its own schema', async () => {
  const result = await audit('has-all')
  expect(AuditResult.parse(result)).toEqual(result)
})
