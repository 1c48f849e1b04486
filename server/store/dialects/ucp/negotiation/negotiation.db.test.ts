import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import {
  CHECKOUT,
  FULFILLMENT,
  LOOKUP,
  ORDER,
  SEARCH,
} from '../../../../../shared/protocols/ucp/names.ts'
import { fetcherTo } from '../../../../audit/probe/testing/fetcher.ts'
import { platformsWith } from '../../../testing/platforms.ts'
import { testStore } from '../../../testing/store.ts'
import { capabilitiesOf } from '../profile/profile.ts'
import { ProtocolError } from '../testing/schemas.ts'
import { intersect, readAgentHeader } from './negotiate.ts'
import { createPlatformProfiles } from './platform-profiles.ts'

const HOST = 'ucp.example'
const HTTPS = 'https://agent.example/ucp.json'

/** Profiles by their paths, how often each was asked for, and what holds an answer back. */
const asked: string[] = []
let gate = Promise.resolve()
const ours = capabilitiesOf('2026-08-25')
const profile = (version: unknown, capabilities: unknown = ours) => ({
  ucp: { version, capabilities },
})
const range = (length: number) => Array.from({ length }, (_, n) => n)
const DOCUMENTS: Record<string, object> = {
  '/ucp.json': profile('2026-08-25'),
  '/older.json': profile('2026-04-08', capabilitiesOf('2026-04-08')),
  '/first.json': profile('2026-01-11', [{ name: CHECKOUT }]),
  '/later.json': profile('2099-01-01'),
  '/nothing-in-common.json': profile('2026-08-25', { 'com.example.other': [{ version: '1' }] }),
  '/other-version.json': profile('2026-08-25', capabilitiesOf('2026-04-08')),
  '/no-capabilities.json': { ucp: { version: '2026-08-25' } },
  '/list.json': profile('2026-08-25', [CHECKOUT]),
  '/no-version.json': { ucp: {} },
  '/huge.json': { ...profile('2026-08-25'), padding: 'x'.repeat(128 * 1024) },
  '/crowded.json': {
    ...profile('2026-08-25', {
      ...ours,
      ...Object.fromEntries(range(300).map((n) => [`com.example.c${n}`, ours[CHECKOUT]])),
      [ORDER]: range(99).map(() => ({
        ...{ version: '2026-08-25', about: 'x'.repeat(99) },
        config: { webhook_url: 'https://agent.example/hook', about: 'x'.repeat(99) },
      })),
    }),
    keys: range(200).map((n) => ({ kid: `k${n}`, kty: 'EC', crv: 'P-256', n: 'x'.repeat(99) })),
    about: 'x'.repeat(10_000),
  },
  '/large.json': { ...profile('2026-08-25'), padding: 'x'.repeat(120 * 1024) },
}
const platform = new Hono()
platform.get('*', async (c) => {
  asked.push(c.req.path)
  await gate
  const { path } = c.req
  if (path === '/redirected.json') return c.redirect('/ucp.json')
  if (path === '/broken.json') return c.body('{')
  if (path === '/kept.json') c.header('cache-control', 'max-age=600')
  if (path === '/unkept.json') c.header('cache-control', 'no-store, max-age=0')
  if (path.endsWith('kept.json')) return c.json(DOCUMENTS['/ucp.json'] ?? null)
  const document = DOCUMENTS[path]
  return document ? c.json(document) : c.body('', 500)
})
const fetcher = await fetcherTo(platform)
let now = 1
const profiles = (budget?: { points: number; duration: number }) =>
  createPlatformProfiles({ fetcher, clock: () => now, ...(budget && { budget }) })
const timesAsked = (path: string) => asked.filter((each) => each === path).length

const { ask } = await testStore({ platforms: profiles() })
const searchAs = (agent: string, path = '/ucp/v1/catalog/search') =>
  ask(path, HOST, {
    method: 'POST',
    headers: { 'ucp-agent': agent },
    body: JSON.stringify({ query: 'tent' }),
  })
const callAs = (agent: object) =>
  ask('/ucp/mcp', HOST, {
    method: 'POST',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'a-1',
      method: 'tools/call',
      params: {
        name: 'search_catalog',
        arguments: { meta: agent, catalog: { query: 'tent' } },
      },
    }),
    headers: { 'content-type': 'application/json' },
  })

const named = (path: string) => `https://agent.example${path}`

