import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import type { WalkDialectName } from '../../../shared/walk/dialect.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { auditSession } from '../probe/session.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import { findRoutes } from './find-routes.ts'

/**
 * What a store says of itself, and what it answers to a checkout that is not let in or not valid.
 */
interface Store {
  profile?: unknown
  /** At `/older`. */
  older?: unknown
  acp?: object
  /** At `/checkout_sessions`; 404 where it is left out. */
  checkout?: { status: number; body: object }
}

const CHECKOUT = 'dev.ucp.shopping.checkout'
const profile = (version: string, transports: string[], capabilities = [CHECKOUT]) => ({
  ucp: {
    version,
    services: {
      'dev.ucp.shopping': transports.map((transport) => ({
        version,
        transport,
        spec: 'https://ucp.dev/spec',
        schema: 'https://ucp.dev/schema.json',
        endpoint: `https://shop.example/${transport}`,
      })),
    },
    capabilities: Object.fromEntries(
      capabilities.map((name) => [
        name,
        [{ version, spec: 'https://ucp.dev/c', schema: 'https://ucp.dev/c.json' }],
      ]),
    ),
    payment_handlers: {},
  },
})

const acpJson = (change: object = {}, protocol: object = {}) => ({
  protocol: {
    name: 'acp',
    version: '2026-04-17',
    supported_versions: ['2026-04-17'],
    ...protocol,
  },
  api_base_url: 'https://shop.example',
  transports: ['rest'],
  capabilities: { services: ['checkout'] },
  ...change,
})
const stranger = { status: 401, body: { detail: 'Not authenticated' } }
const refused = (status: number, code: string, more: object = {}) => ({
  status,
  body: { type: 'invalid_request', code, message: 'No.', ...more },
})

let store: Store = {}
let fetcher: Fetcher
beforeAll(async () => {
  fetcher = await fetcherTo(
    new Hono()
      .get('/.well-known/ucp', (c) => (store.profile ? c.json(store.profile) : c.notFound()))
      .get('/older', (c) => (store.older ? c.json(store.older) : c.notFound()))
      .get('/.well-known/acp.json', (c) => (store.acp ? c.json(store.acp) : c.notFound()))
      .all('/checkout_sessions/*', (c) => {
        const { status, body } = store.checkout ?? { status: 404, body: { detail: 'Not Found' } }
        return c.json(body, status as 400)
      })
      .all('*', (c) => c.json({ detail: 'Not Found' }, 404)),
  )
})

async function found(
  its: Store,
  looking: { wanted?: readonly WalkDialectName[]; hasKey?: boolean } = {},
) {
  store = its
  const plain = fetcher.open()
  try {
    const session = auditSession(plain, JUDGES_HERE)
    const { routes, nothing } = await findRoutes(session, 'shop.example', looking)
    return { routes: routes.map(({ dialect, version }) => `${dialect} ${version}`), nothing }
  } finally {
    await plain.close()
  }
}

const NOT_FOUND = 'No checkout that can be walked was found on shop.example.'
const NO_ACP = 'ACP was not found.'

test.each<[string, Store, string]>([
  [
    'an older version',
    { profile: profile('2026-01-11', ['rest']) },
    `${NOT_FOUND} The profile is of UCP 2026-01-11; walks speak 2026-01-23, 2026-04-08, and 2026-08-25. ${NO_ACP}`,
  ],
  [
    'a later version',
    { profile: profile('2031-01-01', ['rest']) },
    `${NOT_FOUND} The profile is of UCP 2031-01-01, which is newer than this version of Aisle knows (2026-08-25); walks speak 2026-01-23, 2026-04-08, and 2026-08-25. ${NO_ACP}`,
  ],
  [
    'no checkout',
    { profile: profile('2026-08-25', ['rest'], ['dev.ucp.shopping.order']) },
    `${NOT_FOUND} The profile offers neither a checkout nor a cart. ${NO_ACP}`,
  ],
  [
    'other transports alone',
    { profile: profile('2026-08-25', ['a2a', 'embedded']) },
    `${NOT_FOUND} The profile offers its services over A2A and an embedded page alone; walks speak REST and MCP. ${NO_ACP}`,
  ],
  [
    'a profile without its envelope',
    { profile: profile('2026-04-08', ['rest']).ucp },
    `${NOT_FOUND} The UCP profile is of no known version: ucp is missing. Did you mean ucp.version "2026-04-08"? ${NO_ACP}`,
  ],
  [
    'nothing at all',
    {},
    `${NOT_FOUND} No UCP profile was found: GET https://shop.example/.well-known/ucp answered 404. ${NO_ACP}`,
  ],
  [
    'a list',
    { profile: [] },
    `${NOT_FOUND} The UCP profile cannot be read: it is not a JSON object. ${NO_ACP}`,
  ],
])('why a store is not walked: %s', async (_, its, nothing) => {
  expect(await found(its)).toEqual({ routes: [], nothing })
})

