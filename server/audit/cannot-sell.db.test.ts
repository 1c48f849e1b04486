import { beforeAll, expect, test } from 'vitest'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import { type CapReason, DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { UCP_PATHS } from '../../shared/protocols/spec/ucp.ts'
import { isRecord } from '../../shared/web/json/json.ts'
import { createStore } from '../store/app.ts'
import { testDeps } from '../store/testing/store.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'

/** What a store answers instead, by path; undefined for what it answers anyway: `usual`. */
type Instead = (
  path: string,
  usual: () => Promise<Response>,
  hostname: string,
) => Response | Promise<Response> | undefined

interface Case {
  /** Faults of the reference store. */
  faults?: string[]
  instead?: Instead
  most: number
  reason: CapReason
  /** The gaps that the cap names. */
  gaps: string[]
}

const text = (body: string, init: ResponseInit = {}) => new Response(body, init)
const robots =
  (body: string): Instead =>
  (path) =>
    path === '/robots.txt' ? text(body, { headers: { 'content-type': 'text/plain' } }) : undefined
const JSON_TYPE = { headers: { 'content-type': 'application/json' } }
const page = (body: string, init: ResponseInit = {}) =>
  text(`<!doctype html><title>Shop</title><body>${body}`, {
    ...init,
    headers: { 'content-type': 'text/html', ...init.headers },
  })
const isPage = (path: string) => path === '/' || path.startsWith('/products/')
/** A cart that expires when it is sent. */
async function overAtOnce(response: Response): Promise<Response> {
  const cart: unknown = await response.json()
  if (!isRecord(cart) || !('expires_at' in cart)) return Response.json(cart, response)
  return Response.json({ ...cart, expires_at: new Date().toISOString() })
}

const kept = (...gaps: string[]) => ({ most: 59, reason: 'kept_out', gaps }) as const
const stuck = (...gaps: string[]) => ({ most: 59, reason: 'cannot_buy', gaps }) as const
const dear = (...gaps: string[]) =>
  ({ most: 79 - 3 * (gaps.length - 1), reason: 'wrong_price', gaps }) as const
const lax = (...gaps: string[]) =>
  ({ most: 79 - 3 * (gaps.length - 1), reason: 'wrong_order', gaps }) as const
const critical = (...gaps: string[]) => ({ most: 59, reason: 'critical_gap', gaps }) as const

const CASES: Record<string, Case> = {
  'robots.txt closes all': {
    instead: robots('User-agent: *\nDisallow: /'),
    ...kept('robots_blocks_ai_agents'),
  },
  'robots.txt closes the product pages': {
    instead: robots('User-agent: *\nDisallow: /products/'),
    ...kept('robots_blocks_ai_agents'),
  },
  'robots.txt closes all and pages are not indexed': {
    faults: ['product-pages-not-indexed'],
    instead: robots('User-agent: *\nDisallow: /'),
    ...kept('robots_blocks_ai_agents'),
  },
  'a password page': { faults: ['store-behind-password'], ...kept('store_behind_password') },
  'HTTP authentication on every page': {
    instead: (path) =>
      isPage(path)
        ? page('Sign in', { status: 401, headers: { 'www-authenticate': 'Basic' } })
        : undefined,
    ...kept('store_behind_password'),
  },
  'a form for a password on every page': {
    instead: (path) => (isPage(path) ? page('<input type="password">') : undefined),
    ...kept('store_behind_password'),
  },
  'every page coming soon': {
    instead: (path) =>
      isPage(path) ? page('<meta name="woo-coming-soon-page" content="yes">Soon') : undefined,
    ...kept('store_behind_password'),
  },
  'dead product pages': { faults: ['product-pages-dead'], ...kept('product_pages_dead') },
  'product pages that are gone': {
    instead: (path) => (path.startsWith('/products/') ? page('Gone', { status: 410 }) : undefined),
    ...kept('product_pages_dead'),
  },
  'product pages that all fail': {
    instead: (path) => (path.startsWith('/products/') ? page('No', { status: 500 }) : undefined),
    ...kept('product_pages_dead'),
  },
  'product pages that all lead home': {
    instead: (path) =>
      path.startsWith('/products/')
        ? text('', { status: 302, headers: { location: '/' } })
        : undefined,
    ...kept('product_pages_dead'),
  },
  'robots.txt open to one crawler that brings no shopper': {
    instead: robots('User-agent: *\nDisallow: /\n\nUser-agent: DuckAssistBot\nAllow: /'),
    ...kept('robots_blocks_ai_agents'),
  },
  'a long catalog of other lists': {
    instead: (path) =>
      path === UCP_PATHS.catalog ? text('['.repeat(800_000), JSON_TYPE) : undefined,
    ...critical('catalog_not_json'),
  },
  'an edge that refuses every agent': {
    faults: ['agents-refused-despite-robots'],
    ...kept('agents_refused_despite_robots'),
  },
  'an edge that challenges every agent': {
    faults: ['agents-challenged'],
    ...kept('agents_challenged'),
  },
  'everything sold out': { faults: ['catalog-all-sold-out'], ...stuck('catalog_all_sold_out') },
  'no way to ship': {
    faults: ['checkout-shipping-options-missing'],
    ...stuck('checkout_shipping_options_missing'),
  },
  'other money at the checkout': {
    faults: ['checkout-currency-mismatch'],
    ...stuck('checkout_currency_mismatch'),
  },
  'a session that ends immediately': {
    instead: (path, usual) => (path === UCP_PATHS.checkout ? usual().then(overAtOnce) : undefined),
    ...stuck('checkout_expiry_invalid'),
  },
  'sold out behind a closed robots.txt': {
    faults: ['catalog-all-sold-out'],
    instead: robots('User-agent: *\nDisallow: /'),
    ...kept('robots_blocks_ai_agents', 'catalog_all_sold_out'),
  },
  'an empty catalog': { faults: ['catalog-empty'], ...critical('catalog_empty') },
  'a dead catalog': { faults: ['catalog-unreachable'], ...critical('catalog_unreachable') },
  'a dead checkout': { faults: ['checkout-unreachable'], ...critical('checkout_unreachable') },
  'a checkout that fails': {
    faults: ['checkout-dry-run-failed'],
    ...critical('checkout_dry_run_failed'),
  },
  'a checkout that redirects': {
    faults: ['checkout-redirected'],
    ...critical('checkout_redirected'),
  },
  'no manifest': { faults: ['well-known-missing'], ...critical('well_known_missing') },
  'a manifest that asks for a key': {
    faults: ['well-known-requires-auth'],
    ...critical('well_known_requires_auth'),
  },
  // What official UCP says of a profile behind a redirect is that agents do not follow it.
  'UCP that leads to www': {
    instead: (path, _, host) =>
      host.startsWith('www.')
        ? undefined
        : text('', { status: 301, headers: { location: `https://www.${host}${path}` } }),
    ...critical('well_known_redirected'),
  },
  'a dearer checkout': {
    faults: ['checkout-price-mismatch'],
    ...dear('checkout_price_mismatch'),
  },
  'a dearer page': {
    faults: ['catalog-page-price-mismatch'],
    ...dear('catalog_page_price_mismatch'),
  },
  'a wrong price in the feed': { faults: ['feed-price-mismatch'], ...dear('feed_price_mismatch') },
  'other money in the feed': {
    faults: ['feed-currency-mismatch'],
    ...dear('feed_currency_mismatch'),
  },
  'two prices on a page': {
    faults: ['product-schema-price-contradicted'],
    ...dear('product_schema_price_contradicted'),
  },
  'two currencies on a page': {
    faults: ['product-schema-currency-contradicted'],
    ...dear('product_schema_currency_contradicted'),
  },
  'prices a hundred times too low': {
    faults: ['catalog-price-major-units'],
    ...dear('catalog_price_major_units'),
  },
  'three prices for one thing': {
    faults: ['checkout-price-mismatch', 'feed-price-mismatch'],
    ...dear('checkout_price_mismatch', 'feed_price_mismatch'),
  },
  'any address is accepted': {
    faults: ['checkout-accepts-invalid-address'],
    ...lax('checkout_accepts_invalid_address'),
  },
  'any variant is accepted': {
    faults: ['checkout-accepts-unknown-variant'],
    ...lax('checkout_accepts_unknown_variant'),
  },
  'dear, and takes any address and variant': {
    faults: [
      'checkout-price-mismatch',
      'checkout-accepts-invalid-address',
      'checkout-accepts-unknown-variant',
    ],
    most: 73,
    reason: 'wrong_price',
    gaps: [
      'checkout_price_mismatch',
      'checkout_accepts_invalid_address',
      'checkout_accepts_unknown_variant',
    ],
  },
}

/** So much is lost with these that the cap takes nothing away. */
const BELOW = [
  'a form for a password on every page',
  'every page coming soon',
  'a dead catalog',
  'a manifest that asks for a key',
]

const hostOf = (name: string) => `${name.replace(/[^a-z]+/gi, '-').toLowerCase()}.example`

let fetcher: Fetcher

beforeAll(async () => {
  let waited = 0
  const options = {
    ...(await testDeps({ now: () => new Date() })),
    pause: async (ms: number) => {
      waited += ms
    },
  }
  const stores = new Map(
    Object.entries(CASES).map(([name, { faults = [], instead }]) => {
      const store = createStore({ ...options, faults })
      return [hostOf(name), { store, instead }] as const
    }),
  )
  const fetch = (request: Request, env: object) => {
    const { hostname, pathname } = new URL(request.url)
    const { store, instead } = stores.get(hostname.replace(/^www\./, '')) ?? {}
    const usual = async () => (await store?.fetch(request, env)) ?? new Response('')
    return instead?.(pathname, usual, hostname) ?? usual()
  }
  fetcher = await fetcherTo({ fetch }, { clock: () => waited })
})

const audit = (name: string): Promise<AuditResult> =>
  auditHere(
    { domain: hostOf(name), checks: DEFAULT_CHECKS, agents: name.startsWith('an edge') },
    { fetcher },
  )

test.each(Object.keys(CASES))('no A: %s', async (name) => {
  const { most, reason, gaps } = CASES[name]!
  const result = await audit(name)
  expect(result.score).toBeLessThanOrEqual(most)
  // A cap is named where the score would be higher without it.
  if (result.cap !== null) {
    expect(result.cap).toMatchObject({ reason, at: most })
    expect(result.cap.gaps.toSorted()).toEqual(gaps.toSorted())
  } else expect(BELOW).toContain(name)
  // Each is in the list, and says that it holds the score.
  for (const id of gaps) {
    const found = result.gaps.find((gap) => gap.id === id)
    expect(found?.cap).toBeDefined()
    if (gaps.length === 1) expect(found?.points).toBeGreaterThan(0)
  }
  expect(result.first_steps?.gaps.slice(0, gaps.length).toSorted()).toEqual(gaps.toSorted())
})

test('each step out of a wrong price and wrong orders shows', async () => {
  const name = 'dear, and takes any address and variant'
  const { score, gaps, first_steps } = await audit(name)
  for (const { points } of gaps) expect(points).toBeGreaterThanOrEqual(3)
  expect(first_steps?.score).toBeGreaterThan(score + 3 * 3)
})