describe('who cannot be answered is told why, in the words of both bindings', () => {
  test.each<[string, string | null, number, string]>([
    ['no profile', null, 400, 'invalid_profile_url'],
    ['no URL', 'agent', 400, 'invalid_profile_url'],
    ['http', 'http://agent.example/ucp.json', 400, 'invalid_profile_url'],
    ['a password', 'https://a:b@agent.example/ucp.json', 400, 'invalid_profile_url'],
    ['a URL of 3,000 characters', named(`/${'x'.repeat(3000)}`), 400, 'invalid_profile_url'],
    ['this machine', 'https://localhost/ucp.json', 424, 'profile_unreachable'],
    ['an address of this machine', 'https://127.0.0.1/ucp.json', 424, 'profile_unreachable'],
    ['a private network', 'https://[fd00::1]/ucp.json', 424, 'profile_unreachable'],
    ['an error', named('/none.json'), 424, 'profile_unreachable'],
    ['a redirect', named('/redirected.json'), 424, 'profile_unreachable'],
    ['no JSON', named('/broken.json'), 422, 'profile_malformed'],
    ['no version', named('/no-version.json'), 422, 'profile_malformed'],
    ['more than 128 KiB', named('/huge.json'), 422, 'profile_malformed'],
    ['capabilities as a list', named('/list.json'), 422, 'profile_malformed'],
    ['the first version', named('/first.json'), 422, 'version_unsupported'],
    ['a later version', named('/later.json'), 422, 'version_unsupported'],
  ])('%s', async (_, url, status, code) => {
    const rest = await searchAs(url === null ? '' : `profile="${url}"`)
    expect([rest.status, ProtocolError.parse(JSON.parse(rest.body)).code]).toEqual([status, code])
    const rpc = await callAs(url === null ? {} : { 'ucp-agent': { profile: url } })
    expect([rpc.status, JSON.parse(rpc.body)]).toEqual([
      status,
      {
        jsonrpc: '2.0',
        id: 'a-1',
        error: {
          code: -32001,
          message: JSON.parse(rest.body).content,
          data: {
            code,
            content: JSON.parse(rest.body).content,
            continue_url: 'https://ucp.example/',
          },
        },
      },
    ])
  })

  test('the version beside the profile counts as well', async () => {
    for (const agent of [
      `profile="${HTTPS}"; version="2099-01-01"`,
      `profile="${HTTPS}", version="2099-01-01"`,
    ]) {
      const { status, body } = await searchAs(agent)
      expect([status, JSON.parse(body).messages[0].code]).toEqual([422, 'version_unsupported'])
    }
    expect((await searchAs(`profile="${HTTPS}"; version="2026-08-25"`)).status).toBe(200)
  })

  test.each(['/nothing-in-common.json', '/other-version.json', '/no-capabilities.json'])(
    'what has nothing in common with us is an answer of 200: %s',
    async (path) => {
      const rest = await searchAs(`profile="${named(path)}"`)
      const rpc = await callAs({ 'ucp-agent': { profile: named(path) } })
      expect([rest.status, rpc.status]).toEqual([200, 200])
      const body = JSON.parse(rest.body)
      expect(body).toMatchObject({
        ucp: { version: '2026-08-25', status: 'error' },
        messages: [{ code: 'capabilities_incompatible', severity: 'unrecoverable' }],
        continue_url: 'https://ucp.example/',
      })
      expect(JSON.parse(rpc.body).result.structuredContent).toEqual(body)
    },
  )
})

test.each([
  ['/ucp.json', '2026-08-25'],
  ['/large.json', '2026-08-25'],
  ['/older.json', '2026-04-08'],
])('%s is answered in %s, by what both have', async (path, version) => {
  const rest = await searchAs(`profile="${named(path)}"`)
  const { ucp, products } = JSON.parse(rest.body)
  expect(ucp).toEqual({ version, status: 'success', capabilities: { [SEARCH]: [{ version }] } })
  expect(products.length).toBeGreaterThan(0)
  const rpc = await callAs({ 'ucp-agent': { profile: named(path) } })
  expect(JSON.parse(rpc.body).result.structuredContent).toEqual(JSON.parse(rest.body))
  const wrong = await searchAs(`profile="${named(path)}"`, '/ucp/v1/catalog/lookup')
  expect([wrong.status, JSON.parse(wrong.body).ucp.version]).toEqual([400, version])
})

test('a checkout names fulfillment only to a platform that has it', async () => {
  const capabilitiesFor = async (names: string[]) => {
    const kept = Object.fromEntries(names.map((name) => [name, ours[name]]))
    const store = await testStore({ platforms: platformsWith('2026-08-25', kept) })
    const line_items = [{ item: { id: 'ao-1101' }, quantity: 1 }]
    const answer = await store.send('POST', '/ucp/v1/checkout-sessions', { line_items }, HOST)
    return Object.keys(JSON.parse(answer.body).ucp.capabilities)
  }
  expect(await capabilitiesFor([CHECKOUT, FULFILLMENT, LOOKUP])).toEqual([CHECKOUT, FULFILLMENT])
  expect(await capabilitiesFor([CHECKOUT])).toEqual([CHECKOUT])
})