test('both transports of a version that is walked', async () => {
  expect(await found({ profile: profile('2026-04-08', ['mcp', 'rest', 'a2a']) })).toEqual({
    routes: ['ucp_rest 2026-04-08', 'ucp_mcp 2026-04-08'],
    nothing: null,
  })
})

/** A profile of a version that nobody here knows, beside one for agents of today. */
const later = (...versions: string[]) => {
  const { ucp } = profile('2031-01-01', ['rest'])
  const named = versions.map((version) => [version, 'https://shop.example/older'])
  return { ucp: { ...ucp, supported_versions: Object.fromEntries(named) } }
}

test('of a later profile, the one of the newest version that both know', async () => {
  const older = profile('2026-08-25', ['rest'])
  const profiles = { profile: later('2026-04-08', '2026-08-25', '2030-01-01'), older }
  expect(await found(profiles)).toEqual({ routes: ['ucp_rest 2026-08-25'], nothing: null })
})

test.each<[string, Store]>([
  ['is not there', { profile: later('2026-08-25') }],
  [
    'is of another version',
    { profile: later('2026-08-25'), older: profile('2026-04-08', ['rest']) },
  ],
  [
    'is of a version that most agents no longer speak',
    {
      profile: later('2026-01-11'),
      older: profile('2026-01-11', ['rest']),
    },
  ],
])('a profile for agents of today that %s leads nowhere', async (_, its) => {
  const { routes, nothing } = await found(its)
  expect(routes).toEqual([])
  expect(nothing).toMatch(/newer than this version of Aisle knows/)
})

test('what is there and was not asked for', async () => {
  const its = { profile: profile('2026-04-08', ['rest']) }
  expect(await found(its, { wanted: ['ucp_mcp'] })).toEqual({
    routes: [],
    nothing: 'shop.example speaks none of the protocols that were asked for.',
  })
})

test.each<[string, Store]>([
  ['a stranger is not let in', { acp: acpJson(), checkout: stranger }],
  ['nothing is there', { acp: acpJson() }],
  ['it is all right', { acp: acpJson(), checkout: refused(400, 'invalid') }],
])('acp.json is believed: %s', async (_, its) => {
  expect(await found(its)).toEqual({ routes: ['acp 2026-04-17'], nothing: null })
})

test.each<[string, object, RegExp]>([
  ['MCP alone', acpJson({ transports: ['mcp'] }), / acp\.json names MCP alone, .+\.$/],
  [
    'no checkout',
    acpJson({ capabilities: { services: ['carts'] } }),
    / acp\.json names no checkout\.$/,
  ],
  [
    'an older version',
    acpJson({}, { version: '2025-09-12', supported_versions: ['2025-09-12'] }),
    / ACP is spoken in version 2025-09-12; walks speak 2025-09-29, .+, and 2026-04-17\.$/,
  ],
])('acp.json that names %s', async (_, acp, nothing) => {
  expect(await found({ acp })).toEqual({
    routes: [],
    nothing: expect.stringMatching(nothing),
  })
})

test('of several versions the newest that is walked', async () => {
  const supported_versions = ['2026-01-30', '2026-04-17', '2031-01-01', 'next']
  const named = acpJson({}, { version: '2031-01-01', supported_versions })
  expect((await found({ acp: named })).routes).toEqual(['acp 2026-04-17'])
  const both = acpJson({}, { version: '2026-01-30', supported_versions })
  expect((await found({ acp: both })).routes).toEqual(['acp 2026-01-30'])
})

test('without acp.json the version is what a refusal lists, or else the newest', async () => {
  const listing = (...supported_versions: string[]) => ({
    checkout: refused(400, 'unsupported_api_version', { supported_versions }),
  })
  expect((await found(listing('2025-12-12', '2026-01-30'))).routes).toEqual(['acp 2026-01-30'])
  expect((await found({ checkout: refused(400, 'invalid') })).routes).toEqual(['acp 2026-04-17'])
  expect((await found(listing('2025-09-29', '2025-12-12'))).routes).toEqual(['acp 2025-12-12'])
})

test('a version that a refusal names in words is taken', async () => {
  const message = 'Invalid version 2026-04-17. Expected: 2025-12-12'
  expect((await found({ checkout: refused(400, 'invalid', { message }) })).routes).toEqual([
    'acp 2025-12-12',
  ])
})

test('what lets no stranger in is walked with a key, and named without', async () => {
  expect(await found({ checkout: stranger }, { hasKey: true })).toEqual({
    routes: ['acp 2026-04-17'],
    nothing: null,
  })
  expect((await found({ checkout: stranger })).nothing).toMatch(
    / ACP may be at https:\/\/shop\.example\/checkout_sessions, but no acp\.json names it, and this cannot be confirmed without a key\.$/,
  )
  // A key alone makes no checkout.
  expect((await found({}, { hasKey: true })).routes).toEqual([])
})
