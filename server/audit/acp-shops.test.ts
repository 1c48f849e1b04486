import { Hono } from 'hono'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NEEDS_ACP_SESSION } from '../../shared/audit/checks/checkout/answers.ts'
import { narrowResult } from '../../shared/audit/result/narrow.ts'
import { type CheckName, DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import {
  type AcpShop,
  GUILTY_ACP,
  INNOCENT_ACP,
  WITHOUT_PAGE_OR_DOCUMENT,
} from './testing/acp-shops.ts'
import { auditHere } from './testing/audit-here.ts'

const SHOPS = new Map(
  [...INNOCENT_ACP, ...GUILTY_ACP, WITHOUT_PAGE_OR_DOCUMENT].map((shop) => [shop.name, shop]),
)

interface Sent {
  request: string
  headers: Record<string, string>
  body: string
}
let sent: Sent[] = []
let fetcher: Fetcher

beforeAll(async () => {
  const front = new Hono().all('*', async (c) => {
    const host = c.req.header('host') ?? ''
    const { pathname: path } = new URL(c.req.url)
    const { method } = c.req
    const body = method === 'GET' ? '' : await c.req.text()
    const name = host.replace(/^api-of-/, '').split('.')[0] ?? ''
    const { profile, home } = SHOPS.get(name) ?? {}
    if (path === '/') {
      return home?.clone() ?? c.html('<!doctype html><title>Shop</title><p>Welcome.</p>')
    }
    if (path === '/.well-known/ucp' && profile !== undefined) return c.json(profile)
    // What every audit asks for.
    if (/^\/(\.well-known\/ucp|robots\.txt|sitemap\w*\.xml|ucp\/\w+)$/.test(path)) {
      return c.notFound()
    }
    sent.push({ request: `${method} ${path}`, headers: c.req.header(), body })
    const version = c.req.header('api-version') ?? null
    const hasKey = c.req.header('idempotency-key') !== undefined
    return SHOPS.get(name)?.answer({ host, method, path, version, hasKey }) ?? c.notFound()
  })
  fetcher = await fetcherTo(front, { clock: () => 0 })
})

beforeEach(() => {
  sent = []
})

// With the snippet's rules there is something to judge in any store.
const audit = ({ name }: AcpShop, checks: CheckName[] = ['acp', 'attribution']) =>
  auditHere({ domain: `${name}.example`, checks }, { fetcher })

const isOfMcp = ({ request }: Sent) => /\/mcp$/.test(request)

test.each([...INNOCENT_ACP, ...GUILTY_ACP])('$name', async (shop) => {
  const { gaps, passed, skipped } = await audit(shop)
  const acp = gaps.filter(({ check }) => check === 'acp')
  expect(acp.map(({ id }) => id)).toEqual(shop.gaps ?? [])
  expect(passed).toEqual(expect.arrayContaining([...(shop.passed ?? [])]))
  expect(skipped.map(({ id }) => id)).toEqual(expect.arrayContaining([...(shop.skipped ?? [])]))
  // acp.json and seven more, and the lists of tools; none that a store could take for an order.
  const [listed, others] = [sent.filter(isOfMcp), sent.filter((each) => !isOfMcp(each))]
  expect(others.map(({ request }) => request).slice(8)).toEqual([])
  expect(listed.map(({ body }) => JSON.parse(body).method)).toEqual(listed.map(() => 'tools/list'))
  expect(listed.length).toBeLessThanOrEqual(2)
  for (const { headers, body } of others) {
    expect(Object.keys(headers)).not.toContain('authorization')
    expect(Object.keys(headers)).not.toContain('idempotency-key')
    for (const value of Object.values(JSON.parse(body || '{}')))
      expect([0, [[]]]).toContainEqual(value)
  }
})

describe('the checkout of a store without a UCP profile', () => {
  test.each<[string, string, string[]]>([
    ['is that over ACP', 'unannounced', ['well_known_missing']],
    ['may be that over ACP', 'perhaps', ['well_known_missing']],
    ['may be that which knows no such product', 'unannounced-lookup', ['well_known_missing']],
    ['may be that of an address', WITHOUT_PAGE_OR_DOCUMENT.name, ['well_known_missing']],
    ['is not behind a gate', 'gate-everywhere', ['checkout_unreachable', 'catalog_unreachable']],
    ['is missing with that over ACP', 'no-acp', ['checkout_unreachable', 'acp_create_unreachable']],
  ])('%s: %s', async (_, name, expected) => {
    const { gaps } = await audit({ name, answer: () => null }, [
      'well_known',
      'catalog',
      'checkout',
      'acp',
    ])
    const found = gaps.filter(({ severity }) => severity === 'critical').map(({ id }) => id)
    if (name === 'no-acp' || name === 'gate-everywhere') {
      expect(found).toEqual(expect.arrayContaining(expected))
    } else expect(found).toEqual(expected)
  })

  // Without the check acp: what acp.json names is asked once; where there is none, usual addresses
  // are.
  const CREATE = 'POST /api/checkout_sessions'
  const OWN = 'POST /acp/checkout/create'
  const SESSION = '/checkout_sessions/aisle-unknown-session'
  const USUAL = [OWN, `GET /acp${SESSION}`, `GET /acp/v1${SESSION}`]
  const NOWHERE = ['catalog_unreachable', 'checkout_unreachable']
  test.each<[string, string, string[], string[], RegExp | null]>([
    ['is that over ACP', 'open', [CREATE], [], /^agents buy over ACP, at https:\/\/open\.example/],
    ['is that over ACP for who has a key', 'strangers-401', [CREATE], [], /^agents buy over ACP/],
    ['is that over ACP without a page', 'without-a-page', [CREATE], [], /^agents buy over ACP/],
    ['may be that behind a gate', 'gate-403-page', [CREATE], [], null],
    ['may be that of a busy store', 'limited', [CREATE], [], null],
    ['may be that over MCP', 'mcp-only', ['POST /api/mcp', 'POST /mcp'], [], null],
    [
      'is that over MCP',
      'mcp-alone',
      ['POST /api/mcp'],
      [],
      /^agents buy over ACP, at .+\/api\/mcp/,
    ],
    ['is not where nothing answers', 'dead-base', [CREATE], NOWHERE, null],
    ['is not what says yes to anything', 'yes-everywhere', [CREATE], NOWHERE, null],
    ['is not what has one page', 'page-everywhere', [CREATE], NOWHERE, null],
    ['is not an unannounced yes', 'yes-everywhere-unannounced', [OWN], NOWHERE, null],
    ['is not on a host that is not there', 'dead-host', [], NOWHERE, null],
    ['is not that of payments alone', 'payments-only', [], NOWHERE, null],
    [
      'is that over ACP, unannounced',
      'unannounced',
      [OWN, 'POST /checkout_sessions', `POST ${SESSION}/complete`],
      [],
      /^agents buy over ACP, at https:\/\/unannounced\.example/,
    ],
    ['may be that of an address', 'perhaps', USUAL, [], null],
    ['is nowhere', 'no-acp', USUAL, NOWHERE, null],
    ['is behind a gate', 'gate-everywhere', [OWN], NOWHERE, null],
  ])('by default checks, %s: %s', async (_, name, asked, expected, note) => {
    const result = await audit({ name, answer: () => null }, [...DEFAULT_CHECKS])
    const found = result.gaps.filter(({ check }) => ['catalog', 'checkout'].includes(check))
    expect(found.map(({ id }) => id).toSorted()).toEqual(expected)
    expect(sent.map(({ request }) => request).filter((each) => /acp|POST/.test(each))).toEqual([
      'GET /.well-known/acp.json',
      ...asked,
    ])
    if (note === null) expect(result.passed).not.toContain('checkout_reachable')
    else expect(result.passed_notes.checkout_reachable).toMatch(note)
    const missing = result.gaps.find(({ id }) => id === 'well_known_missing')
    expect(missing?.detail.includes('Those that speak ACP buy at')).toBe(note !== null)
    // A part of the result says what an audit of that part would.
    for (const checks of [
      ['well_known', 'checkout'],
      ['checkout', 'attribution'],
    ] as const) {
      const { checked_at: __, ...alone } = await audit({ name, answer: () => null }, [...checks])
      const { checked_at: ___, ...part } = narrowResult(result, checks)
      expect(part).toEqual(alone)
    }
  })

  test('over ACP counts in the score, and what needs a session is open', async () => {
    const sales = await audit({ name: 'open', answer: () => null }, [...DEFAULT_CHECKS])
    const none = await audit({ name: 'no-acp-json', answer: () => null }, [...DEFAULT_CHECKS])
    expect(none.breakdown.checkout).toBe(0)
    expect(sales.breakdown).toMatchObject({ catalog: 0, checkout: 10 })
    const open = sales.skipped.filter(({ reason }) => reason === NEEDS_ACP_SESSION)
    expect(open.map(({ id }) => id)).toContain('checkout_dry_run_failed')
    const catalog = sales.skipped.find(({ id }) => id === 'catalog_unreachable')
    expect(catalog?.reason).toMatch(/ACP has no catalog/)
  })
})

test('a host that demands a key everywhere is told so', async () => {
  const name = 'all-behind-a-key'
  const refused = () => Response.json({ code: 'no_key', message: 'Who are you?' }, { status: 401 })
  SHOPS.set(name, { name, home: refused(), answer: refused })
  await expect(audit({ name, answer: refused })).rejects.toThrow(/asks for a key/)
})

test('what is at hand instead is said where there is nothing to judge', async () => {
  const { answer } = SHOPS.get('without-a-page') ?? { answer: () => null }
  await expect(audit({ name: 'without-a-page', answer }, ['attribution'])).rejects.toThrow(
    /ask for the check acp/,
  )
})

test('a path that may be anything is asked by GET alone', async () => {
  await audit({ name: 'stripe-sample', answer: () => null })
  const atPath = sent.flatMap(({ request }) => (request.includes(' /api/') ? [request] : []))
  expect(atPath).toEqual(['GET /api/checkout_sessions/aisle-unknown-session'])
})

test.each(['POST /acp/checkout/create', 'POST /api/checkout_sessions'])(
  'a store that has had enough at %s is left alone',
  async (last) => {
    const name = last.includes('api') ? 'busy-official' : 'busy'
    SHOPS.set(name, {
      name,
      answer: ({ path }) =>
        path === '/.well-known/acp.json'
          ? last.includes('api')
            ? Response.json({ api_base_url: `https://${name}.example/api` })
            : null
          : new Response('', { status: 429 }),
    })
    await audit({ name, answer: () => null })
    expect(sent.map(({ request }) => request)).toEqual(['GET /.well-known/acp.json', last])
  },
)

test.each([
  ['that is no URI', 'https://not-a-uri.example/a p i'],
  ['of too many characters', `https://not-a-uri.example/${'/'.repeat(10_000)}a`],
])('an address %s is not asked', async (_, api_base_url) => {
  const name = 'not-a-uri'
  SHOPS.set(name, {
    name,
    answer: ({ path }) =>
      path === '/.well-known/acp.json' ? Response.json({ api_base_url }) : null,
  })
  const { gaps } = await audit({ name, answer: () => null })
  expect(gaps.map(({ id }) => id)).toContain('acp_discovery_invalid')
  expect(sent.filter(({ request }) => /%20|\/\/|\/a\//.test(request))).toEqual([])
})

test('an address that is not https is not asked', async () => {
  const name = 'plain-http'
  SHOPS.set(name, {
    name,
    answer: ({ path }) =>
      path === '/.well-known/acp.json'
        ? Response.json({ api_base_url: 'http://plain-http.example/api' })
        : null,
  })
  await audit({ name, answer: () => null })
  expect(sent.length).toBeGreaterThan(1)
  expect(sent.filter(({ headers }) => headers['x-forwarded-proto'] === 'http')).toEqual([])
})

/** Official ACP at an address that only acp.json names. */
const atOwnAddress = (name: string, change: object): AcpShop => ({
  name,
  answer: (asked) => {
    if (asked.path !== '/.well-known/acp.json') {
      if (!asked.path.startsWith('/agentic/v2/')) return null
      const path = asked.path.replace('/agentic/v2/', '/api/')
      return SHOPS.get('open')?.answer({ ...asked, path }) ?? null
    }
    return Response.json({
      protocol: { name: 'acp', version: '2026-04-17', supported_versions: ['2026-04-17'] },
      api_base_url: `https://${asked.host}/agentic/v2`,
      transports: ['rest'],
      capabilities: { services: ['checkout'] },
      ...change,
    })
  },
})

describe('a faulty acp.json', () => {
  const ofAcp = async (shop: AcpShop) => {
    SHOPS.set(shop.name, shop)
    const { gaps, score } = await audit(shop)
    return { gaps: gaps.filter(({ check }) => check === 'acp'), score }
  }

  test('that leads agents to the checkout is to be fixed, and that closes the gap', async () => {
    const before = await ofAcp(atOwnAddress('own-address-faulty', { transports: undefined }))
    expect(before.gaps.map(({ id }) => id)).toEqual(['acp_discovery_invalid'])
    const [{ detail, fix } = { detail: '', fix: '' }] = before.gaps
    expect(`${detail} ${fix}`).toContain('transports')
    expect(`${detail} ${fix}`).not.toMatch(/remove/)
    const after = await ofAcp(atOwnAddress('own-address-fixed', {}))
    expect(after.gaps).toEqual([])
    expect(after.score).toBeGreaterThan(before.score)
  })

  test.each([
    ['of another making', () => Response.json({ endpoints: { checkout: '/api/acp/checkout' } })],
    ['that is not JSON', () => new Response('{,}', { headers: { 'content-type': 'text/json' } })],
  ])(
    '%s, beside ACP that is found without it, may be removed, and that closes the gap',
    async (which, file) => {
      const usual = SHOPS.get('open')?.answer ?? (() => null)
      const name = `needless-${which.split(' ').at(-1)?.toLowerCase()}`
      const before = await ofAcp({
        name,
        answer: (asked) => (asked.path === '/.well-known/acp.json' ? file() : usual(asked)),
      })
      expect(before.gaps).toMatchObject([
        {
          id: 'acp_discovery_invalid',
          detail: expect.stringMatching(
            /\. ACP was found at https:\/\/\S+\/api\/checkout_sessions without the file, so you may also remove it\.$/,
          ),
        },
      ])
      const after = await ofAcp({
        name: `${name}-removed`,
        answer: (asked) => (asked.path === '/.well-known/acp.json' ? null : usual(asked)),
      })
      expect(after.gaps).toEqual([])
      expect(after.score).toBeGreaterThanOrEqual(before.score)
    },
  )
})