describe('what both have', () => {
  const at = (version: string, parent?: string | string[]) => [
    { version, ...(parent !== undefined && { extends: parent }) },
  ]
  test.each<[string, Parameters<typeof intersect>[0], Parameters<typeof intersect>[1], string[]]>([
    ['nothing', { a: at('1') }, {}, []],
    ['the same version', { a: at('1'), b: at('1') }, { a: at('1'), b: at('2') }, ['a']],
    ['an orphan', { a: at('1'), b: at('1', 'a') }, { b: at('1') }, []],
    [
      'an orphan of an orphan',
      { c: at('1', 'b'), b: at('1', 'a'), a: at('1'), d: at('1') },
      { c: at('1'), b: at('1'), d: at('1') },
      ['d'],
    ],
    [
      'one of two parents',
      { a: at('1'), b: at('1', ['x', 'a']) },
      { a: at('1'), b: at('1') },
      ['a', 'b'],
    ],
    ['the names of prototypes', { constructor: at('1') }, { a: at('1') }, []],
  ])('%s', (_, one, other, expected) => {
    expect([...intersect(one, other)]).toEqual(expected)
  })
})

test.each([
  ['profile="https://a.example/"', 'https://a.example/'],
  ['a=1, profile="https://a.example/u#key";b, c=(1 2)', 'https://a.example/u'],
  ['profile=https://a.example/', null],
  ['profile', null],
  ['profile=("https://a.example/")', null],
  ['profile=7', null],
  ['https://a.example/', null],
  ['profile="https://a.example/', null],
])('UCP-Agent: %s', (header, expected) => {
  const read = readAgentHeader(header)
  expect('agent' in read ? read.agent.profileUrl : null).toBe(expected)
})

describe('a profile is fetched no more than needed', () => {
  test('callers of the same moment share one fetch', async () => {
    asked.length = 0
    let open = () => {}
    gate = new Promise((resolve) => {
      open = resolve
    })
    const { find } = profiles()
    const waiting = Array.from({ length: 20 }, () => find(HTTPS))
    open()
    const all = await Promise.all(waiting)
    expect(all.every((each) => 'profile' in each)).toBe(true)
    expect(timesAsked('/ucp.json')).toBe(1)
  })

  test.each([
    ['/kept.json', 599, 601],
    ['/unkept.json', 59, 61],
    ['/ucp.json', 59, 61],
    ['/none.json', 9, 11],
  ])('%s is still known after %i s, and not after %i s', async (path, before, after) => {
    const { find } = profiles()
    const start = now
    asked.length = 0
    for (const [seconds, times] of [
      [0, 1],
      [before, 1],
      [after, 2],
    ] as const) {
      now = start + seconds * 1000
      await find(named(path))
      expect(timesAsked(path)).toBe(times)
    }
  })

  test('of a large one no more is kept than is read', async () => {
    const kept = await profiles().find(named('/crowded.json'))
    expect(JSON.stringify(kept).length).toBeLessThan(8 * 1024)
    if ('refusal' in kept) throw new Error(kept.refusal.content)
    const { ucp, keys } = kept.profile
    const config = { webhook_url: named('/hook') }
    expect(ucp.capabilities).toMatchObject({ [CHECKOUT]: [{}], [ORDER]: [{ config }] })
    expect(keys).toContainEqual({ kid: 'k31', kty: 'EC', crv: 'P-256' })
    expect(keys).toHaveLength(32)
  })

  test('beyond the budget, a profile that has grown old is taken for an hour longer', async () => {
    const { find } = profiles({ points: 1, duration: 3600 })
    const start = now
    asked.length = 0
    expect('profile' in (await find(named('/ucp.json')))).toBe(true)
    for (const [seconds, is] of [
      [61, 'profile'],
      [60 + 3599, 'profile'],
      [60 + 3601, 'refusal'],
    ] as const) {
      now = start + seconds * 1000
      expect(await find(named('/ucp.json'))).toHaveProperty(is)
    }
    expect(timesAsked('/ucp.json')).toBe(1)
  })

  test('beyond the budget of all platforms, those that are known are still answered', async () => {
    const { ask } = await testStore({ platforms: profiles({ points: 1, duration: 60 }) })
    const searchFor = (path: string) =>
      ask('/ucp/v1/catalog/search', HOST, {
        method: 'POST',
        headers: { 'ucp-agent': `profile="${named(path)}"` },
        body: '{"query":"tent"}',
      })
    expect((await searchFor('/ucp.json')).status).toBe(200)
    const refused = await searchFor('/older.json')
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([
      503,
      'temporarily_unavailable',
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await searchFor('/ucp.json')).status).toBe(200)
    const rpc = await ask('/ucp/mcp', HOST, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'search_catalog',
          arguments: {
            meta: { 'ucp-agent': { profile: named('/older.json') } },
            catalog: { query: 'tent' },
          },
        },
      }),
    })
    expect([rpc.status, JSON.parse(rpc.body).error]).toMatchObject([
      503,
      { code: -32000, data: { retry_after: expect.any(Number) } },
    ])
  })
})
